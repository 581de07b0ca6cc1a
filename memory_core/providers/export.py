"""Prepare a model once, in a process of its own: the part that is the same for every kind.

Loading a model takes torch, 500 MB and many seconds; serving it takes neither. Several processes may ask at once:
one works, the others wait and find its result. What is half made lies under a name that no reader looks at, and is
swept away by the next run.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from memory_core.domain.errors import ProviderError
from memory_core.providers import weights
from memory_core.providers.kinds import ModelKind
from memory_core.providers.prepared import MANIFEST_FILE, Manifest, find, slug

_PARTIAL = ".partial-"

M = TypeVar("M", bound=Manifest)
Say = Callable[[str], None]
Make = Callable[[weights.Source, Path, Path, Say], M]
"""Writes the graph and the tokenizer of a source, whose files lie in the first folder, to the second; the manifest."""


def prepare(kind: ModelKind, source: weights.Source, models_dir: Path, manifest_type: type[M], make: Make[M]) -> Path:
    """The folder of the prepared model, made now unless it is there.

    Raises:
        ModelUnavailable: no weights, or weights that cannot be loaded or exported.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    models_dir.mkdir(parents=True, exist_ok=True)
    with FileLock(models_dir / f".{slug(source.model)}.lock"):
        ready = find(models_dir, source.model, manifest_type)
        if ready is not None:
            return ready.folder
        prefix = f"{_PARTIAL}{slug(source.model)}-"
        for remains in models_dir.glob(f"{prefix}*"):
            shutil.rmtree(remains, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=prefix, dir=models_dir, ignore_cleanup_errors=True) as partial:
            return _make(kind, source, Path(partial), models_dir, make)


def _make(kind: ModelKind, source: weights.Source, partial: Path, models_dir: Path, make: Make[M]) -> Path:
    """Read the weights, write everything under `partial`, and move it to its name in one step."""

    def say(what: str) -> None:
        print(f"{kind.noun} {source.model}: {what}", file=sys.stderr, flush=True)

    result = partial / "result"
    result.mkdir()
    manifest = make(source, _files(kind, source, partial / "original", say), result, say)
    (result / MANIFEST_FILE).write_text(manifest.to_json(), encoding="utf-8")
    _flush(result)
    target = models_dir / manifest.folder_name()
    if target.exists():  # unreadable, or `find` would have found it
        shutil.rmtree(target)
    result.rename(target)
    return target


def _files(kind: ModelKind, source: weights.Source, staging: Path, say: Say) -> Path:
    """The folder with the source's files; packaged ones are checked copies."""
    if source.packaged is not None and source.folder is not None:
        say("checking the packaged weights")
        weights.stage_packaged(kind, source.folder, source.packaged, staging)
        return staging
    if source.folder is not None:
        return source.folder
    say("asking the model hub")
    return weights.fetch_from_hub(kind, source.model)


def _flush(folder: Path) -> None:
    """Have every file on disk before the rename makes it visible, so that a power cut leaves all or nothing."""
    for file in folder.iterdir():
        with file.open("rb+") as opened:
            os.fsync(opened.fileno())


def run(kind: ModelKind, export: Callable[[str, Path], Path], arguments: Sequence[str]) -> int:
    """A kind's command, `MODEL DEST`; the exit status is 0 if the folder is ready, 1 if it cannot be, 2 if called wrongly.

    The last line of standard output is JSON, {"folder": ...} or {"error": ..., "message": ...}; progress goes to
    standard error.
    """
    if len(arguments) != 2:
        print(f"usage: python -m {kind.module} MODEL DEST", file=sys.stderr)
        return 2
    try:
        answer = {"folder": str(export(arguments[0], Path(arguments[1])))}
    except ProviderError as error:
        answer = {"error": type(error).__name__, "message": str(error)}
    print(json.dumps(answer), flush=True)
    return 0 if "folder" in answer else 1
