"""Work for later: the only file of the core that knows django-q2.

Never one job an event: write rows, and let one job take them all.
"""

from __future__ import annotations

from typing import Any

GUARDED_CALL = "workers.attempts.call"
"""What the worker runs: it counts the attempts, which django-q2 does not when a job kills its process."""


def enqueue(function: str, *arguments: Any, name: str = "", timeout_s: int | None = None) -> str:
    """Have a worker call `function` (a dotted path) once this transaction is durable; gives the job's id.

    The arguments are kept in the database as they are: pass ids, not records. A job that raises is tried again, so it
    must do no harm when it runs twice; one that kills its process is given up after a few times.
    """
    from django_q.tasks import async_task  # imports models: not before Django is set up

    options: dict[str, Any] = {"timeout": timeout_s} if timeout_s is not None else {}
    job: str = async_task(GUARDED_CALL, function, *arguments, task_name=name or None, q_options=options)
    return job
