"""The documents cannot go stale: every setting, route and model stands in them, and nothing that is gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from drf_spectacular.generators import SchemaGenerator

from api import urls
from memory_core.domain import configuration

ROOT = Path(__file__).resolve().parent.parent
MADE = {".env.example": configuration.example_file, "docs/settings.md": configuration.settings_page}


def first_cells(page: str, column: int = 0) -> list[str]:
    """The names in backticks in a column of the page's first table."""
    rows = re.split(r"\n(?!\|)", (ROOT / page).read_text().split("|---", 1)[1])[0].splitlines()[1:]
    cells = [re.split(r"(?<!\\)\|", row)[column + 1] for row in rows]
    return [found[1] for cell in cells if (found := re.search(r"`([^`]+)`", cell))]


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_from_the_table_of_settings_is_as_it_makes_it(name: str) -> None:
    assert (ROOT / name).read_text() == MADE[name](), "run: make docs"


def test_every_setting_is_on_its_page_once() -> None:
    assert first_cells("docs/settings.md") == [setting.name for setting in configuration.SETTINGS]


def test_the_example_file_sets_nothing() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()

    assert all(line.startswith("#") or not line for line in lines)


def test_the_example_file_is_read_as_the_defaults_when_everything_is_uncommented() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    assigned = dict(line[2:].split("=", 1) for line in lines if re.match(r"# [A-Z_]+=", line))
    examples = {setting.name for setting in configuration.SETTINGS if setting.example}

    values = configuration.read({name: value for name, value in assigned.items() if name not in examples})

    assert values == configuration.read({})
    assert set(assigned) == {setting.name for setting in configuration.SETTINGS}


def test_every_route_is_on_the_page_of_the_rest_surface_once() -> None:
    routes = [str(route.pattern) for route in urls.urlpatterns]

    assert sorted(first_cells("docs/rest.md", column=1)) == sorted(routes)


def test_every_method_of_a_route_is_on_the_page() -> None:
    page = (ROOT / "docs/rest.md").read_text()

    for route in urls.urlpatterns:
        view = route.callback.cls  # type: ignore[attr-defined]
        for method in ("get", "post", "put", "delete"):
            if hasattr(view, method):
                assert f"| {method.upper()} | `{route.pattern}` |" in page


def test_every_field_of_a_request_is_in_its_row() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    rows = {
        row.split("`")[1]: row for row in (ROOT / "docs/rest.md").read_text().splitlines() if row.startswith("| POST")
    }

    for path, row in rows.items():
        body = schema["paths"][f"/agentmemory/{path}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        fields = schema["components"]["schemas"][body["$ref"].rpartition("/")[2]]["properties"]
        assert [field for field in fields if f"`{field}`" not in row and f"`{field}?`" not in row] == [], path


def test_every_model_is_on_the_page_of_the_data_once() -> None:
    models = {model.__name__ for model in apps.get_app_config("memory_core").get_models()}

    assert sorted(first_cells("docs/data.md")) == sorted(models)


@pytest.mark.parametrize("page", sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md")))
def test_links_between_pages_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text()

    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert ((ROOT / page).parent / target).exists(), target


@pytest.mark.django_db
def test_migrations_are_what_the_models_say() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
