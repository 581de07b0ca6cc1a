"""Numbers of the derived index: entries, statistics, the embedding backlog."""

DEFAULT_AVERAGE_LENGTH = 60.0
"""Average document length assumed for a project without statistics; unit: terms. A tool call with a short
output has about as many; weights are made anew when the true average has drifted (AVERAGE_LENGTH_DRIFT)."""

AVERAGE_LENGTH_DRIFT = 0.2
"""Relative difference from the true average length at which an entry's weights are made anew; unit: share.
At b = 0.75 a fifth moves a BM25 weight by less than a tenth."""

AVERAGE_LENGTH_TTL_SECONDS = 30.0
"""How long a process trusts the averages it has read; unit: seconds."""

COUNT_BATCH = 500
"""Entries the term statistics take in at once; unit: entries. Keeps the transaction under a second."""

REWEIGH_PAUSE_SECONDS = AVERAGE_LENGTH_TTL_SECONDS
"""How long the worker does not look for drifted weights after it found none; unit: seconds. A look reads every entry, and
writers trust an average for as long."""

REWEIGH_BATCH = 500
"""Entries that get new weights at once; unit: entries."""

MOST_CHUNKS = 8
"""Vectors a record gets at most; unit: chunks of the model's length. The words of all of it are in the lexical
index; eight bound what one long output costs the worker (about 0.2 s at 39 texts/s of 256 tokens).
A choice, not a measurement."""

CHUNK_OVERLAP_TOKENS = 32
"""Tokens two neighbouring chunks share, so that a sentence on the border is whole in one of them; unit: tokens."""

EMBED_BATCH = 32
"""Entries the worker embeds at once; unit: entries. About 0.2 s of work, so a memory that comes meanwhile waits no longer."""

EMBED_LEASE_SECONDS = 120
"""How long a claim on backlog entries lasts; unit: seconds. A worker that dies loses the claim, not the entries."""

EMBED_MOST_ATTEMPTS = 8
"""Attempts before an entry is given up (it stays, and is counted in health); unit: attempts."""

DEATHS_BEFORE_GIVEN_UP = 3
"""Workers that may die over an entry before it is given up; unit: deaths. After the second one it is tried alone, so
that its neighbours in the batch are not blamed."""

EMBED_BACKOFF_SECONDS = 2.0
"""First pause after a failure, doubled each time; unit: seconds."""

EMBED_MOST_BACKOFF_SECONDS = 600.0
"""Longest pause between attempts; unit: seconds."""

CACHE_KEEP = 50_000
"""Texts whose vectors are kept for the next time; unit: rows (about 1 kB each at 384 dimensions)."""

PRIORITY_MEMORY = 1
PRIORITY_OBSERVATION = 5
"""Order of the backlog: what a person saved is searchable by meaning before what was merely seen."""

WAKE_SECONDS = 0.05
"""A process wakes the worker at most this often; unit: seconds. NOTIFY inside the writing transaction serialises
commits (4,000 to 750 a second), so it is sent after the commit, on its own, coalesced."""

BACKLOG_POLL_SECONDS = 5.0
"""How often the worker looks without being woken, in case a wake-up was lost; unit: seconds."""
