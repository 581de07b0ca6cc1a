"""What the tools of real agents report, and what an observation of it should say."""

from __future__ import annotations

from typing import Any

import pytest

from memory_core.capture.compress import compress

MISSED = "String to replace not found in file.\nString: raise ValueError('x')\nerror: none"


def tool(name: str, given: Any, output: Any) -> dict[str, Any]:
    return {"tool_name": name, "tool_input": given, "tool_output": output}


def test_the_agents_last_words_have_a_title_and_the_weight_of_an_ordinary_event() -> None:
    answer = compress("stop", {"last_assistant_message": "The kiln was cold.\n\nI raised the limit to 1240."})

    assert (answer.title, answer.importance) == ("stop: The kiln was cold.", 5)


def test_a_stop_that_says_nothing_stays_telemetry() -> None:
    assert compress("stop", {}).importance == 2


@pytest.mark.parametrize(
    ("name", "error", "why"),
    [
        ("Edit", MISSED, "String to replace not found in file."),
        ("Read", "File does not exist.", "File does not exist."),
        ("Bash", "Exit code 1\n$ make\nError: no rule to make target", "Error: no rule to make target"),
        ("Bash", "Exit code 2\nls: cannot access 'kiln/'", "ls: cannot access 'kiln/'"),
    ],
    ids=[
        "its input comes back after the reason",
        "no line looks like an error",
        "a command's own error line",
        "no error line",
    ],
)
def test_a_failure_says_why(name: str, error: str, why: str) -> None:
    failure = compress("post_tool_failure", {"tool_name": name, "tool_input": '{"file_path": "a.py"}', "error": error})

    assert failure.facts[0] == why
    assert failure.subtitle == why


@pytest.mark.parametrize(
    ("command", "weight"),
    [("git merge main", 7), ("git merge-base main HEAD", 5), ("git commit-tree x", 5), ("git -C /p commit", 7)],
)
def test_only_commands_that_record_or_undo_work_weigh_as_a_commit(command: str, weight: int) -> None:
    assert compress("post_tool_use", tool("Bash", {"command": command}, "done")).importance == weight


def test_input_for_a_running_process_is_a_command() -> None:
    assert compress("post_tool_use", tool("write_stdin", {"chars": "y\n"}, "ok")).type == "command_run"


@pytest.mark.parametrize(
    "output",
    [
        [{"type": "text", "text": "the glaze ran"}],
        {"mode": "content", "numLines": "", "filenames": ["the glaze ran"]},
        {"structuredPatch": [{"oldStart": "", "lines": ["the glaze ran"]}]},
        [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}, "the glaze ran"],
    ],
    ids=["content blocks", "counts of a search", "a patch", "a picture"],
)
def test_search_text_has_no_names_of_shapes(output: Any) -> None:
    text = compress("post_tool_use", tool("Look", {"path": "kiln.md"}, output)).search_text

    left = text.replace("the glaze ran", "").replace("content", "").split()
    assert "the glaze ran" in text
    assert set(left) <= {"Look", "kiln.md"}


def test_a_file_as_it_was_before_an_edit_is_not_told_but_the_edit_is() -> None:
    report = {
        "tool_name": "Edit",
        "tool_input": {"file_path": "/w/greeting.py", "old_string": "hallo", "new_string": "hello"},
        "tool_output": {
            "filePath": "/w/greeting.py",
            "oldString": "hallo",
            "newString": "hello",
            "originalFile": "unrelated()",
        },
    }

    told = compress("post_tool_use", report).search_text

    assert "hallo" in told
    assert "hello" in told
    assert "unrelated" not in told
