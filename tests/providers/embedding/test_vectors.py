"""What the default model's vectors are like."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_core.domain.ports import Embedder
from tests.providers.embedding.conftest import MINILM

ANY_TEXT = st.text(st.characters(), max_size=120)  # lone surrogates and control characters too
SAME_TEXT = 0.97
"""int8 scales a whole batch at once, so a text's vector moves a little with its batch; measured 0.989."""

LAW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def test_its_shape_is_that_of_the_model(minilm: Embedder) -> None:
    assert (minilm.dimensions, minilm.provider, minilm.model) == (
        384,
        "local",
        "sentence-transformers/all-MiniLM-L6-v2",
    )
    assert minilm.max_tokens == 254  # 256 less the two that frame every text
    assert minilm.scripts == {"Latin"}


@LAW
@given(texts=st.lists(ANY_TEXT, max_size=6))
def test_every_text_gets_one_float32_vector_of_length_one(minilm: Embedder, texts: list[str]) -> None:
    vectors = minilm.embed_documents(texts)

    assert vectors.shape == (len(texts), 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@LAW
@given(data=st.data(), texts=st.lists(st.sampled_from(["red", "a blue car " * 9, "x = 1", ""]), min_size=1, max_size=8))
def test_a_batch_in_another_order_gives_the_same_vectors_in_that_order(
    minilm: Embedder, data: st.DataObject, texts: list[str]
) -> None:
    order = data.draw(st.permutations(range(len(texts))))

    straight = minilm.embed_documents(texts)
    shuffled = minilm.embed_documents([texts[index] for index in order])

    np.testing.assert_allclose(shuffled, straight[order], atol=1e-4)


def test_a_text_alone_and_among_others_has_nearly_the_same_vector(minilm: Embedder) -> None:
    texts = [
        f"note {number}: the retry loop waits {number} seconds" + " and then some" * number for number in range(40)
    ]

    together = minilm.embed_documents(texts)
    alone = np.stack([minilm.embed_query(text) for text in texts])

    assert (together * alone).sum(axis=1).min() > SAME_TEXT


def test_what_lies_behind_the_last_token_changes_nothing(minilm: Embedder) -> None:
    filled = "word " * minilm.max_tokens

    short, long = minilm.embed_query(filled), minilm.embed_query(filled + "but the end is quite different")

    np.testing.assert_array_equal(short, long)


def test_what_lies_within_the_last_token_counts(minilm: Embedder) -> None:
    filled = "word " * (minilm.max_tokens - 1)

    assert not np.array_equal(minilm.embed_query(filled + "bread"), minilm.embed_query(filled + "database"))


def test_text_that_spells_a_special_token_stays_text(minilm: Embedder) -> None:
    assert minilm.count_tokens("[SEP]") == 3


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ab cd " * 170_000, id="a megabyte of words"),
        pytest.param("x" * 1_000_000, id="a megabyte without white space"),
        pytest.param("\x00\ud800" * 500_000, id="a megabyte of what is no text"),
    ],
)
def test_a_megabyte_is_embedded_in_no_time(minilm: Embedder, text: str) -> None:
    started = time.process_time()

    vector = minilm.embed_documents([text])[0]

    assert time.process_time() - started < 10.0  # unbounded, it would take minutes of CPU
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("question", "answer", "unrelated"),
    [
        pytest.param(
            "database connection pool exhausted",
            "the service ran out of postgres sessions",
            "the swimming pool opens in June",
            id="other words for the same fault beat a shared word",
        ),
        pytest.param(
            "how do users log in",
            "authentication checks the password and issues a session cookie",
            "write the error to the log file in JSON",
            id="a verb's sense, not its letters",
        ),
        pytest.param(
            "why did we pick Postgres",
            "decision: the relational store was chosen for its transactions",
            "the picker component shows a list of colours",
            id="a decision by its reason",
        ),
        pytest.param(
            "speed up slow page",
            "we reduced latency of the view with a cache",
            "turn the page of the manual to chapter three",
            id="a wish by what was done about it",
        ),
    ],
)
def test_a_paraphrase_is_nearer_than_what_only_shares_words(
    minilm: Embedder, question: str, answer: str, unrelated: str
) -> None:
    near, far = minilm.embed_documents([answer, unrelated]) @ minilm.embed_query(question)

    assert near > far


def test_a_process_that_embeds_never_imports_torch_and_reports_nothing_to_anyone(
    minilm: Embedder, models_dir: Path
) -> None:
    script = (
        "import os, sys; from pathlib import Path; from memory_core.providers.embedding import load_embedder;"
        f"load_embedder({MINILM!r}, Path({str(models_dir)!r}), threads=1).embed_query('hello');"
        "print(sorted({'torch', 'sentence_transformers', 'transformers', 'onnx'} & set(sys.modules)),"
        " os.environ['ORT_DISABLE_TELEMETRY'])"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["[]", "1"]
    assert done.stderr == ""
