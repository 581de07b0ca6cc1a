"""Numbers and settings of the embedded Postgres; figures were measured on two shared cores with 100,000 rows."""

from __future__ import annotations

from typing import Final

UNIX_SOCKET_PATH_BYTES: Final = 103
"""Longest path of a Unix socket, bytes: macOS gives `sun_path` 104 with its closing zero, Linux 108; the smaller one
serves both."""

SOCKET_NAME: Final = ".s.PGSQL.{port}"
"""What Postgres calls its socket file: PostgreSQL manual, `unix_socket_directories`."""

SOCKET_PORT: Final = 5432
"""Number in the socket's file name. Nothing listens on TCP with it, and the directory is our own, so it can always be
the same."""

SUPERUSER: Final = "postgres"
"""Role that owns everything in the embedded server: only it may create the extension `vector`, which is not a trusted
one."""

MAINTENANCE_DATABASE: Final = "postgres"
"""Database that every cluster has: where other databases are created from."""

EXTENSIONS: Final = ("vector", "btree_gin", "btree_gist", "pg_trgm")
"""Extensions every Everlore database gets: vectors, filter columns inside a GIN index, ids beside time ranges in an
exclusion constraint, trigram similarity."""

START_TIMEOUT_S: Final = 300.0
"""Seconds a start may take. A warm start takes 0.2 s; replaying 2 GB of WAL after a crash takes minutes on a slow
disk."""

STOP_TIMEOUT_S: Final = 60.0
"""Seconds a stop may take: the last checkpoint writes at most `shared_buffers` to disk."""

INITDB_TIMEOUT_S: Final = 300.0
"""Seconds initdb may take. It takes 0.6 s here; a network disk that syncs slowly is a hundred times slower."""

PROBE_TIMEOUT_S: Final = 30.0
"""Seconds for a program that only prints its version or tries a folder; it takes milliseconds unless the machine
hangs."""

POLL_S: Final = 0.05
"""Seconds between two looks at a server that is starting or stopping: well below the 0.2 s that a warm start takes."""

ORPHAN_GRACE_S: Final = 2.0
"""Seconds that processes of a killed server get to notice it before they are asked to end; idle ones notice at once."""

LOG_TAIL_LINES: Final = 12
"""Lines of the server's log that an error message quotes: the FATAL line with its DETAIL and HINT, and what led to
it."""

LOG_ROTATE_BYTES: Final = 10_000_000
"""Size of server.log in bytes above which a start sets it aside as server.log.1; a healthy server writes under 100 kB a
day."""

IMPOSSIBLE_PID: Final = 2_147_483_647
"""Process id no system hands out (Linux stops at 4,194,304): it marks a postmaster.pid as stale without deleting the
file, so that Postgres still checks the shared memory named there for orphans."""

SMALL_SHARED_MEMORY_BYTES: Final = 1_073_741_824
"""Below this size of /dev/shm, in bytes, parallel workers share memory through files in the data directory. A parallel
HNSW build shares `maintenance_work_mem` (512 MB); Docker gives 64 MB, where it fails with "could not resize shared
memory segment"."""

ADVISORY_LOCK: Final = 0x0E7E_4C0E
"""Key of the advisory lock that lets one process at a time create databases and extensions; any constant serves."""

SERVER_SETTINGS: Final = {
    # About a third of the index of 100,000 entries and all of a smaller one; a memory service is not alone on its
    # machine.
    "shared_buffers": "256MB",
    # An HNSW build with 64 MB took 3 times as long: below this its graph spills.
    "maintenance_work_mem": "512MB",
    # Sorts and bitmaps of one recall stay in memory; a few connections at a time use it.
    "work_mem": "32MB",
    # Vectors and full pages compress well, and a laptop's disk is slower than its CPU.
    "wal_compression": "on",
    # Room for an index rebuild without a forced checkpoint; also the most that a crash has to replay.
    "max_wal_size": "2GB",
    # Times are stored and compared in UTC; people see theirs in the viewer.
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Error messages are read by this package's own table of advice.
    "lc_messages": "C",
}
"""Settings of the embedded server beside its addresses; PostgreSQL manual, chapter "Server Configuration"."""
