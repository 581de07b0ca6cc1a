"""What differs between a model that embeds and one that reranks, where both are found, prepared and missed alike."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.domain.errors import ModelUnavailable


@dataclass(frozen=True, slots=True)
class ModelKind:
    """`noun`: what a person calls it; `setting`: what names it; `module`: the export that prepares it; `owner`: whose
    a bare name is at the model hub; `without`: what happens while there is none, and `ways` out of that."""

    noun: str
    setting: str
    module: str
    owner: str
    without: str
    ways: tuple[str, ...]

    def unavailable(self, model: str, cause: str) -> ModelUnavailable:
        """The error that says that a model cannot be had, why, and what a person can do."""
        ways = "; ".join(f"({number}) {way}" for number, way in enumerate(self.ways, start=1))
        return ModelUnavailable(
            f"The {self.noun} {model!r} is not available: {cause}. {self.without}, do one of these: {ways}."
        )
