"""Inputs that Hypothesis invents for the capture stage."""

from __future__ import annotations

import string

from hypothesis import settings
from hypothesis import strategies as st

UNHURRIED = settings(deadline=None)
"""A law is true or false; how long a busy machine takes to see it is not tested."""

TOOL_HOOKS = ["pre_tool_use", "post_tool_use", "post_tool_failure"]
HOOKS = [*TOOL_HOOKS, "prompt_submit", "subagent_stop", "task_completed", "notification", "session_diff", "llm_params"]

TEXTS = st.text(alphabet=st.characters(blacklist_categories=()), max_size=60)
"""Any code points, NUL and lone surrogates included."""

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=25,
)

_KNOWN_KEYS = st.sampled_from(
    [
        "tool_name",
        "tool_input",
        "tool_output",
        "error",
        "prompt",
        "last_message",
        "files",
        "file_path",
        "command",
        "path",
        "pattern",
        "edits",
        "metadata",
        "exit_code",
        "title",
        "source",
        "changeKind",
        "image_data",
        "content",
        "stdout",
    ]
)
HOOK_DATA = ANY_JSON | st.dictionaries(
    _KNOWN_KEYS, ANY_JSON | st.dictionaries(_KNOWN_KEYS, ANY_JSON, max_size=6), max_size=8
)
"""Any JSON, and objects with the protocol's keys whose values are of any type."""

WORDS = st.lists(
    st.text(alphabet=string.ascii_letters + string.digits, min_size=1, max_size=12), min_size=1, max_size=40
)
