"""A session's context: gather the blocks of its project, fit them in the budget, log what was shown."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from memory_core.knowledge import context as knowledge

from . import access
from .recall import rules


def context(
    session_id: str, *, project: str, budget: int | None, agent: str | None, now: datetime
) -> knowledge.Context:
    """What the project remembers, for a session that starts; `budget` in tokens, None for the configured one."""
    scope = rules().scope(project, agent)
    blocks = [
        *knowledge.memory_block(project, scope, now),
        *knowledge.session_blocks(project, scope, session_id),
    ]
    assembled = knowledge.assemble(blocks, project, budget or settings.EVERLORE["EVERLORE_TOKEN_BUDGET"])
    access.record(assembled.ids, now)
    return assembled
