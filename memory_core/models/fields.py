"""Column types the models share."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgvector.django import HalfVectorField


class AnyHalfVector(HalfVectorField):
    """A halfvec column of any width; each embedding space casts to its own width in its index and queries."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"dimensions": None, **kwargs})


def text_list() -> ArrayField[Any, Any]:
    """A list of texts, empty by default."""
    return ArrayField(models.TextField(), default=list, blank=True)
