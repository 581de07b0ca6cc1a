"""Groups of words that mean the same, from a file that people edit. Query-side only: the index holds what was written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from memory_core.domain import tunables_expansion as tunables
from memory_core.domain.errors import ConfigurationError
from memory_core.text.analyzer import UNSPACED, Analyzer
from memory_core.text.scripts import fold, normalize


class Group(NamedTuple):
    """One line of the file: its members as they are written there, and their terms, each once."""

    name: str
    terms: tuple[str, ...]
    words: tuple[str, ...]
    """The member that each term comes from; of several with one term the first."""


class Offer(NamedTuple):
    """`term` may stand in for `source`, a term of the question, because both are in `group`."""

    term: str
    source: str
    group: Group


class Synonyms:
    """Groups with the way from a term to the groups it stands in. Never changes; safe to share between threads."""

    def __init__(self, groups: Iterable[Group]) -> None:
        self.groups = tuple(groups)

    @cached_property
    def _groups_of(self) -> dict[str, list[Group]]:
        found: defaultdict[str, list[Group]] = defaultdict(list)
        for group in self.groups:
            for term in group.terms:
                found[term].append(group)
        return dict(found)

    def offers(self, terms: Iterable[str]) -> list[Offer]:
        """Every member of every group that a term of the question stands in, in the order of the question and the file.

        None is a term of the question itself.
        """
        present = dict.fromkeys(terms)
        return [
            Offer(member, source, group)
            for source in present
            for group in self._groups_of.get(source, ())
            for member in group.terms
            if member not in present
        ]


def parse(text: str) -> Synonyms:
    """Read the data file: one group a line, members by spaces, `#` begins a note.

    Raises ConfigurationError, with the line's number, for a group of one, and where there is too much of something.
    """
    analyzer = Analyzer(segmenters=())
    groups: dict[str, Group] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        members = [] if line.lstrip().startswith("#") else line.split()
        if members:
            group = _group(members, number, analyzer)
            groups.setdefault(group.name, group)
        if len(groups) > tunables.MOST_GROUPS:
            raise ConfigurationError(f"line {number}: there are more than {tunables.MOST_GROUPS} groups")
    return Synonyms(groups.values())


def _group(members: list[str], line: int, analyzer: Analyzer) -> Group:
    name = " ".join(members)
    if len(members) < 2:
        raise ConfigurationError(f"line {line}: a group needs two words or more, separated by spaces")
    if len(name) > tunables.MOST_GROUP_CHARACTERS or not name.isprintable():
        raise ConfigurationError(
            f"line {line}: a group has at most {tunables.MOST_GROUP_CHARACTERS} characters, all of them visible"
        )
    words: dict[str, str] = {}
    for member in members:
        if term := _whole(member, analyzer):
            words.setdefault(term, member)  # members that differ in their ending fall together
    if not words:
        raise ConfigurationError(f"line {line}: none of it is a word")
    return Group(name, tuple(words), tuple(words.values()))


def _whole(member: str, analyzer: Analyzer) -> str:
    """The term that stands for a member as a whole: the first of a name, the word itself of a script without spaces (which
    a segmenter finds; a word of two characters is a pair). Empty for what is no word."""
    folded = fold(normalize(member))
    if UNSPACED.fullmatch(folded):
        return folded
    terms = analyzer.analyze(member).terms
    return terms[0] if terms else ""


@cache
def load(path: str) -> Synonyms:
    """The groups of a file, read once a process; of the packaged one where the path is empty.

    Raises ConfigurationError that names the file and says what is wrong with it.
    """
    if not path:
        return parse(files("memory_core.text").joinpath("data/synonyms.txt").read_text(encoding="utf-8"))
    try:
        return parse(_content(path))
    except ConfigurationError as problem:
        raise ConfigurationError(f"EVERLORE_SYNONYMS_FILE is {path[:200]!r}: {problem}") from problem


def _content(path: str) -> str:
    try:
        place = Path(path).expanduser()
        if not place.is_file():  # a pipe would wait for its other end, a device might not end
            raise ConfigurationError("there is no such file")
        with place.open("rb") as file:
            data = file.read(tunables.MOST_FILE_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as problem:  # ValueError: a NUL in it; RuntimeError: ~nobody
        raise ConfigurationError(f"it cannot be read ({problem})") from problem
    if len(data) > tunables.MOST_FILE_BYTES:
        raise ConfigurationError(f"it has more than {tunables.MOST_FILE_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ConfigurationError(f"it is not UTF-8 (byte {problem.start})") from problem
