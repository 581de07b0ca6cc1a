"""Where Everlore keeps things on disk, and how to reach the embedded Postgres that lives there; nothing is created
here."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from memory_core.domain import tunables_postgres as tunables
from memory_core.domain.errors import ConfigurationError

APPLICATION = "everlore"
DATA_DIR_SETTINGS = ("EVERLORE_DATA_DIR", "AGENTMEMORY_DATA_DIR")


def current_uid() -> int | None:
    """The user id of this process, None where the platform has none (Windows)."""
    return os.getuid() if sys.platform != "win32" else None


def data_home(
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
    uid: int | None = current_uid(),
) -> Path:
    """The folder that holds everything this instance keeps.

    In order: the setting EVERLORE_DATA_DIR (`~` allowed); for root /var/lib/everlore, whatever XDG_DATA_HOME says, for
    `sudo -E` hands over a user's; on Windows %APPDATA%\\everlore; on macOS ~/Library/Application Support/everlore;
    $XDG_DATA_HOME/everlore where that is absolute, as its specification asks; ~/.local/share/everlore.

    Raises ConfigurationError for a relative setting: hooks run in any folder, and each would find another database.
    """
    for name in DATA_DIR_SETTINGS:
        if value := environ.get(name, "").strip():
            return _chosen(name, value, environ, platform)
    if platform == "win32":
        roaming = environ.get("APPDATA", "")
        return (Path(roaming) if roaming else _home(environ, platform) / "AppData" / "Roaming") / APPLICATION
    if uid == 0:
        return Path("/var/lib") / APPLICATION
    if platform == "darwin":
        return _home(environ, platform) / "Library" / "Application Support" / APPLICATION
    xdg = Path(environ.get("XDG_DATA_HOME", ""))
    return (xdg if xdg.is_absolute() else _home(environ, platform) / ".local" / "share") / APPLICATION


def postgres_dir(home: Path) -> Path:
    """The data directory of the embedded Postgres."""
    return home / "pg"


def images_dir(home: Path) -> Path:
    """Where images of observations are kept."""
    return home / "images"


def models_dir(home: Path) -> Path:
    """Where exported models are kept."""
    return home / "models"


def spool_dir(home: Path) -> Path:
    """Where events wait that could not be stored when they came."""
    return home / "spool"


def socket_dir(pg_dir: Path) -> Path:
    """The folder of the server's Unix socket: the data directory, or /tmp/everlore-<hash> where that cannot be.

    It cannot be where the socket's path would be longer than the system allows, or where it holds a comma, which libpq
    takes for the end of one host and the start of another. The hash is of the path alone, so that every process finds
    the same one.
    """
    place = Path(os.path.abspath(pg_dir))
    socket = os.fsencode(place / tunables.SOCKET_NAME.format(port=tunables.SOCKET_PORT))
    if len(socket) <= tunables.UNIX_SOCKET_PATH_BYTES and b"," not in socket:
        return place
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
    return Path("/tmp") / f"{APPLICATION}-{digest}"  # noqa: S108 - owner and mode are checked before each use


def port_file(pg_dir: Path) -> Path:
    """Where a server without a Unix socket (Windows) writes the TCP port it listens on."""
    return pg_dir / f"{APPLICATION}.port"


def password_file(pg_dir: Path) -> Path:
    """Where the generated password of a server on TCP (Windows) is kept, readable by its owner only."""
    return pg_dir / f"{APPLICATION}.password"


def connection_parameters(pg_dir: Path, platform: str = sys.platform) -> dict[str, str]:
    """Host, port, user and password of the embedded server, whether it runs or not.

    Before the first start on Windows the port is "0" and the password empty: connecting then fails, as it must.
    """
    if platform != "win32":
        host, port, password = str(socket_dir(pg_dir)), str(tunables.SOCKET_PORT), ""
    else:
        host, port, password = (
            "127.0.0.1",
            _read(port_file(pg_dir)) or "0",
            _read(password_file(pg_dir)),
        )
    return {
        "host": host,
        "port": port,
        "user": tunables.SUPERUSER,
        "password": password,
    }


def _chosen(name: str, value: str, environ: Mapping[str, str], platform: str) -> Path:
    path = Path(value)
    if path.parts and path.parts[0] == "~":
        path = _home(environ, platform).joinpath(*path.parts[1:])
    if not path.is_absolute():
        raise ConfigurationError(f"{name} is {value!r}: give an absolute path, for example /srv/everlore or ~/everlore")
    return path


def _home(environ: Mapping[str, str], platform: str) -> Path:
    named = environ.get("USERPROFILE" if platform == "win32" else "HOME", "")
    return Path(named) if named else Path.home()


def _read(path: Path) -> str:
    return path.read_text("utf-8").strip() if path.is_file() else ""
