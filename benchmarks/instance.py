"""An Everlore of the benchmark's own: a data directory, its database, and Django set up for this process.

Started by the commands a person would type, since benchmarks and workers do not know each other.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import make_conninfo

from memory_core.domain import locations

DATABASE = "everlore"
CACHE = Path(__file__).resolve().parent.parent / ".cache" / "benchmarks"
"""Where data directories and the prepared model are kept between runs, unless the caller names another place."""


def environment(home: Path, **settings: str) -> dict[str, str]:
    """The environment of every process of the instance in `home`; other settings of the caller hold."""
    given = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return {**given, "EVERLORE_DATA_DIR": str(home), "EVERLORE_ENV_FILE": os.devnull, **settings}


def share_model(home: Path, models: Path) -> None:
    """Let the instance in `home` use a model prepared before: preparing takes half a minute and 90 MB each time."""
    home.mkdir(parents=True, exist_ok=True)
    models.mkdir(parents=True, exist_ok=True)
    own = locations.models_dir(home)
    if not own.exists():
        own.symlink_to(models, target_is_directory=True)


def postgres(action: str, environ: dict[str, str]) -> None:
    """`start` or `stop` the instance's database; both do nothing where that is done."""
    subprocess.run([sys.executable, "-m", "workers.postgres", action], env=environ, check=True, stdout=sys.stderr)


def administration(home: Path) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection to the maintenance database of the instance's server, without transactions."""
    parameters = locations.connection_parameters(locations.postgres_dir(home))
    return psycopg.connect(make_conninfo(**parameters, dbname="postgres"), autocommit=True)


def _create_database(home: Path) -> None:
    with administration(home) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")


@contextmanager
def database(home: Path, models: Path = CACHE / "models") -> Iterator[None]:
    """Django set up on the instance in `home`, its database running and migrated; stopped at the end.

    Once a process, before anything imports the models. Raises CalledProcessError when the database does not start.
    """
    share_model(home, models)
    environ = environment(home)
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(environ)
    os.environ["DJANGO_SETTINGS_MODULE"] = "memory_core.settings"
    postgres("start", environ)
    try:
        _create_database(home)
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        yield
    finally:
        postgres("stop", environ)
