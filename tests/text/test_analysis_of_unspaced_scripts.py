"""Chinese, Japanese, Korean, Thai: any part of a run finds the run, and nothing joins over a border."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.domain.errors import ConfigurationError
from memory_core.text import Analyzer
from memory_core.text.segmenters import available_segmenters, load_segmenter

ANALYZER = Analyzer()
PLAIN = Analyzer(segmenters=())

RUN_ALPHABETS = {
    "Chinese": "数据库连接池超时研究生命起源中华人民共和国的了在是",
    "Japanese": "東京タワーに行きました食べる走って〇々ー",
    "Korean": "데이터베이스연결시간초과를한국어가",
    "Thai": "ภาษาไทยข้อมูลน้ำ",
}


@pytest.mark.parametrize("alphabet", RUN_ALPHABETS.values(), ids=RUN_ALPHABETS)
@given(data=st.data())
def test_every_part_of_a_run_finds_the_run(alphabet: str, data: st.DataObject) -> None:
    run = data.draw(st.text(alphabet, min_size=1, max_size=40))
    start = data.draw(st.integers(0, len(run) - 1))
    end = data.draw(st.integers(start + 1, len(run)))
    document, query = ANALYZER.analyze(f"Note: {run}, done"), ANALYZER.analyze(run[start:end])
    assert query.terms
    assert set(query.terms) <= set(document.terms)


def test_a_word_segmented_otherwise_in_its_sentence_is_found() -> None:
    # jieba cuts the sentence into 研究 / 生命 / 起源, and the query into 研究生.
    assert "研究生" in ANALYZER.analyze("研究生命起源").terms


@pytest.mark.parametrize("border", ["，", "。", "、", " ", "\n", "x", "1", "（", "：", "·"])
def test_a_pair_never_joins_over_the_border_of_runs(border: str) -> None:
    assert "据连" not in PLAIN.analyze(f"数据{border}连接").terms


def test_two_alphabets_in_one_breath_are_two_runs() -> None:
    assert {"python", "入門"} <= set(PLAIN.analyze("Python入門").terms)


def test_a_chinese_dictionary_word_is_a_term() -> None:
    assert "数据库" in ANALYZER.analyze("连接数据库超时").terms
    assert "数据库" not in PLAIN.analyze("连接数据库超时").terms


def test_the_length_does_not_depend_on_the_segmenter() -> None:
    text = "连接数据库超时"
    assert ANALYZER.analyze(text).length == PLAIN.analyze(text).length == 4


def test_half_width_kana_and_decomposed_hangul_are_what_they_look_like() -> None:
    assert PLAIN.analyze("ﾃﾞｰﾀ").terms == PLAIN.analyze("データ").terms
    decomposed = "\u1112\u1161\u11ab\u1100\u116e\u11a8"  # the letters of 한국, one by one
    assert PLAIN.analyze(decomposed).terms == PLAIN.analyze("한국").terms


def test_many_threads_may_meet_the_unloaded_dictionary_at_once() -> None:
    analyzer = Analyzer(["zh"])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: analyzer.analyze("连接数据库超时").terms, range(32)))
    assert set(answers) == {ANALYZER.analyze("连接数据库超时").terms}


@pytest.mark.skipif("ja" not in available_segmenters(), reason="the extra [ja] is not installed")
def test_japanese_inflections_meet_in_the_dictionary_form() -> None:
    analyzer = Analyzer(["ja"])
    assert "走る" in analyzer.analyze("公園を走った").terms
    assert "走る" not in PLAIN.analyze("公園を走った").terms


@pytest.mark.slow
@pytest.mark.skipif("ko" not in available_segmenters(), reason="the extra [ko] is not installed")
def test_korean_particles_come_off() -> None:
    assert "데이터베이스" in Analyzer(["ko"]).analyze("데이터베이스를 연결했다").terms


def test_the_fingerprint_names_the_segmenters() -> None:
    assert PLAIN.fingerprint != ANALYZER.fingerprint
    assert ANALYZER.fingerprint == Analyzer(["zh"]).fingerprint


def test_an_unknown_segmenter_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="'xx'"):
        load_segmenter("xx")


def test_a_segmenter_without_its_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ConfigurationError, match=r"everlore\[ja\]"):
        load_segmenter("ja")
