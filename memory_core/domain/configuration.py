"""Every setting a person can make: name, type, bounds, meaning; read from a mapping, checked at once.

`read` collects every mistake before it refuses, so that a person mends a file once, and each message says
what to write instead. Names of agentmemory 0.9 are accepted as aliases; ours win when both are set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import ConfigurationError

_TRUE = {"1", "true", "yes", "on"}
_FALSE = {"0", "false", "no", "off"}
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: `kind` is int, bool, str, choice or list; bounds are inclusive."""

    name: str
    kind: str
    default: Any
    meaning: str
    aliases: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()
    secret: bool = False
    example: str = ""
    pattern: str = ""
    pattern_words: str = ""


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "EVERLORE_HOST",
        "str",
        "127.0.0.1",
        "Address the server listens on. Anything but loopback needs EVERLORE_SECRET.",
    ),
    Setting(
        "EVERLORE_PORT", "int", 3111, "Port of the server: REST, viewer and websocket.", ("III_REST_PORT",), 1, 65535
    ),
    Setting(
        "EVERLORE_SECRET",
        "str",
        "",
        "Bearer token every client must send. Empty: no token is asked for, loopback only.",
        ("AGENTMEMORY_SECRET",),
        secret=True,
        pattern=r"\S*",
        pattern_words="a token without spaces",
    ),
    Setting("EVERLORE_ALLOWED_HOSTS", "list", [], "More Host headers to accept, separated by commas, e.g. memory.lan."),
    Setting(
        "EVERLORE_WEB_PROCESSES",
        "int",
        2,
        "Web processes. Two use two cores; each takes 220 MB idle, 350 MB at work.",
        (),
        1,
        64,
    ),
    Setting(
        "EVERLORE_WEB_THREADS",
        "int",
        8,
        "Requests a web process works on at once; each holds one database connection.",
        (),
        1,
        128,
    ),
    Setting(
        "EVERLORE_DATA_DIR",
        "str",
        "",
        "Where the database, images and models live. Empty: the platform's usual place.",
        ("AGENTMEMORY_DATA_DIR",),
        example="/srv/everlore",
    ),
    Setting(
        "DATABASE_URL",
        "str",
        "",
        "An external Postgres with pgvector. Empty: Everlore starts its own.",
        secret=True,
        example="postgres://user:password@db.lan:5432/everlore",
        pattern=r"(postgres|postgresql|pgsql)://.+",
        pattern_words="a URL such as postgres://user:password@host:5432/everlore",
    ),
    Setting(
        "EVERLORE_POSTGRES_BIN",
        "str",
        "",
        "Folder with initdb, pg_ctl and postgres to use instead of the packaged ones.",
    ),
    Setting(
        "EVERLORE_SECRET_KEY",
        "str",
        "",
        "Django's signing key. Empty: one is made and kept in the data directory.",
        secret=True,
    ),
    Setting("EVERLORE_LANGUAGE", "choice", "en", "Language of screens and messages.", choices=("en", "zh-hans")),
    Setting(
        "EVERLORE_LOG_LEVEL", "choice", "INFO", "How much is logged.", choices=("DEBUG", "INFO", "WARNING", "ERROR")
    ),
    Setting("EVERLORE_DEBUG", "bool", False, "Django's debug pages. Never on a machine others can reach."),
    Setting(
        "EVERLORE_EMBEDDING_MODEL",
        "str",
        "all-MiniLM-L6-v2",
        "Embedding model: a known name, a path, or a hub id. `none`: words only. For Chinese, Japanese and Korean"
        " use multilingual-e5-small. A change needs `everlore reindex`.",
    ),
    Setting("EVERLORE_EMBEDDING_THREADS", "int", 2, "Threads of the embedding worker.", (), 1, 64),
    Setting(
        "EVERLORE_RERANKER_MODEL",
        "str",
        "",
        "Cross-encoder that looks again at the best results: a known name, a path, or a hub id. Empty: one that is known and"
        " on this machine; nothing is downloaded. `none`: no reranking.",
        example="cross-encoder/ms-marco-MiniLM-L6-v2",
    ),
    Setting("EVERLORE_RERANKER_THREADS", "int", 2, "Threads of the reranker in a web process.", (), 1, 64),
    Setting("RERANK_ENABLED", "bool", True, "false: no reranking, whatever EVERLORE_RERANKER_MODEL says."),
    Setting(
        "EVERLORE_SEGMENTERS",
        "list",
        ["jieba"],
        "Word segmenters to use where installed: jieba (Chinese), fugashi (Japanese), kiwi (Korean, 500 MB of"
        " memory). A change needs `everlore reindex`.",
    ),
    Setting(
        "EVERLORE_MAX_OBSERVATIONS_PER_SESSION",
        "int",
        100_000,
        "Observations a session may hold; past it the answer says so. 0: no limit.",
        ("MAX_OBS_PER_SESSION",),
        0,
        10_000_000,
    ),
    Setting("EVERLORE_MAX_BODY_BYTES", "int", 16_777_216, "Largest request body, in bytes.", (), 65_536, 268_435_456),
    Setting(
        "EVERLORE_DEDUP_WINDOW_SECONDS",
        "int",
        300,
        "Equal events of a session within this time are stored once.",
        (),
        0,
        86_400,
    ),
    Setting(
        "EVERLORE_IMAGE_STORE_MAX_BYTES",
        "int",
        2_147_483_648,
        "Images kept on disk, in bytes; past it new images are left out and the observation says so.",
        ("AGENTMEMORY_IMAGE_STORE_MAX_BYTES",),
        0,
        1_099_511_627_776,
    ),
    Setting(
        "EVERLORE_TOKEN_BUDGET",
        "int",
        2000,
        "Tokens of injected context when a caller names no budget.",
        ("TOKEN_BUDGET",),
        1,
        1_000_000,
    ),
    Setting(
        "AGENT_ID",
        "str",
        "",
        "Agent that records without an agent id belong to (at most 128 characters).",
        pattern=r".{0,128}",
        pattern_words="at most 128 characters",
    ),
    Setting(
        "EVERLORE_AGENT_SCOPE",
        "choice",
        "shared",
        "isolated: an agent reads only its own records, and a read without an agent id is refused.",
        ("AGENTMEMORY_AGENT_SCOPE",),
        choices=("shared", "isolated"),
    ),
    Setting(
        "EVERLORE_PROJECT_SCOPE",
        "choice",
        "shared",
        "isolated: a read that names no project is refused; shared: it reads every project.",
        choices=("shared", "isolated"),
    ),
    Setting(
        "EVERLORE_IMPORT_ROOTS",
        "list",
        ["~"],
        "Folders whose transcripts may be imported over HTTP, separated by commas; ~ is the home of the server's user.",
    ),
    Setting(
        "EVERLORE_INJECT_CONTEXT",
        "bool",
        False,
        "Hooks print remembered context into the agent's conversation. Set it where the agent runs, too.",
        ("AGENTMEMORY_INJECT_CONTEXT",),
    ),
    Setting(
        "EVERLORE_SYNONYMS", "bool", True, "A question also asks for synonyms of words that stand nowhere in its scope."
    ),
    Setting(
        "EVERLORE_SYNONYMS_FILE",
        "str",
        "",
        "File of synonyms to use instead of the packaged one: a group a line, words separated by spaces. Read at the start.",
        example="/srv/everlore/synonyms.txt",
    ),
    Setting(
        "EVERLORE_PREFIXES",
        "bool",
        True,
        "A question also asks for longer and shorter forms of words that stand nowhere in its scope.",
    ),
    Setting("EVERLORE_LEXICAL_WEIGHT", "int", 60, "Vote of the words in the fusion, in percent.", (), 0, 100),
    Setting(
        "EVERLORE_DENSE_WEIGHT",
        "int",
        80,
        "Vote of the vectors in the fusion, in percent, where the model can read the question.",
        (),
        0,
        100,
    ),
    Setting(
        "EVERLORE_LINKED_WEIGHT",
        "int",
        30,
        "Vote of the graph for records that nothing else brought, in percent. 0: the graph is not asked.",
        (),
        0,
        100,
    ),
    Setting(
        "EVERLORE_LEARNED_WEIGHTS",
        "bool",
        True,
        "Log which answers were used (no question's words), and let each project's votes follow where it shows a gain.",
    ),
)

BY_NAME = {setting.name: setting for setting in SETTINGS}


def _integer(setting: Setting, text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,18}", text.replace("_", "")):
        raise ValueError(f"write a whole number, e.g. {setting.name}={setting.default}")
    number = int(text.replace("_", ""))
    low, high = setting.minimum, setting.maximum
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"write a number from {low} to {high}, e.g. {setting.name}={setting.default}")
    return number


def _boolean(setting: Setting, text: str) -> bool:
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    raise ValueError(f"write {setting.name}=true or {setting.name}=false")


def _choice(setting: Setting, text: str) -> str:
    for choice in setting.choices:
        if text.lower() == choice.lower():
            return choice
    raise ValueError(f"write one of: {', '.join(setting.choices)}")


def _string(setting: Setting, text: str) -> str:
    if setting.pattern and not re.fullmatch(setting.pattern, text):
        raise ValueError(f"write {setting.pattern_words}")
    return text


def _list(setting: Setting, text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


_READERS: dict[str, Callable[[Setting, str], Any]] = {
    "int": _integer,
    "bool": _boolean,
    "choice": _choice,
    "str": _string,
    "list": _list,
}


def _one(setting: Setting, environ: Mapping[str, str]) -> Any:
    for name in (setting.name, *setting.aliases):
        text = environ.get(name, "").strip()
        if not text:
            continue
        try:
            return _READERS[setting.kind](setting, text)
        except ValueError as problem:
            shown = "(hidden)" if setting.secret else repr(text[:80])
            raise ConfigurationError(f"{name} is {shown}: {problem}") from problem
    return setting.default


def read(environ: Mapping[str, str]) -> dict[str, Any]:
    """Every setting's value by name; raises ConfigurationError that lists every mistake, one a line."""
    values: dict[str, Any] = {}
    problems: list[str] = []
    for setting in SETTINGS:
        try:
            values[setting.name] = _one(setting, environ)
        except ConfigurationError as problem:
            problems.append(str(problem))
    if not problems:
        problems = _contradictions(values)
    if problems:
        raise ConfigurationError("\n".join(problems))
    return values


def _contradictions(values: Mapping[str, Any]) -> list[str]:
    problems = []
    if values["EVERLORE_HOST"] not in _LOOPBACK and not values["EVERLORE_SECRET"]:
        problems.append(
            f"EVERLORE_HOST is {values['EVERLORE_HOST']!r}, which other machines can reach:"
            " set EVERLORE_SECRET to a long random text, or write EVERLORE_HOST=127.0.0.1"
        )
    if values["EVERLORE_AGENT_SCOPE"] == "isolated" and not values["AGENT_ID"]:
        problems.append("EVERLORE_AGENT_SCOPE is 'isolated': set AGENT_ID too, or write EVERLORE_AGENT_SCOPE=shared")
    if values["EVERLORE_LEXICAL_WEIGHT"] == 0 and values["EVERLORE_DENSE_WEIGHT"] == 0:
        problems.append("EVERLORE_LEXICAL_WEIGHT and EVERLORE_DENSE_WEIGHT are both 0: leave one above 0")
    known = {"jieba", "fugashi", "kiwi"}
    unknown = sorted(set(values["EVERLORE_SEGMENTERS"]) - known)
    if unknown:
        problems.append(f"EVERLORE_SEGMENTERS names {', '.join(unknown)}: write some of jieba, fugashi, kiwi")
    return problems


def example_file() -> str:
    """The text of `.env.example`: every setting with its meaning, commented out at its default."""
    lines = [
        "# Everlore's settings. Copy to .env and uncomment what you change; the environment wins over this file.",
        "",
    ]
    for setting in SETTINGS:
        lines.append(f"# {setting.meaning}")
        if setting.choices:
            lines.append(f"# One of: {', '.join(setting.choices)}")
        elif setting.minimum is not None:
            lines.append(f"# From {setting.minimum} to {setting.maximum}")
        if setting.aliases:
            lines.append(f"# Also read as: {', '.join(setting.aliases)}")
        lines += [f"# {setting.name}={_shown(setting.default) or setting.example}", ""]
    return "\n".join(lines)


def _shown(value: Any) -> str:
    """A value as a person writes it in `.env`."""
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _takes(setting: Setting) -> str:
    """What a setting takes, in a few words."""
    if setting.choices:
        return ", ".join(f"`{choice}`" for choice in setting.choices)
    if setting.kind == "int":
        return f"{setting.minimum} to {setting.maximum}"
    return {"bool": "`true`, `false`", "list": "names, separated by commas"}.get(setting.kind, "text")


def settings_page() -> str:
    """The text of `docs/settings.md`: every setting in a table."""
    lines = [
        "# Settings",
        "",
        "Set them in the environment or in `.env`; the environment wins. A value that cannot work stops the start with a message",
        "that says what to write instead. This page and `.env.example` are made by `make docs` from the one table in",
        "`memory_core/domain/configuration.py`.",
        "",
        "| setting | takes | default | meaning | also read as |",
        "|---|---|---|---|---|",
    ]
    for setting in SETTINGS:
        default = f"`{_shown(setting.default)}`" if _shown(setting.default) else ""
        aliases = ", ".join(f"`{alias}`" for alias in setting.aliases)
        meaning = setting.meaning + (f" Such as `{setting.example}`." if setting.example else "")
        lines.append(f"| `{setting.name}` | {_takes(setting)} | {default} | {meaning} | {aliases} |")
    return "\n".join(lines) + "\n"
