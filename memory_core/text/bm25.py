"""BM25 as two sparse vectors whose inner product is the score.

    score(q, d) = sum over t of  w(t) * idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * dl / avgdl))
    idf(t)      = ln((N - df + 0.5) / (df + 0.5) + 1)

The document's vector holds the last factor and changes only with the document (and the average
length); the query's vector holds w * idf, so new frequencies rewrite no document. Source:
wire/algorithms.md 6.5 (the formula), Robertson and Zaragoza 2009. A dimension is a hash of the term:
no table of the vocabulary is needed to write.
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from memory_core.domain.tunables_text import (
    BM25_B,
    BM25_K1,
    LEXEME_OVERHEAD_BYTES,
    MAX_DISTINCT_TERMS,
    MAX_LEXEME_BYTES,
    TERM_ID_SPACE,
    TOKEN_CACHE_ENTRIES,
)
from memory_core.text.analyzer import Analysis


@lru_cache(maxsize=TOKEN_CACHE_ENTRIES)
def term_id(term: str) -> int:
    """Dimension of a term, 1 to 10^9, the same on every machine for ever (BLAKE2b).

    Two terms share a dimension by chance once in 10^9 pairs: in a vocabulary of a million terms about
    500 pairs do, and a query of ten terms meets one of them with odds of 1 in 100.
    """
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % TERM_ID_SPACE + 1


def idf(document_frequency: int, documents: int) -> float:
    """Inverse document frequency, in nats, never negative.

    Statistics may lag behind the documents, so a frequency above the count is taken as the count.

    >>> round(idf(1, 3), 4)
    0.9808
    """
    frequency = max(0, document_frequency)
    documents = max(documents, frequency)
    return math.log((documents - frequency + 0.5) / (frequency + 0.5) + 1)


def document_weights(
    term_counts: Mapping[str, int],
    length: int,
    average_length: float,
    k1: float = BM25_K1,
    b: float = BM25_B,
) -> dict[int, float]:
    """Term id -> saturated frequency of a document of `length` positions, 0 to k1 + 1.

    An `average_length` of 0 (nothing indexed yet) counts every document as of average length.
    Terms that share an id are added up.
    """
    relative = length / average_length if average_length > 0 else 1.0
    norm = k1 * (1 - b + b * relative)
    weights: defaultdict[int, float] = defaultdict(float)
    for term, count in term_counts.items():
        if count > 0:
            weights[term_id(term)] += count * (k1 + 1) / (count + norm)
    return dict(weights)


def query_weights(
    weights: Mapping[str, float],
    document_frequencies: Mapping[str, int],
    documents: int,
) -> dict[int, float]:
    """Term id -> weight * idf, for the terms that some document has.

    `weights` is 1.0 for a term of the query and less for an expansion of it.
    """
    found: defaultdict[int, float] = defaultdict(float)
    for term, weight in weights.items():
        frequency = document_frequencies.get(term, 0)
        if frequency > 0 and weight > 0:
            found[term_id(term)] += weight * idf(frequency, documents)
    return dict(found)


def to_sparsevec(weights: Mapping[int, float], dimensions: int = TERM_ID_SPACE) -> str:
    """Write pgvector's text form, indices from 1 and ascending.

    Raises ValueError for more non-zero elements than pgvector stores, for an index outside 1 to
    `dimensions` and for a weight that is not finite.

    >>> to_sparsevec({7: 0.5, 2: 1.25})
    '{2:1.25,7:0.5}/1000000000'
    """
    elements = sorted((index, weight) for index, weight in weights.items() if weight != 0)
    if len(elements) > MAX_DISTINCT_TERMS:
        raise ValueError(f"{len(elements)} non-zero elements; a sparsevec stores {MAX_DISTINCT_TERMS}")
    if elements and not 1 <= elements[0][0] <= elements[-1][0] <= dimensions:
        raise ValueError(f"an index lies outside 1 to {dimensions}")
    if not all(math.isfinite(weight) for _, weight in elements):
        raise ValueError("a weight is not finite")
    return "{" + ",".join(f"{index}:{weight:.7g}" for index, weight in elements) + f"}}/{dimensions}"


def pieces(
    analysis: Analysis,
    max_distinct: int = MAX_DISTINCT_TERMS,
    max_bytes: int = MAX_LEXEME_BYTES,
) -> Iterator[Analysis]:
    """Cut a long document's terms, in order, so that each piece fits one sparsevec and one tsvector.

    Each piece takes its share of the length. An analysis that fits is yielded as it is.
    """
    terms, start, taken = analysis.terms, 0, 0
    seen: set[str] = set()
    size = 0
    for at, term in enumerate(terms):
        if term in seen:
            continue
        cost = len(term.encode("utf-8", "surrogatepass")) + LEXEME_OVERHEAD_BYTES
        if seen and (len(seen) >= max_distinct or size + cost > max_bytes):
            length = analysis.length * at // len(terms)
            yield Analysis(terms[start:at], length - taken)
            start, taken, size = at, length, 0
            seen.clear()
        seen.add(term)
        size += cost
    yield Analysis(terms[start:], analysis.length - taken) if start else analysis
