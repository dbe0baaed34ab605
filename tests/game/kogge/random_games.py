"""How to play Kogge at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle, product

from bot.game.kogge import GAME
from bot.game.kogge.data import CHIT_KEYS, CITIES, GOOD_KEYS
from tests.game.random_games import RandomGames

ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""The options for the advanced rules."""

BASE_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"goods": "open"},
    {"goods": "hidden"},
    {"edition": "italian"},
    {"edition": "italian", "goods": "hidden"},
    {"office_price": "either"},
    {"failed_route": "keeps_step"},
)
"""Tables of the base game."""


def _advanced_sets() -> Iterator[Mapping[str, str]]:
    """Yield each combination of advanced rules, with varying editions and `goods`."""
    sampled = product(("english", "italian"), ("markers", "open", "hidden"))
    for chosen, (edition, goods) in zip(
        list(product(("off", "on"), repeat=len(ADVANCED)))[1:], cycle(sampled), strict=False
    ):
        on = [name for name, value in zip(ADVANCED, chosen, strict=True) if value == "on"]
        yield {"edition": edition, "goods": goods, **dict.fromkeys(on, "on")}


SAMPLED = RandomGames(
    GAME,
    (*BASE_SETS, *_advanced_sets()),
    words=(
        *map(str, range(CITIES)),
        *(*GOOD_KEYS, *CHIT_KEYS, *GAME.moves),
        *("left", "right", "secret", "first", "second", "both", "goods", "markers", "o", "s", "55"),
    ),
    likelihood={
        **dict.fromkeys(("pass", "end", "raid_city", "raid_ship", "offer"), 0.3),
        **dict.fromkeys(("build", "sell_six", "buy_raid", "trade", "accept", "counter"), 4),
    },
    # A seat that bids all its markers can do little else, and a small offer is accepted more often.
    few_pieces=("bid", "offer", "counter"),
    stride=6,
)
