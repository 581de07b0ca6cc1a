"""Tables and lines of the load benchmark."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.load import report
from benchmarks.load.command import numbers
from benchmarks.load.measuring import Measurement

ONE = Measurement(
    operation="observe",
    corpus=1_000,
    connections=10,
    requests=500,
    errors=1,
    seconds=2.0,
    p50=10.0,
    p90=20.0,
    p99=30.0,
    cpu_ms={"web": 3.0, "postgres": 0.9, "client": 0.1},
    sizes={"web": (200_000_000, 300_000_000)},
    load_average=2.5,
    others=0.5,
)


def test_the_bound_is_what_the_cpu_of_all_processes_allows() -> None:
    assert report.bound(ONE, cores=2) == pytest.approx(500)


def test_a_process_that_was_not_measured_has_a_dash() -> None:
    row = report.table([ONE]).splitlines()[-1]

    assert row == "| observe | 1,000 | 10 | 250 | 10.0 | 20.0 | 30.0 | 3.0 | - | - | 0.9 | 0.1 | 500 | 0.5 | 1 |"


def test_every_row_has_as_many_cells_as_the_head() -> None:
    head, rule, row = report.table([ONE]).splitlines()

    assert head.count("|") == rule.count("|") == row.count("|")


def test_a_line_is_json_with_all_of_the_measurement() -> None:
    row = json.loads(report.line(ONE, when="now", commit="abc", embed_with="fake"))

    assert row["per_second"] == 250.0
    assert row["cpu_ms"] == ONE.cpu_ms


def test_a_line_reads_back_as_the_measurement_it_was() -> None:
    assert report.read_line(report.line(ONE, when="now", commit="abc", embed_with="fake")) == ONE


def test_the_page_says_how_loaded_the_machine_was_and_shows_every_row(tmp_path: Path) -> None:
    text = report.page([ONE, replace(ONE, corpus=10_000, load_average=9.0)], tmp_path).read_text()

    assert "load average was 2.5 to 9.0" in text
    assert report.table([ONE]).splitlines()[-1] in text
    assert "(load-latency.png)" in text


def test_plots_are_written_for_every_figure(tmp_path: Path) -> None:
    written = report.plot([ONE, replace(ONE, corpus=10_000)], tmp_path)

    assert [path.name for path in written] == ["load-latency.png", "load-cpu.png"]
    assert all(path.stat().st_size > 5_000 for path in written)


@pytest.mark.parametrize("text", ["", "a", "1,,2", "0", "-5"])
def test_counts_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        numbers(text)
