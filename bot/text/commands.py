"""Names and descriptions of the slash commands and their options.

They are in data/commands.toml; those for a game's moves are in data/<game>/commands.toml. Keys are
command paths such as ``game new``. Names follow Discord's rules (lower case, hyphens, at most 32
characters) and have a context in the catalogues (`bot.text.words.NameContext`). Descriptions are
messages of at most 100 characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from bot.game.content import read
from bot.game.game import AnyGame
from bot.resources import data
from bot.text import cups
from bot.text.personal_settings import PALETTES
from bot.text.terms import PACES, WATCH_PACES
from bot.text.words import Message, msg


class OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option of a command. Its name is its parameter's unless `name` is set.

    Without a description it is the file's shared option. A `listed` option has autocomplete. An
    `optional` parameter of a move can be left out: the bot asks for it if there is a choice.
    """

    description: Message = Message("")
    name: str = ""
    listed: bool = True
    optional: bool = False


class CommandText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command, with its `options` by parameter and its `group`, if any.

    The command of a move is named after its kind unless `name` is set.
    """

    description: Message
    name: str = ""
    options: dict[str, OptionText] = {}
    group: str | None = None


class CommandsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A commands.toml: the shared options, and the commands by path.

    That of a game has the description of its command, the groups, and the moves in order.
    """

    options: dict[str, OptionText]
    commands: dict[str, CommandText] = {}
    description: Message = Message("")
    groups: dict[str, Message] = {}
    moves: dict[str, CommandText] = {}

    def option(self, param: str, own: OptionText | None = None) -> OptionText:
        """Return the named option for a parameter: its own, or else the shared one."""
        option = own if own is not None and own.description else self.options[param]
        return replace(option, name=option.name or param)

    def command(self, name: str, command: CommandText, params: Iterable[str]) -> CommandText:
        """Return the command with its name and the options for these parameters."""
        options = {param: self.option(param, command.options.get(param)) for param in params}
        return replace(command, name=command.name or name, options=options)


class GameCommands(NamedTuple):
    """The commands for a game's moves.

    `whole` is the top-level command. `moves` are by kind, in order, each in the one of `groups`
    that its `group` names, if any.
    """

    whole: CommandText
    moves: Mapping[str, CommandText]
    groups: Mapping[str, CommandText] = {}


def game_commands(game: AnyGame) -> GameCommands:
    """Read the commands of a game's moves from its commands.toml.

    Raise msgspec.ValidationError if the file is invalid, ValueError if an option has no parameter,
    KeyError if a parameter has no option or a move does not exist.
    """
    file = read(data(game.name, "commands.toml"), CommandsFile)
    params = {kind: game.moves[kind].params for kind in file.moves}
    for kind, command in file.moves.items():
        if not command.options.keys() <= {*params[kind]}:
            raise ValueError(f"the command of {kind!r} may have options for {params[kind]} only")
    return GameCommands(
        CommandText(file.description, game.name),
        {kind: file.command(kind, command, params[kind]) for kind, command in file.moves.items()},
        {name: CommandText(description, name) for name, description in file.groups.items()},
    )


_FILE = read(data("commands.toml"), CommandsFile)

COMMANDS: Mapping[str, CommandText] = {
    path: _FILE.command(path.split()[-1], command, command.options)
    for path, command in _FILE.commands.items()
}
"""The commands that do not depend on a game."""

TABLE = _FILE.option("table")
PROMISES: Mapping[str, OptionText] = {param: _FILE.option(param) for param in ("promise", "ask")}
"""The additional options of a move that makes an offer."""

CHOICES: Mapping[str, Mapping[str, Message]] = {
    "form": {"picture": msg("picture"), "text": msg("text")},
    "eyes": {"all": msg("as everyone saw it"), "own": msg("as I saw it")},
    "change": {"add": msg("add"), "remove": msg("remove")},
    **{option: {"on": msg("on"), "off": msg("off")} for option in ("wheel", "pings", "web")},
    "closers": {
        "all": msg("all players together"),
        "host": msg("or the host alone"),
        "moderators": msg("or a moderator alone"),
    },
    "back": {"step": msg("my last action"), "round": msg("back to the start of the round")},
    "palette": PALETTES,
    "format": cups.FORMATS,
    "pace": PACES,
    "every": WATCH_PACES,
    "speed": cups.PACES,
    "absent": cups.ABSENT,
}
"""The names of the fixed values, by option."""
