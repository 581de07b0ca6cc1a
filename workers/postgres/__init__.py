"""The embedded Postgres: a server of our own beside the data, so that Everlore needs no database to be installed."""

from workers.postgres.binaries import Binaries, find_binaries
from workers.postgres.server import EmbeddedPostgres

__all__ = ["Binaries", "EmbeddedPostgres", "find_binaries"]
