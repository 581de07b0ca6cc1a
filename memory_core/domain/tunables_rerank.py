"""Numbers of the reranker."""

from __future__ import annotations

FROM_ENTRIES = 100
"""Entries of a scope's projects from which on results are reranked; unit: entries. In fewer, a page shows a good part of
them anyway. A choice, not a finding: in windows of 10, 25, 50, 100, 200 and 400 short turns (100 questions, fused offline)
NDCG@10 gained .06, .07, .08, .09, .07 and .10, each beyond its interval. Recall@5 gained beyond it from 200 on only."""

TOP = 20
"""Best records of the fusion that the model reads; unit: records. Each costs a run of the model; 30 gave no more."""

WEIGHT = 0.6
"""Share of the reranker in the blend with the fused score; unit: share, 1 is the reranker's order alone. NDCG@10 of the
fusion, with .6, with .7 and with the model alone, from one set of scores of the best 20, fused offline: short turns (134
questions) .532, .628, .641, .669; long chats (71) .539, .566, .560, .533; internal240 (20) .948, .957, .954, .940; medical
abstracts (65) .373, .379, .378, .373. Only short turns gain beyond the interval. .7 would
give them .014 more (.001 to .028) and take .020 of recall@5 from long chats (-.001 to .046)."""

LEAST_READABLE = 0.2
"""Share of question and records that the model must be able to read to be asked at all; unit: share. It scales the weight
too, so that below it the model would change next to nothing and cost the same."""

PASSAGE_TOKENS = 256
"""Tokens of a record that the model reads, of the best part of a longer one; unit: tokens. Cost grows faster than length:
a pair of 110 tokens takes 27 ms of CPU, of 270 76 ms, of 415 146 ms. Over the best 20 of plain BM25, blended with WEIGHT, NDCG@10
of the best 64, 128 and 256 tokens and of the first 256: long chats (60 questions) .361, .352, .355, .347; medical abstracts
(60) .315, .316, .317, .313; no difference is beyond its interval. CPU a question: .50, .80, 1.67, 1.64 s in long chats."""

PASSAGE_CHARACTERS = 16_000
"""Characters of a record in which the best part is looked for; unit: characters."""

SCRIPT_SAMPLE = 500
"""Characters of each record that tell in which scripts it is; unit: characters."""

SLICE = 5
"""Pairs scored between two looks at the clock; unit: pairs."""

MOST_SECONDS = 5.0
"""Longest that a question waits for the reranker; unit: seconds. Then the order stays as it was."""

BUDGET_SECONDS = 2.5
PACE_RUNS = 3
REST_SECONDS = 60.0
"""When the last PACE_RUNS runs took more than BUDGET_SECONDS in the mean, or one failed, none is started for REST_SECONDS:
a machine that is busy with something else answers in the order it has; units: seconds, runs."""

QUESTION_TOKENS = 64
"""Tokens of the question that the model reads; unit: tokens. What a pasted log of a question would take from the
sequence says less than the passage does."""

EXPORT_MIN_CORRELATION = 0.98
"""Least correlation of a quantised model's logits with the model's own, over the probes."""

EXPORT_PLAIN_DIFFERENCE = 0.01
"""Greatest difference of the unquantised export's logits to the model's own: the same arithmetic in another order; unit:
logits, which spread over some 20."""
