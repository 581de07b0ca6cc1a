"""How much of a text a model can read, so that fusion can weigh what it says."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def can_read(text_scripts: Mapping[str, float], model_scripts: Collection[str]) -> float:
    """Share of a text's letters, 0 to 1, that are of scripts the model was trained on.

    `text_scripts` is what `script_shares` gives. A text without letters (numbers, signs) can be read
    by every model. An English-only embedder that votes on a Chinese query took recall@1 from .95 to
    .41 in an equal fusion: its vote is to be scaled by this share.

    >>> can_read({"Han": 0.75, "Latin": 0.25}, {"Latin"})
    0.25
    """
    if not text_scripts:
        return 1.0
    return min(
        1.0,
        sum(share for script, share in text_scripts.items() if script in model_scripts),
    )
