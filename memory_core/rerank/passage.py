"""What the model reads of a record: its title and the part of its text that has most of the question's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

Spans = Callable[[str], Sequence[tuple[int, int]]]
"""Where each token of a text lies, (start, end) in characters, in order."""

Terms = Callable[[str], Iterable[str]]
"""The terms of a text, as search has them."""


def passage(title: str, narrative: str, asked: Collection[str], *, room: int, spans_of: Spans, terms_of: Terms) -> str:
    """Title and narrative as one text of at most `room` tokens; of a longer narrative the part that `best_part` gives.

    A title that only repeats the beginning is left out; one that leaves too little room for the narrative, too.

    >>> words = lambda text: [(i, i + 1) for i, c in enumerate(text) if not c.isspace()]
    >>> passage("T", "a b c d", {"d"}, room=3, spans_of=words, terms_of=str.split)
    'T\\nc d'
    >>> passage("a b…", "a b c", (), room=9, spans_of=words, terms_of=str.split)
    'a b c'
    """
    heading, body = title.strip(), narrative.strip()
    if body.startswith(heading.removesuffix("…").removesuffix("...").rstrip()):
        heading = ""
    taken = len(spans_of(heading)) if heading else 0
    if taken > room // 2:
        heading, taken = "", 0
    part = best_part(body, asked, room=room - taken, spans_of=spans_of, terms_of=terms_of)
    return f"{heading}\n{part}" if heading else part


def best_part(text: str, asked: Collection[str], *, room: int, spans_of: Spans, terms_of: Terms) -> str:
    """The run of at most `room` tokens that has most of the terms `asked`; the whole text where it is no longer.

    Parts overlap by half. A term counts once a part, and less the more parts it stands in, since what stands everywhere
    tells no part from another. Of equal parts the first is taken: the beginning, where nothing of it is asked.

    >>> words = lambda text: [(i, i + 1) for i, c in enumerate(text) if c != " "]
    >>> best_part("a b c d e f", {"e"}, room=2, spans_of=words, terms_of=str.split)
    'd e'
    """
    spans = spans_of(text)
    if len(spans) <= room:
        return text
    step = max(1, room // 2)
    starts = [*range(0, len(spans) - room, step), len(spans) - room]
    parts = [text[spans[start][0] : spans[start + room - 1][1]] for start in starts]
    present = [set(asked).intersection(terms_of(part)) for part in parts]
    often = Counter(term for terms in present for term in terms)
    worth = [sum(sorted(1 / often[term] for term in terms)) for terms in present]
    return parts[max(range(len(parts)), key=lambda number: (worth[number], -number))]
