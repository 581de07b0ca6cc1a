"""The assistant's side of one turn: what its last words were when it ended."""

from __future__ import annotations

from dataclasses import dataclass

from memory_core.documents.transcripts.moments import Moment, Place, Recorder
from memory_core.domain.events import HookType


@dataclass(frozen=True, slots=True)
class _Said:
    own_id: str
    text: str
    place: Place


class Turn:
    """The last text of the assistant in the running turn, and whether a tool was called after it."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._said: _Said | None = None
        self._last_was_text = False
        self._interrupted = False

    def say(self, own_id: str, text: str) -> None:
        """The assistant said `text` in the record `own_id`; said again, it keeps the time of the first."""
        if not text.strip():
            return
        self._last_was_text = True
        if self._said is None or self._said.own_id != own_id:
            self._said = _Said(own_id, text, self._recorder.place())

    def use_tool(self) -> None:
        """The assistant called a tool: its last text was not its last word."""
        self._last_was_text = False

    def interrupt(self) -> None:
        """The user broke the turn off; hosts run no Stop hook then."""
        self._interrupted = True
        self._recorder.problems.count("a turn was interrupted by the user and has no stop event")

    def end(self) -> list[Moment]:
        """The turn is over: its stop, unless it was interrupted or nothing was said.

        The stop has the time and the session of the text, not those of the record that shows the turn to be over.
        """
        said = None if self._interrupted else self._said
        self._said, self._last_was_text, self._interrupted = None, False, False
        if said is None:
            return []
        payload = {"last_assistant_message": said.text}
        return self._recorder.moment(HookType.STOP, "stop", said.own_id, payload, place=said.place)

    def end_of_file(self) -> list[Moment]:
        """The file ends: a turn whose last record is text is taken as finished, and that is reported; one that
        waits for a tool is not, since its last text may be anything but its answer.
        """
        if self._said is None or self._interrupted:
            return []
        if not self._last_was_text:
            self._recorder.problems.note("the last turn is not finished, it has no stop event")
            return []
        self._recorder.problems.note("the last turn has no end mark, its last text is taken as its answer")
        return self.end()
