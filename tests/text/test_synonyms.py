"""Groups of synonyms are read from a file that people edit, and offer every other member for a term."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain import configuration
from memory_core.domain import tunables_expansion as tunables
from memory_core.domain.errors import ConfigurationError
from memory_core.text import Analyzer
from memory_core.text.synonyms import Group, load, parse

ANALYZER = Analyzer(segmenters=())
PACKAGED = load("")


def offered(query: str) -> set[str]:
    return {offer.term for offer in PACKAGED.offers(ANALYZER.analyze(query).terms)}


def read(text: str) -> tuple[tuple[Group, ...], str | None]:
    """The groups of a text, or why it is refused."""
    try:
        return parse(text).groups, None
    except ConfigurationError as refusal:
        return (), str(refusal)


def test_the_protocol_s_42_groups_are_there() -> None:
    assert len(PACKAGED.groups) == 42


@pytest.mark.parametrize(
    ("query", "synonym"),
    [
        ("k8s rollout", "kubernetes"),
        ("database", "db"),
        ("db", "databases"),
        ("is it slow", "latency"),
        ("continuous-integration", "ci"),
        ("ci", "continuous-integration"),
        ("authenticated", "auth"),
    ],
)
def test_a_group_works_in_every_direction_and_for_every_ending(query: str, synonym: str) -> None:
    assert ANALYZER.analyze(synonym).terms[0] in offered(query)


def test_an_offer_says_where_it_comes_from_and_how_people_write_it() -> None:
    (offer,) = parse("Kubernetes k8s").offers(["k8s"])

    assert (offer.term, offer.source, offer.group.name) == ("kubernet", "k8s", "Kubernetes k8s")
    assert dict(zip(offer.group.terms, offer.group.words, strict=True)) == {"kubernet": "Kubernetes", "k8s": "k8s"}


def test_a_word_in_several_groups_has_the_members_of_all() -> None:
    assert [offer.term for offer in parse("a1 b1\na1 c1").offers(["a1"])] == ["b1", "c1"]


@pytest.mark.parametrize("word", ["缓存", "数据库", "データベース", "데이터"])
def test_a_word_of_an_unspaced_script_counts_as_a_whole(word: str) -> None:
    (offer,) = parse(f"{word} cache").offers(["cach"])

    assert offer.term == word


@given(st.lists(st.sampled_from([term for group in PACKAGED.groups for term in group.terms])))
def test_no_term_of_the_question_is_offered_and_each_offer_shares_a_group_with_its_source(terms: list[str]) -> None:
    for offer in PACKAGED.offers(terms):
        assert offer.term not in terms
        assert offer.source in terms
        assert {offer.term, offer.source} <= set(offer.group.terms)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused_with_a_line(text: str) -> None:
    groups, refusal = read(text)

    assert refusal is None or refusal.startswith("line ")
    assert all(len(group.name) <= tunables.MOST_GROUP_CHARACTERS for group in groups)
    assert all(len(group.terms) == len(group.words) == len(set(group.terms)) for group in groups)


def test_a_group_that_is_there_twice_counts_once() -> None:
    assert len(parse("a1 b1\nc1 d1\na1   b1").groups) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("# a note\nlonely\n", "line 2: a group needs two words", id="a group of one"),
        pytest.param("pear \u202ereap", "line 1: .* visible", id="a mark that turns the text round"),
        pytest.param("pear ap\x00ple", "line 1: .* visible", id="a NUL"),
        pytest.param("pear " + "x" * 500, "line 1: .* at most 500 characters", id="a long group"),
        pytest.param("-- ++", "line 1: none of it is a word", id="no word"),
        pytest.param("\n".join(f"a{n} b{n}" for n in range(2001)), "line 2001: .* more than 2000", id="too many"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        parse(text)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "there is no such file", id="missing"),
        pytest.param(b"caf\xe9 coffee", "it is not UTF-8 \\(byte 3\\)", id="another encoding"),
        pytest.param(b"# " + b"x" * 262_144, "it has more than 262144 bytes", id="large"),
        pytest.param(b"one", "line 1: a group needs two words", id="a mistake in it"),
    ],
)
def test_a_hostile_file_stops_the_start_in_plain_words(tmp_path: Path, content: bytes | None, words: str) -> None:
    path = tmp_path / "synonyms.txt"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(ConfigurationError, match=f"EVERLORE_SYNONYMS_FILE is .*: {words}"):
        load(str(path))


def test_a_pipe_or_a_folder_is_no_file_and_nobody_waits_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ConfigurationError, match="there is no such file"):
            load(str(path))


def test_a_strange_path_is_a_mistake_like_any_other() -> None:
    for path in ("a\x00b", "~nobody-of-that-name/x", "x" * 10_000):
        with pytest.raises(ConfigurationError, match="EVERLORE_SYNONYMS_FILE"):
            load(path)


def test_a_file_of_ones_own_replaces_the_packaged_one(tmp_path: Path) -> None:
    path = tmp_path / "synonyms.txt"
    path.write_text("\ufeffpear pyrus\r\n# a note\r\n", encoding="utf-8")

    assert [group.name for group in load(str(path)).groups] == ["pear pyrus"]


def test_the_packaged_file_is_the_default() -> None:
    assert configuration.read({})["EVERLORE_SYNONYMS_FILE"] == ""
    assert load("") is PACKAGED


def test_a_file_that_cannot_be_used_stops_every_command_in_plain_words(tmp_path: Path) -> None:
    environment = {**os.environ, "EVERLORE_DATA_DIR": str(tmp_path), "EVERLORE_SYNONYMS_FILE": str(tmp_path / "none")}

    started = subprocess.run(
        [sys.executable, "-c", "import memory_core.settings"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert started.returncode != 0
    assert started.stderr.splitlines()[-1].endswith(
        f"EVERLORE_SYNONYMS_FILE is '{tmp_path}/none': there is no such file"
    )
