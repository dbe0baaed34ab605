"""The title Kogge."""

from __future__ import annotations

from bot.game.kogge import GAME
from bot.game.kogge.deals import OfficeAccepted, OfficeAcceptedSecretly
from bot.game.kogge.raid import (
    CargoSplit,
    ConflictBids,
    ConflictTied,
    ConflictWon,
    Demanded,
    Looted,
    Pushed,
    PushFailed,
)
from bot.game.kogge.rounds import ExtraMarker, NoBid, TaxPaid, TaxPaidSecretly
from bot.game.kogge.routes import Rerouted, RouteFailed, Sailed, Saw
from bot.game.kogge.setup import Crowded, Founded
from bot.policy.kogge.judgement import JUDGEMENT, bid_at_most, pass_conflicts
from bot.policy.orders import ON, Order
from bot.render.kogge import PICTURES
from bot.text.commands import game_commands
from bot.text.kogge.words import KoggeWords
from bot.titles.title import Title, in_order

VERSIONS = (
    Title(
        game=GAME,
        text=KoggeWords,
        commands=game_commands(GAME),
        pictures=PICTURES,
        judgement=JUDGEMENT,
        own_orders={
            "bid": Order(("1", "2", "3"), bid_at_most),
            "pass": Order(ON, pass_conflicts),
        },
        upcoming=in_order("bid", "advance", "move", "act"),
        revealing=(
            *(Founded, Crowded, NoBid, ExtraMarker, Saw, Rerouted, Sailed, RouteFailed),
            *(CargoSplit, Looted, Pushed, PushFailed),
            *(ConflictBids, ConflictWon, ConflictTied, Demanded),
            *(TaxPaid, TaxPaidSecretly, OfficeAccepted, OfficeAcceptedSecretly),
        ),
        open_hands=("goods", "open"),
    ),
)
"""All versions of the rules that tables may still use."""
