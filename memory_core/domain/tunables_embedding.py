"""Numbers of the embedder."""

from __future__ import annotations

WEB_THREADS = 1
"""Threads a query may use in a web process: a query is one short text, and requests already run side by side. (The
worker's number is the setting EVERLORE_EMBEDDING_THREADS; 270 texts/s with 2, 160 with 1, at 65 tokens on 2 cores.)"""

BATCH_TOKENS = 2_048
"""Padded tokens of one run (32 texts of 64, 8 of 256). Larger batches were no faster (8: 250, 16: 270, 64: 268
texts/s) and held more memory (16 x 256: 286 MB resident)."""

EXPORT_MIN_COSINE = 0.98
"""Least mean cosine of quantised vectors to the model's own, over the probes. Per channel gives 0.99, per tensor
0.965. A mean, because texts of one or two words always lose more (0.97) and say little about the rest."""

EXPORT_PLAIN_MIN_COSINE = 0.999
"""Least cosine of any vector of the unquantised export to the model's own: the same arithmetic in another order."""

FALLBACK_TOKENS = 254
"""`max_tokens` without a model: the default model's, so that chunks cut today suit the model that comes tomorrow."""

FALLBACK_WORD_CHARACTERS = 6
"""Longest run of ASCII letters and digits counted as one token without a model: whole common words, long
identifiers in pieces, a little more tokens than WordPiece finds so that chunks never come out too long."""
