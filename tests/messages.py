"""The texts that people read, collected from the code, and the catalogue that translates them.

`python -m tests.messages` brings the catalogue up to date: it adds texts that are new (empty, for somebody to translate),
takes away those that are gone, and compiles. It needs no gettext tools; `tests/test_translations.py` fails until it was run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "memory_core" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
ROOMS = ("memory_core", "viewer", "workers", "agents")

PLAIN = {"gettext", "gettext_lazy", "gettext_noop"}
PLURAL = {"ngettext", "ngettext_lazy"}
CONTEXT = {"pgettext", "pgettext_lazy"}
_TEXT = r"""u?('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
_IN_TEMPLATE = re.compile(rf"\b(n?p?gettext)\({_TEXT}(?:,\s*{_TEXT})?")


@dataclass(frozen=True, order=True)
class Message:
    """A text as the code has it, and where it was first seen."""

    context: str
    text: str
    plural: str
    place: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What the catalogue finds it by."""
        return self.context, self.text


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _names(tree: ast.Module) -> dict[str, str]:
    """What the module calls each translating function: Django's, and the command line's own, which does without Django."""
    return {"_": "gettext", "gettext_noop": "gettext_noop", "translate": "gettext"} | {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for alias in node.names
    }


def of_python(source: str, place: str, *, help_texts: bool = False) -> Iterator[Message]:
    """Every text that a module passes to a translating function; with `help_texts`, those of model fields too."""
    tree = ast.parse(source)
    names = _names(tree)
    for node in ast.walk(tree):
        if help_texts and isinstance(node, ast.keyword) and node.arg == "help_text" and (text := _text(node.value)):
            yield Message("", text, "", place)
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        function = names.get(node.func.id, "")
        first, second = (_text(argument) for argument in [*node.args[:2], None, None][:2])
        if function in PLAIN and first:
            yield Message("", first, "", place)
        elif function in PLURAL and first and second:
            yield Message("", first, second, place)
        elif function in CONTEXT and first and second:
            yield Message(first, second, "", place)


def of_template(source: str, place: str) -> Iterator[Message]:
    """Every text of a template, as Django itself reads it."""
    for function, first, second in _IN_TEMPLATE.findall(templatize(source)):
        one, two = ast.literal_eval(first), ast.literal_eval(second) if second else ""
        yield Message(one, two, "", place) if function == "pgettext" else Message("", one, two, place)


def collect() -> dict[tuple[str, str], Message]:
    """Every text of the product, by its key."""
    found: dict[tuple[str, str], Message] = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            place = path.relative_to(ROOT).as_posix()
            if path.suffix == ".py":
                own = of_python(path.read_text(), place, help_texts=place.startswith("memory_core/models/"))
            elif path.suffix == ".html":
                own = of_template(path.read_text(), place)
            else:
                continue
            for message in own:
                if found.setdefault(message.key, message).plural == "" and message.plural:
                    found[message.key] = message
    return found


def update(catalogue: polib.POFile, wanted: dict[tuple[str, str], Message]) -> list[polib.POEntry]:
    """Make the catalogue's texts equal to `wanted`, sorted by place; gives those that are not translated."""
    known = {(entry.msgctxt or "", entry.msgid): entry for entry in catalogue}
    del catalogue[:]
    for message in sorted(wanted.values(), key=lambda message: (message.place, message.text)):
        entry = known.get(message.key) or polib.POEntry(msgid=message.text, msgctxt=message.context or None)
        entry.occurrences = [(message.place, "")]
        if message.plural:
            entry.msgid_plural = message.plural
            entry.msgstr_plural = entry.msgstr_plural or {0: entry.msgstr}
            entry.msgstr = ""
        catalogue.append(entry)
    return [entry for entry in catalogue if not entry.translated()]


def main() -> None:
    """Update and compile."""
    catalogue = polib.pofile(str(CATALOGUE), wrapwidth=110)
    missing = update(catalogue, collect())
    catalogue.save()
    catalogue.save_as_mofile(str(CATALOGUE.with_suffix(".mo")))
    for entry in missing:
        print(f"not translated: {entry.occurrences[0][0]}: {entry.msgid!r}")
    print(f"{len(catalogue)} texts, {len(missing)} not translated: {CATALOGUE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
