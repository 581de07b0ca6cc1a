"""Tool data: images are lifted out, long values are cut, everything else arrives as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.hook import IMAGE_PLACE, TOOL_DATA_LIMIT, cut_data, is_own_tool, take_image

PNG = "iVBORw0KGgoAAAANSUhEUg"
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=40,
)

IMAGES = [
    pytest.param(PNG, IMAGE_PLACE, PNG, id="the whole output"),
    pytest.param("data:image/gif;base64,R0", IMAGE_PLACE, "data:image/gif;base64,R0", id="a data URI"),
    pytest.param({"a": 1, "shot": "/9j/4AAQ"}, {"a": 1, "shot": IMAGE_PLACE}, "/9j/4AAQ", id="a value"),
    pytest.param(
        {"type": "image", "file": {"base64": PNG, "type": "image/png"}},
        {"type": "image", "file": {"base64": IMAGE_PLACE, "type": "image/png"}},
        PNG,
        id="a file that Claude Code read",
    ),
    pytest.param(
        {"type": "image", "file": {"base64": "UklGRg", "type": "image/webp"}},
        {"type": "image", "file": {"base64": IMAGE_PLACE, "type": "image/webp"}},
        "data:image/webp;base64,UklGRg",
        id="a format known by its media type only",
    ),
    pytest.param(
        [{"type": "text", "text": "t"}, {"type": "image", "source": {"media_type": "image/png", "data": PNG}}],
        [{"type": "text", "text": "t"}, {"type": "image", "source": {"media_type": "image/png", "data": IMAGE_PLACE}}],
        PNG,
        id="a content block",
    ),
    pytest.param(
        {"content": [{"type": "image", "data": "R0lGOD", "mimeType": "image/gif"}]},
        {"content": [{"type": "image", "data": IMAGE_PLACE, "mimeType": "image/gif"}]},
        "data:image/gif;base64,R0lGOD",
        id="an MCP result",
    ),
    pytest.param({"type": "image", "data": ["no"]}, {"type": "image", "data": ["no"]}, None, id="no image after all"),
    pytest.param({"stdout": "plain"}, {"stdout": "plain"}, None, id="no image"),
    pytest.param(None, None, None, id="no output"),
]


@pytest.mark.parametrize(("value", "rest", "image"), IMAGES)
def test_the_first_image_at_any_depth_is_lifted_out(value: Any, rest: Any, image: str | None) -> None:
    before = json.dumps(value)

    assert take_image(value) == (rest, image)
    assert json.dumps(value) == before


def test_data_within_the_limit_is_not_touched() -> None:
    value = {"stdout": "x" * (TOOL_DATA_LIMIT - 100)}

    assert cut_data(value) is value


def test_the_longest_strings_are_cut_and_the_shape_stays() -> None:
    value = {"stdout": "x" * 600_000, "stderr": "short", "code": 1, "lines": ["y" * 300_000]}

    cut = cut_data(value)

    assert (cut["stderr"], cut["code"]) == ("short", 1)
    kept = cut["stdout"].index("[")
    assert cut["stdout"].startswith("x" * kept)
    assert cut["stdout"].endswith(f"[... {600_000 - kept} characters cut by the hook]")
    assert 0.8 * TOOL_DATA_LIMIT < len(json.dumps(cut)) <= TOOL_DATA_LIMIT


def test_a_long_text_keeps_almost_all_the_limit_allows() -> None:
    cut = cut_data("line\n" * 100_000)

    assert cut.startswith("line\nline\n")
    assert 0.7 * TOOL_DATA_LIMIT < len(json.dumps(cut)) <= TOOL_DATA_LIMIT


def test_data_without_long_strings_becomes_the_start_of_its_json() -> None:
    cut = cut_data(list(range(200_000)))

    assert cut.startswith("[0, 1, 2")
    assert "characters cut by the hook]" in cut


@given(value=VALUES, limit=st.integers(min_value=300, max_value=600))
def test_cut_data_is_json_within_the_limit(value: Any, limit: int) -> None:
    cut = cut_data(value, limit)

    assert json.loads(json.dumps(cut)) == cut
    assert cut == value or len(json.dumps(cut, ensure_ascii=False)) <= limit


@given(value=VALUES)
def test_a_value_without_an_image_is_not_touched(value: Any) -> None:
    rest, image = take_image(value)

    assert (rest == value) == (image is None)


@pytest.mark.parametrize(
    ("name", "server", "own"),
    [
        ("mcp__everlore__anything", "", True),
        ("mcp__agentmemory__memory_save", "", True),
        ("mcp__plugin_agentmemory_agentmemory__memory_save", "", True),
        ("agentmemory/memory_recall", "", True),
        ("memory_recall", "", True),
        ("Memory_Recall", "", True),
        ("recall", "everlore", True),
        ("memory_game_scores", "", False),
        ("mcp__basic-memory__search", "", False),
        ("Bash", "", False),
        ("", "", False),
    ],
)
def test_the_memory_knows_its_own_tools(name: str, server: str, own: bool) -> None:
    assert is_own_tool(name, server) is own
