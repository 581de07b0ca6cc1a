"""`everlore`: every command of its list is there, under the name that the list gives it."""

from __future__ import annotations

import pytest

from memory_core import cli


@pytest.mark.parametrize("name", [row.name for row in cli.COMMANDS if row.name != "hook"])
def test_a_command_of_the_list_answers_to_its_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])

    assert ended.value.code == 0
    assert "usage:" in capsys.readouterr().out
