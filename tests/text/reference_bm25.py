"""BM25 in the plainest form, term by term and document by document: the judge of the vectors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from memory_core.text import Analysis


def rank(
    query: Mapping[str, float], documents: Sequence[Analysis], k1: float = 1.2, b: float = 0.75
) -> list[tuple[int, float]]:
    """Give (document number, score), best first, ties by number, without those that score nothing.

    `query` is term -> weight. Worked from the textbook formula; nothing is shared with the code under test.
    """
    count = len(documents)
    average = sum(document.length for document in documents) / count if count else 0.0
    scores = []
    for number, document in enumerate(documents):
        frequencies = Counter(document.terms)
        score = 0.0
        for term, weight in query.items():
            having = sum(1 for other in documents if term in other.terms)
            tf = frequencies[term]
            if tf == 0:
                continue
            idf = math.log((count - having + 0.5) / (having + 0.5) + 1)
            score += weight * idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * document.length / average))
        if score > 0:
            scores.append((number, score))
    return sorted(scores, key=lambda pair: (-pair[1], pair[0]))
