"""A torch module to ONNX, and that to int8. Imports torch: only an export process may import this module."""

from __future__ import annotations

import importlib
import importlib.metadata
import logging
import shutil
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from memory_core.domain.tunables_models import EXPORT_OPSET
from memory_core.providers.onnx_session import import_onnxruntime

_VERSIONS_OF = ("sentence-transformers", "transformers", "torch", "onnx", "onnxruntime", "tokenizers")


@dataclass(frozen=True, slots=True)
class Precision:
    """A way to write the weights."""

    name: str
    quantised: bool = True
    seven_bits: bool = False


PRECISIONS = (
    Precision("int8"),
    Precision("int8", seven_bits=True),  # CPUs without VNNI saturate on eight
    Precision("fp32", quantised=False),
)
"""From small to large; the first that is faithful enough is kept."""


def export_graph(module: torch.nn.Module, inputs: Mapping[str, torch.Tensor], output: str, target: Path) -> None:
    """Trace a module on example inputs of shape (batch, tokens), in the order of its arguments; both stay free."""
    free = {0: "batch", 1: "tokens"}
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracer warns about every Python branch it fixes; the probes judge it
        torch.onnx.export(
            module,
            tuple(inputs.values()),
            str(target),
            input_names=list(inputs),
            output_names=[output],
            dynamic_axes={**dict.fromkeys(inputs, free), output: {0: "batch"}},
            opset_version=EXPORT_OPSET,
            dynamo=False,  # the newer exporter needs onnxscript, one more dependency for the same graph
        )


def write_precision(precision: Precision, plain: Path, target: Path) -> None:
    """Write the graph to `target` in a precision."""
    if not precision.quantised:
        shutil.copyfile(plain, target)
        return
    import_onnxruntime()
    quantization = importlib.import_module("onnxruntime.quantization")
    logging.disable(logging.WARNING)  # it advises a preprocessing step that dynamic quantisation does not need
    quantization.quantize_dynamic(
        plain,
        target,
        per_channel=True,
        reduce_range=precision.seven_bits,
        weight_type=quantization.QuantType.QInt8,
    )
    logging.disable(logging.NOTSET)


def versions() -> dict[str, str]:
    """The versions of the packages that made the graph."""
    return {package: importlib.metadata.version(package) for package in _VERSIONS_OF}
