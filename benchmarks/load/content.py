"""Reproducible content: what coding agents report, in realistic kinds and sizes, from a seed and a number.

Event `i` is the same for every run and every corpus size, so a corpus of 10,000 begins with that of 1,000. The words
are invented (50,000 of them, drawn by Zipf's law), between templates of ordinary work; one session in twelve is Chinese.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import numpy as np

SEED = 3111
VOCABULARY = 50_000
ZIPF_EXPONENT = 1.07
"""Exponent of the words' frequencies; 1.0 to 1.1 is what English text has."""

SESSION_EVENTS = 120
"""Events of a session."""

SESSIONS_A_ROUND = 6
"""Sessions that go on at the same time: their events alternate."""

CHINESE_EVERY = 12
PROJECTS = ("atlas", "billing", "compiler", "dashboard", "edge-proxy", "firmware", "gateway", "handbook")
PROJECT_SHARES = (0.40, 0.20, 0.12, 0.09, 0.07, 0.05, 0.04, 0.03)
"""How the sessions spread: most work is on one or two projects."""

KINDS = ("prompt_submit", "stop", "Bash", "Read", "Edit", "Grep")
KIND_SHARES = (0.10, 0.16, 0.26, 0.20, 0.18, 0.10)
SIZES = {  # natural logarithm of the characters: mean and deviation, as measured in public coding sessions
    "prompt_submit": (4.5, 1.1),
    "stop": (5.0, 1.1),
    "Bash": (6.35, 1.1),
    "Read": (7.6, 0.7),
    "Edit": (7.2, 0.7),
    "Grep": (6.7, 1.2),
}
LARGEST = 60_000
BEGIN = datetime(2025, 9, 1, 8, tzinfo=UTC)
EVENT_SECONDS = 40
"""Time between two events of the corpus: 100,000 are 46 days."""

_ONSETS = (
    "b",
    "br",
    "c",
    "ch",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "qu",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "w",
    "z",
)
_NUCLEI = ("a", "e", "i", "o", "u", "ai", "ea", "oo", "ou")
_CODAS = ("", "", "b", "ck", "d", "l", "m", "n", "nd", "p", "r", "rt", "s", "st", "t", "x")
_VERBS = ("fix", "rename", "speed up", "test", "explain", "move", "document", "remove", "cache", "retry")
_PROBLEMS = ("times out", "returns nothing", "leaks memory", "is called twice", "loses the last row", "fails on CI")
_SAID = (
    "I {verb} {a} in {path} because {b} {problem}.",
    "The test for {a} fails: {b} {problem} when {c} is empty.",
    "Next: {verb} {b}, then look at {c} again.",
    "We decided to keep {a} and {verb} {b}; {c} stays as it is.",
)
_CHINESE = (
    "请检查{a}模块的登录流程，用户说会话经常过期。",
    "数据库连接池在高峰期耗尽，我把上限改到了{n}。",
    "部署脚本失败了，原因是{a}的配置文件缺少密钥。",
    "我们决定用缓存来减少{a}服务的查询次数，延迟降了{n}毫秒。",
    "单元测试通过，但是{a}的集成测试超时了{n}秒。",
    "把{a}接口的分页改成游标方式，避免重复数据。",
)


@dataclass(frozen=True, slots=True)
class Event:
    """One hook report, before it becomes a request or a HookEvent."""

    number: int
    hook_type: str
    session_id: str
    project: str
    timestamp: datetime
    data: dict[str, Any]


@cache
def vocabulary() -> tuple[str, ...]:
    """Invented words, the short ones first: frequent words are short."""
    rng = np.random.default_rng(SEED)
    syllables = ["".join(part) for part in itertools.product(_ONSETS, _NUCLEI, _CODAS)]
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        count = 1 + int(len(words) > 400) + int(len(words) > 8_000)
        words["".join(syllables[i] for i in rng.integers(0, len(syllables), count))] = None
    return tuple(words)


@cache
def _cumulative() -> np.ndarray[Any, np.dtype[np.float64]]:
    shares = 1.0 / np.arange(1, VOCABULARY + 1, dtype=np.float64) ** ZIPF_EXPONENT
    total: np.ndarray[Any, np.dtype[np.float64]] = np.cumsum(shares) / shares.sum()
    return total


class Writer:
    """Words and sentences from one random source."""

    def __init__(self, *seed: int) -> None:
        self.rng = np.random.default_rng([SEED, *seed])

    def words(self, count: int) -> list[str]:
        """Words by Zipf's law."""
        known = vocabulary()
        return [known[i] for i in np.searchsorted(_cumulative(), self.rng.random(count)).clip(0, VOCABULARY - 1)]

    def rare(self, count: int) -> list[str]:
        """Words of the middle of the list, such as names of things are."""
        return [vocabulary()[i] for i in self.rng.integers(300, 12_000, count)]

    def pick(self, choices: tuple[str, ...]) -> str:
        """One of the choices, all alike."""
        return choices[int(self.rng.integers(len(choices)))]

    def path(self) -> str:
        """A source file."""
        a, b = self.rare(2)
        return f"src/{a}/{b}_{self.pick(_VERBS).split()[0]}.{self.pick(('py', 'ts', 'go', 'rs'))}"

    def sentence(self) -> str:
        """Something an agent says."""
        a, b, c = self.rare(3)
        said = self.pick(_SAID)
        return said.format(verb=self.pick(_VERBS), problem=self.pick(_PROBLEMS), path=self.path(), a=a, b=b, c=c)

    def chinese(self) -> str:
        """Something an agent says in Chinese."""
        return self.pick(_CHINESE).format(a=self.rare(1)[0], n=int(self.rng.integers(2, 5000)))

    def prose(self, size: int, *, chinese: bool) -> str:
        """Sentences with words between them, about `size` characters."""
        parts: list[str] = []
        length = 0
        while length < size or not parts:
            parts.append(self.chinese() if chinese else self.sentence())
            if not chinese:
                parts.append(" ".join(self.words(8)) + ".")
            length += len(parts[-1]) + (0 if chinese else len(parts[-2]))
        return " ".join(parts)[: max(size, 20)]

    def lines(self, size: int) -> str:
        """Output of a tool: lines of code, paths, numbers, about `size` characters."""
        count = max(1, size // 52)
        words = self.words(4 * count)
        numbers = self.rng.integers(0, 100_000, count)
        return "\n".join(
            f"{words[4 * i]}_{words[4 * i + 1]}({words[4 * i + 2]}={numbers[i]})  # {words[4 * i + 3]}"
            for i in range(count)
        )[:size]


def project_of(session: int) -> str:
    """The project of a session, by PROJECT_SHARES."""
    drawn = float(np.random.default_rng([SEED, 1, session]).random())
    return PROJECTS[int(np.searchsorted(np.cumsum(PROJECT_SHARES), drawn).clip(0, len(PROJECTS) - 1))]


def session_of(number: int) -> int:
    """The session of an event: SESSIONS_A_ROUND of them go on side by side, each for SESSION_EVENTS events."""
    block, inside = divmod(number, SESSIONS_A_ROUND * SESSION_EVENTS)
    return block * SESSIONS_A_ROUND + inside % SESSIONS_A_ROUND


def event(number: int) -> Event:
    """The corpus's event of this number."""
    session = session_of(number)
    writer = Writer(2, number)
    kind = KINDS[int(np.searchsorted(np.cumsum(KIND_SHARES), writer.rng.random()).clip(0, len(KINDS) - 1))]
    mean, deviation = SIZES[kind]
    size = int(min(LARGEST, np.exp(writer.rng.normal(mean, deviation))))
    chinese = session % CHINESE_EVERY == CHINESE_EVERY - 1
    hook, data = _report(writer, kind, size, chinese=chinese)
    return Event(
        number,
        hook,
        f"load-session-{session}",
        project_of(session),
        BEGIN + timedelta(seconds=EVENT_SECONDS * number),
        data,
    )


def _report(writer: Writer, kind: str, size: int, *, chinese: bool) -> tuple[str, dict[str, Any]]:
    if kind == "prompt_submit":
        return kind, {"prompt": writer.prose(size, chinese=chinese)}
    if kind == "stop":
        return kind, {"last_assistant_message": writer.prose(size, chinese=chinese)}
    path = writer.path()
    given: dict[str, Any]
    given = {
        "Bash": {"command": f"make {writer.rare(1)[0]} && pytest {path}", "description": writer.sentence()},
        "Read": {"file_path": path},
        "Edit": {"file_path": path, "old_string": writer.lines(size // 3), "new_string": writer.lines(size // 3)},
        "Grep": {"pattern": writer.rare(1)[0], "path": "src"},
    }[kind]
    return "post_tool_use", {"tool_name": kind, "tool_input": given, "tool_output": writer.lines(size)}


def question(number: int, corpus: int) -> tuple[str, str]:
    """(project, question): about an event of a corpus of this size, in some of its own words."""
    writer = Writer(3, number)
    about = event(int(writer.rng.integers(corpus)))
    text = str(next(iter(about.data.values()))) if "tool_input" not in about.data else about.data["tool_output"]
    words = [word for word in text.replace("_", " ").replace("(", " ").split() if len(word) > 3] or writer.rare(3)
    start = int(writer.rng.integers(max(1, len(words) - 4)))
    asked = " ".join(words[start : start + 4])
    form = writer.pick(
        ("why did we change {}?", "where is {} handled", "{}", "what was decided about {}", "{} 为什么失败")
    )
    return about.project, form.format(asked)


def memory(number: int) -> dict[str, Any]:
    """The body of one thing to remember, unlike all others."""
    writer = Writer(4, number)
    return {
        "content": " ".join(writer.sentence() for _ in range(int(writer.rng.integers(1, 4)))),
        "project": project_of(int(writer.rng.integers(1, 100))),
        "type": writer.pick(("fact", "preference", "pattern", "architecture")),
        "concepts": writer.rare(3),
    }
