"""The one door to onnxruntime: no telemetry, no chatter, few threads."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any, Protocol

from memory_core.domain.errors import ModelUnavailable, ProviderError

_ONLY_ERRORS = 3
"""onnxruntime's log severity that lets errors through and warnings not."""


class Session(Protocol):
    """The part of onnxruntime's `InferenceSession` that is used here; it may be called from several threads."""

    def get_inputs(self) -> list[Any]:
        """The graph's inputs, each with its `name`."""

    def run(self, output_names: list[str] | None, inputs: dict[str, Any]) -> list[Any]:
        """Run the graph on named arrays; the outputs in order, all of them for None."""


def import_onnxruntime() -> Any:
    """Import onnxruntime with its telemetry off.

    Official builds since 1.29 report usage to their maker over HTTPS from the first import on, and keep a device id
    in the user's cache. The variable is read once, at that import, so it must be set before; afterwards the API can
    only lessen it.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    onnxruntime = importlib.import_module("onnxruntime")
    onnxruntime.set_default_logger_severity(_ONLY_ERRORS)
    onnxruntime.disable_telemetry_events()
    return onnxruntime


def open_session(model_file: Path, *, threads: int) -> Session:
    """Load an ONNX file for the CPU, with `threads` threads inside an operator.

    Idle threads sleep instead of spinning: a server that waits for questions must not heat a core.

    Raises:
        ModelUnavailable: the file is no graph that this runtime loads.
    """
    runtime = import_onnxruntime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _ONLY_ERRORS
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # Grow the arena by what is asked, not by doubling: measured resident size stays near the largest batch.
    provider = ("CPUExecutionProvider", {"arena_extend_strategy": "kSameAsRequested"})
    state = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    try:
        session: Session = runtime.InferenceSession(str(model_file), options, providers=[provider])
    except (state.Fail, state.InvalidProtobuf, state.InvalidGraph, state.InvalidArgument, state.NoSuchFile) as error:
        cause = (str(error).splitlines() or ["without a word"])[0]
        raise ModelUnavailable(f"onnxruntime cannot load {model_file.name}: {cause}") from error
    return session


def run_session(session: Session, inputs: dict[str, Any]) -> list[Any]:
    """All outputs of a run.

    Raises:
        ProviderError: the runtime refuses the inputs or fails; its own errors have no common base but Exception.
    """
    state = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    try:
        return session.run(None, inputs)
    except (state.Fail, state.InvalidArgument, state.RuntimeException, state.NotImplemented, state.EPFail) as error:
        raise ProviderError(f"onnxruntime failed: {(str(error).splitlines() or ['without a word'])[0]}") from error
