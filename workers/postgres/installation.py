"""Give the server's user programs it can run: the install itself, or a copy of it beside the data."""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError
from workers.postgres.account import Account, run
from workers.postgres.binaries import BIN_SETTING, PROGRAMS, Binaries

logger = logging.getLogger(__name__)

# Headers and static libraries are a third of an install, and only compilers read them.
_LEFT_OUT = shutil.ignore_patterns("include", "*.a", "pkgconfig", "pgxs", "__pycache__")


def runnable_binaries(binaries: Binaries, account: Account, pg_dir: Path) -> Binaries:
    """`binaries`, or their copy at `<pg_dir>.install-<edition>` where the server's user cannot run them.

    That happens when the virtual environment lies below a home, such as /root. No permission of a parent is ever
    changed. Call it while holding the lock of `pg_dir`. Raises DatabaseStartError.
    """
    if not account.switch or not (problem := _why_not(binaries, account)):
        return binaries
    place = pg_dir.with_name(f"{pg_dir.name}.install-{binaries.edition}")
    copy = binaries.moved_to(place)
    if not place.is_dir():
        logger.info("The user %s cannot run %s (%s): copying it to %s", account.name, binaries.bin, problem, place)
        _copy(binaries, place)
    if problem := _why_not(copy, account):
        raise DatabaseStartError(
            f"The database server runs as the user {account.name!r}, who can run neither the programs in "
            f"{binaries.bin} nor their copy in {copy.bin} ({problem}). Set {BIN_SETTING} to a PostgreSQL that user can "
            "run, or EVERLORE_DATA_DIR to a disk that is not mounted noexec."
        )
    return copy


def remove_old_copies(pg_dir: Path, *, keep: Binaries) -> None:
    """Remove other copies, also half ones. Call it while holding the lock of `pg_dir`, when no server runs."""
    for entry in pg_dir.parent.iterdir():
        if entry.name.startswith(f"{pg_dir.name}.install-") and entry != keep.root:
            shutil.rmtree(entry, ignore_errors=True)


def _why_not(binaries: Binaries, account: Account) -> str:
    """Why `account` cannot use this install, in words; empty when it can."""
    for name in PROGRAMS:
        try:
            probe = run([binaries.program(name), "--version"], account, timeout_s=tunables.PROBE_TIMEOUT_S)
        except OSError as problem:
            return str(problem.strerror)
        if probe.returncode != 0:
            return probe.stdout.strip()
    return ""


def _copy(binaries: Binaries, place: Path) -> None:
    """Copy under a name of its own, then rename, so that a killed copy is never taken for a whole one."""
    try:
        temporary = Path(tempfile.mkdtemp(prefix=f"{place.name}.", dir=place.parent))
        for part in binaries.parts:
            if (binaries.root / part).is_dir():
                shutil.copytree(binaries.root / part, temporary / part, ignore=_LEFT_OUT, ignore_dangling_symlinks=True)
        for path in [temporary, *temporary.rglob("*")]:
            # What a careful umask took away is given back on the copy, which holds nothing but published programs.
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        temporary.rename(place)
    except OSError as problem:
        raise DatabaseStartError(
            f"PostgreSQL could not be copied to {place} ({problem}), where the server's user can reach it. See that "
            "the disk has 40 MB free."
        ) from problem
