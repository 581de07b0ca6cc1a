"""`python -m workers.postgres start|stop|status`: the embedded Postgres by hand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from memory_core.domain import locations
from memory_core.domain.errors import EverloreError
from workers.postgres import EmbeddedPostgres


def main(arguments: Sequence[str], environ: Mapping[str, str] = os.environ) -> int:
    """Run one command; 0 when done, 1 when it could not be done, 3 when `status` finds no server (as pg_ctl does)."""
    parser = argparse.ArgumentParser(prog="python -m workers.postgres", description=__doc__)
    parser.add_argument("action", choices=("start", "stop", "status"))
    action = parser.parse_args(arguments).action
    try:
        server = EmbeddedPostgres(locations.postgres_dir(locations.data_home(environ)))
        if action == "start" and environ.get("DATABASE_URL"):
            print("DATABASE_URL is set: Everlore uses that server and starts none.", file=sys.stderr)
            return 1
        if action == "start":
            server.start()
        elif action == "stop":
            server.stop()
    except EverloreError as problem:
        print(problem, file=sys.stderr)
        return 1
    pid = server.postmaster_pid()
    print(f"Postgres of {server.pg_dir}: {f'running, process {pid}' if pid else 'not running'}.")
    return 3 if action == "status" and not pid else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
