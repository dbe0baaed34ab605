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


ADVANCED_SETS = tuple(_advanced_sets())
OPTION_SETS = (*BASE_SETS, *ADVANCED_SETS)
"""Tables that differ in what the rules ask."""


SEATS = (2, 3, 4)
LIKELIHOOD: Mapping[str, float] = {
    **dict.fromkeys(("pass", "end", "raid_city", "raid_ship", "offer"), 0.3),
    **dict.fromkeys(("build", "sell_six", "buy_raid", "trade"), 4),
    **dict.fromkeys(("accept", "counter"), 4),
}
"""Of kinds that are likelier or less likely than 1, so that all that is rare happens too."""
MODEST = ("bid", "offer", "counter")
"""Kinds that take few pieces: whoever bids all they have does little else, and a small deal is
likelier to come about."""


SAMPLED = RandomGames(
    GAME,
    OPTION_SETS,
    words=(
        *map(str, range(CITIES)),
        *(*GOOD_KEYS, *CHIT_KEYS, *GAME.moves),
        *("left", "right", "secret", "first", "second", "both", "goods", "markers", "o", "s", "55"),
    ),
    likelihood=LIKELIHOOD,
    modest=MODEST,
    stride=6,
)
