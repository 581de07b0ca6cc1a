"""A prepared cross-encoder: the ids, mask and types of a pair in (the types where its graph asks for them), a logit out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_core.providers import prepared


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest(prepared.Manifest):
    """`correlation` is that of the prepared logits with the model's own over the probes, 1 for a graph taken as it was
    given: there is nothing to compare it with."""

    correlation: float


PreparedReranker = prepared.Prepared[Manifest]


def find_prepared(models_dir: Path, model: str) -> PreparedReranker | None:
    """The newest whole folder that was prepared for `model`, or None."""
    return prepared.find(models_dir, model, Manifest)
