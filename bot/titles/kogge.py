"""Kogge, as the program plays it."""

from __future__ import annotations

from bot.game.kogge import GAME
from bot.policy.kogge.auction import bid_at_most
from bot.policy.kogge.conflicts import pass_conflicts
from bot.policy.kogge.greedy import greedy
from bot.policy.orders import ON, Order
from bot.render import kogge
from bot.render.kogge.layout import palette
from bot.render.kogge.places import part_asked
from bot.render.palettes import Recolouring
from bot.resources import data
from bot.text.kogge.game_text import KoggeText
from bot.titles.title import Title

VERSIONS = (
    Title(
        game=GAME,
        text=KoggeText(),
        draw=kogge.draw,
        part_asked=part_asked,
        colours=Recolouring(palette(), data("kogge", "palettes.toml")),
        own_players={"greedy": greedy},
        own_orders={
            "bid": Order(("1", "2", "3"), bid_at_most),
            "pass": Order(ON, pass_conflicts),
        },
        # Sealed choices, a seat without a bid, what lay face down and is turned or taken up, a
        # cargo laid open to its robber, what comes to lie in the reserve or in an office.
        revealing=frozenset(
            {
                *("founded", "crowded", "no_bid", "saw", "rerouted", "extra_marker"),
                *("sailed", "route_failed", "pushed", "push_failed"),
                *("conflict_bids", "conflict_won", "conflict_tied", "demanded"),
                *("tax_paid", "tax_paid_secretly", "office_accepted", "office_accepted_secretly"),
                *("cargo_split", "looted"),
            }
        ),
        read_off=("goods", "open"),
    ),
)
"""Every version of the rules that a table may still need."""
