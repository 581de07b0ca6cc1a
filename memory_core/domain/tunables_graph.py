"""Numbers of the graph: what a record gives to it, and how far a question is followed through it."""

MOST_ENTITIES = 16
"""Named things a record gives to the graph, at most: its files and concepts first; unit: entities."""

MOST_EDGES_OF_A_RECORD = 12
"""Pairs of named things that a record links; unit: edges (wire protocol, algorithms.md section 11)."""

CO_OCCURRENCE_WEIGHT = 0.4
"""How firmly two things belong together because one record names both, 0 to 1 (wire protocol, algorithms.md section 11)."""

ENTITY_SCAN = 4_000
"""Characters of a record in which named things are looked for; unit: characters. A long output repeats itself, and the
worker's time is linear in it."""

ENTITY_LENGTH = 96
"""Longest name of an entity; unit: characters. Longer text is no name. A key stays far under the 2,700 bytes that an
index row may have."""

MOST_NAME_WORDS = 5
"""Words of a quoted or capitalised name, at most; unit: words. More is a sentence."""

FILE_COMPONENTS = 2
"""Last components of a path that name a file; unit: components. One would join every `index.ts`, all of them would part
the same file seen from two directories."""

LINK_BATCH = 50
"""Records the worker links in one transaction; unit: records. About 0.1 s, which is what forgetting one of them waits."""

MOST_KEYS = 64
"""Keys by which a question's words are looked up among the nodes, at most; unit: keys, one index probe each."""

MOST_STARTS = 8
"""Nodes from which a question is followed, the most telling first; unit: nodes."""

MOST_ALIKE = 4
"""Names of a question that are looked up by likeness when no node has them exactly; unit: names."""

ALIKE_NODES = 2
"""Nodes that one such name may stand for; unit: nodes."""

ALIKE_ABOVE = 0.6
"""Trigram similarity from which a node's key is taken for a name of the question, 0 to 1. At 0.3, the default of pg_trgm,
most of what comes is another thing."""

LEAST_ALIKE_LENGTH = 5
"""Characters of the shortest name that is looked up by likeness; shorter ones have too few trigrams to tell."""

PLAIN_WORD_SHARE = 0.5
"""What a word of the question counts that is a node's key but is not written like a name; unit: share of a name."""

MOST_HOPS = 2
"""How far a question is followed; unit: edges."""

EDGES_OF_A_NODE = 16
"""Edges read of one node in a hop, the strongest first; unit: edges, in each direction."""

EDGES_OF_A_HOP = 128
"""Edges read in one hop; unit: edges."""

HOP_DECAY = 0.8
"""Share of the score that is left after each edge, beside the edge's own strength; unit: share. A choice, not a
measurement."""

MOST_REACHED = 16
"""Nodes whose records are read; unit: nodes, best first."""

RECORDS_OF_A_NODE = 40
"""Records read of one node, newest first; unit: records."""

HUB_SHARE = 0.03
HUB_LEAST = 5
"""From this share of a scope's records on a name says nothing, unless it has no more than so many; units: share, records. By
words and graph alone, a tenth and 20 records gave NDCG@10 .910, .727, .458 on internal240 (20 questions), longmemeval-mini
(31) and locomo (200 of its questions), .05 and 10 gave .916, .727, .460, .03 and 5 gave .918, .727, .460; without the
graph .921, .691, .460. Chosen on these same questions, and the differences are within chance: to be looked at again."""

HUB_MOST = 5_000
"""Records from which on every name is a hub; unit: records. Bounds what a narrow scope has to read of a node."""

EXPANDED_HITS = 5
"""Best hits of the dense arm whose nodes are followed by one edge; unit: records (wire protocol, algorithms.md section 8)."""

EXPANDED_NODES = 48
"""Nodes that this reaches, at most; unit: nodes."""
