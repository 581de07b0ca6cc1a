"""Where things are kept: one answer for a given environment, platform and user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain import locations, tunables_postgres
from memory_core.domain.errors import ConfigurationError


@pytest.mark.parametrize(
    ("environ", "platform", "uid", "expected"),
    [
        pytest.param(
            {"HOME": "/home/ada"},
            "linux",
            1000,
            "/home/ada/.local/share/everlore",
            id="an ordinary user",
        ),
        pytest.param(
            {"HOME": "/home/ada", "XDG_DATA_HOME": "/data/ada"},
            "linux",
            1000,
            "/data/ada/everlore",
            id="XDG is followed",
        ),
        pytest.param(
            {"HOME": "/home/ada", "XDG_DATA_HOME": "data"},
            "linux",
            1000,
            "/home/ada/.local/share/everlore",
            id="a relative XDG path is ignored as its specification asks",
        ),
        pytest.param(
            {"HOME": "/root"},
            "linux",
            0,
            "/var/lib/everlore",
            id="root, whose home others cannot enter",
        ),
        pytest.param(
            {"HOME": "/home/ada", "XDG_DATA_HOME": "/home/ada/.data"},
            "linux",
            0,
            "/var/lib/everlore",
            id="sudo -E leaves no files of root in a user's home",
        ),
        pytest.param(
            {"HOME": "/Users/ada"},
            "darwin",
            501,
            "/Users/ada/Library/Application Support/everlore",
            id="macOS",
        ),
        pytest.param(
            {"APPDATA": "/c/ada/Roaming"},
            "win32",
            None,
            "/c/ada/Roaming/everlore",
            id="Windows",
        ),
        pytest.param(
            {"USERPROFILE": "/c/ada"},
            "win32",
            None,
            "/c/ada/AppData/Roaming/everlore",
            id="Windows without APPDATA",
        ),
        pytest.param(
            {"EVERLORE_DATA_DIR": "/srv/lore", "XDG_DATA_HOME": "/x"},
            "linux",
            0,
            "/srv/lore",
            id="the setting wins",
        ),
        pytest.param(
            {"EVERLORE_DATA_DIR": "~/lore", "HOME": "/home/ada"},
            "linux",
            1000,
            "/home/ada/lore",
            id="~ is the home",
        ),
        pytest.param(
            {"AGENTMEMORY_DATA_DIR": "/srv/old", "HOME": "/h"},
            "linux",
            1000,
            "/srv/old",
            id="the older name is read too",
        ),
        pytest.param(
            {"EVERLORE_DATA_DIR": " ", "HOME": "/home/ada"},
            "linux",
            1000,
            "/home/ada/.local/share/everlore",
            id="blank is unset",
        ),
    ],
)
def test_the_data_directory_follows_setting_platform_and_user(
    environ: dict[str, str], platform: str, uid: int | None, expected: str
) -> None:
    assert locations.data_home(environ, platform, uid) == Path(expected)


def test_a_relative_data_directory_is_refused() -> None:
    with pytest.raises(ConfigurationError, match=r"EVERLORE_DATA_DIR.*absolute"):
        locations.data_home({"EVERLORE_DATA_DIR": "lore"}, "linux", 1000)


def test_everything_lies_under_the_data_directory() -> None:
    home = Path("/srv/lore")
    places = [
        f(home)
        for f in (
            locations.postgres_dir,
            locations.images_dir,
            locations.models_dir,
            locations.spool_dir,
        )
    ]
    assert len(set(places)) == len(places)
    assert all(place.parent == home for place in places)


def test_a_short_path_holds_its_own_socket() -> None:
    assert locations.socket_dir(Path("/srv/lore/pg")) == Path("/srv/lore/pg")


def test_a_path_with_a_comma_is_not_given_to_libpq_as_a_host() -> None:
    assert "," not in str(locations.socket_dir(Path("/srv/a,b/pg")))


def test_the_socket_moves_at_exactly_the_longest_path_the_system_allows() -> None:
    name = len("/.s.PGSQL.5432")
    longest = Path("/" + "a" * (tunables_postgres.UNIX_SOCKET_PATH_BYTES - name - 1))
    assert locations.socket_dir(longest) == longest
    assert locations.socket_dir(Path(f"{longest}a")).parent == Path("/tmp")


def test_length_is_counted_in_bytes() -> None:
    assert locations.socket_dir(Path("/" + "é" * 50)).parent == Path("/tmp")


@given(
    st.text(
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="/"),
        min_size=1,
        max_size=200,
    )
)
def test_the_socket_always_fits_and_is_the_same_for_every_process(name: str) -> None:
    place = Path("/srv") / name / "pg"
    chosen = locations.socket_dir(place)
    assert len(os.fsencode(chosen / ".s.PGSQL.5432")) <= tunables_postgres.UNIX_SOCKET_PATH_BYTES
    assert chosen == locations.socket_dir(place)


def test_two_long_paths_get_two_socket_folders() -> None:
    stem = "/" + "a" * 120
    assert locations.socket_dir(Path(stem + "1")) != locations.socket_dir(Path(stem + "2"))


def test_connection_parameters_name_the_socket_before_the_server_exists() -> None:
    assert locations.connection_parameters(Path("/srv/lore/pg"), "linux") == {
        "host": "/srv/lore/pg",
        "port": "5432",
        "user": "postgres",
        "password": "",
    }


def test_on_windows_port_and_password_are_read_from_files(tmp_path: Path) -> None:
    locations.port_file(tmp_path).write_text("50123\n")
    locations.password_file(tmp_path).write_text("s3cret\n")

    parameters = locations.connection_parameters(tmp_path, "win32")

    assert parameters == {
        "host": "127.0.0.1",
        "port": "50123",
        "user": "postgres",
        "password": "s3cret",
    }


def test_on_windows_an_unstarted_server_has_a_port_nothing_answers_on(
    tmp_path: Path,
) -> None:
    assert locations.connection_parameters(tmp_path, "win32")["port"] == "0"
