"""What the server writes becomes what to do."""

from __future__ import annotations

import pytest

from workers.postgres import diagnosis


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('FATAL:  could not write lock file "postmaster.pid": No space left on device', "disk is full"),
        ("FATAL:  pre-existing shared memory block (key 5, ID 7) is still in use", "server that was killed"),
        ("FATAL:  could not map anonymous shared memory: Cannot allocate memory", "too little memory"),
        ('FATAL:  data directory "/srv/pg" has invalid permissions', "chmod"),
        ("PANIC:  could not locate a valid checkpoint record at 0/1", "restore it from a backup"),
        ('LOG:  could not bind Unix address "/srv/.s.PGSQL.5432": Address already in use', "Another server"),
        ('LOG:  could not open file "x": Read-only file system', "writable"),
        ("LOG:  redo starts at 0/14E7DC8", "replaying its log"),
    ],
)
def test_each_known_cause_has_its_advice(line: str, words: str) -> None:
    explained = diagnosis.explain(f"LOG:  starting PostgreSQL\n{line}\n")
    assert words in explained.split("\n")[0]
    assert line in explained


def test_an_unknown_cause_shows_the_end_of_the_log_and_no_more() -> None:
    explained = diagnosis.explain("\n".join(f"line {n}" for n in range(100)))
    assert "line 99" in explained
    assert "line 50" not in explained
