"""The commands' names and descriptions keep Discord's limits."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bot.game.kogge.game import GAME
from bot.text.commands import CHOICES, COMMANDS, PROMISES, CommandText, OptionText

NAME = re.compile(r"[a-z0-9_-]{1,32}")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
def test_names_and_descriptions_fit(command: CommandText) -> None:
    texts: list[CommandText | OptionText] = [command, *command.options.values()]
    for text in texts:
        assert NAME.fullmatch(text.name)
        assert 1 <= len(text.description) <= 100
    assert len(command.options) <= 25
    names = [option.name for option in command.options.values()]
    assert len(set(names)) == len(names)


def test_every_move_of_kogge_has_a_command_with_its_parameters() -> None:
    for kind, move in GAME.moves.items():
        promises = tuple(PROMISES) if move.offers else ()
        assert tuple(COMMANDS[f"kogge {kind}"].options) == (*move.params, *promises)


def test_no_group_has_more_than_25_commands() -> None:
    groups = Counter(
        text.group or path.split()[0] for path, text in COMMANDS.items() if " " in path
    )
    assert max(groups.values()) <= 25
    assert {text.group for text in COMMANDS.values() if text.group} <= set(COMMANDS)


def test_fixed_choices_belong_to_an_option() -> None:
    options = {name for command in COMMANDS.values() for name in command.options}
    assert set(CHOICES) <= options
