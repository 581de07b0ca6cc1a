"""What every test may use: the embedded database, and the three standing characters."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """Start the embedded Postgres before the first test that needs a database; not durable, since nothing is to be kept."""
    from workers.postgres import EmbeddedPostgres

    server = EmbeddedPostgres(
        Path(settings.POSTGRES_DIR),
        overrides={"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"},
    )
    server.start()
    server.ensure_database("everlore")
    yield
    server.stop(mode="immediate")


@pytest.fixture(autouse=True)
def _nothing_remembered_by_the_process() -> Iterator[None]:
    """What a process keeps between requests must not reach the next test."""
    yield
    from django.utils import translation

    from memory_core.flows import embedding, recall_log, weights
    from memory_core.index import statistics
    from memory_core.retrieve import search

    translation.deactivate()  # a page in Chinese leaves its language to the thread
    search.forget_sizes()
    embedding.forget_space()
    statistics.forget_averages()
    recall_log.forget_budget()
    weights.forget()


@pytest.fixture(autouse=True)
def _every_question_is_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of the few that a test asks would be a matter of their words."""
    from memory_core.domain import tunables_weights

    monkeypatch.setattr(tunables_weights, "LOGGED_SHARE", 1.0)


def pytest_unconfigure() -> None:
    """Take this run's data directory away."""
    from tests.settings import RUN

    shutil.rmtree(RUN, ignore_errors=True)
