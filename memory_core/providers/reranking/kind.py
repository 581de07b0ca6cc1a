"""The kind of model that reranks, and the words for its absence."""

from __future__ import annotations

from memory_core.providers.kinds import ModelKind

RERANKER = ModelKind(
    noun="reranking model",
    setting="EVERLORE_RERANKER_MODEL",
    module="memory_core.providers.reranking.export",
    owner="cross-encoder",  # whose the models of sentence-transformers are at the hub
    without="Results keep the order that search gave them. To have a model look at the best of them",
    ways=(
        "set EVERLORE_RERANKER_MODEL to a folder with a cross-encoder, sentence-transformers' own or model.onnx with"
        " tokenizer.json",
        "let this machine reach the model hub once (HF_HUB_OFFLINE not set) and start again",
    ),
)
