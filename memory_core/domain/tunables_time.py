"""Numbers of the time arm: how a question's times are read, and how near to them a record has to be."""

from __future__ import annotations

MOST_READ_CHARACTERS = 2_000
"""Characters of a question in which times are looked for, from its beginning; unit: characters. What is longer is pasted
text, whose dates are not what is asked."""

LEAST_SENTENCES_OF_A_STORY = 3
"""Sentences from which on only the one that asks is searched for times; unit: sentences. "We changed it last Tuesday. What
broke?" is two. In longer talk the times are those of the talk: on a set of questions with chatter before them, reading
all of it took NDCG@10 of those that name a time from .865 to .740."""

MOST_SPANS = 4
"""Spans of a question that take part, in the order of the text; unit: spans. A question that names more is a list."""

MOST_ANCHORS = 2
"""Events that a question measures from ("3 days before the release"); unit: anchors. Each costs a statement."""

MOST_ANCHOR_WORDS = 6
MOST_ANCHOR_CHARACTERS = 12
"""How much of the text after "before the" (before 前 or 后) names the event; units: words, characters. What comes
after is the rest of the sentence."""

FEW = (2, 6)
"""How many "a few" or 几 are, from and to; unit: units of the phrase."""

MOST_DAYS_AWAY = 20_000
"""How far a phrase may reach ("900 weeks ago"); unit: days, 54 years: about the time since 1970."""

EARLIEST_YEAR = 1970
MOST_YEARS_AHEAD = 10
"""Years that are read as years: from this one, and to so many after the question's; units: year, years. Others are
counts, ports and prices."""

EVENT_CANDIDATES = 2_000
"""Records with all the words of an event that are compared; unit: entries, about 6 us each."""

EASE_SECONDS = {
    "minute": 3_600.0,
    "hour": 7_200.0,
    "part": 14_400.0,
    "day": 28_800.0,
    "week": 86_400.0,
    "month": 3 * 86_400.0,
    "quarter": 7 * 86_400.0,
    "year": 14 * 86_400.0,
}
"""Distance outside a span at which closeness has fallen to 1/e, by the span's unit; unit: seconds. The coarser a time is
named, the less exactly it is meant; a day's 8 hours also cover an asker whose days begin at another hour."""

LEAST_CLOSENESS = 0.05
"""Closeness under which a record counts as being at another time; unit: share. Three times the ease of a span."""

SPAN_BUDGET = 300
"""Records of a span and project that are looked at when no other arm brought them, the newest first; unit: entries. Each
costs about 3 us for its words and 7 us for its two vectors (500 of them: 1.1 and 3.8 ms)."""

SPAN_SCAN = 2_000
"""The same before the limits of the scope that no index knows (agent, kind, directory) leave some out; unit: entries."""

SPAN_DEPTH = 50
"""Records of the spans, best by words and best by vectors, that become candidates; unit: records of each."""

AGE_POOL = 20
"""Best hits of each arm that are ordered by age when a question asks for the latest or the first; unit: records of each.
An old record that answers is still better than a new one that does not."""

AGE_LEXICAL_SHARE = 0.5
AGE_DENSE_SHARE = 0.85
"""Share of an arm's best score that a record needs to be in that order; unit: share of the BM25 score, of the cosine.
Chosen so that what shares one common word with the question, or its subject only loosely, is not made better by its age."""

TIMED_VOTE = 1.0
TIMED_LEXICAL_VOTE = 0.3
TIMED_DENSE_VOTE = 0.0
RECENT_VOTE = 0.3
EARLIEST_VOTE = 0.3
"""Votes of the time arm's streams; unit: share of the lexical vote (timed_lexical), of the dense vote (timed_dense), of the
larger of the two (others). `timed`: being in a span; `timed_lexical`, `timed_dense`: rank among the records of the span;
`recent`, `earliest`: order by age. `timed_dense` brings the span's records and does not rank them: with a vote of .3 it cost
locomo .005 of NDCG@10 (docs/benchmarks/retrieval.md)."""
