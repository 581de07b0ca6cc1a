"""The REST surface as it is without a model, and a character who calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_core.flows import embedding
from memory_core.providers.embedding.null import NullEmbedder
from tests.fakes.client import Caller

Configure = Callable[..., None]


@pytest.fixture(autouse=True)
def words_only() -> Iterator[None]:
    embedding.use(NullEmbedder("no model in this test"))
    yield
    embedding.use(None)


@pytest.fixture(autouse=True)
def own_images(settings: Any, tmp_path: Path) -> None:
    settings.IMAGES_DIR = tmp_path / "images"


@pytest.fixture
def configure(settings: Any) -> Configure:
    """Change settings of Everlore for one test, by name."""

    def change(**values: Any) -> None:
        settings.EVERLORE = {**settings.EVERLORE, **values}

    return change


@pytest.fixture
def owner() -> Caller:
    """At work in the orchard."""
    return Caller("owner")
