"""`python -m memory_core.providers.embedding.export MODEL DEST`: prepare a model once, in a process of its own.

Loading a model takes torch, 500 MB and many seconds; serving it takes neither. Several processes may ask at once:
one works, the others wait and find its result. What is half made lies under a name that no reader looks at, and is
swept away by the next run. The last line of standard output is JSON, {"folder": ...} or {"error": ..., "message": ...};
progress goes to standard error.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from filelock import FileLock

from memory_core.domain.errors import ModelUnavailable, ProviderError
from memory_core.providers.embedding import weights
from memory_core.providers.embedding.prepared import MANIFEST_FILE, find_prepared, slug

_PARTIAL = ".partial-"


def export(name: str, models_dir: Path) -> Path:
    """The folder of the prepared model, made now unless it is there.

    Raises:
        ModelUnavailable: no weights, or weights that cannot be loaded or exported.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    source = weights.locate(name)
    models_dir.mkdir(parents=True, exist_ok=True)
    with FileLock(models_dir / f".{slug(source.model)}.lock"):
        ready = find_prepared(models_dir, source.model)
        if ready is not None:
            return ready.folder
        prefix = f"{_PARTIAL}{slug(source.model)}-"
        for remains in models_dir.glob(f"{prefix}*"):
            shutil.rmtree(remains, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=prefix, dir=models_dir, ignore_cleanup_errors=True) as partial:
            return _make(source, Path(partial), models_dir)


def _make(source: weights.Source, partial: Path, models_dir: Path) -> Path:
    """Read the weights, write everything under `partial`, and move it to its name in one step."""
    original, result = partial / "original", partial / "result"
    result.mkdir()
    if source.packaged is not None and source.folder is not None:
        _say(source, "checking the packaged weights")
        weights.stage_packaged(source.folder, source.packaged, original)
        folder = original
    elif source.folder is not None:
        folder = source.folder
    else:
        _say(source, "asking the model hub")
        folder = weights.fetch_from_hub(source.model)
    digest = weights.weights_digest(folder)
    _say(source, "loading (this happens once, and takes half a minute)")
    try:
        from memory_core.providers.embedding import onnx_export
    except ImportError as error:
        raise ModelUnavailable(weights.unavailable_message(source.model, f"it cannot be loaded: {error}")) from error

    model = onnx_export.load_model(folder)
    _say(source, "exporting")
    manifest = onnx_export.write_prepared(model, source.known, source.model, digest, result)
    (result / MANIFEST_FILE).write_text(manifest.to_json(), encoding="utf-8")
    _flush(result)
    target = models_dir / manifest.folder_name()
    if target.exists():  # unreadable, or `find_prepared` would have found it
        shutil.rmtree(target)
    result.rename(target)
    _say(source, f"ready ({manifest.precision}, cosine to the original {manifest.cosine})")
    return target


def _flush(folder: Path) -> None:
    """Have every file on disk before the rename makes it visible, so that a power cut leaves all or nothing."""
    for file in folder.iterdir():
        with file.open("rb+") as opened:
            os.fsync(opened.fileno())


def _say(source: weights.Source, what: str) -> None:
    print(f"embedding model {source.model}: {what}", file=sys.stderr, flush=True)


def main(arguments: list[str]) -> int:
    """Run the command; the exit status is 0 if the folder is ready, 1 if it cannot be, 2 if called wrongly."""
    if len(arguments) != 2:
        print("usage: python -m memory_core.providers.embedding.export MODEL DEST", file=sys.stderr)
        return 2
    try:
        answer = {"folder": str(export(arguments[0], Path(arguments[1])))}
    except ProviderError as error:
        answer = {"error": type(error).__name__, "message": str(error)}
    print(json.dumps(answer), flush=True)
    return 0 if "folder" in answer else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
