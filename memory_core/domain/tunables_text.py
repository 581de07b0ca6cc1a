"""Numbers of the text analysis: terms, BM25, similarity."""

from __future__ import annotations

MAX_TERM_CHARACTERS = 64
"""Characters. A longer single name becomes its first 64; a longer compound is known by its parts.
64 holds a SHA-256 in hex and is at most 256 bytes, far under the 2,046 bytes of a Postgres lexeme."""

PATH_SUFFIX_COMPONENTS = 4
"""Components. A path is also indexed as its last 2, 3 and 4 components, so that the same file is
found whether it was named from the root, from the project or from its package."""

SHORT_SHA_CHARACTERS = 7
"""Hex digits of an abbreviated git object name (git's own default)."""

MIN_LETTERS_BESIDE_DIGITS = 3
"""Letters. In `python3` the letters are a word of their own; in `E0308`, `TS2345`, `x86` they are not."""

MIN_ENCODED_CHARACTERS = 20
"""Characters. From this length on a name is tested for being encoded data (base64, tokens)."""

ENCODED_CHARACTERS_PER_PIECE = 3
"""Characters. Random base64 changes between upper case, lower case and digits every 1.9 characters,
the names of 20 characters and more in Django's source every 6.6 (measured); under 3 a name
is encoded data and is not split."""

MAX_COMBINING_MARKS = 30
"""Marks in a row, the rest is dropped: the bound of Unicode's Stream-Safe Text Format (UAX 15, 13).
Without it the sorting of marks in NFKC takes quadratic time on a hostile text."""

CHARACTERS_PER_POSITION = 2
"""Characters of an unspaced script that count as one position of the document length. Chinese and
Japanese words are about two characters long; so a length does not depend on the segmenters enabled."""

TOKEN_CACHE_ENTRIES = 32_768
"""Tokens whose terms are remembered in a process: 8 MB when full of words, 34 MB when full of long paths (measured)."""

BM25_K1 = 1.2
"""BM25's saturation of term frequency (wire/algorithms.md 6.5)."""

BM25_B = 0.75
"""BM25's length normalisation, 0 to 1 (wire/algorithms.md 6.5)."""

TERM_ID_SPACE = 1_000_000_000
"""Term ids are 1 to this: the largest dimension of pgvector's sparsevec."""

MAX_DISTINCT_TERMS = 16_000
"""Non-zero elements that pgvector stores in one sparsevec."""

MAX_LEXEME_BYTES = 1_000_000
"""Bytes of the distinct lexemes of one piece: a tsvector must stay under 1 MiB, and keeps an entry
of its own besides the bytes; see `LEXEME_OVERHEAD_BYTES`."""

LEXEME_OVERHEAD_BYTES = 4
"""Bytes a tsvector adds to each lexeme (its entry)."""

SUPERSEDE_ABOVE = 0.7
"""Jaccard similarity above which a new memory replaces an old one (wire/algorithms.md 12)."""

SIMILAR_ABOVE = 0.4
"""Jaccard similarity above which the older memory is named as similar (wire/algorithms.md 12)."""

MIN_SIMILARITY_WORD = 3
"""Characters of the shortest spaced word that similarity counts (wire/algorithms.md 12)."""

CHUNK_FILL = 0.5
"""Share of the token limit before which a chunk is not ended, however good the border."""

MOST_VOICE_CHARACTERS = 1_000
"""Characters of a question in which "I" and "you said" are looked for; what is longer is a pasted log, not a question."""
