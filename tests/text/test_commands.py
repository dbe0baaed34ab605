"""The commands' names and descriptions keep Discord's limits."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from bot.text.commands import CHOICES, COMMANDS, CommandText, OptionText
from tests.text.every_command import EVERY_COMMAND

NAME = re.compile(r"[a-z0-9_-]{1,32}")


@pytest.mark.parametrize("command", EVERY_COMMAND.values(), ids=EVERY_COMMAND)
def test_names_and_descriptions_fit(command: CommandText) -> None:
    texts: list[CommandText | OptionText] = [command, *command.options.values()]
    for text in texts:
        assert NAME.fullmatch(text.name)
        assert 1 <= len(text.description) <= 100
    assert len(command.options) <= 25
    names = [option.name for option in command.options.values()]
    assert len(set(names)) == len(names)


def test_no_group_has_more_than_25_commands() -> None:
    groups = Counter(path.split()[0] for path in COMMANDS if " " in path)
    assert max(groups.values()) <= 25


def test_fixed_choices_belong_to_an_option() -> None:
    options = {name for command in COMMANDS.values() for name in command.options}
    assert set(CHOICES) <= options
