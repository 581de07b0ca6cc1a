"""Every report becomes an observation that says something, within the protocol's limits, and can be found."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.capture.compress import compress
from memory_core.capture.payload import clean
from memory_core.domain.events import ObservationType
from memory_core.domain.tunables_capture import CONCEPT_LENGTH, CONCEPT_LIMIT, FACT_LIMIT, FILE_LENGTH, FILE_LIMIT
from tests.capture.strategies import ANY_JSON, HOOK_DATA, HOOKS, TEXTS, UNHURRIED, WORDS


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def tool(name: str, given_input: Any, output: Any = None, **more: Any) -> dict[str, Any]:
    return {"tool_name": name, "tool_input": given_input, "tool_output": output, **more}


@UNHURRIED
@given(st.sampled_from(HOOKS) | TEXTS, HOOK_DATA)
def test_any_report_is_compressed_within_the_limits(hook: str, data: Any) -> None:
    made = compress(hook, data)

    assert made.title.strip()
    assert units(made.title) <= 80
    assert made.subtitle is None or 1 <= units(made.subtitle) <= 120
    assert units(made.narrative) <= 400
    assert len(made.facts) <= FACT_LIMIT
    assert len(made.files) <= FILE_LIMIT
    assert all(1 <= len(path) <= FILE_LENGTH for path in made.files)
    assert len(made.concepts) <= CONCEPT_LIMIT
    assert all(len(name) <= CONCEPT_LENGTH for name in made.concepts)
    assert 1 <= made.importance <= 10
    assert 0 <= made.confidence <= 1


@UNHURRIED
@given(WORDS, WORDS)
def test_every_word_of_a_prompt_and_of_an_output_can_be_found(asked: list[str], answered: list[str]) -> None:
    prompted = compress("prompt_submit", {"prompt": " ".join(asked)})
    ran = compress("post_tool_use", tool("Bash", {"command": " ".join(asked)}, {"stdout": "\n".join(answered)}))
    talked = compress("post_tool_use", tool("conversation", " ".join(asked), " ".join(answered)))

    assert set(asked) <= set(prompted.search_text.split())
    assert set(asked) | set(answered) <= set(ran.search_text.split())
    assert set(asked) | set(answered) <= set(talked.search_text.split())


@UNHURRIED
@given(st.text(alphabet='[]{}":,\\ab1 ', max_size=80))
def test_a_broken_json_string_as_input_stays_searchable(broken: str) -> None:
    made = compress("post_tool_failure", {"tool_name": "Edit", "tool_input": "{" + broken, "error": "no"})

    assert made.type == ObservationType.ERROR


@UNHURRIED
@given(ANY_JSON)
def test_clean_data_gives_clean_texts(value: Any) -> None:
    made = compress("post_tool_use", tool("Bash", clean(value), clean(value)))

    for text in (made.title, made.subtitle or "", made.narrative, made.search_text, *made.facts, *made.files):
        text.encode("utf-8")


def test_a_hostile_input_is_no_recursion() -> None:
    made = compress("post_tool_failure", {"tool_name": "X", "tool_input": '{"a":' * 10_000, "error": "e"})

    assert made.title.startswith("X failed: ")


@pytest.mark.parametrize(
    ("hook", "name", "kind"),
    [
        pytest.param("post_tool_failure", "Read", "error", id="a failure is an error whatever the tool"),
        pytest.param("prompt_submit", None, "conversation", id="a prompt"),
        pytest.param("subagent_stop", None, "subagent", id="a subagent's end"),
        pytest.param("task_completed", None, "subagent", id="a completed task"),
        pytest.param("notification", None, "notification", id="a notification"),
        pytest.param("post_tool_use", "WebSearch", "web_fetch", id="web comes before search"),
        pytest.param("post_tool_use", "mcp__fs__read_file", "file_read", id="a word inside a name"),
        pytest.param("post_tool_use", "MultiEdit", "file_edit", id="a word at the end"),
        pytest.param("post_tool_use", "str_replace_editor", "file_edit", id="replace"),
        pytest.param("post_tool_use", "run-command", "command_run", id="with a hyphen"),
        pytest.param("post_tool_use", "Glob", "search", id="glob"),
        pytest.param("post_tool_use", "create_file", "file_write", id="create"),
        pytest.param("post_tool_use", "Task", "subagent", id="task"),
        pytest.param("post_tool_use", "TodoWrite", "task", id="a list of things to do is no file"),
        pytest.param("post_tool_use", "conversation", "conversation", id="a whole turn"),
        pytest.param("post_tool_use", "Frobnicate", "other", id="an unknown tool"),
        pytest.param("patch_applied", None, "file_edit", id="an extra hook by its words"),
        pytest.param("llm_params", None, "other", id="an extra hook without such words"),
    ],
)
def test_the_kind_follows_the_protocol(hook: str, name: str | None, kind: str) -> None:
    data = {"prompt": "hello there friend"} if name is None else tool(name, {}, "done")

    assert compress(hook, data).type == kind


@pytest.mark.parametrize(
    ("hook", "data", "title"),
    [
        pytest.param(
            "post_tool_use", tool("Bash", {"command": "npm test\nnpm run x"}), "Bash: npm test", id="a command"
        ),
        pytest.param(
            "post_tool_use", tool("shell", {"command": ["bash", "-lc", "ls -a"]}), "shell: ls -a", id="in words"
        ),
        pytest.param("post_tool_failure", {"tool_name": "Bash", "error": "x"}, "Bash failed", id="a failure"),
        pytest.param("post_tool_use", tool("Read", {"file_path": "src/app.py"}), "Read: src/app.py", id="a file"),
        pytest.param("post_tool_use", tool("Edit", '{"filePath":"a.py"}'), "Edit: a.py", id="an input in a string"),
        pytest.param(
            "post_tool_use", tool("Grep", {"path": "src", "pattern": "a.b"}), "Grep: a.b", id="a pattern before a path"
        ),
        pytest.param("prompt_submit", {"prompt": "\n Fix  the\nlogin "}, "Fix the login", id="a prompt"),
        pytest.param("notification", {"title": "", "message": "Allow it?"}, "notification: Allow it?", id="a message"),
        pytest.param(
            "task_completed", {"completed": [{"content": "Fix login"}]}, "task_completed: Fix login", id="a list"
        ),
        pytest.param("reasoning", {"messageID": "m1", "text": "I think"}, "reasoning: I think", id="an extra hook"),
        pytest.param("stop", None, "stop", id="no data"),
        pytest.param("stop", [1, "two"], "stop: 1", id="a list as data"),
        pytest.param("", None, "observation", id="nothing at all"),
    ],
)
def test_a_title_says_what_happened(hook: str, data: Any, title: str) -> None:
    assert compress(hook, data).title == title


def test_a_long_path_keeps_its_end_in_the_title() -> None:
    made = compress("post_tool_use", tool("Read", {"file_path": "/very" * 30 + "/last/module.py"}))

    assert made.title.startswith("Read: …")
    assert made.title.endswith("/last/module.py")
    assert len(made.title) == 80


def test_a_long_input_does_not_push_the_output_out_of_the_narrative() -> None:
    made = compress("post_tool_use", tool("Write", {"content": "word " * 500}, "wrote 500 words"))

    assert made.narrative.endswith("… | wrote 500 words")


@pytest.mark.parametrize(
    ("data", "files"),
    [
        pytest.param(tool("Read", {"file_path": "a.py", "path": "b"}), ("a.py", "b"), id="the protocol's keys"),
        pytest.param(tool("Read", {"path": "a.py", "file_path": "a.py"}), ("a.py",), id="without repetition"),
        pytest.param(tool("Read", {"file_path": "a" * 512}), (), id="too long to be a path"),
        pytest.param(tool("Read", {"file_path": ["a.py"], "path": 3}), (), id="no strings"),
        pytest.param(tool("Grep", {"pattern": "foo.py", "path": "src"}), ("src",), id="what grep looks for is no file"),
        pytest.param(tool("Glob", {"pattern": "**/*.py"}), ("**/*.py",), id="what glob looks for is one"),
        pytest.param(tool("NotebookEdit", {"notebook_path": "a.ipynb"}), ("a.ipynb",), id="a notebook"),
        pytest.param(
            tool("MultiEdit", {"edits": [{"file_path": "a.py"}, {"filePath": "b.py"}]}), ("a.py", "b.py"), id="edits"
        ),
        pytest.param(
            tool(
                "apply_patch",
                "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: src/b.py\n*** Add File: c d.md\n",
            ),
            ("src/a.py", "src/b.py", "c d.md"),
            id="a patch",
        ),
        pytest.param(tool("patch", {"diff": "--- a/x.py\n+++ b/y.py\n@@"}), ("x.py", "y.py"), id="a unified diff"),
        pytest.param(
            tool(
                "Bash",
                {"command": "cat src/a.py ./b.ts | grep x > 'out.txt' && ls dir/ https://x.io/y.py *.py $HOME/z.py"},
            ),
            ("src/a.py", "./b.ts", "out.txt"),
            id="paths in a command, and nothing that only might be one",
        ),
        pytest.param(
            tool("Edit", '{"file_path":"src/cut.py","old_string":"abc'), ("src/cut.py",), id="a cut-off input"
        ),
        pytest.param(
            {"source": "filesystem-watcher", "changeKind": "file_change", "files": ["a/b.py"]},
            ("a/b.py",),
            id="watcher",
        ),
    ],
)
def test_files_are_those_that_the_report_surely_names(data: Any, files: tuple[str, ...]) -> None:
    assert compress("post_tool_use", data).files == files


def test_a_failure_names_the_files_of_its_traceback_and_its_error() -> None:
    error = 'Exit code 1\nTraceback (most recent call last):\n  File "lib/db.py", line 3, in q\nKeyError: "user_id"'

    made = compress("post_tool_failure", {"tool_name": "Bash", "tool_input": "{}", "error": error})

    assert made.type == ObservationType.ERROR
    assert made.files == ("lib/db.py",)
    assert made.facts == ('KeyError: "user_id"',)
    assert made.subtitle == 'KeyError: "user_id"'
    assert made.concepts[0] == "KeyError"
    assert made.importance == 7


@pytest.mark.parametrize(
    ("output", "more", "kind"),
    [
        pytest.param({"stdout": "boom", "exit_code": 2}, {}, "error", id="an exit code"),
        pytest.param({"stdout": "", "exit_code": 1}, {}, "command_run", id="grep that found nothing"),
        pytest.param({"stdout": "1 failed", "exit_code": 1}, {}, "error", id="an exit code with a reason"),
        pytest.param({"stdout": "ok", "exit_code": 0}, {}, "command_run", id="success"),
        pytest.param("Exit code: 3\nOutput:\nx", {}, "error", id="said in the first line"),
        pytest.param("text about Exit code: 3", {}, "command_run", id="said elsewhere"),
        pytest.param("x", {"tool_error": True}, "error", id="a flag beside the output"),
        pytest.param("boom\nmore", {"metadata": {"exit": 1}}, "error", id="in the metadata"),
        pytest.param("KeyError: user_id", {}, "command_run", id="words alone are no proof"),
        pytest.param({"exit_code": True}, {}, "command_run", id="a boolean is no exit code"),
    ],
)
def test_a_failure_must_be_certain(output: Any, more: dict[str, Any], kind: str) -> None:
    assert compress("post_tool_use", tool("Bash", {"command": "x"}, output, **more)).type == kind


@pytest.mark.parametrize(
    ("hook", "data", "weight"),
    [
        pytest.param("prompt_submit", {"prompt": "Add a login form to the page"}, 6, id="a prompt"),
        pytest.param("prompt_submit", {"prompt": "Never use tabs in this repository"}, 8, id="a lasting wish"),
        pytest.param("prompt_submit", {"prompt": "以后必须用 pytest"}, 8, id="a lasting wish in Chinese"),
        pytest.param("prompt_submit", {"prompt": "ok, go on"}, 3, id="an acknowledgement"),
        pytest.param("prompt_submit", {"prompt": "修复登录"}, 6, id="short but not in Latin script"),
        pytest.param("post_tool_use", tool("Edit", {"file_path": "a.py"}, "ok"), 6, id="an edit"),
        pytest.param("post_tool_use", tool("Read", {"file_path": "a.py"}, "ok"), 3, id="a read"),
        pytest.param("post_tool_use", tool("Bash", {"command": "git commit -m x"}, "ok"), 7, id="a commit"),
        pytest.param(
            "post_tool_use", tool("Bash", {"command": "make"}, "error: no rule"), 6, id="trouble in the output"
        ),
        pytest.param("post_tool_use", tool("Bash", {"command": "ls"}, "a b"), 5, id="a command"),
        pytest.param("step_finish", {"cost": 1}, 2, id="telemetry"),
    ],
)
def test_importance_follows_its_rules(hook: str, data: Any, weight: int) -> None:
    assert compress(hook, data).importance == weight


def test_the_marks_of_a_redaction_are_no_concepts() -> None:
    report = {"prompt": "set API_TOKEN=[REDACTED_SECRET] and read [REDACTED]"}

    assert compress("prompt_submit", report).concepts == ("API_TOKEN",)


def test_concepts_are_the_names_that_the_report_speaks_of() -> None:
    made = compress(
        "post_tool_use",
        tool(
            "Bash",
            {"command": "npm install @scope/http-kit lodash@4 && node run.js"},
            "TypeError in parseConfig: ENOENT MAX_SIZE",
        ),
    )

    assert made.concepts == ("TypeError", "ENOENT", "@scope/http-kit", "lodash", "parseConfig", "MAX_SIZE")


@pytest.mark.parametrize(
    "digest", ["3f786850e387550fdab836ed7e6dc881de23001b", "a1b2c3d4e5f6a7b8", "just plain words here"]
)
def test_digests_and_plain_words_are_no_concepts(digest: str) -> None:
    assert compress("prompt_submit", {"prompt": f"look at {digest}"}).concepts == ()


def test_search_text_has_words_and_no_json_syntax() -> None:
    made = compress(
        "post_tool_use", tool("Bash", {"command": "npm ls"}, {"stdout": "tree", "react": "18.2.0", "isImage": False})
    )

    assert made.search_text == "Bash\nnpm ls\ntree\nreact\n18.2.0"


def test_recalled_context_is_not_stored_as_news() -> None:
    recalled = '<agentmemory-context project="p">old fact</agentmemory-context>'

    made = compress("prompt_submit", {"prompt": f"{recalled}\nAdd a test"})

    assert made.title == "Add a test"
    assert "old fact" not in made.search_text
    assert made.user_prompt == f"{recalled}\nAdd a test"


def test_an_unclosed_context_block_hides_nothing() -> None:
    made = compress("prompt_submit", {"prompt": "<agentmemory-context> a real wish"})

    assert "real wish" in made.search_text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param({"image_data": f"image:{'a' * 64}.png"}, "image", id="an image alone"),
        pytest.param(
            tool("Read", {"file_path": "a.png"}, f"image:{'a' * 64}.png"), "mixed", id="an image that a tool read"
        ),
        pytest.param(tool("Read", {"file_path": "a.md"}, "text"), "text", id="no image"),
    ],
)
def test_modality_of_a_report(data: Any, expected: str) -> None:
    made = compress("post_tool_use", data)

    assert made.modality == expected
    assert "aaaa" not in made.search_text


def test_a_whole_turn_has_both_sides() -> None:
    made = compress("post_tool_use", tool("conversation", "why is it slow", "the index is missing"))

    assert (made.user_prompt, made.assistant_response) == ("why is it slow", "the index is missing")
    assert made.search_text.count("why is it slow") == 1


def test_an_empty_output_gives_way_to_the_error() -> None:
    made = compress("post_tool_failure", {"tool_name": "Bash", "tool_output": "", "error": "fatal: no repository"})

    assert made.tool_output == "fatal: no repository"


@pytest.mark.parametrize(
    ("hook", "data", "expected"),
    [
        pytest.param(
            "stop", {"last_assistant_message": "The index is there now."}, "The index is there now.", id="answer"
        ),
        pytest.param("notification", {"message": "Build  is\ngreen"}, "Build  is\ngreen", id="broken over two lines"),
        pytest.param(
            "post_tool_use", tool("Bash", {"command": "npm ls"}, ""), "Bash\nnpm ls", id="a tool keeps its name"
        ),
        pytest.param("post_tool_use", tool("think", {}, ""), "think", id="a tool that told nothing"),
        pytest.param("subagent_stop", {}, "subagent_stop", id="a hook that told nothing"),
    ],
)
def test_search_text_says_nothing_twice(hook: str, data: Any, expected: str) -> None:
    """A title made of the first words would count them double, in every weight of the index."""
    assert compress(hook, data).search_text == expected
