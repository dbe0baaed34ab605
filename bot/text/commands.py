"""Names and descriptions of the slash commands and their options.

They stand in data/commands.toml, those for a game's moves in data/<game>/commands.toml. Keys are
paths as the cogs know them: ``game new``. Names are Discord's (lower case, hyphens, at most 32
characters) and messages of their own place in a catalogue (see `bot.text.words.NameContext`);
descriptions are messages, at most 100 characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.game.content import read
from bot.game.contract import Game
from bot.resources import data
from bot.text.game_data import CommandData, CommandsData, MoveCommandsData, OptionData
from bot.text.personal_settings import PALETTES
from bot.text.words import Message, msg


class OptionText(NamedTuple):
    """An option of a command; a `listed` one has autocomplete.

    An `optional` parameter of a move can be left out: it is asked for if there is a choice.
    """

    name: str
    description: Message
    listed: bool = True
    optional: bool = False


class CommandText(NamedTuple):
    """A command; `options` by the name of the parameter they fill, `group` where it is in one."""

    name: str
    description: Message
    options: Mapping[str, OptionText] = {}
    group: str | None = None


class GameCommands(NamedTuple):
    """The commands for a game's moves.

    All begin with `whole`; `moves` are by their kinds, in the order listed. Those whose `group`
    names one of `groups` are typed after it.
    """

    whole: CommandText
    moves: Mapping[str, CommandText]
    groups: Mapping[str, CommandText] = {}


def game_commands(game: Game[Any, Any]) -> GameCommands:
    """The commands of a game's moves, as its commands.toml says.

    Raises msgspec.ValidationError where the file is wrong, ValueError where it has an option for
    what is no parameter, KeyError where it lacks a parameter or knows a move that there is not.
    """
    file = read(data(game.name, "commands.toml"), MoveCommandsData)

    def command(kind: str, said: CommandData) -> CommandText:
        params = game.moves[kind].params
        if not said.options.keys() <= {*params}:
            raise ValueError(f"the command of {kind!r} may have options for {params} only")
        own = {param: said.options.get(param, OptionData()) for param in params}
        options = _options(own, file.options)
        return CommandText(said.name or kind, said.description, options, said.group)

    return GameCommands(
        CommandText(game.name, file.description),
        {kind: command(kind, said) for kind, said in file.moves.items()},
        {name: CommandText(name, description) for name, description in file.groups.items()},
    )


def _options(
    own: Mapping[str, OptionData], shared: Mapping[str, OptionData]
) -> Mapping[str, OptionText]:
    """Options by parameter; one of its own without a description is the shared one."""
    said = {param: each if each.description else shared[param] for param, each in own.items()}
    return {
        param: OptionText(each.name or param, each.description, each.listed, each.optional)
        for param, each in said.items()
    }


_FILE = read(data("commands.toml"), CommandsData)
_SHARED = _options(_FILE.options, _FILE.options)

COMMANDS: Mapping[str, CommandText] = {
    path: CommandText(path.split()[-1], said.description, _options(said.options, _FILE.options))
    for path, said in _FILE.commands.items()
}
"""Those that are the same for all games."""

TABLE = _SHARED["table"]
PROMISES: Mapping[str, OptionText] = {param: _SHARED[param] for param in ("promise", "ask")}
"""The options of an offering move besides its parameters."""

CHOICES: Mapping[str, Mapping[str, Message]] = {
    "form": {"picture": msg("picture"), "text": msg("text")},
    "eyes": {"all": msg("as everyone saw it"), "own": msg("as I saw it")},
    "change": {"add": msg("add"), "remove": msg("remove")},
    "wheel": {"on": msg("on"), "off": msg("off")},
    "closers": {
        "all": msg("all players together"),
        "host": msg("or the host alone"),
        "moderators": msg("or a moderator alone"),
    },
    "back": {"step": msg("my last action"), "round": msg("back to the start of the round")},
    "palette": PALETTES,
}
"""Fixed values of options and their names."""
