"""Names and descriptions of the slash commands and their options.

They stand in data/commands.toml, those for a game's moves in data/<game>/commands.toml. Keys are
paths as the cogs know them: ``game new``. Names are Discord's (lower case, hyphens, at most 32
characters) and messages of their own place in a catalogue (see `bot.text.words.NameContext`);
descriptions are messages, at most 100 characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.content import read
from bot.game.game import AnyGame
from bot.resources import data
from bot.text.personal_settings import PALETTES
from bot.text.words import Message, msg


class OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option of a command; it is called as its parameter, unless there is a `name`.

    One without a description is the option that the file has for all commands. A `listed` one has
    autocomplete. An `optional` parameter of a move can be left out: it is asked for if there is a
    choice.
    """

    description: Message = Message("")
    name: str = ""
    listed: bool = True
    optional: bool = False


class CommandText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command; `options` by the name of the parameter they fill, `group` where it is in one.

    One for a move is called as its kind, unless there is a `name`.
    """

    description: Message
    name: str = ""
    options: dict[str, OptionText] = {}
    group: str | None = None


class CommandsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a commands.toml says: the options that several commands have, and commands by path.

    That of a game has what is said of its command as a whole, its groups, and its moves in the
    order listed.
    """

    options: dict[str, OptionText]
    commands: dict[str, CommandText] = {}
    description: Message = Message("")
    groups: dict[str, Message] = {}
    moves: dict[str, CommandText] = {}

    def option(self, param: str, own: OptionText | None = None) -> OptionText:
        """The option that fills a parameter, its own or the shared one, with its name."""
        said = own if own is not None and own.description else self.options[param]
        return replace(said, name=said.name or param)

    def command(self, name: str, said: CommandText, params: Iterable[str]) -> CommandText:
        """A command with its name, and with the options for these parameters."""
        options = {param: self.option(param, said.options.get(param)) for param in params}
        return replace(said, name=said.name or name, options=options)


class GameCommands(NamedTuple):
    """The commands for a game's moves.

    All begin with `whole`; `moves` are by their kinds, in the order listed. Those whose `group`
    names one of `groups` are typed after it.
    """

    whole: CommandText
    moves: Mapping[str, CommandText]
    groups: Mapping[str, CommandText] = {}


def game_commands(game: AnyGame) -> GameCommands:
    """The commands of a game's moves, as its commands.toml says.

    Raises msgspec.ValidationError where the file is wrong, ValueError where it has an option for
    what is no parameter, KeyError where it lacks a parameter or knows a move that there is not.
    """
    file = read(data(game.name, "commands.toml"), CommandsFile)
    params = {kind: game.moves[kind].params for kind in file.moves}
    for kind, said in file.moves.items():
        if not said.options.keys() <= {*params[kind]}:
            raise ValueError(f"the command of {kind!r} may have options for {params[kind]} only")
    return GameCommands(
        CommandText(file.description, game.name),
        {kind: file.command(kind, said, params[kind]) for kind, said in file.moves.items()},
        {name: CommandText(description, name) for name, description in file.groups.items()},
    )


_FILE = read(data("commands.toml"), CommandsFile)

COMMANDS: Mapping[str, CommandText] = {
    path: _FILE.command(path.split()[-1], said, said.options)
    for path, said in _FILE.commands.items()
}
"""Those that are the same for all games."""

TABLE = _FILE.option("table")
PROMISES: Mapping[str, OptionText] = {param: _FILE.option(param) for param in ("promise", "ask")}
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
