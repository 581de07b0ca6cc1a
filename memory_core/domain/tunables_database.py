"""What the database server must be."""

LEAST_POSTGRES = 150_000
"""Oldest server version (server_version_num); unit: major x 10,000. 15 has NULLS NOT DISTINCT and the json of recall."""

LEAST_PGVECTOR = (0, 8, 0)
"""Oldest pgvector; 0.8 has iterative scans, without which a filter of 10 % keeps a recall of .24."""
