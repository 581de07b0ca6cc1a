"""The `everlore` command.

Exit status: 0 done (for `up`: stopped by a signal); 1 it could not be done, and the message says why; 2 the settings or
the words of the command are wrong. `everlore hook` always ends with 0: an agent must not stumble over its memory.
"""

from __future__ import annotations

import gettext
import os
import sys
from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import NamedTuple


def gettext_noop(text: str) -> str:
    """Marks a text for the catalogue; it is translated where it is shown."""
    return text


class Row(NamedTuple):
    """A command as the list shows it."""

    name: str
    meaning: str


COMMANDS: tuple[Row, ...] = (
    Row("up", gettext_noop("Start everything: database, server, workers. Ctrl-C stops it.")),
    Row("demo", gettext_noop("Load three small sessions and ask them questions, to see what it does.")),
    Row("doctor", gettext_noop("Check everything and say what to do; --fix repairs what is safe.")),
    Row("import-transcripts", gettext_noop("Take in what agents did before: their transcripts, each event once.")),
    Row("reindex", gettext_noop("Make the search index anew from the records; searches go on.")),
    Row("weights", gettext_noop("Show the weights each project has learned; go back, or fit them now.")),
    Row("hook", gettext_noop("Report one event of a coding agent (the agents' hooks call this).")),
    Row("worker", gettext_noop("Run one more embedding worker.")),
    Row("jobs", gettext_noop("Run the regular jobs alone.")),
)
"""Ours, in the order a person meets them; every other command is Django's and works, too (`everlore django-help`)."""

MODULES = {"import-transcripts": "import_transcripts"}
"""Commands whose name has a dash, which a Python module cannot have."""

FLAGS = {"--port": "EVERLORE_PORT", "--host": "EVERLORE_HOST", "--data-dir": "EVERLORE_DATA_DIR"}
"""Flags of `up` that stand for a setting: they must be in the environment before the settings are read."""


SETTINGS, LIGHT_SETTINGS = "memory_core.settings", "workers.settings"
LIGHT = frozenset({"up", "worker", "jobs", "doctor", "demo"})
"""Commands that answer no request: they run with fewer apps, start in half the time and take a third less memory."""


def choose_settings(arguments: Sequence[str], environ: MutableMapping[str, str] = os.environ) -> None:
    """Name the settings module for a command, unless somebody named one."""
    light = bool(arguments) and arguments[0] in LIGHT
    environ.setdefault("DJANGO_SETTINGS_MODULE", LIGHT_SETTINGS if light else SETTINGS)


def settings_from_flags(arguments: Sequence[str], environ: MutableMapping[str, str] = os.environ) -> None:
    """Put the flags of `up` into the environment, for the settings and for every child."""
    if not arguments or arguments[0] != "up":
        return
    words = list(arguments[1:])
    for index, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if flag not in FLAGS:
            continue
        if not equals:
            value = words[index + 1] if index + 1 < len(words) else ""
        if value and flag == "--data-dir":
            value = os.path.abspath(os.path.expanduser(value))  # typed in a shell: relative to where one stands
        if value:
            environ[FLAGS[flag]] = value


def _translator() -> Callable[[str], str]:
    """Our own catalogue, read without Django: help must come fast, and where the settings are wrong, too."""
    language, _, region = os.environ.get("EVERLORE_LANGUAGE", "").lower().partition("-")
    name = f"{language}_{region.capitalize()}" if region else language
    folder = Path(__file__).resolve().parent / "locale"
    return gettext.translation("django", folder, languages=[name] if name else [], fallback=True).gettext


def overview() -> str:
    """The list of commands."""
    translate = _translator()
    width = max(len(row.name) for row in COMMANDS)
    lines = [
        translate("Everlore: long-term memory for coding agents."),
        "",
        translate("Usage: everlore COMMAND [options]"),
        "",
    ]
    lines += [f"  {row.name:<{width}}  {translate(row.meaning)}" for row in COMMANDS]
    lines += ["", translate("`everlore COMMAND --help` tells more. Settings come from the environment or a .env file.")]
    return "\n".join(lines)


def _django(arguments: Sequence[str]) -> int:
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError

    from memory_core.domain.errors import ConfigurationError

    try:
        execute_from_command_line(["everlore", *arguments])
    except (ImproperlyConfigured, ConfigurationError) as problem:
        print(problem, file=sys.stderr)
        return 2
    except OperationalError as problem:
        print(
            f"The database does not answer ({str(problem).splitlines()[0]}). Start it with `everlore up`.",
            file=sys.stderr,
        )
        return 1
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["hook"]:
        sys.argv = ["everlore hook", *given[1:]]
        from agents import hook

        hook.script()  # ends the process
    if not given or given in (["help"], ["--help"], ["-h"]):
        print(overview())
        return 0
    if given[0] == "django-help":
        given = ["help", *given[1:]]
    given[0] = MODULES.get(given[0], given[0])
    choose_settings(given)
    settings_from_flags(given)
    return _django(given)


if __name__ == "__main__":
    sys.exit(main())
