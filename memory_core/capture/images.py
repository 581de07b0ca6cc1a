"""Lift inline images out of a payload, so that rows hold a short reference and the image store the bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from memory_core.capture.tree import leaves, rewrite
from memory_core.domain.events import Json
from memory_core.domain.tunables_capture import MIN_IMAGE_BASE64

Modality = Literal["text", "image", "mixed"]

_DATA_URI = re.compile(
    r"data:image/(?P<kind>[a-z0-9.+-]{1,32})(?:;[a-z0-9=-]{1,64}){0,4};base64,",
    re.IGNORECASE,
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]*+={0,2}")
_SPACES = re.compile(r"\s+")
_BARE_STARTS = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR")
"""Base64 of the first bytes of PNG, JPEG, GIF and RIFF (WEBP)."""

_EXTENSIONS = {
    "svg+xml": "svg",
    "bmp": "bmp",
    "avif": "avif",
    "tiff": "tiff",
    "x-icon": "ico",
    "heic": "heic",
}
"""Declared kinds that are kept apart; every other one is stored as png, as the protocol does."""

_REFERENCE = re.compile(r"image:(?P<digest>[0-9a-f]{64})\.(?P<extension>[a-z]{3,4})")
_PATH_KEYS = frozenset({"image_path", "imagePath"})


@dataclass(frozen=True, slots=True)
class LiftedImage:
    """One image: its bytes as sent (never decoded as an image), their SHA-256 and a file extension."""

    digest: str
    extension: str
    data: bytes

    @property
    def reference(self) -> str:
        """What stands in the payload instead, such as `image:<64 hex digits>.png`."""
        return f"image:{self.digest}.{self.extension}"


class Lifted(NamedTuple):
    """A payload with references, and each image once, in document order."""

    value: Json
    images: list[LiftedImage]


def lift_images(value: Any) -> Lifted:
    """Replace every inline image, at any depth, by its reference; the very same value when there is none.

    An image is a `data:image/...;base64,` URI, alone or inside a longer text, or a string that is base64 of PNG, JPEG,
    GIF or WEBP from its first character. Base64 that does not decode, such as an image that was cut off, stays text.
    The digest is of the bytes, so one image sent in two spellings is stored once (the protocol hashes the base64 text).
    """
    found: dict[str, LiftedImage] = {}

    def leaf(node: Any, _key: str | None) -> Json:
        if isinstance(node, str) and len(node) >= MIN_IMAGE_BASE64:
            return _lift_text(node, found)
        kept: Json = node
        return kept

    lifted = rewrite(value, leaf, str)
    if not found:
        unchanged: Json = value
        return Lifted(unchanged, [])
    return Lifted(lifted, list(found.values()))


def holds_image(value: Any) -> bool:
    """Whether the payload has a reference to an image, or a path of one under `image_path` or `imagePath`."""
    return any(
        isinstance(node, str) and node and ((path and path[-1] in _PATH_KEYS) or _REFERENCE.search(node))
        for path, node in leaves(value)
    )


def modality(*, image: bool, text: bool) -> Modality:
    """`mixed` for an image beside a tool's input or output or a prompt, else `image` or `text` (algorithms.md §3)."""
    if not image:
        return "text"
    return "mixed" if text else "image"


def without_references(text: str) -> str:
    """The text without image references, which say nothing to a reader or to an index."""
    return _REFERENCE.sub("", text) if "image:" in text else text


def _lift_text(text: str, found: dict[str, LiftedImage]) -> str:
    if text.startswith(_BARE_STARTS):
        image = _image(text, None)
        return _remember(image, found) if image else text
    if "base64," not in text and "BASE64," not in text:  # the pattern takes a thousand times as long to say no
        return text
    parts: list[str] = []
    kept = 0
    for uri in _DATA_URI.finditer(text):
        end = _encoded_end(text, uri)
        image = _image(text[uri.end() : end], uri["kind"].lower())
        if image:
            parts += (text[kept : uri.start()], _remember(image, found))
            kept = end
    return "".join(parts) + text[kept:]


def _encoded_end(text: str, uri: re.Match[str]) -> int:
    """Where the base64 behind a URI's head ends: at the end of a text that is all URI, else at the first other sign."""
    if uri.start() == 0 and _BASE64.fullmatch(_SPACES.sub("", text[uri.end() :])):
        return len(text)
    run = _BASE64.match(text, uri.end())
    return run.end() if run else uri.end()


def _image(encoded: str, declared: str | None) -> LiftedImage | None:
    """The image, or None when the text is not strict base64 or, without a declared kind, not of a known format."""
    try:
        data = base64.b64decode(_SPACES.sub("", encoded), validate=True)
    except (binascii.Error, ValueError):
        return None
    extension = _extension(data, declared)
    if extension is None or not data:
        return None
    return LiftedImage(hashlib.sha256(data).hexdigest(), extension, data)


def _extension(data: bytes, declared: str | None) -> str | None:
    """By the bytes first: what a payload declares is a claim."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "webp"
    return None if declared is None else _EXTENSIONS.get(declared, "png")


def _remember(image: LiftedImage, found: dict[str, LiftedImage]) -> str:
    return found.setdefault(image.digest, image).reference
