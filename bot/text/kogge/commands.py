"""The commands of Kogge's moves: their names, and the options of each."""

from __future__ import annotations

from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.words import msg

_MARKERS = OptionText("markers", msg("Numbers of your markers, for example 5 3"))
_MARKER = OptionText("marker", msg("The number of a marker, or its city"))
_GOOD = OptionText("good", msg("Ore, fur, amber or salt"))
_ROUTE = OptionText("route", msg("Which way: a city, or left, right, secret"))
_GIVE = OptionText(
    "give", msg("What you give, for example 2 ore, fur; markers as m5"), optional=True
)
_TAKE = OptionText("take", msg("What you get, for example amber; markers as m5"), optional=True)
_PLAYER = OptionText("player", msg("Whose ship"))
_OFFER = OptionText("offer", msg("Which offer"))

COMMANDS = GameCommands(
    CommandText("kogge", msg("Your moves in a game of Kogge")),
    groups={
        "guild": CommandText("guild", msg("Deal with the guild master, once a turn")),
        "deal": CommandText("deal", msg("Deal with players whose ship lies with yours")),
    },
    moves={
        "found": CommandText(
            "found", msg("Choose the city of your first office, in secret"), {"marker": _MARKER}
        ),
        "bid": CommandText(
            "bid", msg("Bid markers, for the order of play or in a conflict"), {"markers": _MARKERS}
        ),
        "advance": CommandText(
            "advance",
            msg("Move the guild master one or two cities on"),
            {"steps": OptionText("steps", msg("1 or 2 cities"))},
        ),
        "tax": CommandText(
            "tax",
            msg("Pay the guild master's tax, in secret"),
            {
                "pieces": OptionText(
                    "good", msg("The good you pay: ore, fur, amber or salt"), optional=True
                )
            },
        ),
        "peek": CommandText(
            "peek",
            msg("Pay for a look at the hidden routes of your city, before you sail"),
            {
                "fee": OptionText(
                    "fee", msg("What you pay: one good, or a marker as m5"), optional=True
                )
            },
        ),
        "sail": CommandText(
            "sail",
            msg("Sail on by a route; the first one of a turn is free"),
            {
                "route": _ROUTE,
                "fee": OptionText(
                    "fee", msg("What you pay: goods, or markers as m5"), optional=True
                ),
            },
        ),
        "load": CommandText(
            "load",
            msg("Load goods from your office in this city"),
            {"pieces": OptionText("goods", msg("For example 2 ore, fur"))},
        ),
        "stop": CommandText("stop", msg("End your movement; your actions follow")),
        "build": CommandText(
            "build",
            msg("Build an office in this city"),
            {
                "price": OptionText(
                    "price", msg("What to pay with, where the table lets you choose"), optional=True
                )
            },
        ),
        "buy_raid": CommandText(
            "raid",
            msg("Give the guild master three equal markers for a second Raid"),
            {"marker": _MARKER},
            group="guild",
        ),
        "sell_six": CommandText(
            "chit",
            msg("Sell the guild master six goods of a kind for a bonus chit"),
            {"good": _GOOD, "chit": OptionText("chit", msg("Which bonus chit you want"))},
            group="guild",
        ),
        "swap_good": CommandText(
            "marker",
            msg("Give the guild master a good for a marker of its colour"),
            {"good": _GOOD, "marker": _MARKER},
            group="guild",
        ),
        "swap_marker": CommandText(
            "good",
            msg("Give the guild master a marker for a good of its colour"),
            {"marker": _MARKER},
            group="guild",
        ),
        "buy": CommandText(
            "buy",
            msg("Buy a pair of markers for one good"),
            {
                "pair": OptionText("pair", msg("Which pair: 1 to 4, or its markers")),
                "good": OptionText("good", msg("The good you pay")),
            },
        ),
        "trade": CommandText(
            "trade",
            msg("Trade goods with the city, two for each you give"),
            {
                "give": OptionText("give", msg("Goods you give, for example fur")),
                "take": OptionText("take", msg("Goods you take, for example 2 ore"), optional=True),
            },
        ),
        "reroute": CommandText(
            "reroute",
            msg("Swap a route marker of this city for one of yours"),
            {"route": _ROUTE, "marker": _MARKER},
        ),
        "raid_ship": CommandText(
            "raid-ship", msg("Raid a ship in this city; ends your turn"), {"seat": _PLAYER}
        ),
        "raid_city": CommandText(
            "raid-city", msg("Raid this city and all its offices; ends your turn")
        ),
        "end": CommandText("end", msg("End your turn")),
        "split": CommandText(
            "split",
            msg("Divide your raided cargo in two halves"),
            {"group": OptionText("group", msg("One of the halves, for example 2 ore, fur"))},
        ),
        "choose": CommandText(
            "choose",
            msg("Take one half of the cargo you raided"),
            {"group": OptionText("group", msg("First or second half"))},
        ),
        "push": CommandText(
            "push", msg("Send the ship of a robber or loser away"), {"route": _ROUTE}
        ),
        "challenge": CommandText(
            "challenge", msg("Start a conflict with a ship in your city"), {"seat": _PLAYER}
        ),
        "demand": CommandText(
            "demand",
            msg("Demand up to three goods of the loser of a conflict"),
            {"goods": OptionText("goods", msg("Three goods, for example 2 amber, ore"))},
        ),
        "pass": CommandText(
            "pass", msg("Leave it at that: no conflict, no push, no exchange of a route")
        ),
        "offer": CommandText(
            "offer",
            msg("Offer a deal to a player whose ship lies with yours"),
            {
                "seat": OptionText("player", msg("To whom")),
                "give": _GIVE,
                "take": _TAKE,
            },
            group="deal",
        ),
        "counter": CommandText(
            "counter",
            msg("Answer an offer with another one"),
            {"offer": _OFFER, "give": _GIVE, "take": _TAKE},
            group="deal",
        ),
        "accept": CommandText(
            "accept", msg("Accept an offer made to you"), {"offer": _OFFER}, group="deal"
        ),
        "decline": CommandText(
            "decline", msg("Decline an offer made to you"), {"offer": _OFFER}, group="deal"
        ),
        "withdraw": CommandText(
            "withdraw", msg("Take your offer back"), {"offer": _OFFER}, group="deal"
        ),
    },
)
