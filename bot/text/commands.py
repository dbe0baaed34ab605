"""Names and descriptions of the slash commands and their options.

Keys are paths as the cogs know them: ``game new``; for a move of a game its kind, ``kogge bid``.
Names are Discord's (lower case, hyphens, at most 32 characters) and messages of their own place in
a catalogue (see `bot.text.words.Place`); descriptions are messages, at most 100 characters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.text.people import PALETTES
from bot.text.words import Message, msg


class OptionText(NamedTuple):
    """An option of a command; what is `listed` is offered for choice while it is typed."""

    name: str
    description: Message
    listed: bool = True


class CommandText(NamedTuple):
    """A command; `options` by the name of the parameter they fill, `group` where it is in one."""

    name: str
    description: Message
    options: Mapping[str, OptionText] = {}
    group: str | None = None


TABLE = OptionText("table", msg("Which table, if you sit at several"), listed=False)

_TABLE = {"table": TABLE}
_ZONE = OptionText("zone", msg("Your time zone: type a city, such as Rome or Chicago"))

GENERAL: Mapping[str, CommandText] = {
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
"""Fixed values of options and what they are called."""

_MARKERS = OptionText("markers", msg("Numbers of your markers, for example 5 3"))
_MARKER = OptionText("marker", msg("The number of a marker, or its city"))
_GOOD = OptionText("good", msg("Ore, fur, amber or salt"))
_ROUTE = OptionText("route", msg("Which way: a city, or left, right, secret"))
_GIVE = OptionText("give", msg("What you give, for example 2 ore, fur; markers as m5"))
_TAKE = OptionText("take", msg("What you get, for example amber; markers as m5"))
_PLAYER = OptionText("player", msg("Whose ship"))
_OFFER = OptionText("offer", msg("Which offer"))
PROMISES: Mapping[str, OptionText] = {
    "promise": OptionText(
        "promise", msg("What you promise besides, in your own words"), listed=False
    ),
    "ask": OptionText("ask", msg("What you want promised in return, in words"), listed=False),
}
"""The options of a move that offers something, besides its parameters."""

KOGGE: Mapping[str, CommandText] = {
    "kogge": CommandText("kogge", msg("Your moves in a game of Kogge")),
    # Discord takes 25 commands and groups in a group; these two keep room for more.
    "kogge guild": CommandText("guild", msg("Deal with the guild master, once a turn")),
    "kogge deal": CommandText("deal", msg("Deal with players whose ship lies with yours")),
    "kogge found": CommandText(
        "found", msg("Choose the city of your first office, in secret"), {"marker": _MARKER}
    ),
    "kogge bid": CommandText(
        "bid", msg("Bid markers, for the order of play or in a conflict"), {"markers": _MARKERS}
    ),
    "kogge advance": CommandText(
        "advance",
        msg("Move the guild master one or two cities on"),
        {"steps": OptionText("steps", msg("1 or 2 cities"))},
    ),
    "kogge tax": CommandText(
        "tax",
        msg("Pay the guild master's tax, in secret"),
        {"pieces": OptionText("good", msg("The good you pay: ore, fur, amber or salt"))},
    ),
    "kogge sail": CommandText(
        "sail",
        msg("Sail on by a route; the first one of a turn is free"),
        {
            "route": _ROUTE,
            "fee": OptionText("fee", msg("What you pay: goods, or markers as m5")),
        },
    ),
    "kogge load": CommandText(
        "load",
        msg("Load goods from your office in this city"),
        {"pieces": OptionText("goods", msg("For example 2 ore, fur"))},
    ),
    "kogge peek": CommandText(
        "peek",
        msg("Pay for a look at the hidden routes of your city, before you sail"),
        {"fee": OptionText("fee", msg("What you pay: one good, or a marker as m5"))},
    ),
    "kogge stop": CommandText("stop", msg("End your movement; your actions follow")),
    "kogge build": CommandText(
        "build",
        msg("Build an office in this city"),
        {"price": OptionText("price", msg("What to pay with, where the table lets you choose"))},
    ),
    "kogge buy_raid": CommandText(
        "raid",
        msg("Give the guild master three equal markers for a second Raid"),
        {"marker": _MARKER},
        group="kogge guild",
    ),
    "kogge sell_six": CommandText(
        "chit",
        msg("Sell the guild master six goods of a kind for a bonus chit"),
        {"good": _GOOD, "chit": OptionText("chit", msg("Which bonus chit you want"))},
        group="kogge guild",
    ),
    "kogge swap_good": CommandText(
        "marker",
        msg("Give the guild master a good for a marker of its colour"),
        {"good": _GOOD, "marker": _MARKER},
        group="kogge guild",
    ),
    "kogge swap_marker": CommandText(
        "good",
        msg("Give the guild master a marker for a good of its colour"),
        {"marker": _MARKER},
        group="kogge guild",
    ),
    "kogge buy": CommandText(
        "buy",
        msg("Buy a pair of markers for one good"),
        {
            "pair": OptionText("pair", msg("Which pair: 1 to 4, or its markers")),
            "good": OptionText("good", msg("The good you pay")),
        },
    ),
    "kogge trade": CommandText(
        "trade",
        msg("Trade goods with the city, two for each you give"),
        {
            "give": OptionText("give", msg("Goods you give, for example fur")),
            "take": OptionText("take", msg("Goods you take, for example 2 ore")),
        },
    ),
    "kogge reroute": CommandText(
        "reroute",
        msg("Swap a route marker of this city for one of yours"),
        {"route": _ROUTE, "marker": _MARKER},
    ),
    "kogge raid_ship": CommandText(
        "raid-ship", msg("Raid a ship in this city; ends your turn"), {"seat": _PLAYER}
    ),
    "kogge raid_city": CommandText(
        "raid-city", msg("Raid this city and all its offices; ends your turn")
    ),
    "kogge end": CommandText("end", msg("End your turn")),
    "kogge split": CommandText(
        "split",
        msg("Divide your raided cargo in two halves"),
        {"group": OptionText("group", msg("One of the halves, for example 2 ore, fur"))},
    ),
    "kogge choose": CommandText(
        "choose",
        msg("Take one half of the cargo you raided"),
        {"group": OptionText("group", msg("First or second half"))},
    ),
    "kogge push": CommandText(
        "push", msg("Send the ship of a robber or loser away"), {"route": _ROUTE}
    ),
    "kogge challenge": CommandText(
        "challenge", msg("Start a conflict with a ship in your city"), {"seat": _PLAYER}
    ),
    "kogge demand": CommandText(
        "demand",
        msg("Demand up to three goods of the loser of a conflict"),
        {"goods": OptionText("goods", msg("Three goods, for example 2 amber, ore"))},
    ),
    "kogge pass": CommandText(
        "pass", msg("Leave it at that: no conflict, no push, no exchange of a route")
    ),
    "kogge offer": CommandText(
        "offer",
        msg("Offer a deal to a player whose ship lies with yours"),
        {
            "seat": OptionText("player", msg("To whom")),
            "give": _GIVE,
            "take": _TAKE,
            **PROMISES,
        },
        group="kogge deal",
    ),
    "kogge counter": CommandText(
        "counter",
        msg("Answer an offer with another one"),
        {"offer": _OFFER, "give": _GIVE, "take": _TAKE, **PROMISES},
        group="kogge deal",
    ),
    "kogge accept": CommandText(
        "accept", msg("Accept an offer made to you"), {"offer": _OFFER}, group="kogge deal"
    ),
    "kogge decline": CommandText(
        "decline", msg("Decline an offer made to you"), {"offer": _OFFER}, group="kogge deal"
    ),
    "kogge withdraw": CommandText(
        "withdraw", msg("Take your offer back"), {"offer": _OFFER}, group="kogge deal"
    ),
}

_DIE = OptionText("die", msg("The number a die of yours shows"))
_DEPOT = OptionText("depot", msg("Which depot: 1 to 6"))
_TILE = OptionText("tile", msg("Which tile, for example market, 3 cows, knowledge 12"))
_DISCARD = OptionText("discard", msg("The tile that leaves your storage, if that is full"))

BURGUNDY: Mapping[str, CommandText] = {
    "burgundy": CommandText("burgundy", msg("Your moves in a game of The Castles of Burgundy")),
    "burgundy board": CommandText(
        "board",
        msg("Choose your estate before the game"),
        {"board": OptionText("board", msg("Its number, 1 to 9"))},
    ),
    "burgundy castle": CommandText(
        "castle",
        msg("Choose the space of your first castle, in secret"),
        {"space": OptionText("space", msg("A castle space of your board, for example d4"))},
    ),
    "burgundy take": CommandText(
        "take",
        msg("Take a tile from a depot into your storage"),
        {"die": _DIE, "depot": _DEPOT, "tile": _TILE, "discard": _DISCARD},
    ),
    "burgundy place": CommandText(
        "place",
        msg("Place a stored tile in your estate"),
        {
            "die": _DIE,
            "tile": _TILE,
            "space": OptionText("space", msg("Where: a row and a place in it, for example c3")),
        },
    ),
    "burgundy sell": CommandText(
        "sell",
        msg("Sell all your goods of one type"),
        {"die": _DIE, "good": OptionText("goods", msg("Which type: 1 to 6"))},
    ),
    "burgundy workers": CommandText("workers", msg("Give a die for workers"), {"die": _DIE}),
    "burgundy buy": CommandText(
        "buy",
        msg("Buy a tile for two silverlings, once a turn"),
        {
            "depot": OptionText("depot", msg("Which depot: black, unless you have Knowledge 6")),
            "tile": _TILE,
            "discard": _DISCARD,
        },
    ),
    "burgundy load": CommandText(
        "load",
        msg("Load the goods of a depot on the ship you placed"),
        {
            "depot": _DEPOT,
            "goods": OptionText("types", msg("Which new types, if not all fit, for example 2 5")),
        },
    ),
    "burgundy decline": CommandText(
        "decline", msg("Decline the effect of a building, or a second load")
    ),
    "burgundy end": CommandText("end", msg("End your turn, once both dice are used")),
}

COMMANDS: Mapping[str, CommandText] = {**GENERAL, **KOGGE, **BURGUNDY}
