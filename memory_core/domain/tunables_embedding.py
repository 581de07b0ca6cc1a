"""Numbers of the embedder."""

from __future__ import annotations

WEB_THREADS = 1
"""Threads a query may use in a web process: a query is one short text, and requests already run side by side. (The
worker's number is the setting EVERLORE_EMBEDDING_THREADS; 270 texts/s with 2, 160 with 1, at 65 tokens on 2 cores.)"""

INPUT_CHARACTERS = 16_000
"""Characters of a text that are read at all: where agentmemory clips its embedding input. It bounds the tokenizer's
work on hostile text, and is over 30 characters for each token that the longest sequence here has."""

SPAN_WINDOW_CHARACTERS = 16_000
"""Characters tokenized at a time when spans of a whole document are asked, to bound memory. Cut at white space."""

SEQUENCE_TOKENS = 512
"""Tokens of one sequence, whatever the model would allow: attention grows with the square, and 8,192 tokens of a
16-head model would take 4 GB for one layer's scores."""

BATCH_TOKENS = 2_048
"""Padded tokens of one run (32 texts of 64, 8 of 256). Larger batches were no faster (8: 250, 16: 270, 64: 268
texts/s) and held more memory (16 x 256: 286 MB resident)."""

EXPORT_MIN_COSINE = 0.98
"""Least mean cosine of quantised vectors to the model's own, over the probes. Per channel gives 0.99, per tensor
0.965. A mean, because texts of one or two words always lose more (0.97) and say little about the rest."""

EXPORT_PLAIN_MIN_COSINE = 0.999
"""Least cosine of any vector of the unquantised export to the model's own: the same arithmetic in another order."""

EXPORT_OPSET = 17
"""ONNX operator set: the lowest with LayerNormalization as one operator, so that any onnxruntime since 1.12 runs it."""

EXPORT_TIMEOUT_SECONDS = 1_800
"""Longest wait for a one-time export, including a download of some 500 MB on a slow line (30 s when on disk)."""

UNAVAILABLE_RETRY_SECONDS = 600
"""How long "there is no model" is believed before looking again: a look may import torch and ask the network."""

PENDING_RETRY_SECONDS = 5
"""How long "another process is preparing the model" is believed: a look is one directory listing."""

DIGEST_CHARACTERS = 12
"""Hex digits of the source digest in a prepared model's folder name: 48 bits tell a person's few models apart."""

FALLBACK_TOKENS = 254
"""`max_tokens` without a model: the default model's, so that chunks cut today suit the model that comes tomorrow."""

FALLBACK_WORD_CHARACTERS = 6
"""Longest run of ASCII letters and digits counted as one token without a model: whole common words, long
identifiers in pieces, a little more tokens than WordPiece finds so that chunks never come out too long."""
