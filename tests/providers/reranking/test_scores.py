"""What a real cross-encoder says, served by the graph alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from memory_core.domain.ports import Reranker

pytestmark = pytest.mark.slow

QUESTION = "how many people live in Berlin?"
ANSWER = "Berlin had a population of 3,520,031 registered inhabitants in an area of 891.82 square kilometers."
OTHER = "Berlin is well known for its museums."
"""The model card's example: it gives 9.2 and -4.3 at full precision."""


def test_the_models_own_example(cross_encoder: Reranker) -> None:
    answer, other = cross_encoder.score(QUESTION, [ANSWER, OTHER])

    assert 8.0 < answer < 10.0
    assert -6.5 < other < -3.0


def test_a_pairs_score_does_not_depend_on_its_company(cross_encoder: Reranker) -> None:
    alone = cross_encoder.score(QUESTION, [ANSWER])
    between = cross_encoder.score(QUESTION, [OTHER, ANSWER, "x " * 900, ""])

    assert between.shape == (4,)
    assert between[1] == alone[0]
    assert np.isfinite(between).all()


def test_the_end_of_what_is_too_long_is_not_read(cross_encoder: Reranker) -> None:
    room = cross_encoder.room(QUESTION)
    filler = "word " * (room + 50)

    assert 0 < room < 512
    np.testing.assert_array_equal(
        cross_encoder.score(QUESTION, [filler + ANSWER]), cross_encoder.score(QUESTION, [filler + OTHER])
    )


def test_no_passages_have_no_scores(cross_encoder: Reranker) -> None:
    assert cross_encoder.score(QUESTION, []).shape == (0,)


def test_a_question_longer_than_the_model_leaves_room_for_the_passage(cross_encoder: Reranker) -> None:
    answer, other = cross_encoder.score(QUESTION + " please" * 600, [ANSWER, OTHER])

    assert cross_encoder.room("please " * 600) >= 250
    assert answer > other


def test_serving_loads_neither_torch_nor_sentence_transformers(cross_encoder_folder: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from memory_core.providers.reranking import reranker_or_null;"
        f"own = reranker_or_null({str(cross_encoder_folder)!r}, Path({str(tmp_path)!r}), threads=1, may_export=True);"
        f"print(own.available, own.score({QUESTION!r}, [{ANSWER!r}])[0] > 8,"
        " {'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "True True set()\n"
