"""Import of transcripts over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory_core.domain.errors import InvalidInput, NotFound
from memory_core.domain.tunables_transcripts import DEFAULT_MAX_FILES, MAX_FILES_UPPER_BOUND
from memory_core.flows.transcripts import ImportReport, import_path

from .answers import ERRORS, Answer
from .bodies import Body
from .fields import JsonField, Text


class FileLimit(JsonField):
    """How many files to import at most."""

    default_error_messages = {"invalid": f"must be an integer between 1 and {MAX_FILES_UPPER_BOUND}"}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int) or not 1 <= data <= MAX_FILES_UPPER_BOUND:
            self.fail("invalid")
        return data

    @property
    def json_schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1, "maximum": MAX_FILES_UPPER_BOUND}


class ImportBody(Body):
    """What to import: a file, a folder, or nothing for the agents' usual places."""

    path = Text(
        required=False,
        max_length=4096,
        error_messages=dict.fromkeys(("invalid", "null"), "must be a non-empty string"),
    )
    maxFiles = FileLimit(  # noqa: N815  (the protocol's name)
        required=False,
        default=DEFAULT_MAX_FILES,
        error_messages={"null": f"must be an integer between 1 and {MAX_FILES_UPPER_BOUND}"},
    )


class ImportTranscripts(APIView):
    """`POST /replay/import-jsonl`."""

    @extend_schema(request=ImportBody, responses={202: Answer, **ERRORS})
    def post(self, request: Request) -> Response:
        """Import transcripts; the answer comes when all are read, 202 as the protocol has it."""
        body = ImportBody.read(request)
        try:
            path = allowed(body["path"]) if "path" in body else None
            report = import_path(path, clock=timezone.now, max_files=body["maxFiles"])
        except (InvalidInput, NotFound) as problem:
            return Response({"success": False, "error": str(problem)}, status=202)
        return Response(_answer(report, body["maxFiles"]), status=202)


def allowed(text: str) -> Path:
    """The path, when it lies in a folder of EVERLORE_IMPORT_ROOTS, symbolic links resolved.

    Whoever may call this address reads what was imported, so that it must not open every file of the server's user.
    Raises InvalidInput for any other path; the command line has no such bound.
    """
    try:
        path = Path(text).expanduser()
        real = path.resolve()
        roots = [Path(root).expanduser().resolve() for root in settings.EVERLORE["EVERLORE_IMPORT_ROOTS"]]
    except (OSError, RuntimeError, ValueError) as problem:  # too long, a loop of links, a home of nobody
        raise InvalidInput("path not found") from problem
    if not any(real.is_relative_to(root) for root in roots):
        raise InvalidInput(
            "path is outside the folders that may be imported over HTTP (EVERLORE_IMPORT_ROOTS);"
            " `everlore import-transcripts PATH` takes any"
        )
    return path


def _answer(report: ImportReport, max_files: int) -> dict[str, Any]:
    """The protocol's answer; `duplicates`, `skipped` and `problems` are Everlore's own."""
    return {
        "success": True,
        "imported": len(report.read),
        "sessionIds": report.sessions,
        "observations": report.stored,
        "discovered": len(report.files),
        "truncated": report.truncated,
        "traversalCapped": report.traversal_capped,
        "maxFiles": max_files,
        "maxFilesUpperBound": MAX_FILES_UPPER_BOUND,
        "duplicates": report.duplicates,
        "skipped": report.skipped,
        "problems": [
            *report.problems,
            *(f"{file.path.name}: {problem}" for file in report.files for problem in file.problems),
        ],
    }
