"""The assistant's side of one turn: what its last words were when it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_core.documents.transcripts.moments import Moment, Recorder
from memory_core.domain.events import HookType


@dataclass(slots=True)
class Turn:
    """The last text of the assistant in the running turn, and whether a tool was called after it."""

    recorder: Recorder
    own_id: str = ""
    text: str = ""
    spoken_at: datetime | None = None
    last_was_text: bool = False
    was_interrupted: bool = False

    def say(self, own_id: str, text: str) -> None:
        """The assistant said `text` in the record `own_id`."""
        if text.strip():
            self.own_id, self.text, self.spoken_at, self.last_was_text = (own_id, text, self.recorder.now, True)

    def use_tool(self) -> None:
        """The assistant called a tool: its last text was not its last word."""
        self.last_was_text = False

    def interrupt(self) -> None:
        """The user broke the turn off; hosts run no Stop hook then."""
        self.was_interrupted = True
        self.recorder.problems.count("a turn was interrupted by the user and has no stop event")

    def end(self) -> list[Moment]:
        """The turn is over: its stop, unless it was interrupted or nothing was said."""
        said, self_id, silent = (self.text, self.own_id, self.was_interrupted or not self.text)
        self.own_id, self.text, self.last_was_text, self.was_interrupted = ("", "", False, False)
        return [] if silent else self._stop(self_id, said)

    def end_of_file(self) -> list[Moment]:
        """The file ends: a turn whose last record is text is taken as finished, and that is reported; one that
        waits for a tool is not, since its last text may be anything but its answer.
        """
        if not self.text or self.was_interrupted:
            return []
        if not self.last_was_text:
            self.recorder.problems.note("the last turn is not finished, it has no stop event")
            return []
        self.recorder.problems.note("the last turn has no end mark, its last text is taken as its answer")
        return self.end()

    def _stop(self, own_id: str, text: str) -> list[Moment]:
        payload: dict[str, Any] = {"last_assistant_message": text}
        return self.recorder.moment(HookType.STOP, "stop", own_id, payload)
