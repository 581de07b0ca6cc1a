"""The text of a record that the index reads; the rows are the truth, so it is made from them, always the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_core.capture.compress import compress
from memory_core.knowledge.memories import NewMemory, Revision
from memory_core.models import Memory, Observation


def memory_text(memory: Memory | NewMemory | Revision) -> str:
    """Everything of a memory that a question may ask for, stored or about to be."""
    title = "" if memory.content.startswith(memory.title) else memory.title
    return "\n".join(part for part in (title, memory.content, *memory.concepts, *memory.files, memory.type) if part)


def observation_text(observation: Observation) -> str:
    """The whole text of an observation: its title, and every value of the payload it came from."""
    return compress(observation.hook_type, observation.raw).search_text


def texts(kind: str, object_ids: Sequence[str]) -> Mapping[str, str]:
    """The texts of records of one kind, by id; a record that is gone has none."""
    if kind == "memory":
        return {m.id: memory_text(m) for m in Memory.objects.filter(pk__in=object_ids)}
    return {o.id: observation_text(o) for o in Observation.objects.filter(pk__in=object_ids)}
