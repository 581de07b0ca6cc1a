"""Compile the catalogue of secret rules before the first start; `python -m workers.secret_rules FOLDER`.

It takes 5 s of a core, once. Left to the web processes, each of them would do it, and the first request would wait.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

from memory_core.capture.catalogue import KingfisherCatalogue
from memory_core.domain import tunables_workers as tunables
from workers.processes import Process, environment

logger = logging.getLogger("everlore.up")


def begin(folder: Path) -> subprocess.Popen[bytes] | None:
    """Start compiling in a process of its own, so that its memory goes with it; None where it was done before."""
    if folder.is_dir() and any(folder.iterdir()):
        return None
    process = Process("rules", (sys.executable, "-m", __name__, str(folder)), 0, 0)
    return subprocess.Popen(
        process.command, env=environment(process), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )


def finish(compiling: subprocess.Popen[bytes] | None) -> None:
    """Wait for it, within bounds: where it fails or takes too long the web processes compile for themselves."""
    if compiling is None:
        return
    try:
        compiling.wait(tunables.RULES_SECONDS)
    except subprocess.TimeoutExpired:
        logger.warning("The secret rules are not compiled after %g s; the web processes do it.", tunables.RULES_SECONDS)
    finally:
        compiling.kill()
        compiling.wait()


if __name__ == "__main__":
    KingfisherCatalogue(Path(sys.argv[1])).warm()
