"""Measurements as JSON lines, a Markdown table, and plots."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path

from .measuring import Measurement

HEAD = (
    "| operation | observations | C | requests/s | p50 ms | p90 ms | p99 ms | CPU ms: web | worker | jobs | postgres | client"
    " | 2 free cores: requests/s | busy elsewhere, cores | errors |"
)
RULE = "|---|" + "---:|" * 14
ROLES = ("web", "worker", "jobs", "postgres", "client")


def line(one: Measurement, *, when: str, commit: str, embed_with: str) -> str:
    """One measurement as a JSON line."""
    head = {"when": when, "commit": commit, "vectors": embed_with, "per_second": round(one.per_second, 1)}
    return json.dumps(head | asdict(one), default=float)


def read_line(text: str) -> Measurement:
    """The measurement of a JSON line. Raises ValueError or TypeError for a line of another version."""
    row = json.loads(text)
    known = {field.name: row[field.name] for field in fields(Measurement) if field.name in row}
    return Measurement(**known | {"sizes": {role: (rss, pss) for role, (rss, pss) in row["sizes"].items()}})


def bound(one: Measurement, cores: int = 2) -> float:
    """Requests a second that so many cores could answer at this CPU cost, if they did nothing else."""
    cost = sum(one.cpu_ms.values())
    return 1000 * cores / cost if cost else 0.0


def table(found: Sequence[Measurement]) -> str:
    """A Markdown table, one measurement a row."""
    rows = [HEAD, RULE]
    for one in found:
        cpu = " | ".join(f"{one.cpu_ms[role]:.1f}" if role in one.cpu_ms else "-" for role in ROLES)
        rows.append(
            f"| {one.operation} | {one.corpus:,} | {one.connections} | {one.per_second:.0f} | {one.p50:.1f} | {one.p90:.1f}"
            f" | {one.p99:.1f} | {cpu} | {bound(one):.0f} | {one.others:.1f} | {one.errors} |"
        )
    return "\n".join(rows)


def sizes_table(found: Sequence[Measurement]) -> str:
    """Memory of the processes when each corpus was last measured, in megabytes."""
    rows = ["| observations | process | largest, RSS MB | all, PSS MB |", "|---:|---|---:|---:|"]
    last = {one.corpus: one for one in found}
    for corpus, one in sorted(last.items()):
        rows += [
            f"| {corpus:,} | {role} | {rss / 1e6:.0f} | {pss / 1e6:.0f} |" for role, (rss, pss) in one.sizes.items()
        ]
    return "\n".join(rows)


def _served_cpu(one: Measurement) -> float:
    return sum(one.cpu_ms.values()) - one.cpu_ms["client"]


def _p50(one: Measurement) -> float:
    return one.p50


PLOTS: tuple[tuple[str, str, Callable[[Measurement], float]], ...] = (
    ("load-latency", "p50, ms", _p50),
    ("load-cpu", "CPU of the server's processes, ms a request", _served_cpu),
)
"""File, label of the vertical axis and value of each plot."""


def plot(found: Sequence[Measurement], folder: Path) -> list[Path]:
    """`load-latency.png` and `load-cpu.png` in `folder`: p50 and CPU a request against the corpus' size."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, label, value in PLOTS:
        figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
        for key in dict.fromkeys((one.operation, one.connections) for one in found):
            points = sorted((one.corpus, value(one)) for one in found if (one.operation, one.connections) == key)
            axes.plot(*zip(*points, strict=True), marker="o", label=f"{key[0]}, C={key[1]}")
        axes.set(xscale="log", xlabel="observations", ylabel=label, ylim=(0, None))
        axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
        written.append(folder / f"{name}.png")
        figure.savefig(written[-1], dpi=110, bbox_inches="tight")
        pyplot.close(figure)
    return written


def page(found: Sequence[Measurement], folder: Path) -> Path:
    """`load.md` in `folder`, with its plots beside it."""
    plots = plot(found, folder)
    averages = [one.load_average for one in found]
    text = [
        "# Load",
        "",
        "How fast the running server answers, what an answer costs in CPU, and how large its processes are. Made by",
        "`python -m benchmarks load`; `benchmarks/README.md` says what the columns mean and what is generated.",
        f"The machine's load average was {min(averages):.1f} to {max(averages):.1f} during these measurements, with",
        f"{min(one.others for one in found):.1f} to {max(one.others for one in found):.1f} cores busy with other work.",
        "",
        table(found),
        "",
        "## Memory",
        "",
        sizes_table(found),
        "",
        "## Growth",
        "",
        *(f"![{path.stem}]({path.name})" for path in plots),
        "",
    ]
    written = folder / "load.md"
    written.write_text("\n".join(text), encoding="utf-8")
    return written
