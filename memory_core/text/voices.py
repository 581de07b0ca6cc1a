"""Whose words a question asks for: those of the person who asks, or what the agent answered."""

from __future__ import annotations

import re
from enum import StrEnum

from memory_core.domain.tunables_text import MOST_VOICE_CHARACTERS


class Voice(StrEnum):
    """A side of the conversation."""

    USER = "user"
    AGENT = "agent"


_SAYING = "advise|answer|describe|explain|give|list|mention|propose|provide|recommend|say|suggest|tell|write"
_SAID = "advised|answered|described|explained|gave|given|listed|mentioned|proposed|provided|recommended|said|suggested|told|wrote"
_BETWEEN = r"\W+(?:\w+\W+){0,2}?"

_AGENT = re.compile(
    rf"\bdid\s+you{_BETWEEN}(?:{_SAYING})\b"
    rf"|\byou(?:\s+(?:have|had)|['’](?:ve|d))?{_BETWEEN}(?:{_SAID})\b"
    rf"|\byour\s+(?:\w+\s+)?(?:advice|answer|explanation|proposal|recommendation|suggestion)s?\b"
    r"|[你您妳](?:之前|上次|刚才|剛才|曾经|曾經|当时|當時|都|给我|給我|跟我|向我|对我|對我){0,3}"
    r"(?:说过|說過|说的|說的|说了|說了|建议|建議|推荐|推薦|提到|提过|提過|告诉|告訴|解释过|解釋過|回答)"
    r"|あなたが(?:言|勧|提案)",
    re.IGNORECASE,
)
"""What the agent once said: the past only, since "what would you suggest" asks for something new."""

_NOT_COUNTED = "".join(rf"(?<!(?i:{word}) )" for word in ("case", "class", "level", "part", "phase", "type", "war"))
"""Before the Roman numeral I."""

_USER = re.compile(
    rf"{_NOT_COUNTED}(?<![\w/.'’-])I(?:['’](?:m|ve|d|ll))?\s+[a-z]"
    r"|(?<![\w/.-])(?:[Mm]y|[Mm]ine|[Mm]yself|me)(?![\w/-])"
    r"|[我俺咱]|私(?=[はがのもを])|僕|わたし|ぼく"
    r"|(?:^|\s)(?:나는|내가|나의|저는|제가|저의)"
    r"|\b(?:ich|mein|meine|meinen|meinem|meiner|meines|mir|mich)\b"
    r"|\bje\b|\bj['’](?:ai|avais)\b|\b(?:meu|minha|meus|minhas)\b"
    r"|\b(?:я|мне|меня|мной|мой|моя|моё|мое|мои|моего|моей|моих)\b",
)
"""The first person singular. "We" is left out: in a project it is whoever worked on it, the agent too."""


def asked_voice(question: str) -> Voice | None:
    """Whose words the question is about, by its first MOST_VOICE_CHARACTERS; None where it names no side.

    >>> asked_voice("Which database did I choose for my budget app?")
    <Voice.USER: 'user'>
    >>> asked_voice("What did you recommend for my retries?")
    <Voice.AGENT: 'agent'>
    >>> asked_voice("for i in range(10)") is None
    True
    """
    question = question[:MOST_VOICE_CHARACTERS]
    if _AGENT.search(question):
        return Voice.AGENT
    return Voice.USER if _USER.search(question) else None
