"""Where weights are looked for, and that only the known bytes of a package are read."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from memory_core.domain.errors import ModelUnavailable, ModelUntrusted
from memory_core.providers.embedding.kind import EMBEDDER
from memory_core.providers.embedding.known_models import KNOWN_MODELS, known_model
from memory_core.providers.embedding.weights import locate
from memory_core.providers.known import PackagedWeights
from memory_core.providers.weights import packaged_folder, stage_packaged, weights_digest


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def install_package(site: Path, files: dict[str, bytes]) -> None:
    """A distribution `someones-model` on disk whose code must not run."""
    (site / "someones_model-1.0.dist-info").mkdir(parents=True)
    (site / "someones_model-1.0.dist-info" / "METADATA").write_text("Name: someones-model\nVersion: 1.0\n")
    (site / "someones_model" / "model").mkdir(parents=True)
    (site / "someones_model" / "__init__.py").write_text("raise SystemExit('imported')")
    for name, content in files.items():
        (site / "someones_model" / "model" / name).write_bytes(content)


def packaged(**files: bytes) -> PackagedWeights:
    digests = {name: sha256(content) for name, content in files.items()}
    return PackagedWeights("someones-model", "someones_model/model", digests)


def test_exactly_the_known_files_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_package(tmp_path / "site", {"weights": b"good", "modeling.py": b"raise SystemExit('loaded')"})
    monkeypatch.syspath_prepend(tmp_path / "site")
    known = packaged(weights=b"good")

    folder = packaged_folder(known)
    assert folder is not None
    stage_packaged(EMBEDDER, folder, known, tmp_path / "staged")

    assert {file.name: file.read_bytes() for file in (tmp_path / "staged").iterdir()} == {"weights": b"good"}


@pytest.mark.parametrize(
    "present",
    [
        pytest.param({"weights": b"evil", "config": b"c"}, id="altered weights"),
        pytest.param({"weights": b"good", "config": b"evil"}, id="altered configuration"),
        pytest.param({"weights": b"good"}, id="a missing file"),
    ],
)
def test_a_package_with_other_bytes_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, present: dict[str, bytes]
) -> None:
    install_package(tmp_path / "site", present)
    monkeypatch.syspath_prepend(tmp_path / "site")
    known = packaged(weights=b"good", config=b"c")

    folder = packaged_folder(known)
    assert folder is not None
    with pytest.raises(ModelUntrusted, match="someones-model"):
        stage_packaged(EMBEDDER, folder, known, tmp_path / "staged")


def test_a_package_that_is_not_installed_has_no_folder() -> None:
    assert packaged_folder(PackagedWeights("nobody-ever-published-this", "x", {})) is None


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("ALL-minilm-l6-V2 ", "sentence-transformers/all-MiniLM-L6-v2"),
        ("Xenova/all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
        ("local", "sentence-transformers/all-MiniLM-L6-v2"),
        ("multilingual-e5-small", "intfloat/multilingual-e5-small"),
        ("some-bare-name", "sentence-transformers/some-bare-name"),
        ("owner/own-model", "owner/own-model"),
    ],
)
def test_a_name_means_one_model(name: str, model: str) -> None:
    assert locate(name).model == model


@pytest.mark.parametrize(
    "name", ["", "../../etc/passwd", "/no/such/folder", "a/b/c", ".", "/", "https://host/x", "-o", "a\nb"]
)
def test_what_is_no_name_is_refused_with_the_ways_out(name: str) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        locate(name)

    assert all(way in str(caught.value) for way in ("everlore[minilm]", "EVERLORE_EMBEDDING_MODEL", "HF_HUB_OFFLINE"))


def test_a_folders_model_is_named_by_its_content(tmp_path: Path) -> None:
    for place in ("here", "there"):
        (tmp_path / place / "mine").mkdir(parents=True)
        (tmp_path / place / "mine" / "config.json").write_text("{}")
        (tmp_path / place / "mine" / "model.safetensors").write_bytes(b"weights")
    first, moved = locate(str(tmp_path / "here" / "mine")), locate(str(tmp_path / "there" / "mine"))
    (tmp_path / "there" / "mine" / "model.safetensors").write_bytes(b"other weights")
    changed = locate(str(tmp_path / "there" / "mine"))

    assert first.model == moved.model == f"mine@{sha256(b'weights')[:12]}"
    assert changed.model != first.model


def test_several_weight_files_are_one_digest(tmp_path: Path) -> None:
    (tmp_path / "dense").mkdir()
    (tmp_path / "model.safetensors").write_bytes(b"a")
    (tmp_path / "dense" / "model.safetensors").write_bytes(b"b")
    before = weights_digest(EMBEDDER, tmp_path)

    (tmp_path / "dense" / "model.safetensors").write_bytes(b"c")

    assert weights_digest(EMBEDDER, tmp_path) != before


def test_a_folder_with_pickled_weights_only_is_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"pickle")

    with pytest.raises(ModelUnavailable, match="safetensors"):
        locate(str(tmp_path))


def test_no_name_means_two_models() -> None:
    names = [name for known in KNOWN_MODELS for name in known.names()]

    assert len(names) == len(set(names))


def test_the_multilingual_model_knows_its_prefixes_and_scripts() -> None:
    known = known_model("multilingual-e5-small")

    assert known is not None
    assert (known.query_prefix, known.document_prefix) == ("query: ", "passage: ")
    assert {"Latin", "Han", "Hiragana", "Katakana", "Hangul", "Cyrillic"} <= known.scripts
