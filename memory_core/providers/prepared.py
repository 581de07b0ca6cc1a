"""A prepared model: the folder `<models_dir>/<slug>-<digest12>-<precision>` that serving processes read.

It holds `model.onnx`, `tokenizer.json` and `manifest.json`. It appears by one rename when all of it is on disk, so a
folder with a readable manifest is whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, TypeVar

from memory_core.domain.tunables_models import DIGEST_CHARACTERS

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
MANIFEST_FILE = "manifest.json"

FORMAT = 1
"""Raised when a reader could no longer use what an older Everlore wrote; then the model is prepared again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Manifest:
    """What was prepared, from what, and with what.

    `sequence_tokens` counts special tokens, too. `model_bytes` and `tokenizer_bytes` are file sizes. Each kind of model
    adds fields of its own, by which one kind's folder is not taken for another's.
    """

    model: str
    source_digest: str
    precision: str
    sequence_tokens: int
    model_bytes: int
    tokenizer_bytes: int
    versions: Mapping[str, str]
    format: int = FORMAT

    def folder_name(self) -> str:
        """The folder's name under the models directory."""
        return f"{slug(self.model)}-{self.source_digest[:DIGEST_CHARACTERS]}-{self.precision}"

    def to_json(self) -> str:
        """The text of `manifest.json`."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"


M = TypeVar("M", bound=Manifest)


@dataclass(frozen=True)
class Prepared(Generic[M]):
    """A folder that can be served."""

    folder: Path
    manifest: M


def slug(model: str) -> str:
    """A model's name as part of a file name.

    >>> slug("sentence-transformers/all-MiniLM-L6-v2")
    'sentence-transformers-all-minilm-l6-v2'
    """
    return re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-") or "model"


def find(models_dir: Path, model: str, manifest_type: type[M]) -> Prepared[M] | None:
    """The newest whole folder that was prepared for `model` with a manifest of that type, or None."""
    found = [
        prepared
        for folder in models_dir.glob(f"{slug(model)}-*")
        if (prepared := _read(folder, manifest_type)) is not None and prepared.manifest.model == model
    ]
    return max(found, key=lambda prepared: prepared.folder.stat().st_mtime, default=None)


def _read(folder: Path, manifest_type: type[M]) -> Prepared[M] | None:
    """The folder's content, or None if it is not one that this version prepared completely."""
    try:
        manifest = manifest_type(**json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8")))
        sizes = (folder / MODEL_FILE).stat().st_size, (folder / TOKENIZER_FILE).stat().st_size
    except (OSError, ValueError, TypeError):
        return None
    if manifest.format != FORMAT or sizes != (manifest.model_bytes, manifest.tokenizer_bytes):
        return None
    return Prepared(folder, manifest)
