"""Named things in a text of any language, by how they are written; no model, no dictionary.

What counts as a name: files and paths, code identifiers, error names and codes, issue numbers, versions, hosts of URLs,
@handles, quoted names, names in CJK brackets, and capitalised words that do not merely begin a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_core.domain.graph import Entity, NodeType
from memory_core.domain.tunables_graph import (
    ENTITY_LENGTH,
    ENTITY_SCAN,
    FILE_COMPONENTS,
    MOST_KEYS,
    MOST_NAME_WORDS,
)
from memory_core.text.scripts import fold, normalize

_CAPITAL = "".join(chr(code) for code in range(0x41, 0x2C00) if chr(code).isupper())
_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("《", "》"), ("〈", "〉"), ("«", "»"), ("„", "“"))
_QUOTED = "|".join(f"{left}[^{left}{right}\n]{{1,{ENTITY_LENGTH}}}{right}" for left, right in _QUOTES)
_WORD = rf"[{_CAPITAL}][\w’'&-]{{0,40}}"

_NAME = re.compile(
    rf"(?P<url>https?://(?P<host>[\w.-]{{1,{ENTITY_LENGTH}}})[^\s\"'<>()\[\]]{{0,200}})"
    rf"|(?P<bracketed>{_QUOTED})"
    rf"|(?P<quoted>(?<![\w])(?:\"[^\"\n]{{2,{ENTITY_LENGTH}}}\"|`[^`\n]{{2,{ENTITY_LENGTH}}}`))"
    r"|(?<![\w.@])(?P<handle>@[A-Za-z][\w-]{1,38})(?![\w./@])"
    r"|(?<![\w/#])(?P<issue>\#\d{1,7}(?!\w)|[A-Z][A-Z0-9]{1,9}-\d{1,7}(?:-\d{1,7})?(?![\w-]))"
    r"|(?<![\w./-])(?P<version>v\d{1,6}(?:\.\d{1,6}){1,3}|\d{1,6}(?:\.\d{1,6}){2,3})(?![\w.])"
    r"|(?<![\w./\\-])(?P<path>(?:~|\.{1,2}|[A-Za-z]:)?[/\\]?(?:[\w@.+-]{1,64}[/\\]){1,24}[\w@.+-]{1,64}|[\w-]{1,64}(?:\.[\w-]{1,64}){1,4})"
    r"|(?<![\w.])(?P<code>(?=[A-Za-z_]\w{2,63}(?!\w))(?=\w*?(?:[a-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[A-Z]_[A-Z]|[A-Z]{2,}[a-z]{2}))"
    r"[A-Za-z_]\w{2,63}|(?=[A-Za-z])(?=[\w-]{0,60}?\d)[A-Za-z]\w{0,20}(?:-\w{1,20}){0,3})(?![\w-])"
    rf"|(?<![\w'’])(?P<capital>{_WORD}(?: {_WORD}){{0,{MOST_NAME_WORDS - 1}}})"
)
"""Every kind of name, surest first; each part is bounded, so that a scan is linear in the text."""

_FILE = re.compile(
    r"[^/\\]*\.(?:pyi?|ipynb|[cm]?[jt]sx?|vue|svelte|rs|go|java|kts?|scala|[ch]|cc|cpp|hpp|cs|mm?|swift|rb|php|pl|lua|r|jl|exs?|erl|hs|ml|"
    r"clj|dart|zig|sh|bash|ps1|sql|graphql|proto|html?|s?css|less|mdx?|rst|txt|jsonl?|ya?ml|toml|ini|cfg|conf|env|lock|xml|[ct]sv|"
    r"gradle|tf|nix|log|pdf|docx?|xlsx?|png|jpe?g|svg|zip|gz)",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"[A-Za-z_.]{2,60}(?:Error|Exception|Warning)"
    r"|ERR_[A-Z0-9_]{2,60}|E(?:NOENT|ACCES|PERM|EXIST|ADDRINUSE|CONNREFUSED|CONNRESET|TIMEDOUT|PIPE)|E0\d{3}|TS\d{4}"
    r"|CS\d{4}|ORA-\d{5}|CVE-\d{4}-\d{4,7}"
)
_BEFORE_SENTENCE = re.compile(r"(?:^|[.!?。！？:;\n…•*>#\-–—(\"“‘'])[\s\"“‘'(]*$")
_LOOK_BACK = 6
"""Characters before a word that tell whether it begins a sentence."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_PLACE_IN_FILE = re.compile(r"(?::\d{1,9}(?:-\d{1,9})?){1,2}$")
_SPACE = re.compile(r"\s+")
_EDGES = " \t\n.,;:!?\"'`’‘“”()[]{}<>*_~|/\\"
_POSSESSIVE = re.compile(r"['’]s?$")
_QUESTION_WORD = re.compile(r"[\w@#](?:[\w@.'’/+-]{0,94}\w)?")

_BEGINNINGS = """
a an and any are as at be been before between but by can could did do does for from had has have he her him his how i i'd
i'll i'm i've if in into is it it's its let may me might more my no not of oh ok okay on or our please she should so some
than that the their them then there these they this those to us was we were what what's when where which who whose why
will with would yes you your also about after again all
"""
FUNCTION_WORDS = frozenset(_BEGINNINGS.split())
"""English words that begin sentences; capitalised they are no names, and alone they are no question."""


def _storable(text: str) -> str:
    """Without what no database takes: NUL and halves of surrogate pairs."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("", text)


def key_of(name: str) -> str:
    """The name without case, outer signs and repeated spaces; empty where nothing is left, or too much for a name.

    >>> key_of('"New  York"')
    'new york'
    """
    bare = _SPACE.sub(" ", fold(normalize(_storable(name))).strip(_EDGES))
    return bare if len(bare) <= ENTITY_LENGTH else ""


def entity(name: str) -> Entity | None:
    """The thing that a name stands for; None for what can be no name. The type depends on the name alone, so that a
    thing is one node wherever it is named.

    >>> entity("/srv/app/src/login.py").key
    'src/login.py'
    """
    shown = _SPACE.sub(" ", _storable(name)).strip()
    if "/" in shown or "\\" in shown or _FILE.fullmatch(shown):
        return _file(shown)
    key = key_of(shown)
    if len(key) < 2 or key in FUNCTION_WORDS:
        return None
    if shown.startswith("@"):
        return Entity(NodeType.PERSON, key, shown[:ENTITY_LENGTH])
    kind = NodeType.ERROR if _ERROR.fullmatch(shown) else NodeType.CONCEPT
    return Entity(kind, key, shown.strip(_EDGES)[:ENTITY_LENGTH] or key)


def _file(path: str) -> Entity | None:
    """A file by the end of its path; two directories seen from different roots agree on it."""
    parts = [part for part in re.split(r"[/\\]+", _PLACE_IN_FILE.sub("", path)) if part.strip(". ~")]
    key = key_of("/".join(parts[-FILE_COMPONENTS:]))
    return Entity(NodeType.FILE, key, "/".join(parts)[-ENTITY_LENGTH:]) if len(key) >= 2 else None


def entities(text: str, most: int) -> tuple[Entity, ...]:
    """The first `most` distinct named things of the first ENTITY_SCAN characters, in the order in which they are met.

    Never raises, linear in the text.

    >>> [found.key for found in entities("ask Ada Lovelace why parse_url broke src/a.py", 9)]
    ['ada lovelace', 'parse_url', 'src/a.py']
    """
    found: dict[str, Entity] = {}
    for name in _names(normalize(text[:ENTITY_SCAN])):
        own = entity(name)
        if own is not None and own.key not in found:
            found[own.key] = own
            if len(found) >= most:
                break
    return tuple(found.values())


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        kind, whole = match.lastgroup or "", match[0]
        if match["url"]:
            yield match["host"]
        elif kind in ("bracketed", "quoted"):
            yield from _quoted(whole[1:-1], by_brackets=kind == "bracketed")
        elif kind == "path":
            yield from _path(whole.rstrip(".-+"))
        elif kind == "capital":
            yield from _capitalised(whole, _begins_sentence(text, match.start()))
        else:
            yield whole


def _quoted(inner: str, *, by_brackets: bool) -> Iterator[str]:
    """What stands in quotes is a name when it is short; of a longer text the names in it."""
    words = inner.split()
    short = len(words) <= MOST_NAME_WORDS and not (by_brackets and len(words) == 1 and len(inner) > ENTITY_LENGTH // 3)
    if short and any(map(str.isalpha, inner)) and not inner.rstrip().endswith((".", "?", "!", "。", "？", "！")):
        yield inner
    elif not by_brackets:
        for match in _NAME.finditer(inner):
            if match.lastgroup not in ("quoted", "bracketed", "capital"):
                yield match[0]


def _path(whole: str) -> Iterator[str]:
    """A path, a file or a dotted name; not `and/or`, not `e.g`, not a number."""
    parts = [part for part in re.split(r"[/\\.]", whole) if part]
    if not parts or not any(map(str.isalpha, whole)) or max(map(len, parts)) < 3:
        return
    slashed = "/" in whole or "\\" in whole
    named = _FILE.fullmatch(whole.replace("\\", "/").rpartition("/")[2]) is not None
    dotted = len(parts) <= 4 and all(part[0].isalpha() or part[0] == "_" for part in parts)
    if named or (len(parts) > 2 or whole[0] in "/~." if slashed else dotted):
        yield whole


def _begins_sentence(text: str, start: int) -> bool:
    return _BEFORE_SENTENCE.search(text[max(0, start - _LOOK_BACK) : start] if start else "") is not None


def _capitalised(name: str, begins: bool) -> Iterator[str]:
    """A name of capitalised words; at the beginning of a sentence one word alone is none, unless written like one."""
    words = [_POSSESSIVE.sub("", word) for word in name.split()]
    while words and words[0].lower() in FUNCTION_WORDS:
        words, begins = words[1:], False
    run: list[str] = []
    for word in words:
        if word.lower() in FUNCTION_WORDS:
            if run:
                yield " ".join(run)
            run, begins = [], False
        else:
            run.append(word)
    if run and not (begins and len(run) == 1 and not run[0][1:].isupper()):
        yield " ".join(run)


def question_keys(text: str) -> dict[str, bool]:
    """Keys under which nodes may stand that a question names; True for what is written like a name.

    Besides its named things: every word, and every two and three words that follow each other. At most MOST_KEYS.

    >>> question_keys("why is redis slow in New York?")["new york"]
    True
    """
    text = normalize(text[:ENTITY_SCAN])
    keys = {own.key: True for own in entities(text, MOST_KEYS // 2)}
    words = [_POSSESSIVE.sub("", fold(word)) for word in _QUESTION_WORD.findall(text)[:MOST_KEYS]]
    for size in (1, 2, 3):
        for start in range(len(words) - size + 1):
            part = words[start : start + size]
            if part[0] not in FUNCTION_WORDS and part[-1] not in FUNCTION_WORDS and len(keys) < MOST_KEYS:
                key = key_of(" ".join(part))
                if len(key) > 1:
                    keys.setdefault(key, False)
    return keys
