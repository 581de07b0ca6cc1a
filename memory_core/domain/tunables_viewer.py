"""Numbers of the pages."""

UNLOCKED_SECONDS = 30 * 24 * 3600
"""How long a browser that gave the secret is let in; unit: seconds."""

RECENT_EVENTS = 20
"""Events on the first page; unit: events, newest first."""

EVENT_TITLE_CHARACTERS = 160
"""Characters of an event's title on the first page; unit: characters."""
