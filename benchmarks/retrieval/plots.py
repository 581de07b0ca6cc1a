"""`python -m benchmarks.retrieval.plots HISTORY PICTURE`: what each part of recall brings, by the newest ablations."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

METRIC = "ndcg@10"
"""What is drawn; of sets without relevant turns by session."""

Gains = Mapping[str, Mapping[str, float]]
"""By part of recall, by set: the mean gain, question by question."""


def gains(lines: Sequence[str]) -> Gains:
    """The newest gain of each part on each set."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for text in lines:
        row: dict[str, Any] = json.loads(text)
        levels = row.get("gains") or {}
        level = levels.get("turn") or levels.get("session")
        if level and row["variant"].startswith("without "):
            found[row["variant"].removeprefix("without ")][row["set"]] = level[METRIC][0]
    return found


def draw(found: Gains, picture: Path) -> None:
    """A row a part: a dot a set, a bar for their mean."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    parts = sorted(found, key=lambda part: _mean(found[part]))
    sets = sorted({name for part in parts for name in found[part]})
    figure, axes = pyplot.subplots(figsize=(9, 0.4 * len(parts) + 1.8), layout="constrained")
    axes.barh(parts, [_mean(found[part]) for part in parts], color="#c8d6e5", label="mean of the sets")
    for number, name in enumerate(sets):
        points = [(found[part][name], part) for part in parts if name in found[part]]
        axes.scatter([x for x, _ in points], [y for _, y in points], s=18, label=name, color=f"C{number}", zorder=3)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel("NDCG@10 that the part brings (without it: so much less)")
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.01, 0.5))
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(picture, dpi=110)


def _mean(by_set: Mapping[str, float]) -> float:
    return sum(by_set.values()) / len(by_set)


if __name__ == "__main__":
    draw(gains(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()), Path(sys.argv[2]))
