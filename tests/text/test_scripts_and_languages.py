"""Scripts of letters, their runs and shares, and what a model can read."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text.languages import can_read
from memory_core.text.script_ranges import MARK_RANGES, SCRIPT_RANGES
from memory_core.text.scripts import OTHER, fold, normalize, script_of, script_runs, script_shares

NAMES = {code: unicodedata.name(chr(code), "") for code in range(0x32000)}
PREFIXES = {"Han": "CJK UNIFIED "}
NUMERAL_SIGN = "\u0374"
"""Greek by name, of no script by the standard, and gone after NFKC."""


@pytest.mark.parametrize("script", sorted(set(SCRIPT_RANGES) - {"Hangul"}))
def test_the_table_agrees_with_the_names_of_the_characters(script: str) -> None:
    prefix = PREFIXES.get(script, script.upper() + " ")
    named = [chr(code) for code, name in NAMES.items() if name.startswith(prefix)]
    letters = [c for c in named if unicodedata.category(c).startswith("L") and c != NUMERAL_SIGN]
    assert len(letters) > 20
    assert [letter for letter in letters if script_of(letter) != script] == []


def test_the_table_knows_every_hangul_syllable() -> None:
    assert {script_of(chr(code)) for code in range(0xAC00, 0xD7A4)} == {"Hangul"}


def test_every_combining_mark_of_the_two_lower_planes_is_in_the_table() -> None:
    mark = re.compile(f"[{MARK_RANGES}]")
    codes = (chr(code) for code in range(0x20000))
    assert [c for c in codes if unicodedata.category(c).startswith("M") and not mark.match(c)] == []


def test_runs_are_maximal_and_leave_out_what_is_no_letter() -> None:
    text = "naïve, Ωμέγα数かな"
    assert [(run.script, text[run.start : run.end]) for run in script_runs(text)] == [
        ("Latin", "naïve"),
        ("Greek", "Ωμέγα"),
        ("Han", "数"),
        ("Hiragana", "かな"),
    ]


def test_a_combining_mark_stays_with_its_letter() -> None:
    assert [run.end for run in script_runs("e\u0301a")] == [3]


def test_a_script_without_an_entry_is_other() -> None:
    assert script_shares("\u13a0\u13a1") == {OTHER: 1.0}  # Cherokee


@given(st.text(st.characters()))
def test_shares_sum_to_one_or_there_are_none(text: str) -> None:
    shares = script_shares(text)
    assert sum(shares.values()) == pytest.approx(1.0) if shares else not any(c.isalpha() for c in text)


@given(st.text(st.characters()))
def test_runs_are_in_order_and_do_not_touch_within_a_script(text: str) -> None:
    runs = list(script_runs(text))
    for left, right in pairwise(runs):
        assert left.end <= right.start
        assert left.end < right.start or left.script != right.script


@pytest.mark.parametrize(
    ("text", "scripts", "share"),
    [
        ("fix the login", {"Latin"}, 1.0),
        ("数据库", {"Latin"}, 0.0),
        ("修复 ab", {"Latin"}, 0.5),
        ("修复 ab", {"Latin", "Han"}, 1.0),
        ("404 != 500", {"Latin"}, 1.0),
    ],
)
def test_a_model_reads_the_share_of_letters_in_its_scripts(text: str, scripts: set[str], share: float) -> None:
    assert can_read(script_shares(text), scripts) == pytest.approx(share)


@given(st.text("abcXYZ012_./-:@+'\"{}()<> \n"))
def test_code_in_ascii_survives_normalisation_as_it_is(text: str) -> None:
    assert normalize(text) == text


def test_folding_joins_what_differs_in_case_only() -> None:
    assert fold("STRASSE") == fold("straße")


def test_a_flood_of_marks_is_cut_to_the_bound_of_the_standard() -> None:
    assert len(normalize("q" + "\u0316\u0301" * 5000)) <= 31
