"""Numbers of every model that runs here: how it is found, prepared and fed."""

from __future__ import annotations

INPUT_CHARACTERS = 16_000
"""Characters of a text that are read at all: where agentmemory clips its embedding input. It bounds the tokenizer's
work on hostile text, and is over 30 characters for each token that the longest sequence here has."""

SPAN_WINDOW_CHARACTERS = 16_000
"""Characters tokenized at a time when spans of a whole document are asked, to bound memory. Cut at white space."""

SEQUENCE_TOKENS = 512
"""Tokens of one sequence, whatever the model would allow: attention grows with the square, and 8,192 tokens of a
16-head model would take 4 GB for one layer's scores."""

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
