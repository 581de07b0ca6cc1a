"""The `everlore` command: its list, its flags, its exit status, and how little a hook costs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import get_commands

from memory_core import cli
from memory_core.domain import configuration
from workers.processes import environment, processes

ROOT = Path(cli.__file__).resolve().parent.parent


def everlore(*words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, "-m", "memory_core.cli", *words], cwd=ROOT, env={**kept, **settings},
        input="{}", capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


def test_every_command_of_the_list_exists() -> None:
    for row in cli.COMMANDS:
        name = cli.MODULES.get(row.name, row.name)
        assert name == "hook" or name in get_commands(), row.name


def test_every_command_of_ours_is_in_the_list() -> None:
    ours = {name for name, app in get_commands().items() if app in ("memory_core", "api", "viewer", "workers")}
    listed = {cli.MODULES.get(row.name, row.name) for row in cli.COMMANDS}

    assert ours - listed == set()


def test_what_the_light_processes_leave_out_has_no_tables() -> None:
    from workers import settings as light

    left_out = {config.name for config in apps.get_app_configs()} - {
        app.removesuffix(".apps.SimpleAdminConfig") for app in light.INSTALLED_APPS
    }

    assert left_out == {"rest_framework", "drf_spectacular", "api", "viewer"}
    assert [
        model for config in apps.get_app_configs() if config.name in left_out for model in config.get_models()
    ] == []


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (["up"], cli.LIGHT_SETTINGS),
        (["worker"], cli.LIGHT_SETTINGS),
        (["migrate"], cli.SETTINGS),
        ([], cli.SETTINGS),
    ],
)
def test_commands_that_answer_no_request_load_fewer_apps(words: list[str], module: str) -> None:
    environ: dict[str, str] = {}
    named = {"DJANGO_SETTINGS_MODULE": "somebody.elses"}

    cli.choose_settings(words, environ)
    cli.choose_settings(words, named)

    assert environ["DJANGO_SETTINGS_MODULE"] == module
    assert named["DJANGO_SETTINGS_MODULE"] == "somebody.elses"


def test_the_web_process_has_every_app() -> None:
    rows = {row.name: row for row in processes(configuration.read({}))}
    parent = {"DJANGO_SETTINGS_MODULE": cli.LIGHT_SETTINGS}

    assert environment(rows["web"], parent)["DJANGO_SETTINGS_MODULE"] == cli.SETTINGS
    assert environment(rows["worker"], parent)["DJANGO_SETTINGS_MODULE"] == cli.LIGHT_SETTINGS


@pytest.mark.parametrize("words", [(), ("help",), ("--help",)])
def test_help_comes_even_where_the_settings_are_wrong(words: tuple[str, ...]) -> None:
    answer = everlore(*words, EVERLORE_PORT="nonsense")

    assert answer.returncode == 0
    for row in cli.COMMANDS:
        assert f"  {row.name} " in answer.stdout


@pytest.mark.parametrize("command", ["up", "doctor", "worker", "jobs", "demo"])
def test_wrong_settings_are_said_in_lines_with_status_2(command: str) -> None:
    answer = everlore(command, EVERLORE_PORT="nonsense", EVERLORE_WEB_THREADS="0")

    assert answer.returncode == 2
    assert answer.stderr.splitlines() == [
        "EVERLORE_PORT is 'nonsense': write a whole number, e.g. EVERLORE_PORT=3111",
        "EVERLORE_WEB_THREADS is '0': write a number from 1 to 128, e.g. EVERLORE_WEB_THREADS=8",
    ]


def test_a_hook_never_loads_django(tmp_path: Path) -> None:
    code = (
        "import sys; from memory_core import cli; from agents import hook;"
        " hook.script = lambda: (print('django' in sys.modules, sys.argv), sys.exit(0));"
        " cli.main(['hook', 'no_such_event'])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert answer.stdout.strip() == "False ['everlore hook', 'no_such_event']"


def test_a_hook_ends_well_whatever_it_is_given(tmp_path: Path) -> None:
    answer = everlore("hook", "no_such_event", EVERLORE_SPOOL_DIR=str(tmp_path), EVERLORE_PORT="nonsense")

    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["up", "--port", "4000"], {"EVERLORE_PORT": "4000"}),
        (["up", "--port=4000", "--no-jobs", "--host=::1"], {"EVERLORE_PORT": "4000", "EVERLORE_HOST": "::1"}),
        (["up", "--data-dir", "/srv/memory"], {"EVERLORE_DATA_DIR": "/srv/memory"}),
        (["up", "--port"], {}),  # nothing behind it: the parser says so
        (["doctor", "--port", "4000"], {}),  # not a flag of that command
        ([], {}),
    ],
)
def test_flags_of_up_become_settings(words: list[str], expected: dict[str, str]) -> None:
    environ: dict[str, str] = {}

    cli.settings_from_flags(words, environ)

    assert environ == expected


def test_a_data_directory_is_taken_from_where_one_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    environ: dict[str, str] = {}

    cli.settings_from_flags(["up", "--data-dir", "here"], environ)

    assert environ == {"EVERLORE_DATA_DIR": str(tmp_path / "here")}
