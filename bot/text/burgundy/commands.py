"""The commands of Burgundy's moves: their names, and the options of each."""

from __future__ import annotations

from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.words import msg

_DIE = OptionText("die", msg("The number a die of yours shows"), optional=True)
_DEPOT = OptionText("depot", msg("Which depot: 1 to 6"), optional=True)
_TILE = OptionText(
    "tile", msg("Which tile, for example market, 3 cows, knowledge 12"), optional=True
)
_DISCARD = OptionText(
    "discard", msg("The tile that leaves your storage, if that is full"), optional=True
)

COMMANDS = GameCommands(
    CommandText("burgundy", msg("Your moves in a game of The Castles of Burgundy")),
    moves={
        "board": CommandText(
            "board",
            msg("Choose your estate before the game"),
            {"board": OptionText("board", msg("Its number, 1 to 9"))},
        ),
        "castle": CommandText(
            "castle",
            msg("Choose the space of your first castle, in secret"),
            {"space": OptionText("space", msg("A castle space of your board, for example d4"))},
        ),
        "take": CommandText(
            "take",
            msg("Take a tile from a depot into your storage"),
            {"die": _DIE, "depot": _DEPOT, "tile": _TILE, "discard": _DISCARD},
        ),
        "place": CommandText(
            "place",
            msg("Place a stored tile in your estate"),
            {
                "die": _DIE,
                "tile": _TILE,
                "space": OptionText(
                    "space", msg("Where: a row and a place in it, for example c3"), optional=True
                ),
            },
        ),
        "sell": CommandText(
            "sell",
            msg("Sell all your goods of one type"),
            {"die": _DIE, "good": OptionText("goods", msg("Which type: 1 to 6"), optional=True)},
        ),
        "workers": CommandText("workers", msg("Give a die for workers"), {"die": _DIE}),
        "buy": CommandText(
            "buy",
            msg("Buy a tile for two silverlings, once a turn"),
            {
                "depot": OptionText(
                    "depot", msg("Which depot: black, unless you have Knowledge 6"), optional=True
                ),
                "tile": _TILE,
                "discard": _DISCARD,
            },
        ),
        "load": CommandText(
            "load",
            msg("Load the goods of a depot on the ship you placed"),
            {
                "depot": _DEPOT._replace(optional=False),
                "goods": OptionText(
                    "types", msg("Which new types, if not all fit, for example 2 5"), optional=True
                ),
            },
        ),
        "decline": CommandText(
            "decline", msg("Decline the effect of a building, or a second load")
        ),
        "end": CommandText("end", msg("End your turn, once both dice are used")),
    },
)
