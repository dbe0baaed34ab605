"""The commands' names and descriptions: read from data, within Discord's limits."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.game.contract import Move
from bot.text import commands
from bot.text.commands import CHOICES, COMMANDS, CommandText, OptionText, game_commands
from bot.text.words import Message
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


RAID: Any = SimpleNamespace(name="game", moves={"raid_ship": Move("raid_ship", ("seat",), "raid")})


@pytest.fixture
def file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands of `RAID` are read from."""
    monkeypatch.setattr(commands, "data", lambda *names: folder.joinpath(*names))
    (folder / "game").mkdir()
    return folder / "game" / "commands.toml"


OF_ALL = 'description = "Moves"\n[options]\nseat = { name = "player", description = "Who" }\n'
OF_RAID = '[moves.raid_ship]\nname = "raid"\ndescription = "Raid a ship"\n'


def test_an_option_is_the_same_for_all_moves_unless_one_has_its_own(file: Path) -> None:
    file.write_text(OF_ALL + OF_RAID)
    shared = game_commands(RAID).moves["raid_ship"]
    assert (shared.name, shared.description) == ("raid", "Raid a ship")
    assert shared.options == {"seat": OptionText("player", Message("Who"))}
    file.write_text(
        OF_ALL + OF_RAID + 'options.seat = { description = "Whose", optional = true }\n'
    )
    own = game_commands(RAID).moves["raid_ship"]
    assert own.options == {"seat": OptionText("seat", Message("Whose"), optional=True)}


def test_an_option_of_what_is_no_parameter_is_refused(file: Path) -> None:
    file.write_text(OF_ALL + OF_RAID + 'options.ship = { description = "Which" }\n')
    with pytest.raises(ValueError, match="seat"):
        game_commands(RAID)


def test_a_parameter_that_nothing_is_said_of_is_refused(file: Path) -> None:
    file.write_text('description = "Moves"\n[options]\n' + OF_RAID)
    with pytest.raises(KeyError, match="seat"):
        game_commands(RAID)
