"""Numbers of recall: the arms, the fusion, the answer."""

RRF_K = 60.0
"""The constant of reciprocal rank fusion; unit: ranks. Cormack et al., SIGIR 2009."""

AGREEMENT_BONUS = 0.05
"""Bonus for each further independent arm that gives a record; unit: share of the score."""

DEPTH_FACTOR = 2
LEAST_DEPTH = 40
"""Rows an arm gives: this many times the limit, but at least so many; unit: rows."""

EXACT_LIMIT = 5_000
"""Vectors in scope up to which the dense arm scans all of them; unit: rows. An exact scan of 1,000 rows costs 2 ms
at recall 1.0 where the filtered HNSW scan costs 37 ms at recall .87."""

RARE_SHARE = 0.10
"""A query term in at most this share of the entries may give candidates; unit: share. BM25 mass 1.0 at a quarter of the time."""

SMALL_CORPUS = 5_000
"""Entries up to which every query term may give candidates; unit: entries. Scoring them all costs under 10 ms."""

MOST_QUERY_TERMS = 64
"""Distinct terms of a question that take part, the rarest first; unit: terms. A pasted log is not a question."""

MOST_QUERY_CHARACTERS = 10_000
"""Characters of a question that are analysed; unit: characters. Longer questions are cut, and the answer says so."""

SESSION_FIRST_PASS = 3
"""Records one session may have before the others had their turn; unit: records."""

MOST_RESULTS = 100
DEFAULT_RESULTS = 20
"""Results of a search at most, and when the caller does not say; unit: records."""

MOST_EXPANDED = 20
"""Ids expanded in one call; unit: ids."""

CHARACTERS_PER_TOKEN = 3
"""Estimate of an answer's tokens, as the protocol has it; unit: characters."""
