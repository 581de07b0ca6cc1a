"""`everlore demo`: three small made-up sessions, and questions that do not repeat their words."""
