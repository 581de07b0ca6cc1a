"""How the instance is, in the reader's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memory_core.flows import embedding


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the state: `good` is None where it is neither good nor bad; `detail` is for whoever mends it."""

    name: str
    words: str
    good: bool | None = None
    detail: str = ""


def facts(health: dict[str, Any]) -> list[Fact]:
    """The database, the model, and what waits, out of `flows.health.snapshot`."""
    database = health["kvConnectivity"]
    if database["status"] != "ok":
        return [Fact(_("Database"), _("cannot be reached"), False, database.get("error", ""))]
    latency = _("answers in {milliseconds} ms").format(milliseconds=max(1, round(database["latencyMs"])))
    return [Fact(_("Database"), latency, True), _model(), *_vectors(health["everlore"])]


def _model() -> Fact:
    state = embedding.model_state()
    if state.ready:
        words = _("{name}, {dimensions} dimensions: search by words and by meaning")
        return Fact(_("Embedding model"), words.format(name=state.name, dimensions=state.dimensions), True)
    if state.name:
        words = _("{name} is being prepared; search is by words until then").format(name=state.name)
        return Fact(_("Embedding model"), words)
    return Fact(_("Embedding model"), _("none: search is by words alone"), None, state.reason)


def _vectors(added: dict[str, Any]) -> list[Fact]:
    waiting, failed = int(added.get("embeddingBacklog") or 0), int(added.get("embeddingFailed") or 0)
    if waiting:
        words = ngettext("%(count)d record waits for its vectors", "%(count)d records wait for their vectors", waiting)
        lines = [Fact(_("Backlog"), words % {"count": waiting})]
    else:
        lines = [Fact(_("Backlog"), _("nothing waits"), True)]
    if failed:
        words = ngettext(
            "%(count)d record could not be embedded; it is found by words",
            "%(count)d records could not be embedded; they are found by words",
            failed,
        )
        lines.append(Fact(_("Given up"), words % {"count": failed}, False))
    return lines
