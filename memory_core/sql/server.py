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
