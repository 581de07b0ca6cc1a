"""Numbers of memories: when one replaces another, and what a context holds."""

SUPERSEDE_ABOVE = 0.7
"""Word overlap (Jaccard) above which a new memory is a new version of the old one; unit: share."""

SIMILAR_ABOVE = 0.4
"""Word overlap above which the answer names the near match; unit: share."""

SUPERSEDE_CANDIDATES = 50
"""Memories, best by their words, that are compared with a new one; unit: memories."""

TITLE_LENGTH = 80
"""Title made from the content; unit: UTF-16 code units, as the published clients count."""

DEFAULT_STRENGTH = 7.0
"""Strength of a memory that somebody saved on purpose; unit: points of 10."""

MOST_TTL_DAYS = 36_500
"""Longest life a caller may ask for; unit: days."""

CONTEXT_SESSIONS = 10
"""Sessions a context looks back on; unit: sessions, newest first."""

CONTEXT_OBSERVATIONS = 5
"""Observations shown of a session; unit: observations, most important first."""

CONTEXT_LEAST_IMPORTANCE = 5
"""Importance from which an observation may stand in a context; unit: points of 10."""

CONTEXT_MEMORIES = 20
"""Memories a context may hold; unit: memories, strongest first."""

CONTEXT_LINE = 300
"""Characters of a memory or observation shown in a context; unit: characters."""

FIRST_PROMPT_LENGTH = 200
"""Characters of a session's first prompt kept as its label; unit: characters."""

MOST_ROOTS = 64
"""Directories remembered for a project; unit: paths."""
