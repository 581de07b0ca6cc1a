"""Tables for people, JSON lines for the history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .scoring import METRICS, Scores

SHORT = {"recall_any@5": "any@5", "recall_all@5": "all@5", "recall@5": "R@5", "recall@10": "R@10"}


@dataclass(frozen=True, slots=True)
class Result:
    """One set asked in one way; `variant` is `all` or what was left out; `gains`: what it brings, question by question."""

    set_name: str
    variant: str
    limit: int | None
    scores: Sequence[Scores]
    p50_ms: float = 0.0
    degraded: Mapping[str, str] | None = None
    gains: Sequence[Scores] = ()


def table(result: Result) -> str:
    """A Markdown table: means, with the interval's half width behind."""
    heads = [SHORT.get(metric, metric.upper()) for metric in METRICS]
    lines = [
        f"### {result.set_name}, {result.variant}" + (f" ({result.p50_ms:.1f} ms p50)" if result.p50_ms else ""),
        "",
        f"| level | category | n | {' | '.join(heads)} |",
        "|---|---|---|" + "---|" * len(heads),
    ]
    for row in result.scores:
        cells = [f"{e.mean:.3f} ±{(e.high - e.low) / 2:.3f}" for e in (row.metrics[m] for m in METRICS)]
        lines.append(f"| {row.level} | {row.category} | {row.questions} | {' | '.join(cells)} |")
    for row in result.gains:
        cells = [f"{e.mean:+.4f} [{e.low:+.4f}, {e.high:+.4f}]" for e in (row.metrics[m] for m in METRICS)]
        lines.append(f"| {row.level} | what it brings | {row.questions} | {' | '.join(cells)} |")
    if result.degraded:
        lines += ["", *(f"Degraded, {arm}: {why}" for arm, why in result.degraded.items())]
    return "\n".join(lines)


def line(result: Result, *, when: str, at: str, model: str) -> str:
    """One line of the history: means with interval ends, of the whole set and each category."""
    row: dict[str, Any] = {
        "when": when,
        "commit": at,
        "set": result.set_name,
        "variant": result.variant,
        "limit": result.limit,
        "model": model,
        "p50_ms": round(result.p50_ms, 2),
        "scores": {},
    }
    for one in result.scores:
        metrics = {name: [round(v, 4) for v in (e.mean, e.low, e.high)] for name, e in one.metrics.items()}
        row["scores"].setdefault(one.level, {})[one.category] = {"n": one.questions, **metrics}
    for one in result.gains:
        gains = {name: [round(v, 5) for v in (e.mean, e.low, e.high)] for name, e in one.metrics.items()}
        row.setdefault("gains", {})[one.level] = gains
    return json.dumps(row, ensure_ascii=False)
