"""Numbers of the learned weights: what is logged of a recall, and when a fit may replace the weights in use."""

LOGGED_SHARE = 0.2
"""Share of the different questions that are logged, chosen by digest: one is always logged or never; unit: share, 1 is all.
A logged recall costs 14 % more CPU (docs/adr/0024), so a fifth of them cost 2.8 % of all searches."""

LOGGED_PER_SECOND = 1.0
LOGGED_AT_ONCE = 30.0
"""Recalls of that share a web process logs, in the long run and at once; units: recalls per second, recalls. A row is 2.2 kB:
a flood of questions does not fill the disk."""

LOGGED_CANDIDATES = 40
"""Fused records whose ranks are logged, at least; unit: records, best first. All that were given back are among them."""

FOLLOW_UP_SECONDS = 30
"""Time within which another question of a session follows the one before; unit: seconds. The protocol's number."""

USE_WINDOW_SECONDS = 1_800
"""Time after an answer in which opening or citing a record is counted as a use of it; unit: seconds. An agent opens what
it needs at once, and saves what it learned at the end of a piece of work."""

MOST_LOOKED_BACK = 200
"""Answers among which the one that gave a used record is looked for; unit: the caller's newest recalls in the window."""

KEEP_DAYS = 90
KEEP_RECALLS = 2_000
"""What is kept of the recall log: so long, and so many of each project; units: days, rows. 2,000 rows are 4.4 MB."""

KEEP_FITS = 50
"""Fits that are kept of each project, besides the one in use; unit: rows, newest first."""

MULTIPLIERS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""The grid: what a stream's vote may be multiplied by. Coarse, because a few hundred judgements carry no finer one. No 0: a
stream without a vote is not asked any more, so no later log could speak for it."""

MOST_ROUNDS = 4
"""Rounds over all streams in one search of the grid, at most; unit: rounds. It ends before when nothing moves."""

LEAST_STEP = 0.002
"""Gain on the training questions below which a stream's vote is not moved; unit: NDCG. Keeps what is not in the data."""

HELD_OUT_TENTHS = 4
"""Tenths of the questions that a fit does not see and is judged by; unit: tenths."""

LEAST_QUESTIONS = 60
"""Different questions with a used record below which nothing is fitted; unit: questions (24 of them held out)."""

LEAST_GAIN = 0.01
"""Gain on the held-out questions below which the old weights stay; unit: NDCG. Smaller ones nobody would notice."""

BOOTSTRAP_ROUNDS = 2_000
BOOTSTRAP_TAIL = 0.01
"""The paired bootstrap of the held-out gain: resamplings, and the quantile that must lie above 0; units: rounds, share.
1 % and not 5 %, because a fit is tried every night on much the same questions."""

WEIGHTS_TTL_SECONDS = 30.0
"""How long a process trusts the weights it read; unit: seconds. An older set is as valid an answer."""

MOST_WAITING_RECALLS = 1_000
"""Answers, and uses, that wait to be written, at most; unit: rows of 2 kB. The oldest are dropped when the database is away."""

MOST_CITED = 50
"""Sources of one new memory that count as used; unit: records, the first ones."""

MOST_SHOWN_FITS = 20
"""Fits of a project that the command shows; unit: rows, newest first."""

PRUNE_BATCH = 20_000
"""Recalls that one run of the pruning job forgets, at most; unit: rows. Two web processes log 7,200 an hour at most."""
