"""Questions to the database server about itself."""

from .statement import Statement

EXTENSIONS = Statement(
    "server",
    "Version, encoding, and whether this user may create extensions that are not trusted.",
    """
SELECT current_setting('server_version_num')::integer,
       (SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = current_database()),
       (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
""",
)

INSTALLED = Statement(
    "installed_extensions",
    "Versions of extensions: on the server's disk, and in this database; and whether a database's owner may create them.",
    """
SELECT a.name, a.default_version, a.installed_version,
       coalesce((SELECT bool_or(v.trusted) FROM pg_available_extension_versions v WHERE v.name = a.name), false)
       AND has_database_privilege(current_database(), 'CREATE')
FROM pg_available_extensions a WHERE a.name = ANY(%(names)s)
""",
)

HOLD_ALONE = Statement(
    "hold_alone",
    "Whether this connection is the only holder of a lock; then it holds it until `release_alone`.",
    "SELECT pg_try_advisory_lock(%(class)s, %(key)s)",
)

HOLD_SHARED = Statement(
    "hold_shared",
    "Be counted among the holders of a lock, until the connection ends.",
    "SELECT pg_advisory_lock_shared(%(class)s, %(key)s)",
)

RELEASE_ALONE = Statement(
    "release_alone",
    "Let others hold the lock, too.",
    "SELECT pg_advisory_unlock(%(class)s, %(key)s)",
)

HOLDERS = Statement(
    "holders",
    "How many connections hold a lock.",
    """
SELECT count(*) FROM pg_locks
WHERE locktype = 'advisory' AND granted AND classid = %(class)s AND objid = %(key)s AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
""",
)

WAIT_ALONE = Statement(
    "wait_alone",
    "Wait until no other connection holds a lock, then hold it until `release_alone`.",
    "SELECT pg_advisory_lock(%(class)s, %(key)s)",
)

CLOCK = Statement("clock", "The server's time.", "SELECT clock_timestamp()")
