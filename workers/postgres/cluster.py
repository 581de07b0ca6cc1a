"""Create the data directory: initdb under another name, then a rename; a killed one leaves nothing half made."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError
from workers.postgres import tcp
from workers.postgres.account import Account, check_reachable, run
from workers.postgres.binaries import Binaries
from workers.postgres.files import sync_folder

_BUILTIN_LOCALES_SINCE = 17


def data_version(pg_dir: Path) -> int | None:
    """The major version that wrote the data in `pg_dir`, None where there is none yet.

    Raises DatabaseStartError where the folder holds something else, or is closed to us.
    """
    try:
        text = (pg_dir / "PG_VERSION").read_text("ascii").strip()
        return int(text.partition(".")[0])
    except FileNotFoundError:
        if pg_dir.is_dir() and any(pg_dir.iterdir()):
            raise DatabaseStartError(
                f"{pg_dir} is to hold the database, but it has files that are none. Move them away or set "
                "EVERLORE_DATA_DIR."
            ) from None
        return None
    except ValueError as problem:
        raise DatabaseStartError(f"{pg_dir / 'PG_VERSION'} is damaged: restore the folder from a backup.") from problem
    except OSError as problem:
        raise DatabaseStartError(
            f"{pg_dir} cannot be read ({problem.strerror}): the database there belongs to another user. Run Everlore "
            "as that user, or set EVERLORE_DATA_DIR to a folder of your own."
        ) from problem


def create(pg_dir: Path, binaries: Binaries, account: Account, *, sync: bool, timeout_s: float) -> None:
    """Make a new cluster at `pg_dir`. Call it while holding the lock of `pg_dir`. Raises DatabaseStartError."""
    prefix = f"{pg_dir.name}.initdb-"
    for entry in pg_dir.parent.iterdir():
        if entry.name.startswith(prefix):
            shutil.rmtree(entry, ignore_errors=True)
    temporary = Path(tempfile.mkdtemp(prefix=prefix, dir=pg_dir.parent))
    try:
        account.own(temporary)
        check_reachable(temporary, account)
        _initdb(temporary, binaries, account, sync=sync, timeout_s=timeout_s)
        if pg_dir.is_dir():
            pg_dir.rmdir()  # empty, as data_version saw; a rename onto it works on some systems only
        temporary.rename(pg_dir)
        sync_folder(pg_dir.parent)
    except OSError as problem:
        raise DatabaseStartError(
            f"The new database could not be put at {pg_dir} ({problem.strerror}). That name must be free: where it is "
            "a mounted volume or a link, set EVERLORE_DATA_DIR to the volume instead."
        ) from problem
    finally:
        shutil.rmtree(temporary, ignore_errors=True)  # gone already where all went well


def _initdb(target: Path, binaries: Binaries, account: Account, *, sync: bool, timeout_s: float) -> None:
    command: list[str | Path] = [binaries.program("initdb"), "-D", target, "-U", tunables.SUPERUSER, "-E", "UTF8"]
    command += _locale(binaries.major_version())
    command += [] if sync else ["--no-sync"]
    if sys.platform != "win32":
        result = run([*command, "-A", "trust"], account, timeout_s=timeout_s)
    else:
        with tcp.password_for_initdb(target) as password:
            result = run([*command, "-A", "scram-sha-256", f"--pwfile={password}"], account, timeout_s=timeout_s)
    if result.returncode != 0:
        raise DatabaseStartError(
            f"The database could not be created in {target}. initdb says:\n{result.stdout.strip()}"
        )


def _locale(major: int) -> list[str]:
    """Locale switches: text sorts by code point, and `lower()` knows every script."""
    if major >= _BUILTIN_LOCALES_SINCE:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--locale=C", "--lc-ctype=UTF-8" if sys.platform == "darwin" else "--lc-ctype=C.UTF-8"]
