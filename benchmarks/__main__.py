"""`python -m benchmarks load|retrieval|hook`: measure Everlore."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Sequence


def _load(arguments: Sequence[str]) -> int:
    from benchmarks.load.command import main

    return main(arguments)


def _retrieval(arguments: Sequence[str]) -> int:
    from benchmarks.retrieval.command import main

    return main(arguments)


def _hook(arguments: Sequence[str]) -> int:
    from benchmarks.hook_cost import RUNS, measure

    for name, cost in measure(int(arguments[0]) if arguments else RUNS).items():
        print(f"{cost:7.1f} ms CPU  {name}")
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {"load": _load, "retrieval": _retrieval, "hook": _hook}
"""Each benchmark by the word that starts it."""


def main(arguments: Sequence[str]) -> int:
    """Run one benchmark; 2 for a word that is none."""
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m benchmarks {{{','.join(COMMANDS)}}} [options]", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started is stopped, too
    return COMMANDS[arguments[0]](arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
