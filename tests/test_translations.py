"""Every text that people read is there in Chinese, with the same placeholders, and compiled.

Answers of the REST surface are no such text: they are the protocol's words, which programs read, and stay English.
"""

from __future__ import annotations

import re
from string import Formatter

import polib
import pytest
from django.template import Context, Template
from django.test import Client
from django.utils import translation

from memory_core.flows import embedding
from memory_core.providers.embedding.null import NullEmbedder
from tests import messages

HOW = "run `python -m tests.messages`, translate what it prints, run it again"
_PERCENT = re.compile(r"%\((\w+)\)[sd]")
_TAG = re.compile(r"<[^>]+>|`[^`]+`")


@pytest.fixture(scope="module")
def catalogue() -> dict[tuple[str, str], polib.POEntry]:
    """The entries by context and text."""
    return {(entry.msgctxt or "", entry.msgid): entry for entry in polib.pofile(str(messages.CATALOGUE))}


def translations(entry: polib.POEntry) -> list[str]:
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def placeholders(text: str) -> set[str]:
    """The names that are filled in, by either of Python's ways."""
    braces = {name for _, name, _, _ in Formatter().parse(text) if name} if "%(" not in text else set()
    return braces | set(_PERCENT.findall(text))


def test_every_text_is_translated_and_no_other_is_kept(catalogue: dict[tuple[str, str], polib.POEntry]) -> None:
    wanted = messages.collect()
    missing = [key for key in wanted if key not in catalogue or not all(translations(catalogue[key]))]
    assert not missing, f"{HOW}: {missing}"
    gone = sorted(set(catalogue) - set(wanted))
    assert not gone, f"{HOW}: {gone}"


def test_plurals_agree_with_the_code(catalogue: dict[tuple[str, str], polib.POEntry]) -> None:
    for key, message in messages.collect().items():
        assert (catalogue[key].msgid_plural or "") == message.plural, HOW


def test_placeholders_tags_and_commands_are_those_of_the_text(
    catalogue: dict[tuple[str, str], polib.POEntry],
) -> None:
    for entry in catalogue.values():
        for translated in translations(entry):
            assert placeholders(translated) == placeholders(entry.msgid_plural or entry.msgid), entry.msgid
            assert sorted(_TAG.findall(translated)) == sorted(_TAG.findall(entry.msgid)), entry.msgid


def test_the_compiled_catalogue_is_that_of_the_source() -> None:
    source = polib.pofile(str(messages.CATALOGUE), wrapwidth=110)
    assert source.to_binary() == messages.CATALOGUE.with_suffix(".mo").read_bytes(), HOW
    assert not source.fuzzy_entries()


def test_django_finds_the_translations() -> None:
    with translation.override("zh-hans"):
        page = Template("{% load i18n %}{% translate 'The memory of your coding agents' %}").render(Context())
        assert page == "编程智能体的长期记忆"
        assert translation.ngettext("%(count)d record", "%(count)d records", 3) % {"count": 3} == "3 条记录"
        assert translation.pgettext("status", "active") == "进行中"


def test_the_collector_finds_every_way_of_marking_a_text() -> None:
    source = (
        "from django.utils.translation import gettext as _, ngettext, pgettext_lazy as p\n"
        "_('one' ' and more'); ngettext('%(n)d a', '%(n)d b', 2); p('where', 'what'); other('no')\n"
    )
    found = {(m.context, m.text, m.plural) for m in messages.of_python(source, "x.py")}
    assert found == {("", "one and more", ""), ("", "%(n)d a", "%(n)d b"), ("where", "what", "")}
    template = (
        "{% load i18n %}{% translate \"it's\" %}{% translate 'open' context 'door' %}"
        "{% blocktranslate with time=x %}{{ time }} ago{% endblocktranslate %}"
        "{% blocktranslate count n=n %}{{ n }} row{% plural %}{{ n }} rows{% endblocktranslate %}<a title='no'>"
    )
    found = {(m.context, m.text, m.plural) for m in messages.of_template(template, "x.html")}
    assert found == {
        ("", "it's", ""),
        ("door", "open", ""),
        ("", "%(time)s ago", ""),
        ("", "%(n)s row", "%(n)s rows"),
    }


@pytest.mark.django_db
def test_rest_answers_in_english_whatever_language_the_client_prefers() -> None:
    embedding.use(NullEmbedder("no model in this test"))
    client = Client(headers={"Accept-Language": "zh-CN"})
    answer = client.post("/agentmemory/remember", {"content": "x", "files": "one"}, content_type="application/json")
    embedding.use(None)
    assert answer.status_code == 400
    assert answer.json()["error"].isascii()
    assert "Content-Language" not in answer.headers
    assert "zh-hans" in client.get("/").headers["Content-Language"]
