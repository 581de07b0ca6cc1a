"""The one scrubber of this process: every text that anybody sends passes it before it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from memory_core.capture.catalogue import KingfisherCatalogue
from memory_core.capture.scrub import Scrubber


@cache
def scrubber() -> Scrubber:
    """Its catalogue is loaded at the first use."""
    return Scrubber(KingfisherCatalogue(Path(settings.SECRET_RULES_DIR)))


def text(value: str) -> str:
    """The text without private blocks and secrets."""
    return scrubber().text(value).text


def texts(values: Sequence[str]) -> list[str]:
    """Each of the texts, scrubbed."""
    return [text(value) for value in values]


def value(data: Any) -> Any:
    """Any JSON, every string in it scrubbed; its shape stays."""
    return scrubber().json(data).value
