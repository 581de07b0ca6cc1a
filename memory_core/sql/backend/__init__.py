"""Django's Postgres backend, with a health check that does not cost every request a round trip."""
