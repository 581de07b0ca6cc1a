"""What /proc says of processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from benchmarks.load import processes

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
BURN = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nprint('done', flush=True)\ninput()"


def test_the_cpu_of_a_child_is_its_own_and_counts_for_its_parent() -> None:
    before = processes.cpu_seconds(os.getpid())
    with subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()

        used = processes.cpu_seconds(child.pid)

        assert used >= 0.25
        assert child.pid in processes.children(os.getpid())
        assert processes.cpu_seconds(os.getpid()) - before >= 0.25
        child.communicate(b"\n")


def test_a_process_that_is_gone_has_no_size_and_no_cpu() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()

    assert processes.size(ended.pid) is None
    assert processes.cpu_seconds(ended.pid) == 0


def test_pages_that_are_shared_count_once_in_pss() -> None:
    found = processes.size(os.getpid())

    assert found is not None
    assert 0 < found.pss <= found.rss


def test_the_machine_is_at_least_as_busy_as_this_process() -> None:
    machine, own = processes.machine_busy_seconds(), time.process_time()
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass

    assert processes.machine_busy_seconds() - machine >= 0.9 * (time.process_time() - own) - 2 / processes.TICKS
