"""The server's configuration file."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.errors import ConfigurationError
from workers.postgres import configuration

printable = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=40)


def read_value(line: str) -> str:
    """The value as PostgreSQL's GUC_scanstr reads it: '' is a quote, a backslash escapes the next character."""
    quoted = re.fullmatch(r"\w+ = '(.*)'", line, re.DOTALL)
    assert quoted
    return re.sub(r"''|\\(.)", lambda m: m.group(1) or "'", quoted.group(1))


def test_the_example_in_the_docstring_holds() -> None:
    assert doctest.testmod(configuration).failed == 0


@given(printable)
def test_postgres_reads_back_the_value_that_was_written(value: str) -> None:
    lines = configuration.render({"cluster_name": value}).split("\n")
    assert read_value(lines[1]) == value


@pytest.mark.parametrize("name", ["", "work mem", "1st", "a.b.c", "x\n", "include 'f'"])
def test_what_is_no_setting_name_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="is not the name"):
        configuration.render({name: "1"})


@pytest.mark.parametrize(
    ("shared_memory", "expected"),
    [
        pytest.param(64 * 2**20, "mmap", id="Docker's default breaks a parallel index build"),
        pytest.param(0, "mmap", id="none at all"),
        pytest.param(8 * 2**30, None, id="a usual machine"),
        pytest.param(None, None, id="a system without /dev/shm"),
    ],
)
def test_little_shared_memory_is_replaced_by_files(shared_memory: int | None, expected: str | None) -> None:
    chosen = configuration.settings(Path("/srv/pg"), {}, tcp_port=None, shared_memory=shared_memory)
    assert chosen.get("dynamic_shared_memory_type") == expected


def test_on_tcp_it_listens_on_this_machine_alone_with_scram() -> None:
    chosen = configuration.settings(Path("/srv/pg"), {}, tcp_port=50123, shared_memory=None)
    assert (chosen["listen_addresses"], chosen["port"]) == ("127.0.0.1", "50123")
    assert chosen["password_encryption"] == "scram-sha-256"
    assert "unix_socket_directories" not in chosen


def test_overrides_win() -> None:
    chosen = configuration.settings(Path("/srv/pg"), {"work_mem": "1MB"}, tcp_port=None, shared_memory=None)
    assert chosen["work_mem"] == "1MB"
