"""Every code that the tables and the shell raise has a message."""

from __future__ import annotations

import re
from pathlib import Path

from bot.game.contract import Fact
from bot.tables.core import errors as table_errors
from bot.text.errors import ERRORS, error
from bot.text.words import words_for

BOT = Path(__file__).parents[2] / "bot"
FACTS: dict[str, Fact] = {
    "version": 1,
    "now": 2,
    "needed": 2,
    "seats": 1,
    "tables": (3, 4),
    "game": "kogge",
    "name": "Greedy 1",
    "most": 200,
    "zone": "Rom",
    "typed": "25:00",
    "hours": "48",
    "names": ("Anna", "Bert"),
    "table": 3,
    "seq": 4,
    "usual": 3,
    "when": "in a minute",
    "channels": (7, 8),
}


def test_every_error_of_a_table_has_a_message() -> None:
    codes = {kind.code for kind in table_errors.TableError.__subclasses__()}
    assert codes
    assert codes <= set(ERRORS)


def test_every_user_error_has_a_message() -> None:
    code = re.compile(r'UserError\(\s*"(\w+)"')
    sources = (BOT / "cogs").rglob("*.py")
    found = {match for path in sources for match in code.findall(path.read_text("utf-8"))}
    assert "which_table" in found
    assert found <= set(ERRORS)


def test_every_message_can_be_said() -> None:
    for code in ERRORS:
        said = error(words_for("en"), code, FACTS)
        assert said.endswith(".")
        assert "{" not in said


def test_several_tables_are_listed() -> None:
    assert "3 and 4" in error(words_for("en"), "which_table", FACTS)


def test_a_code_nobody_knows_is_named() -> None:
    assert "strange_code" in error(words_for("en"), "strange_code", {})
