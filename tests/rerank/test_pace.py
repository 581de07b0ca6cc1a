"""A model that does not keep up rests."""

from __future__ import annotations

from memory_core.rerank.pace import Pace


def test_slow_runs_make_it_rest_and_quick_ones_do_not() -> None:
    pace = Pace(runs=3, budget=2.0, rest=60.0)

    for seconds in (1.0, 3.0, 1.0):
        pace.ran(seconds, now=10.0)
    quick = pace.resting(10.0)
    for seconds in (3.0, 4.0):
        pace.ran(seconds, now=20.0)

    assert quick == ""
    assert "more than 2 s" in pace.resting(20.0)


def test_one_slow_run_alone_is_forgiven() -> None:
    pace = Pace(runs=3, budget=2.0, rest=60.0)

    pace.ran(50.0, now=0.0)

    assert pace.resting(0.0) == ""


def test_after_its_rest_it_starts_afresh() -> None:
    pace = Pace(runs=1, budget=2.0, rest=60.0)

    pace.ran(3.0, now=0.0)
    resting = pace.resting(59.9)
    rested = pace.resting(60.0)
    pace.ran(1.0, now=61.0)

    assert (bool(resting), rested, pace.resting(61.0)) == (True, "", "")


def test_a_failure_makes_it_rest_with_its_reason() -> None:
    pace = Pace(runs=3, budget=2.0, rest=60.0)

    pace.stop("the graph does not run", now=5.0)

    assert (pace.resting(64.9), pace.resting(65.0)) == ("the graph does not run", "")
