"""What must hold at a table of Flandern 1302 after every action: nothing is lost or misplaced."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.flandern.city import NONE, FlandernCity, built, quarters
from bot.game.flandern.data import (
    CARDS,
    CONTENT,
    EMBLEM_KEYS,
    GOLDEN,
    HOME,
    SITE,
    TAKE,
    TILES,
    stock_of,
)
from bot.game.flandern.plan import CENTRE, CITIES, PRINTED, made_by, supported_by, touched_by
from bot.game.flandern.state import FlandernState, cities_in_play, open_cities
from bot.game.invariants import conserved


def invariants(state: FlandernState) -> list[str]:
    """What is wrong with a state, for developers; empty for a sound one."""
    found = [*_quarters(state), *_pieces(state), *_cards(state), *_golden(state)]
    for city in cities_in_play(state):
        found += [f"{CITIES[city.number]}: {wrong}" for wrong in _plots(city)]
    return found


def _quarters(state: FlandernState) -> Iterator[str]:
    """Of each emblem in play as many as there are (section 1)."""
    on_board = [[0] * len(TILES) for _ in EMBLEM_KEYS]
    for city in cities_in_play(state):
        for quarter in quarters(city):
            if quarter.kind != NONE:
                on_board[quarter.emblem][quarter.kind] += 1
    for emblem, key in enumerate(EMBLEM_KEYS):
        there = state.cities[HOME[emblem]] is not None
        total = stock_of(emblem) if there else [0] * len(TILES)
        names = [f"{key} {tile}" for tile in TILES]
        yield from conserved([state.stock[emblem], on_board[emblem]], names, total)


def _plots(city: FlandernCity) -> Iterator[str]:
    """Every plot is free, covered or built on once, by the rules of building (6)."""
    plots = PRINTED | 1 << CENTRE
    for special, plot in enumerate(city.special):
        if plot != NONE:
            plots |= made_by(special, plot)
    parts = [city.free, city.covered, *city.emblems]
    if sum(part.bit_count() for part in parts) != plots.bit_count() or built(city) & ~plots:
        yield "plots are missing, or used twice"
    if city.scored and city.free:
        yield "scored, and plots are free"
    if city.sites & ~built(city) or city.sites & city.bar:
        yield "sites without a quarter"
    if (built(city) & ~city.bar & ~(1 << CENTRE)) & ~supported_by(built(city)):
        yield "a quarter without support"
    for emblem, own in enumerate(city.emblems):
        # The bar of D touches its own trapezoid.
        if touched_by(own & ~city.bar) & own & ~city.bar:
            yield f"{EMBLEM_KEYS[emblem]} quarters touch"
    if city.cathedrals & ~city.emblems[-1]:
        yield "a cathedral without a church"


def _pieces(state: FlandernState) -> Iterator[str]:
    """The wooden pieces; two players have site pieces alone."""
    cities = cities_in_play(state)
    on_board = [
        sum(city.sites.bit_count() for city in open_cities(state)),
        sum(city.cathedrals.bit_count() for city in cities),
        sum(len(city.placed_leaders) for city in cities),
    ]
    dealt = (CONTENT.cathedrals, CONTENT.leaders) if state.golden else (0, 0)
    left = [state.site_pieces, state.cathedral_pieces, state.leader_pieces]
    names = ["site pieces", "cathedrals", "leaders"]
    yield from conserved([left, on_board], names, [CONTENT.site_pieces, *dealt])


def _cards(state: FlandernState) -> Iterator[str]:
    """Everybody has the cards of all cities that are not scored, the site and the take."""
    if not state.round:
        return
    cities = [city.number for city in open_cities(state)]
    for seat, player in enumerate(state.players):
        if sorted([*player.hand, *player.open]) != [*cities, SITE, TAKE]:
            yield f"seat {seat} has the cards {player.hand} and {player.open}"
        if player.influence < 0:
            yield f"seat {seat} has {player.influence} influence cards"
        if player.card != NONE and player.laid < 0:
            yield f"seat {seat} lays {player.laid} influence cards"
    for whose, (deck, used) in enumerate(zip(state.deck, state.discards, strict=True)):
        held = [a + b for a, b in zip(deck, used, strict=True)]
        # Those of scored cities leave the deck when they are drawn.
        if max(held) > 1 or any(held[card] != 1 for card in (*cities, SITE)):
            yield f"the deck holds {held} of guild {whose}"


def _golden(state: FlandernState) -> Iterator[str]:
    if not state.golden:
        return
    own = [int(card == state.golden_card and not state.revealed) for card in range(len(CARDS))]
    total = [sum(counts) for counts in zip(*GOLDEN[state.rules.golden_cities], strict=True)]
    for number, city in enumerate(state.cities):
        if city is None:
            total[number] = 0
    names = [f"golden {card}" for card in CARDS]
    yield from conserved([*state.golden, state.golden_out, own], names, total)
