"""The doctor: one function a question, each answers with what was found and what to do."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from agents import hook
from memory_core import checks
from memory_core.domain import tunables_workers as tunables
from memory_core.domain.errors import DatabaseStartError, WidthMismatch
from memory_core.flows import embedding, reranking
from memory_core.index import analysis, backlog
from memory_core.models import EmbeddingBacklog
from memory_core.sql import server as sql
from workers import guard, instance, start
from workers.postgres import EmbeddedPostgres

OK, WARN, FAIL = "ok", "warn", "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """What one question found: `level` is ok, warn or fail; `advice` says what to do, empty when nothing is."""

    level: str
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the doctor. Those that need the database are left out while it does not answer."""

    name: str
    ask: Callable[[], Finding]
    needs_database: bool = False


def python_version() -> Finding:
    """It is new enough."""
    version = platform.python_version()
    least = tunables.LEAST_PYTHON
    if sys.version_info[:2] < least:
        return Finding(FAIL, version, _("Install Python {least} or newer.").format(least=".".join(map(str, least))))
    return Finding(OK, version)


def data_directory() -> Finding:
    """We may write where everything is kept."""
    home = Path(settings.DATA_HOME)
    try:
        with tempfile.NamedTemporaryFile(dir=home):
            pass
    except OSError as problem:
        advice = _("Give the folder to the user who runs Everlore, or set EVERLORE_DATA_DIR to one of yours.")
        return Finding(FAIL, f"{home}: {problem.strerror}", advice)
    return Finding(OK, str(home))


def disk_space() -> Finding:
    """There is room for the database to grow."""
    try:
        free = shutil.disk_usage(settings.DATA_HOME).free
    except OSError as problem:
        return Finding(
            FAIL, f"{settings.DATA_HOME}: {problem.strerror}", _("Set EVERLORE_DATA_DIR to a folder of yours.")
        )
    words = _("{gigabytes} GB free").format(gigabytes=f"{free / 1024**3:.1f}")
    if free < tunables.LEAST_FREE_BYTES:
        return Finding(WARN, words, _("Free some space: a full disk stops every write."))
    return Finding(OK, words)


def database_running() -> bool:
    """Whether there is a database to ask: an external one is taken to be."""
    return not settings.EMBEDDED_DATABASE or EmbeddedPostgres(Path(settings.POSTGRES_DIR)).is_running()


def database() -> Finding:
    """It answers, is new enough, and has its extensions."""
    try:
        if not database_running():
            return Finding(WARN, _("not running"), _("Start it with `everlore up`."))
    except DatabaseStartError as problem:
        return Finding(FAIL, _("cannot be looked at"), str(problem))
    found = checks.database(None, ["default"])
    errors = [one for one in found if one.is_serious()]
    if errors:
        return Finding(FAIL, " ".join(one.msg for one in errors), " ".join(one.hint or "" for one in errors))
    return Finding(
        OK, _("embedded, in {place}").format(place=settings.POSTGRES_DIR) if settings.EMBEDDED_DATABASE else "external"
    )


def migrations() -> Finding:
    """The tables are up to date."""
    steps = start.pending_migrations()
    if steps:
        words = _("{count} steps are missing").format(count=len(steps))
        return Finding(FAIL, words, _("Run `everlore doctor --fix`, or restart `everlore up`."))
    return Finding(OK, _("up to date"))


def server() -> Finding:
    """It answers, or its port is free."""
    values = settings.EVERLORE
    host, port = values["EVERLORE_HOST"], values["EVERLORE_PORT"]
    answer, url = start.live(host, port), start.url_of(host, port)
    if answer is not None:
        if answer.get("implementation") == "everlore":
            return Finding(OK, _("answers at {url}").format(url=url))
        return Finding(
            FAIL,
            _("another server answers at {url}").format(url=url),
            _("Set EVERLORE_PORT to another port."),
        )
    try:
        start.check_port(host, port)
    except start.CannotStart as problem:
        if instance.is_held(Path(settings.DATA_HOME)):
            return Finding(
                FAIL, _("runs, but does not answer"), _("Look at its lines; restart `everlore up` if it stays so.")
            )
        return Finding(FAIL, _("cannot listen"), str(problem))
    return Finding(WARN, _("not running; port {port} is free").format(port=port), _("Start it with `everlore up`."))


def supervisor() -> Finding:
    """Who runs this instance, and whether a killed one left something."""
    home = Path(settings.DATA_HOME)
    holder = instance.read(home / instance.NAME)
    if instance.is_held(home):
        return Finding(OK, _("process {pid}").format(pid=holder.pid) if holder else _("starting"))
    if left := instance.leftovers(holder):
        words = _("a killed one left {count} processes").format(count=len(left))
        return Finding(WARN, words, _("Run `everlore doctor --fix`; the next `everlore up` does it, too."))
    return Finding(OK, _("none runs"))


def worker() -> Finding:
    """Workers are alive and the backlog moves."""
    alive = int(sql.HOLDERS.rows(tunables.WORKER_LOCK)[0][0])
    waiting, failed = backlog.waiting()
    words = _("{alive} alive, {waiting} entries wait, {failed} given up").format(
        alive=alive, waiting=waiting, failed=failed
    )
    oldest = EmbeddingBacklog.objects.filter(failed=False).order_by("not_before").first()
    late = (timezone.now() - oldest.not_before).total_seconds() if oldest else 0.0
    if not alive:
        return Finding(
            WARN, words, _("Start `everlore up`, or `everlore worker`: nothing new is found by meaning until then.")
        )
    if failed:
        return Finding(
            WARN, words, _("Run `everlore doctor --fix` to try them again; the worker's lines say what failed.")
        )
    if late > tunables.BACKLOG_STALE_SECONDS and not embedding.model_state().ready:
        return Finding(WARN, words, _("It waits for the model: see the line on the model."))
    return Finding(OK, words)


def model() -> Finding:
    """The embedding model is there and prepared."""
    state = embedding.model_state()
    if state.ready:
        return Finding(OK, f"{state.name} ({state.dimensions})")
    if state.name:
        return Finding(
            WARN,
            _("{name}: not prepared yet").format(name=state.name),
            _("`everlore up` prepares it, once, in about a minute."),
        )
    return Finding(OK if state.setting.lower() == "none" else FAIL, state.setting, state.reason)


def reranker() -> Finding:
    """The cross-encoder, where one is wanted: results keep their order without it."""
    state = reranking.reranker_state()
    if state.name:
        return Finding(OK, state.name)
    if not state.wanted:
        return Finding(OK, _("none, as the settings say"))
    if not state.named:
        return Finding(OK, _("none on this machine: results keep the order that search gives them"))
    return Finding(WARN, _("not there"), state.reason)


def space() -> Finding:
    """The stored vectors are of the configured model."""
    try:
        embedding.refuse_other_space()
    except WidthMismatch as problem:
        return Finding(FAIL, _("the stored vectors are of another model"), str(problem))
    return Finding(OK, _("the stored vectors are of the configured model"))


def segmenters() -> Finding:
    """The word segmenters that the settings name are installed."""
    wanted = settings.EVERLORE["EVERLORE_SEGMENTERS"]
    missing = [name for name in wanted if importlib.util.find_spec(analysis.PACKAGE_OF[name]) is None]
    if missing:
        advice = _("Install them with `pip install everlore[ja,ko]`; until then pairs of characters serve.")
        return Finding(WARN, _("not installed: {names}").format(names=", ".join(missing)), advice)
    return Finding(OK, ", ".join(wanted) or _("none asked for"))


def secret() -> Finding:
    """Whoever can reach the server needs a secret, and a long one."""
    values = settings.EVERLORE
    if not values["EVERLORE_SECRET"]:  # the settings refuse this for every other address
        return Finding(OK, _("none; only this machine can reach {host}").format(host=values["EVERLORE_HOST"]))
    if len(values["EVERLORE_SECRET"]) < tunables.SHORT_SECRET_CHARACTERS:
        return Finding(WARN, _("set, but short"), _("Set EVERLORE_SECRET to 32 random characters or more."))
    return Finding(OK, _("set"))


def pending_events(folder: Path) -> tuple[int, int]:
    """Events that hooks could not deliver yet, and those that were refused, in a spool folder."""
    waiting = 0
    for path in folder.glob("*.jsonl"):
        with path.open("rb") as file:
            try:
                header = json.loads(file.readline())
                file.seek(int(header["next"]))
            except (ValueError, KeyError, TypeError):
                file.seek(0)
            waiting += sum(1 for _line in file)
    refused = 0
    for path in folder.glob("*.bad"):
        with path.open("rb") as file:
            refused += sum(1 for _line in file)
    return waiting, refused


def spool() -> Finding:
    """Nothing that a hook reported waits to be delivered."""
    folder = Path(hook.spool_directory(os.environ))
    try:
        waiting, refused = pending_events(folder)
    except OSError as problem:
        return Finding(WARN, f"{folder}: {problem.strerror}", _("Give the folder to the user who runs the agents."))
    words = _("{waiting} events wait, {refused} were refused, in {folder}").format(
        waiting=waiting, refused=refused, folder=folder
    )
    if waiting:
        return Finding(WARN, words, _("They are delivered by the next hook that finds the server running."))
    if refused:
        return Finding(WARN, words, _("The files *.bad there say why; delete them when you have seen it."))
    return Finding(OK, words)


def clock() -> Finding:
    """This machine and the database agree on the time."""
    there = sql.CLOCK.rows()[0][0]
    apart = abs((timezone.now() - there).total_seconds())
    words = _("{seconds} s apart from the database's").format(seconds=f"{apart:.1f}")
    if apart > tunables.CLOCK_DRIFT_SECONDS:
        return Finding(WARN, words, _("Set both clocks by NTP: retries and expiry go by them."))
    return Finding(OK, words)


QUESTIONS: tuple[Question, ...] = (
    Question(gettext_noop("Python"), python_version),
    Question(gettext_noop("Data directory"), data_directory),
    Question(gettext_noop("Disk space"), disk_space),
    Question(gettext_noop("Supervisor"), supervisor),
    Question(gettext_noop("Server"), server),
    Question(gettext_noop("Secret"), secret),
    Question(gettext_noop("Database"), database),
    Question(gettext_noop("Tables"), migrations, needs_database=True),
    Question(gettext_noop("Model"), model),
    Question(gettext_noop("Embedding space"), space, needs_database=True),
    Question(gettext_noop("Reranking model"), reranker),
    Question(gettext_noop("Worker"), worker, needs_database=True),
    Question(gettext_noop("Segmenters"), segmenters),
    Question(gettext_noop("Hooks' spool"), spool),
    Question(gettext_noop("Clock"), clock, needs_database=True),
)


def examine() -> list[tuple[str, Finding]]:
    """Ask every question, in the order of the table."""
    found: list[tuple[str, Finding]] = []
    answers = False
    for question in QUESTIONS:
        if question.needs_database and not answers:
            continue
        try:
            finding = question.ask()
        except DatabaseError as problem:
            advice = _("See the lines on the database and its tables.")
            finding = Finding(FAIL, (str(problem).splitlines() or [""])[0], advice)
        if question.ask is database:
            answers = finding.level == OK
        found.append((question.name, finding))
    return found


def fix() -> list[str]:
    """Repair what is safe to repair; says what was done."""
    done: list[str] = []
    home = Path(settings.DATA_HOME)
    if not instance.is_held(home) and (left := instance.leftovers(instance.read(home / instance.NAME))):
        guard.end(set(left), tunables.GUARD_GRACE_SECONDS)
        psutil.wait_procs([psutil.Process(pid) for pid in left if psutil.pid_exists(pid)], timeout=1)
        done.append(_("Ended {count} processes that a killed supervisor left.").format(count=len(left)))
    if database().level != OK:
        return done
    if steps := start.migrate():
        done.append(_("Brought the tables up to date ({steps} steps).").format(steps=steps))
    if again := backlog.retry_failed(timezone.now()):
        done.append(_("{count} entries that were given up are tried again.").format(count=again))
    return done
