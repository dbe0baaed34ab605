"""Names and descriptions of the slash commands and their options.

Those for a game's moves stand in data/<game>/commands.toml. Keys are paths as the cogs know them:
``game new``. Names are Discord's (lower case, hyphens, at most 32 characters) and messages of their
own place in a catalogue (see `bot.text.words.NameContext`); descriptions are messages, at most 100
characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.game.contract import Game
from bot.text.game_data import CommandData, commands_data
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
    what is no parameter, KeyError where it lacks a parameter
    or knows a move that there is not.
    """
    file = commands_data(game.name)

    def option(param: str, of: CommandData) -> OptionText:
        said = of.options.get(param) or file.options[param]
        return OptionText(said.name or param, said.description, optional=said.optional)

    def command(key: str, said: CommandData) -> CommandText:
        params = game.moves[key].params
        if not said.options.keys() <= {*params}:
            raise ValueError(f"the command of {key!r} may have options for {params} only")
        options = {param: option(param, said) for param in params}
        return CommandText(said.name or key, said.description, options, said.group)

    return GameCommands(
        CommandText(game.name, file.description),
        {kind: command(kind, said) for kind, said in file.moves.items()},
        {name: CommandText(name, description) for name, description in file.groups.items()},
    )


TABLE = OptionText("table", msg("Which table, if you sit at several"), listed=False)

_TABLE = {"table": TABLE}
_ZONE = OptionText("zone", msg("Your time zone: type a city, such as Rome or Chicago"))

COMMANDS: Mapping[str, CommandText] = {
    "game": CommandText("game", msg("Tables: open, join, look, leave")),
    "game new": CommandText(
        "new",
        msg("Open a table in this channel"),
        {
            "game": OptionText("game", msg("Which game to play")),
            "computers": OptionText("computers", msg("How many computer players to add")),
            "policy": OptionText("level", msg("How the computer players play")),
        },
    ),
    "game join": CommandText("join", msg("Sit down at a table that is waiting"), _TABLE),
    "game leave": CommandText("leave", msg("Get up from a table that has not begun"), _TABLE),
    "game start": CommandText("start", msg("Begin the game"), _TABLE),
    "game option": CommandText(
        "option",
        msg("Change an option of a table that has not begun"),
        {
            "option": OptionText("option", msg("Which option")),
            "value": OptionText("value", msg("Its new value")),
            **_TABLE,
        },
    ),
    "game computer": CommandText(
        "computer",
        msg("Add a computer player, or remove one"),
        {
            "change": OptionText("change", msg("Add or remove")),
            "policy": OptionText("level", msg("How it plays")),
            **_TABLE,
        },
    ),
    "game status": CommandText("status", msg("Who is awaited, and since when"), _TABLE),
    "game hand": CommandText("hand", msg("What is yours; only you see the answer"), _TABLE),
    "game board": CommandText(
        "board",
        msg("The table, or what one player has there; as a picture or as text"),
        {
            "form": OptionText("form", msg("Picture or text")),
            "seat": OptionText("seat", msg("Whose part of the table, if not all of it")),
            **_TABLE,
        },
    ),
    "game undo": CommandText(
        "undo",
        msg("Take your last step back, or ask everybody to go back further"),
        {"back": OptionText("back", msg("How far")), **_TABLE},
    ),
    "game log": CommandText(
        "log",
        msg("What has happened, as far as you heard of it, page by page"),
        _TABLE,
    ),
    "game replay": CommandText(
        "replay",
        msg("Step through the game, backwards and forwards"),
        {"eyes": OptionText("eyes", msg("As everybody saw it, or as you did")), **_TABLE},
    ),
    "game promises": CommandText(
        "promises", msg("What has been promised along with deals, and what was kept"), _TABLE
    ),
    "game export": CommandText(
        "export",
        msg("The game as a file: all of it once it is over, what you may know before"),
        _TABLE,
    ),
    "game report": CommandText(
        "report", msg("A file for whoever looks after the bot, without anybody's secrets"), _TABLE
    ),
    "table": CommandText("table", msg("Tables: play again, notes, options, a game from a file")),
    "table rematch": CommandText(
        "rematch", msg("Open another table with the same game, options and people"), _TABLE
    ),
    "table note": CommandText(
        "note",
        msg("Note something about a game; only you can read it"),
        {
            "text": OptionText(
                "text", msg("A line to add; without it, all your notes to change"), listed=False
            ),
            **_TABLE,
        },
    ),
    "table options": CommandText(
        "options", msg("What a table plays by: its options, its clock, its rules"), _TABLE
    ),
    "table import": CommandText(
        "import",
        msg("A table with the game of a file: one that is over, or one that goes on"),
        {"file": OptionText("file", msg("What /game export gave"), listed=False)},
    ),
    "server": CommandText("server", msg("For the owners of a server: what holds for its tables")),
    "server show": CommandText("show", msg("What is set for the tables of this server")),
    "server set": CommandText(
        "set",
        msg("Set how many tables there may be, the usual game, who may end a game"),
        {
            "tables": OptionText(
                "tables", msg("Open tables at once; 0 for the usual number"), listed=False
            ),
            "own": OptionText(
                "per-person", msg("Open tables of one person; 0 for the usual number"), listed=False
            ),
            "game": OptionText("game", msg("What is played where nobody says what")),
            "closers": OptionText("end", msg("Who may end a game unfinished"), listed=False),
            "palette": OptionText(
                "palette", msg("The colours of the pictures that everybody sees"), listed=False
            ),
            "language": OptionText("language", msg("The language of what everybody reads")),
        },
    ),
    "server channel": CommandText(
        "channel",
        msg("Allow a channel for tables, or no longer; none allowed means all are"),
        {
            "channel": OptionText("channel", msg("Which channel"), listed=False),
            "change": OptionText("change", msg("Add or remove"), listed=False),
        },
    ),
    "server option": CommandText(
        "option",
        msg("Set what new tables of a game are opened with"),
        {
            "option": OptionText("option", msg("Which option")),
            "value": OptionText("value", msg("Its new value")),
            "game": OptionText("game", msg("Which game to play")),
        },
    ),
    "game turn": CommandText("turn", msg("Be led through your turn by buttons"), _TABLE),
    "game resign": CommandText("resign", msg("Give up; a computer player takes your seat"), _TABLE),
    "game abandon": CommandText("abandon", msg("Agree to end the game unfinished"), _TABLE),
    "game pause": CommandText("pause", msg("Ask the others to pause the game"), _TABLE),
    "game resume": CommandText(
        "resume", msg("Ask the others to go on with a paused game, or wake a sleeping one"), _TABLE
    ),
    "seat": CommandText("seat", msg("Your seat when you are away, and seats that are free")),
    "seat autopilot": CommandText(
        "autopilot",
        msg("Let a computer player act for you, or for somebody who keeps all waiting"),
        {
            "wheel": OptionText("wheel", msg("On or off")),
            "player": OptionText("player", msg("Who keeps all waiting; else it is for yourself")),
            **_TABLE,
        },
    ),
    "seat claim": CommandText(
        "claim",
        msg("Take over a seat that a computer player has"),
        {"player": OptionText("player", msg("Whose seat")), **_TABLE},
    ),
    "seat replace": CommandText(
        "replace",
        msg("Ask the others to free the seat of somebody who keeps all waiting"),
        {"player": OptionText("player", msg("Whose seat")), **_TABLE},
    ),
    "seat orders": CommandText("orders", msg("What your seat answers by itself"), _TABLE),
    "game mine": CommandText(
        "mine", msg("The tables you sit at, first those that have waited for you longest")
    ),
    "game help": CommandText("help", msg("How all this works")),
    "rules": CommandText(
        "rules",
        msg("The rules of a game: an overview, a chapter, or what you search for"),
        {
            "topic": OptionText("topic", msg("A chapter, or any words to look for")),
            "game": OptionText("game", msg("Which game's rules")),
        },
    ),
    "me": CommandText("me", msg("What you set for yourself: notices, quiet hours, language")),
    "me show": CommandText("show", msg("All your settings, and buttons to change them")),
    "me set": CommandText(
        "set",
        msg("Change one of your settings or several"),
        {
            "notices": OptionText("notices", msg("Where you are told that you are awaited")),
            "reminder": OptionText("reminder", msg("When you are reminded for the first time")),
            "zone": _ZONE,
            "digest": OptionText("digest", msg("The hour of a daily list of your tables")),
            "language": OptionText("language", msg("The language of what only you read")),
            "board": OptionText("board", msg("Boards as a picture or as text")),
            "palette": OptionText("palette", msg("The colours of the board")),
            "confirm": OptionText("confirm", msg("Whether I ask before you end a turn too early")),
            "statistics": OptionText("statistics", msg("Whether your results count and are shown")),
        },
    ),
    "me quiet": CommandText(
        "quiet",
        msg("Quiet hours: nothing rings, it comes when they end"),
        {
            "start": OptionText("from", msg("From when, such as 22:00; or off"), listed=False),
            "end": OptionText("to", msg("Until when, such as 7:30"), listed=False),
            "zone": _ZONE,
        },
    ),
    "me snooze": CommandText(
        "snooze",
        msg("Nothing rings for a while; it comes afterwards"),
        {"snooze": OptionText("snooze", msg("For how long"))},
    ),
    "me away": CommandText(
        "away",
        msg("Tell your tables that you are away; your clocks stand still"),
        {
            "until": OptionText("until", msg("The last day, for example 24.12., or off")),
            "first": OptionText("from", msg("The first day; today if you leave it out")),
        },
    ),
    "me forget": CommandText("forget", msg("Delete your settings, results and ratings")),
    "stats": CommandText(
        "stats",
        msg("What you or others have done: games, wins, ratings, time for a move"),
        {
            "player": OptionText("player", msg("Whose results; your own if you leave it out")),
            "against": OptionText("against", msg("How that player has done against this one")),
            "game": OptionText("game", msg("In which game")),
        },
    ),
    "leaderboard": CommandText(
        "leaderboard",
        msg("Who is rated best in this server"),
        {"game": OptionText("game", msg("In which game"))},
    ),
}

CHOICES: Mapping[str, Mapping[str, Message]] = {
    "form": {"picture": msg("picture"), "text": msg("text")},
    "eyes": {"all": msg("as everybody saw it"), "own": msg("as I saw it")},
    "change": {"add": msg("add"), "remove": msg("remove")},
    "wheel": {"on": msg("on"), "off": msg("off")},
    "closers": {
        "all": msg("all players together"),
        "host": msg("also the host alone"),
        "moderators": msg("also a moderator alone"),
    },
    "back": {"step": msg("my last step"), "round": msg("to the beginning of the round")},
    "palette": PALETTES,
}
"""Fixed values of options and their names."""

PROMISES: Mapping[str, OptionText] = {
    "promise": OptionText(
        "promise",
        msg("What you promise besides, in your own words"),
        listed=False,
        optional=True,
    ),
    "ask": OptionText(
        "ask", msg("What you want promised in return, in words"), listed=False, optional=True
    ),
}
"""The options of an offering move besides its parameters."""
