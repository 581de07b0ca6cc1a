"""Numbers of the reranker."""

from __future__ import annotations

SEQUENCE_TOKENS = 512
"""Tokens of one pair (question, passage and special tokens), whatever the model would allow: attention grows with the
square of it, and the cross-encoders of the table were trained on 512."""

QUERY_TOKENS = 64
"""Tokens of the question that are read; unit: tokens. The rest of the sequence is the passage's: what a pasted log of a
question would take from it, says less than the passage does."""

PASSAGE_CHARACTERS = 16_000
"""Characters of a passage that are tokenized at all, to bound the work on hostile text; over 30 for each token read."""
