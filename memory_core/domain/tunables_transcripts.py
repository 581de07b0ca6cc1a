"""Numbers of transcript reading: each with its unit, its reason and its source."""

from __future__ import annotations

MAX_LINE_BYTES = 64 * 1024 * 1024
"""Bytes of one transcript line that are read; a longer line is skipped and reported. An image of the largest size that
agents accept (about 30 MB as base64, in the message and again in the structured result) still fits."""

MAX_TRANSCRIPT_BYTES = 4 * 1024 * 1024 * 1024
"""Bytes, unpacked, of one transcript that are read; the rest is reported. Bounds what a gzip bomb can cost."""

MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
"""Bytes of a transcript that is one JSON document (Gemini CLI), which cannot be streamed; a larger one is refused."""

READ_CHUNK_BYTES = 1024 * 1024
"""Bytes read at a time while the rest of an over-long line is skipped."""

DETECT_RECORDS = 200
"""Records looked at to tell which agent wrote a file. Claude Code opens with snapshots and hook lines, in the files
measured 6 at most before the first message; the rest is reserve for damaged files."""

MAX_OPEN_CALLS = 10_000
"""Tool calls that may wait for their result at once; beyond it the oldest is given up and reported. Real files never
have more than some ten open, calls orphaned by a crash stay open to the end of the file."""

MAX_PROBLEMS = 200
"""Problems kept word for word per transcript; later ones are counted."""

MAX_ID_CHARS = 200
"""Characters of an event id; a longer one is replaced by its digest, so that a hostile file cannot store long keys."""

DIGEST_BYTES = 16
"""Bytes of the digest under which an id is remembered while reading: collisions are out of the question (2**-64 for
four thousand million ids) and a file of 500 MB (about 200,000 ids) costs some 25 MB."""

DEFAULT_MAX_FILES = 200
"""Transcripts imported when the caller gives no number. Source: wire/algorithms.md section 28."""

MAX_FILES_UPPER_BOUND = 1000
"""Largest number of transcripts one import may ask for. Source: wire/algorithms.md section 28."""

TRAVERSAL_ENTRIES_PER_FILE = 50
"""Directory entries visited per wanted file. Source: wire/algorithms.md section 28."""

TRAVERSAL_ENTRIES_FLOOR = 50_000
"""Directory entries that may always be visited. Source: wire/algorithms.md section 28."""

IMPORT_TAG = "jsonl-import"
"""Tag of a session that holds imported events. Source: wire/algorithms.md section 28."""

MAX_NAME_BYTES = 512
"""Bytes of UTF-8 of a session's id or a project's name; an event with longer ones is passed over. Both stand together
in one index, whose rows Postgres limits to 2,704 bytes; real ones have some 40."""

MAX_CWD_CHARS = 4096
"""Characters of a working directory, as over HTTP; a longer one (Linux allows 4,096 bytes) is left out."""

MAX_GIT_FILE_BYTES = 4096
"""Bytes of a `.git` pointer file that are read when a worktree is mapped to its repository; real ones have under 200."""
