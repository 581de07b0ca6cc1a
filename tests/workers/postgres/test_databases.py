"""Databases: made once, with what Everlore needs in them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memory_core.domain.errors import DatabaseStartError
from memory_core.domain.tunables_postgres import EXTENSIONS
from tests.workers.postgres.conftest import MakeServer, ask
from workers.postgres import EmbeddedPostgres


def test_a_new_database_is_utf8_and_has_the_extensions(running: EmbeddedPostgres) -> None:
    running.ensure_database("first")

    assert ask(running, "SHOW server_encoding", "first") == "UTF8"
    found = ask(running, "SELECT array_agg(extname::text) FROM pg_extension", "first")
    assert isinstance(found, list)
    assert set(EXTENSIONS) <= set(found)
    assert ask(running, "SELECT '[1,2]'::halfvec <#> '[3,4]'", "first") == -11


def test_asking_again_keeps_what_is_there(running: EmbeddedPostgres) -> None:
    running.ensure_database("kept")
    ask(running, "CREATE TABLE answer AS SELECT 42", "kept")
    running.ensure_database("kept")
    assert ask(running, "SELECT * FROM answer", "kept") == 42


def test_an_extension_somebody_dropped_comes_back(running: EmbeddedPostgres) -> None:
    running.ensure_database("dropped")
    ask(running, "DROP EXTENSION pg_trgm", "dropped")
    running.ensure_database("dropped")
    assert ask(running, "SELECT similarity('lore', 'lore')", "dropped") == 1


def test_six_at_once_make_one_database(running: EmbeddedPostgres) -> None:
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(running.ensure_database, ["together"] * 6))
    assert ask(running, "SELECT count(*) FROM pg_database WHERE datname = 'together'") == 1


def test_a_name_is_a_name_and_not_a_statement(running: EmbeddedPostgres) -> None:
    name = 'x"; DROP DATABASE postgres; --'
    running.ensure_database(name)
    assert ask(running, "SELECT current_database()", name) == name


def test_a_server_without_the_extensions_names_them(make_server: MakeServer, room: Path) -> None:
    server = make_server(extension_control_path=str(room / "nothing"))
    server.start()
    with pytest.raises(
        DatabaseStartError, match=r"lacks the extensions vector, btree_gin, btree_gist, pg_trgm.*everlore\[embedded\]"
    ):
        server.ensure_database("everlore")


def test_a_server_that_does_not_run_is_said_not_to_answer(room: Path) -> None:
    with pytest.raises(DatabaseStartError, match="does not answer"):
        EmbeddedPostgres(room / "pg").ensure_database("everlore")
