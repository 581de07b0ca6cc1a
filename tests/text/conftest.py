"""The Chinese dictionary takes a second to load: before the first test, not inside one."""

from __future__ import annotations

import pytest

from memory_core.text.segmenters import ChineseWords


@pytest.fixture(scope="session", autouse=True)
def _loaded_dictionary() -> None:
    ChineseWords().words("数据库")
