"""What a statement gives back."""

from __future__ import annotations

import pytest

from memory_core.sql.statement import Statement

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", ["json", "jsonb"])
@pytest.mark.parametrize("prepared", [False, True])
def test_json_comes_as_the_value_it_is_and_null_as_none(kind: str, prepared: bool) -> None:
    statement = Statement(
        "probe", "JSON between other columns.", f"""SELECT 7, '{{"a": [1]}}'::{kind}, NULL::{kind}""", prepared
    )

    assert statement.rows() == [(7, {"a": [1]}, None)]


def test_json_comes_as_a_value_in_mappings_too() -> None:
    statement = Statement("probe", "JSON by name.", """SELECT '{"a": 1}'::jsonb AS found, 'x' AS other""")

    assert statement.dicts() == [{"found": {"a": 1}, "other": "x"}]
