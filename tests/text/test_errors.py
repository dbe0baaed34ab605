"""Every code that the tables and the shell raise has a message."""

from __future__ import annotations

import re
from pathlib import Path

from bot.game.contract import Fact
from bot.tables.core import errors as table_errors
from bot.text.errors import ERRORS, error
from bot.text.words import words_for

EN, BOT = words_for("en"), Path(__file__).parents[2] / "bot"
FACTS: dict[str, Fact] = {
    "version": 1,
    "now": 2,
    "needed": 2,
    "seats": 1,
    "most": 200,
    "table": 3,
    "seq": 4,
    "usual": 3,
    "game": "kogge",
    "name": "Greedy 1",
    "zone": "Rom",
    "typed": "25:00",
    "hours": "48",
    "tables": (3, 4),
    "names": ("Anna", "Bert"),
    "channels": (7, 8),
    "when": "in a minute",
}


def test_every_error_that_the_tables_and_the_shell_raise_has_a_message() -> None:
    codes = {kind.code for kind in table_errors.TableError.__subclasses__()}
    code = re.compile(r'UserError\(\s*"(\w+)"')
    sources = (BOT / "cogs").rglob("*.py")
    found = {match for path in sources for match in code.findall(path.read_text("utf-8"))}
    assert codes
    assert "which_table" in found
    assert codes | found <= set(ERRORS)


def test_every_message_can_be_said() -> None:
    for code in ERRORS:
        said = error(EN, code, FACTS)
        assert said.endswith(".")
        assert "{" not in said
    assert "3 and 4" in error(EN, "which_table", FACTS)
    assert "strange_code" in error(EN, "strange_code", {})
