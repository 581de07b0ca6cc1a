"""Every embedder, the fake of the other tests too, has the port's members with the port's signatures."""

from __future__ import annotations

import inspect

import pytest

from memory_core.domain.ports import Embedder
from memory_core.providers.embedding.null import NullEmbedder
from memory_core.providers.embedding.onnx_embedder import OnnxEmbedder
from tests.fakes.embedder import HashingEmbedder

METHODS = ("embed_documents", "embed_query", "count_tokens", "token_spans")


@pytest.mark.parametrize("embedder", [OnnxEmbedder, NullEmbedder, HashingEmbedder])
@pytest.mark.parametrize("method", METHODS)
def test_signature_is_the_ports(embedder: type, method: str) -> None:
    assert inspect.signature(getattr(embedder, method)) == inspect.signature(getattr(Embedder, method))


def test_the_port_has_no_method_that_this_file_forgets() -> None:
    methods = {name for name, value in vars(Embedder).items() if inspect.isfunction(value) and name[0] != "_"}

    assert methods == set(METHODS)


@pytest.mark.parametrize("embedder", [NullEmbedder("no reason"), HashingEmbedder()])
def test_every_member_of_the_port_is_there(embedder: object) -> None:
    assert isinstance(embedder, Embedder)


def test_the_real_one_has_every_member(minilm: Embedder) -> None:
    assert isinstance(minilm, OnnxEmbedder)
    assert isinstance(minilm, Embedder)


def test_the_fake_puts_texts_with_shared_words_nearer() -> None:
    fake = HashingEmbedder()
    question = fake.embed_query("connection pool")

    near, far = fake.embed_documents(["the connection pool is full", "bread needs flour"]) @ question

    assert near > far + 0.2
