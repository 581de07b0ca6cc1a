"""Words, names of code, paths, versions: what becomes of them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.text import Analyzer
from memory_core.text.identifiers import token_terms

ANALYZER = Analyzer()


def terms(text: str) -> set[str]:
    return set(ANALYZER.analyze(text).terms)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPResponse", {"parsehttpresponse", "pars", "http", "respons"}),
        ("rowIDs", {"rowids", "row", "id"}),
        ("user_store_cache", {"user_store_cache", "user", "store", "cach"}),
        ("__init__", {"__init__", "init"}),
        ("read-only-mode", {"read-only-mode", "read", "mode"}),
        ("os.path.join", {"os.path.join", "path.join", "join"}),
        ("std::vector", {"std::vector", "std", "vector"}),
        ("@acme/ui-kit@1.4.0", {"acme/ui-kit@1.4.0", "ui-kit@1.4.0", "ui-kit", "kit", "1.4.0"}),
        ("./src/app/models.py", {"src/app/models.py", "app/models.py", "models.py", "model", "py"}),
        ("src/app/models.py:42:7", {"src/app/models.py:42:7", "src/app/models.py", "models.py", "42", "7"}),
        (r"C:\work\app\models.py", {"work/app/models.py", "app/models.py", "models.py"}),
        ("https://api.example.org:8443/v1/items?page=2", {"api.example.org:8443", "api.example.org", "8443", "item"}),
        ("10.1.2.3:5432", {"10.1.2.3:5432", "10.1.2.3", "5432"}),
        ("v2.0.1-rc1", {"v2.0.1-rc1", "2.0.1-rc1", "2.0.1"}),
        ("left-pad-1.3.0.tgz", {"left-pad-1.3.0.tgz", "1.3.0", "tgz"}),
        ("E0308 TS2345 ECONNREFUSED", {"e0308", "ts2345", "econnrefused"}),
        ("deadline 2024-05-17T08:00:00Z", {"deadlin", "2024-05-17"}),
        ("C++ and C# and F#", {"c++", "c#", "f#"}),
        ("don't", {"don't"}),
        ("the server’s config", {"server", "config"}),
        ("naïve café", {"naïv", "café", "naiv", "cafe"}),
        ("python3 utf8mb4", {"python3", "python", "utf8mb4", "utf"}),
        ("получитьДанные", {"получитьданные", "получ", "дан"}),
        ("книгами", {"книг"}),
        ("ｆｕｌｌｗｉｄｔｈ", {"fullwidth"}),
    ],
)
def test_a_name_is_found_whole_and_by_its_parts(text: str, expected: set[str]) -> None:
    assert expected <= terms(text)


@pytest.mark.parametrize("code", ["E0308", "TS2345", "ORA-00942", "0x7fff"])
def test_an_error_code_is_not_torn_into_letters_and_digits(code: str) -> None:
    assert not terms(code) & {"e", "0308", "ts", "2345", "x", "7", "fff"}


def test_a_long_git_object_name_is_found_by_its_short_form() -> None:
    long = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    assert terms("4b825dc") <= terms(f"reverted by {long}")


def test_a_uuid_is_one_term() -> None:
    assert ANALYZER.analyze("3f2504e0-4f89-11d3-9a0c-0305e82c3301").terms == ("3f2504e0-4f89-11d3-9a0c-0305e82c3301",)


def test_inflected_words_meet_in_their_stem() -> None:
    assert terms("migrating migrated MIGRATIONS") & terms("migration")


@pytest.mark.parametrize("separator", ["\n", " ", ", ", "; "])
def test_terms_keep_their_order_and_repetition(separator: str) -> None:
    analysis = ANALYZER.analyze(separator.join(["zebra", "apple", "zebra"]))
    assert analysis.terms == ("zebra", "appl", "zebra")
    assert analysis.counts["zebra"] == 2


def test_the_whole_of_a_split_name_adds_nothing_to_the_length() -> None:
    assert ANALYZER.analyze("userStoreCache").length == ANALYZER.analyze("user store cache").length == 3


def test_encoded_data_is_one_short_term() -> None:
    blob = "Zk3qP9xLw2RtYbV8nHs1KdJ0aMfGcU7eXoQi" * 40
    analysis = ANALYZER.analyze(blob)
    assert analysis.terms == (blob[:64].lower(),)


def test_a_long_name_of_a_test_is_known_by_its_words() -> None:
    name = "test_that_the_scheduler_never_runs_a_job_twice_when_the_worker_is_restarted"
    assert {"schedul", "worker", "restart"} <= terms(name)
    assert all(len(term) <= 64 for term in terms(name))


IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,30}([./:-][A-Za-z0-9_]{1,12}){0,3}", fullmatch=True)


@given(IDENTIFIERS, st.sampled_from([" ", "\n", "(", '"', ", ", "=", "`", "，", "。"]), st.text())
def test_any_whole_identifier_of_a_text_finds_the_text(name: str, border: str, other: str) -> None:
    document = ANALYZER.analyze(f"{other}\n{border}{name} {other}")
    assert set(ANALYZER.analyze(name).terms) <= set(document.terms)


@given(st.lists(st.from_regex(r"[a-z][a-z0-9_-]{0,8}[a-z]", fullmatch=True), min_size=4, max_size=8), st.integers(1, 4))
def test_any_short_end_of_a_path_finds_the_path(components: list[str], kept: int) -> None:
    document = ANALYZER.analyze("/" + "/".join(components))
    query = ANALYZER.analyze("/".join(components[-kept:]))
    assert set(query.terms) <= set(document.terms)


@given(st.from_regex(r"[A-Za-z]{1,20}", fullmatch=True))
def test_a_lower_case_query_finds_a_word_in_any_case(word: str) -> None:
    assert set(token_terms(word.lower()).terms) <= set(token_terms(word).terms)


def test_importing_the_package_loads_no_segmenter() -> None:
    program = "import sys, memory_core.text; print([m for m in ('jieba', 'fugashi', 'kiwipiepy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
