"""Numbers of query expansion: synonyms, prefixes, their gates and counters."""

SYNONYM_WEIGHT = 0.7
"""Weight of a synonym beside 1.0 of the word itself (wire/algorithms.md 6.5); unit: share of its own idf."""

PREFIX_WEIGHT = 0.5
"""Weight of a longer or shorter form beside 1.0 of the word itself (wire/algorithms.md 6.5); unit: share of its own idf."""

IDF_FLOOR = 0.25
"""Least idf of an expansion; unit: nats. Under it the word stands in more than three entries of four and tells nothing, but
would bring candidates. The only entry of a young scope is above it."""

MOST_OFFERS = 200
"""Synonyms of a question whose frequencies are asked for; unit: terms. A file may put one word into a thousand groups."""

MOST_ENTRIES = 0
"""Entries of the scope that a word of the question may stand in and still be widened; unit: entries. A word that the scope
holds needs no stand-in: widened all the same, synonyms lowered the words' NDCG@10 on four public sets of eight and raised
it on none (docs/benchmarks/expansion.md)."""

PREFIX_LEAST_CHARACTERS = 4
"""Least length of a word, and of its shorter form; unit: characters of the stem. Three letters begin everything."""

PREFIX_LEAST_RATIO = 0.6
"""Least length of the shorter of two forms beside the longer; unit: share."""

MOST_PREFIXES = 3
"""Words of a question that are widened by prefix, the first ones; unit: words. Each costs one walk through the text index."""

PREFIX_SAMPLE = 30
"""Entries that longer forms of one word are read from; unit: entries."""

PREFIX_LONGEST_ENTRY = 1_000
"""Longest entry they are read from; unit: terms. A log of 16,000 words would cost more than the rest of the question."""

MOST_FILE_BYTES = 262_144
MOST_GROUPS = 2_000
MOST_GROUP_CHARACTERS = 500
"""Limits of the file of synonyms; units: bytes, groups, characters of a line. The packaged file has 42 groups in 2 kB."""

MOST_WAITING_USES = 10_000
"""Uses of groups that wait to be counted, at most; unit: uses."""
