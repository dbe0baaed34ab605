"""How the tests play Kogge at random."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle, product

from bot.game.kogge import GAME
from bot.game.kogge.data import CHIT_KEYS, CITIES, GOOD_KEYS
from tests.game.random_games import RandomGames

ADVANCED = ("taxes", "offices", "conflicts", "memory")
"""The options of the advanced game, each off or on."""

BASE_SETS: tuple[Mapping[str, str], ...] = (
    {},
    {"goods": "open"},
    {"goods": "hidden"},
    {"edition": "italian"},
    {"edition": "italian", "goods": "hidden"},
    {"office_price": "either"},
    {"failed_route": "keeps_step"},
)
"""Tables of the base game that differ in what the rules ask."""


def _advanced_sets() -> Iterator[Mapping[str, str]]:
    """Every combination of advanced rules, over both editions and all `goods` in turn."""
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
    # Whoever bids all they have does little else, and a small deal is likelier to come about.
    modest=("bid", "offer", "counter"),
    stride=6,
)
