"""Named things are found by how they are written, in any language, and whatever the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.graph import NodeType
from memory_core.domain.tunables_graph import ENTITY_LENGTH, MOST_KEYS
from memory_core.text.entities import entities, entity, key_of, question_keys

NAMED = [
    ("we met Ada Lovelace there", ["ada lovelace"], "a name of two words"),
    ("we met in San Francisco and Zürich", ["san francisco", "zürich"], "capitals beyond ASCII"),
    ("Then it broke. Nothing helped.", [], "a capital that only begins a sentence"),
    ("New York is far", ["new york"], "two capitals begin no sentence together"),
    ("The Eiffel Tower is high", ["eiffel tower"], "the article is left out"),
    ("NASA is far", ["nasa"], "an acronym is one wherever it stands"),
    ("I asked what Marta's cat ate", ["marta"], "a possessive"),
    ('he read "becoming quiet" again', ["becoming quiet"], "a quoted name"),
    ('he said "that is quite enough of this for today."', [], "a quoted sentence"),
    ("我在读《红楼梦》和「三体」", ["红楼梦", "三体"], "names in brackets"),
    ("он читал «Войну и мир»", ["войну и мир"], "names in guillemets"),
    ("see src/api/auth/login.py and utils.ts", ["auth/login.py", "utils.ts"], "files by the end of their path"),
    (r"open C:\work\app\a.py", ["app/a.py"], "a path with backslashes"),
    ("this and/or that, e.g. so", [], "no path, no dotted name"),
    ("parse_config calls loadAll in HTTPServer", ["parse_config", "loadall", "httpserver"], "identifiers"),
    ("MAX_SIZE is read by os.path.join", ["max_size", "os.path.join"], "constants and dotted names"),
    ("fix #123 and PROJ-42 in v1.2.3", ["#123", "proj-42", "v1.2.3"], "issues and versions"),
    ("it raised KeyError again", ["keyerror"], "an error"),
    ("ask @alice by mail a@b.example", ["@alice", "b.example"], "a handle"),
    ("see https://docs.example.org/a/b?c=1 now", ["docs.example.org"], "a host"),
    ("qwen3-8b and django-q2 and es2020", ["qwen3-8b", "django-q2", "es2020"], "words with numbers"),
    ("nothing at all is named in here", [], "plain words"),
    ("", [], "nothing"),
]


@pytest.mark.parametrize(("text", "keys", "reason"), NAMED, ids=[reason for _, _, reason in NAMED])
def test_what_is_written_like_a_name_is_one(text: str, keys: list[str], reason: str) -> None:
    assert [found.key for found in entities(text, 20)] == keys


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("src/a.py", NodeType.FILE),
        ("a.py", NodeType.FILE),
        ("KeyError", NodeType.ERROR),
        ("ENOENT", NodeType.ERROR),
        ("@alice", NodeType.PERSON),
        ("Ada Lovelace", NodeType.CONCEPT),
        ("parse_config", NodeType.CONCEPT),
    ],
)
def test_a_things_type_depends_on_its_name_alone(name: str, kind: NodeType) -> None:
    found = entity(name)

    assert found is not None
    assert found.type is kind


def test_the_same_file_seen_from_two_directories_is_one_thing() -> None:
    one, other = entity("/home/ada/app/src/login.py:12-40"), entity("src/login.py")

    assert one is not None
    assert other is not None
    assert one.key == other.key == "src/login.py"


def test_a_question_is_looked_up_by_its_names_first_and_by_its_words() -> None:
    keys = question_keys("why is redis slow near San Francisco?")

    assert keys["san francisco"] is True
    assert keys["redis"] is False
    assert "is" not in keys
    assert next(iter(keys)) == "san francisco"


@given(st.text(st.characters(codec=None), max_size=400))
def test_any_text_is_read(text: str) -> None:
    for found in entities(text, 8):
        assert 2 <= len(found.key) <= ENTITY_LENGTH
        assert found.key == key_of(found.key)
        assert "\0" not in found.key + found.name
        found.key.encode()
        found.name.encode()
    assert len(entities(text, 8)) <= 8
    assert len(question_keys(text)) <= MOST_KEYS


@given(st.text(alphabet='AaBb_-./\\@#"“”《》19 \n:', max_size=300))
def test_what_looks_like_names_is_read_the_same_way_each_time(text: str) -> None:
    found = entities(text, 20)

    assert found == entities(text, 20)
    assert len({one.key for one in found}) == len(found)


@pytest.mark.parametrize(
    "unit", ["a", "A ", '"', "a.b", "/", "a/", "_a", "a-", "A-1", "@a", "“", "《", "aA", "0.1.", "A'", "a.b-", "é́"]
)
def test_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    text = unit * (4_000 // len(unit))
    began = time.process_time()

    entities(text, 16)

    assert time.process_time() - began < 0.5  # 1 to 15 ms; quadratic would be seconds
