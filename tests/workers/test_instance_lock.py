"""One instance a data directory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from workers import instance
from workers.instance import Holder, InstanceLock, InstanceRuns


def test_the_second_is_refused_and_learns_who_the_first_is(tmp_path: Path) -> None:
    first = InstanceLock(tmp_path).take(0)
    first.write(Holder(os.getpid(), "http://127.0.0.1:3111"))

    with pytest.raises(InstanceRuns) as refused:
        InstanceLock(tmp_path).take(30)

    assert refused.value.holder == Holder(os.getpid(), "http://127.0.0.1:3111")
    assert instance.is_held(tmp_path)
    first.leave()
    assert not instance.is_held(tmp_path)


@pytest.mark.parametrize("noticed", [True, False], ids=["its parent knows", "its parent has not looked yet"])
def test_where_the_holder_is_dead_the_next_waits_for_its_guard(tmp_path: Path, noticed: bool) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)
    if noticed:
        dead.wait()
    first = InstanceLock(tmp_path).take(0)
    first.write(Holder(dead.pid, "http://127.0.0.1:3111"))
    guard = subprocess.Popen(["sleep", "0.5"], pass_fds=[first.descriptor])
    os.close(first.descriptor)  # the holder dies, its guard still has the lock

    began = time.monotonic()
    second = InstanceLock(tmp_path).take(20)

    assert time.monotonic() - began > 0.2
    second.leave()
    guard.wait()
    dead.wait()


@pytest.mark.parametrize("content", [b"", b"{}", b"not json", b"[1]", b'{"pid":"x","url":"","groups":[]}', b"\xff\xfe"])
def test_a_damaged_file_is_nobody(tmp_path: Path, content: bytes) -> None:
    (tmp_path / instance.NAME).write_bytes(content)

    assert instance.read(tmp_path / instance.NAME) is None
    InstanceLock(tmp_path).take(0).leave()


def test_leftovers_are_only_processes_that_are_still_the_same() -> None:
    own = psutil.Process()
    alive = (own.pid, own.create_time())
    reused = (own.pid, own.create_time() - 100)

    assert instance.leftovers(Holder(1, "", (alive,))) == [own.pid]
    assert instance.leftovers(Holder(1, "", (reused,))) == []
    assert instance.leftovers(None) == []
