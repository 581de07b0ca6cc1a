"""Numbers of recall: the arms, the fusion, the answer."""

RRF_K = 5.0
"""The constant of reciprocal rank fusion; unit: ranks. 60 in Cormack et al., SIGIR 2009, for lists of a thousand; with
lists of a hundred, and streams that agree on much, 5 is better (docs/benchmarks/retrieval.md)."""

NEAR_HITS = 60
"""Hits of an arm whose neighbours are looked at; unit: records, best first."""

NEAR_TURNS = 2
"""Turns looked at on each side of a hit; unit: records of the same session."""

NEAR_DECAY = 0.5
"""Share of a hit's score that each further turn gets; unit: share."""

NEAR_SHARE = 0.5
NEAR_DENSE_SHARE = 0.5
"""Share of a neighbour's score that is added to a record's own, by words and by vectors; unit: share. With the neighbours'
scores alone a record beside the best hit passed good hits of its own (MRR of jsquad-ja .76 instead of .95)."""

SESSION_HITS = 3
"""Best hits of a session that speak for it; unit: records."""

NEAR_VOTE = 1.0
NEAR_DENSE_VOTE = 0.5
SESSION_VOTE = 1.0
SESSION_DENSE_VOTE = 0.3
"""Votes of the neighbours' and the session's evidence; unit: share of the lexical (with DENSE: of the dense) vote. From a
search over all public sets together, not one by one (docs/benchmarks/retrieval.md)."""

EXPANDED_VOTE = 0.0
"""Vote of what the graph links to the best vectors' hits; unit: share of the dense vote. Off until the bench shows a gain."""

OTHER_VOICE_SHARE = 0.6
"""What a record keeps of its score that the other side of the conversation said, where the question asks for one side's
words ("my budget", "what did you recommend"); unit: share. .6 gave beam-100k .09 of recall@10, .5 a little more."""

ECHO_ALIKE = 0.9
"""From this share of common words on a hit only repeats the one above it; unit: Jaccard of title and narrative."""

ECHO_SHARE = 0.7
"""What a hit that repeats another keeps of its score; unit: share. It goes back a few places and is not lost."""

ECHO_COMPARED = 60
"""Best hits that are compared with each other; unit: records. Comparing 60 takes about a millisecond."""

VOICE_POOL = 3
"""Records that are weighed by voice before the best are kept: this many times the ones shown; unit: times."""

AGREEMENT_BONUS = 0.05
"""Bonus for each further independent arm that gives a record; unit: share of the score."""

DEPTH_FACTOR = 2
LEAST_DEPTH = 60
"""Rows an arm gives: this many times the limit, but at least so many; unit: rows. 60, 100 and 200 find as much within .006
of recall@10 on locomo and beam-100k; 60 takes a fifth less of the statement than 100."""

LEAST_FUSED = 40
"""Fused records that are shown to diversity, at least; unit: records (else DEPTH_FACTOR times the limit)."""

MOST_KNOWN_SCOPES = 10_000
"""Scopes whose size a process remembers; unit: scopes."""

EXACT_LIMIT = 4_000
"""Vectors in scope up to which the dense arm scans all of them; unit: rows. Measured, the two
cross between 2,600 and 4,700 rows. An exact scan of 1,000 rows costs 2 ms
at recall 1.0 where the filtered HNSW scan costs 37 ms at recall .87."""

EXACT_LIMIT_OF_A_PART = 20_000
SMALL_PART = 0.1
"""The same limit for a scope that is at most this share of all vectors; units: rows, share. The index gives few of such a
scope's rows at a time: of 184,000 vectors, 100 hits among 15,000 took 14 ms by the scan and 17 by the index, among
22,000 23 and 20, among 38,000 29 and 3."""

CANDIDATE_BUDGET = 2_000
"""Entries that a question's terms may give as candidates together, the rarest terms first (at least one gives); unit:
entries. Each candidate costs 5 to 8 us of CPU. In projects of some thousand records 300 find as much as 1,000; among the
12,838 of coding-sessions-public 500, 1,000 and 2,000 find the session of a commit among the first five for .777, .786 and
.806 of 103 questions."""

MOST_QUERY_TERMS = 64
"""Distinct terms of a question that take part, the rarest that occur first; unit: terms. A pasted log is not a question."""

MOST_QUERY_CHARACTERS = 10_000
"""Characters of a question that are analysed; unit: characters. Longer questions are cut, and the answer says so."""

SESSION_FIRST_PASS = 10
"""Records one session may have before the others had their turn; unit: records. What answers a question stands together:
3 cost .07 of recall@10 on locomo and gave nothing at session level, 10 keeps one session from filling a page of 20."""

MOST_RESULTS = 100
DEFAULT_RESULTS = 20
"""Results of a search at most, and when the caller does not say; unit: records."""

MOST_EXPANDED = 20
"""Ids expanded in one call; unit: ids."""

ACCESS_FLUSH_SECONDS = 0.5
"""How often a web process writes what it gave back; unit: seconds."""

MOST_WAITING_ACCESSES = 100_000
"""Accesses that wait to be written, at most; unit: records. The oldest are not counted when the database is away for long."""

QUESTION_CACHE = 256
"""Questions whose vectors a process keeps; unit: questions (1.5 kB each). Agents ask again, word for word."""

SCOPE_SIZE_TTL_SECONDS = 5.0
"""How long a process trusts that a scope's vectors are few, or many; unit: seconds. Either way the answer is right, the
other is only slower; counting costs as much as a tenth of the arms."""

CHARACTERS_PER_TOKEN = 3
"""Estimate of an answer's tokens, as the protocol has it; unit: characters."""
