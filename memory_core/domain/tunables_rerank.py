"""Numbers of the reranker."""

from __future__ import annotations

QUESTION_TOKENS = 64
"""Tokens of the question that the model reads; unit: tokens. What a pasted log of a question would take from the
sequence says less than the passage does."""

EXPORT_MIN_CORRELATION = 0.98
"""Least correlation of a quantised model's logits with the model's own, over the probes."""

EXPORT_PLAIN_DIFFERENCE = 0.01
"""Greatest difference of the unquantised export's logits to the model's own: the same arithmetic in another order; unit:
logits, which spread over some 20."""
