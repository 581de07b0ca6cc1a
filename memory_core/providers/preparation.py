"""Have a model prepared by a process of its own, and report its failure as one of our errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from memory_core.domain.errors import ModelUnavailable, ModelUntrusted
from memory_core.domain.tunables_models import EXPORT_TIMEOUT_SECONDS
from memory_core.providers.kinds import ModelKind

_QUIET = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TOKENIZERS_PARALLELISM": "false",
    "PYTHONWARNINGS": "ignore",
    "TQDM_DISABLE": "1",
}


def run_export(kind: ModelKind, model: str, models_dir: Path) -> None:
    """Run the export and wait; afterwards the model is found among the prepared ones.

    Raises:
        ModelUnavailable: it cannot be had, took too long, or its process died.
        ModelUntrusted: packaged weights are not what they claim to be.
    """
    command = [sys.executable, "-m", kind.module, model, str(models_dir)]
    root = str(Path(__file__).resolve().parents[2])
    search = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, **_QUIET, "PYTHONPATH": search}
    try:
        done = subprocess.run(  # noqa: S603 - our own module, no shell; the model's name is one argument
            command,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            timeout=EXPORT_TIMEOUT_SECONDS,
        )
    except subprocess.TimeoutExpired as error:
        raise kind.unavailable(model, f"it was not ready after {EXPORT_TIMEOUT_SECONDS} s") from error
    if done.returncode == 0:
        return
    error_name, message = _failure(done.stdout)
    if error_name == ModelUntrusted.__name__:
        raise ModelUntrusted(message)
    if message:
        raise ModelUnavailable(message)
    raise kind.unavailable(model, f"the process that prepares it ended with status {done.returncode}")


def _failure(output: bytes) -> tuple[str, str]:
    """Error name and message from the export's last line; empty when it died before it could say."""
    lines = output.decode(errors="replace").splitlines()
    try:
        answer = json.loads(lines[-1]) if lines else {}
    except ValueError:
        return "", ""
    return str(answer.get("error", "")), str(answer.get("message", ""))
