"""Transcripts of coding agents, read into the events that their hooks would have given."""

from memory_core.documents.transcripts.discovery import Discovery, discover
from memory_core.documents.transcripts.problems import Problems
from memory_core.documents.transcripts.reading import Transcript, iter_events, read_transcript

__all__ = ["Discovery", "Problems", "Transcript", "discover", "iter_events", "read_transcript"]
