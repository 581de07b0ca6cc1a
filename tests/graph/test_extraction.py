"""A record gives its files, its concepts and the names in its wording, and a bounded number of pairs."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.tunables_graph import MOST_EDGES_OF_A_RECORD, MOST_ENTITIES
from memory_core.graph.extraction import extract

names = st.lists(
    st.text(max_size=30) | st.sampled_from(["src/a.py", "b.ts", "parse_url", "Ada", "KeyError"]), max_size=12
)


def test_files_and_concepts_come_before_the_wording() -> None:
    found = extract("ask Ada Lovelace about src/b.py", ["src/a.py"], ["parse_url"])

    assert [one.key for one in found.entities] == ["src/a.py", "parse_url", "ada lovelace", "src/b.py"]


def test_every_concept_is_joined_to_every_file() -> None:
    found = extract("", ["src/a.py", "src/b.py"], ["parse_url", "KeyError"])

    keys = [one.key for one in found.entities]
    joined = {frozenset((keys[a], keys[b])) for a, b in found.pairs}
    assert {frozenset((file, name)) for file in keys[:2] for name in keys[2:]} <= joined


def test_what_is_named_twice_is_one_thing() -> None:
    assert len(extract("parse_url and Parse_URL", (), ["parse_url"]).entities) == 1


@given(st.text(max_size=300), names, names)
def test_any_record_gives_a_bounded_part_of_a_graph(text: str, files: list[str], concepts: list[str]) -> None:
    found = extract(text, files, concepts)

    assert found == extract(text, files, concepts)
    assert len(found.entities) <= MOST_ENTITIES
    assert len({(one.type, one.key) for one in found.entities}) == len(found.entities)
    assert len(set(found.pairs)) == len(found.pairs) <= MOST_EDGES_OF_A_RECORD
    assert all(0 <= a < len(found.entities) and 0 <= b < len(found.entities) and a != b for a, b in found.pairs)
    assert len({frozenset(pair) for pair in found.pairs}) == len(found.pairs)
