"""A prepared embedding model: token ids and attention mask in, one pooled vector a text out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memory_core.providers import prepared


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest(prepared.Manifest):
    """`sequence_tokens` counts the prefix, too. `cosine` is the mean cosine of the prepared vectors to the model's own
    over the probes. `pad_id` is the padding token."""

    dimensions: int
    query_prefix: str
    document_prefix: str
    pad_id: int
    cosine: float


PreparedModel = prepared.Prepared[Manifest]


def find_prepared(models_dir: Path, model: str) -> PreparedModel | None:
    """The newest whole folder that was prepared for `model`, or None."""
    return prepared.find(models_dir, model, Manifest)
