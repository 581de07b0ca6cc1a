"""Follow a question through the graph: what it names, what is near that, and by which path."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import DatabaseError

from memory_core.domain import tunables_graph as tunables
from memory_core.domain.scope import Scope
from memory_core.graph.traversal import reach, telling
from memory_core.retrieve import linked
from memory_core.retrieve.linked import LinkedQuestion
from memory_core.retrieve.search import Hit
from memory_core.text.entities import question_keys

logger = logging.getLogger("everlore.recall")


def question(text: str, terms: Sequence[str], scope: Scope, now: datetime) -> tuple[LinkedQuestion | None, str]:
    """The nodes whose records may answer, None when the question names nothing the graph knows; and why the arm failed.

    `terms`: of the analyzer, since they hold the words of scripts without spaces. The graph is only ever of help, so
    that trouble with it does not fail the search.
    """
    keys = {**dict.fromkeys(terms[: tunables.MOST_KEYS], False), **question_keys(text)}
    try:
        around = linked.neighbourhood(keys, scope, telling, now)
    except DatabaseError as problem:
        logger.exception("The graph could not be read")
        return None, str(problem).splitlines()[0]
    if around is None:
        return None, ""
    return LinkedQuestion(reach(around), {node: seen.name for node, seen in around.nodes.items()}), ""


def explained(hits: Sequence[Hit], asked: LinkedQuestion | None) -> list[Hit]:
    """The hits, those of the linked arm with the path from the question's entity to what they name."""
    own = [hit.object_id for hit in hits if "linked" in hit.evidence]
    if asked is None or not own:
        return list(hits)
    named = linked.nodes_named_by(own, list(asked.reached))
    return [replace(hit, path=asked.path_to(named.get(hit.object_id, ()))) for hit in hits]
