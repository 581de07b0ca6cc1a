"""Numbers of the processes: starting, watching, stopping, and the regular jobs."""

from __future__ import annotations

READY_TIMEOUT_SECONDS = 90.0
"""Longest wait for the web process to answer; unit: seconds. 3 s on an idle machine with two cores, 10 s on a busy one."""

RULES_SECONDS = 90.0
"""Longest wait for the secret rules to be compiled at the very first start; unit: seconds. It takes 5 s of a core."""

READY_POLL_SECONDS = 0.1
"""How often the start asks whether the web process answers; unit: seconds."""

PROBE_TIMEOUT_SECONDS = 5.0
"""Longest wait for one answer of a probe; unit: seconds."""

STRANGER_SECONDS = 1.0
"""How long whoever holds our port may take to say who it is; unit: seconds. Only the wording of the message hangs on it."""

RESTART_BASE_SECONDS = 0.5
"""Pause before a process that died is started again, doubled with each death in a row; unit: seconds."""

RESTART_MOST_SECONDS = 20.0
"""Longest such pause; unit: seconds."""

TEND_SECONDS = 1.0
"""How often the supervisor looks after the database and its own guard; unit: seconds."""

CRASH_WINDOW_SECONDS = 300.0
"""Time in which deaths are counted, and after which a process counts as well again; unit: seconds."""

CRASHES_IN_WINDOW = 8
"""Deaths of one process in the window after which everything stops; unit: deaths. A database that restarts, or one
entry that kills the worker (three deaths), stays below it."""

WEB_GRACE_SECONDS = 8.0
"""How long the web processes may finish their requests before they are killed; unit: seconds."""

WORKER_GRACE_SECONDS = 4.0
"""How long the embedding worker may take to stop; unit: seconds. It stops between two runs of the model (0.2 s)."""

JOBS_GRACE_SECONDS = 8.0
"""How long a job may take to end; unit: seconds. Every job works in small batches, so nothing is lost by a kill."""

SECOND_SIGNAL_SECONDS = 0.7
"""From when on a second Ctrl-C means "at once"; unit: seconds. `timeout` and shells send one press to us twice."""

GUARD_GRACE_SECONDS = 3.0
"""How long the processes of a killed supervisor may take to stop before the guard kills them; unit: seconds."""

DATABASE_STOP_SECONDS = 20.0
"""How long the database may write its checkpoint before it is stopped at once (it recovers at the next start); unit:
seconds."""

TAKEOVER_SECONDS = 40.0
"""How long a start waits for what a killed supervisor left to be cleared away; unit: seconds. Covers the guard's grace and
the stop of the database."""

LOG_LINE_BYTES = 64 * 1024
"""Longest line of a process that is passed on whole; unit: bytes. A longer one is cut into such pieces."""

LAST_LINES_SECONDS = 1.0
"""How long the last lines of a process that ended may take to come; unit: seconds. A process that left its group may hold
the pipe for ever."""

WEB_GRACEFUL_SECONDS = 5
"""How long uvicorn waits for open requests; unit: seconds. Below WEB_GRACE_SECONDS, so that it ends by itself."""

KEEP_ALIVE_SECONDS = 75
"""How long an idle connection is kept; unit: seconds. Longer than the 60 s that clients and proxies keep theirs."""

LISTEN_BACKLOG = 2048
"""Connections that wait while all processes are busy; unit: connections."""

WORKER_NICE = 10
"""How far the embedding worker stands back for the processes that somebody waits for; unit: niceness."""

WORKER_LOCK = {"class": 0x4557, "key": 1}
"""The advisory lock that every living embedding worker holds together with the others."""

MIGRATION_LOCK = {"class": 0x4557, "key": 2}
"""The advisory lock of whoever changes the tables, so that two instances on one database do not both do it."""

SECOND_LOOK_SECONDS = 0.1
"""When the worker looks again after a wake-up; unit: seconds. Twice the time within which a writing process sends no
second one (WAKE_SECONDS), so nothing waits for the next poll."""

STATISTICS_SECONDS = 2.0
"""How often the worker counts new entries while it embeds; unit: seconds."""

STATISTICS_TURN_SECONDS = 0.3
"""How long it counts in one turn while entries wait for vectors; unit: seconds."""

EMBED_SLICE = 8
"""Texts embedded between two looks at whether to stop; unit: texts. 8 of the longest (256 tokens) take 0.15 s."""

EMBED_TURN_SECONDS = 0.4
"""Time that a batch should take; unit: seconds. Batches that take longer are made smaller, so that a memory saved in the
middle of a large backlog has its vector within a second."""

RECONNECT_BASE_SECONDS = 0.5
"""First pause after the database went away, doubled each time; unit: seconds."""

RECONNECT_MOST_SECONDS = 15.0
"""Longest such pause; unit: seconds."""

JOB_BATCH = 1000
"""Rows a job removes in one transaction; unit: rows."""

JOB_MOST_BATCHES = 200
"""Batches of one run; unit: batches. What is left waits for the next run."""

JOB_DEATHS = 3
"""Times a job may kill its process in a row before it rests; unit: deaths. django-q2 counts no such attempt itself."""

JOB_REST_HOURS = 24
"""How long it rests then; unit: hours."""

ACTIVITY_KEEP_DAYS = 30
"""How long the live feed is kept; unit: days. The audit is kept for good."""

SILENT_SESSION_HOURS = 24
"""Silence after which an open session counts as abandoned; unit: hours. A later event opens it again."""

ORPHAN_FILE_HOURS = 1
"""Age from which an image file without a row is deleted; unit: hours. A younger one may belong to a transaction that is
still open."""

LEAST_FREE_BYTES = 1024**3
"""Free disk space below which the doctor warns; unit: bytes."""

CLOCK_DRIFT_SECONDS = 5.0
"""Difference to the database's clock from which the doctor warns; unit: seconds."""

BACKLOG_STALE_SECONDS = 60.0
"""Age of the oldest due entry from which the doctor says that nobody works on the backlog; unit: seconds."""

DEMO_WAIT_SECONDS = 180.0
"""Longest wait of the demo for vectors; unit: seconds. The first start prepares the model, which takes about a minute."""

DEMO_POLL_SECONDS = 0.3
"""How often the demo asks how many entries still wait; unit: seconds."""

DEMO_CALL_SECONDS = 30.0
"""Longest wait of the demo for one answer; unit: seconds."""

SHORT_SECRET_CHARACTERS = 16
"""Length below which the doctor calls a secret short; unit: characters."""

LEAST_PYTHON = (3, 11)
"""Oldest Python that Everlore runs on; unit: version."""
