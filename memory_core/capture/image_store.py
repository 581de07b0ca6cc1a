"""Images on disk, named by their content; a name is written once and never changes."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

from .images import LiftedImage

_NAME = re.compile(r"[0-9a-f]{64}\.[a-z]{3,4}|\.[0-9a-f]{64}\.[0-9a-f]{8}")  # an image, or an unfinished one


def name_of(image: LiftedImage) -> str:
    """The file's name: digest and extension."""
    return f"{image.digest}.{image.extension}"


def write(directory: Path, image: LiftedImage) -> Path:
    """Make the image durable in the directory; does nothing when it is there. Raises OSError."""
    path = directory / name_of(image)
    if path.exists():
        return path
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = directory / f".{image.digest}.{secrets.token_hex(4)}"
    with part.open("xb") as file:
        file.write(image.data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return path


def delete(directory: Path, names: Iterable[str]) -> int:
    """Delete files of the store that nothing refers to, and give how many; a name that is not the store's own is left
    alone."""
    own = [directory / name for name in names if _NAME.fullmatch(name)]
    for path in own:
        path.unlink(missing_ok=True)
    return len(own)
