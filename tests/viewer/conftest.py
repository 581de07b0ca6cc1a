"""Pages without a model, some sample data, and a browser where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.utils import timezone

from memory_core.flows import embedding, remember, session
from memory_core.knowledge.memories import NewMemory
from memory_core.providers.embedding.null import NullEmbedder
from tests.fakes.client import Caller
from tests.viewer import browser as own

Configure = Callable[..., None]
NO_BROWSER = "NO BROWSER: the pages were not looked at; apt-get install -y chromium, or set CHROME_BIN"
HOSTILE = "<script>document.title='taken'</script>\u202e<img src=x onerror=\"document.title='taken'\">"


@pytest.fixture(autouse=True)
def words_only() -> Iterator[None]:
    embedding.use(NullEmbedder("no model in this test"))
    yield
    embedding.use(None)


@pytest.fixture
def configure(settings: Any) -> Configure:
    """Change settings of Everlore for one test, by name."""

    def change(**values: Any) -> None:
        settings.EVERLORE = {**settings.EVERLORE, **values}

    return change


def remembered(content: str, **changes: Any) -> None:
    remember.remember(NewMemory(**({"content": content, "project": "orchard"} | changes)), now=timezone.now())


def sample() -> None:
    """A morning's work in two projects, in two languages, and one hostile title."""
    for number, (project, label) in enumerate((("orchard", "Move the database"), ("港口服务", "修复登录超时"))):
        caller = Caller("claude", project)
        session.start(
            f"s{number}", project=project, cwd=f"/work/{project}", title=label, agent="claude", now=timezone.now()
        )
        caller.prompted(label, sessionId=f"s{number}")
        caller.ran("grep -rn 5432 compose.yaml", "compose.yaml:14: 5432:5432", sessionId=f"s{number}")
    remembered(
        "The database listens on port 5433, not 5432", type="fact", files=["compose.yaml"], concepts=["postgres"]
    )
    remembered("Use pnpm for the web client; npm breaks the lock file", type="preference")
    remembered("登录超时由连接池耗尽引起,池大小改为 20", type="bug", project="港口服务")
    remembered("words", title=HOSTILE)
    session.end("s0", now=timezone.now())


@pytest.fixture
def browser() -> own.Browser:
    """Chromium; the test is skipped, loudly, where none is installed."""
    program = own.find()
    if program is None:
        pytest.skip(NO_BROWSER)
    return own.Browser(program)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say loudly, at the end, that the pages were not looked at: a skip alone is a letter among hundreds of dots."""
    if any(NO_BROWSER in str(report.longrepr) for report in terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_sep("!", NO_BROWSER, red=True, bold=True)
