"""Where prepared models are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """EVERLORE_TEST_CACHE, or `.cache/tests` of the checkout."""
    default = Path(__file__).resolve().parents[2] / ".cache" / "tests"
    return Path(os.environ.get("EVERLORE_TEST_CACHE", default)) / "models"
