"""Positions of Flandern 1302 described by texts, and actions by their canonical lines.

The text of a city lists its plots: ``t1 red, p1 grey-leader site, r2 church cathedral, t2
covered``. After the quarter come ``site``, ``cathedral`` and ``leader`` in any order, ``leader``
once for each leader placed on it. Quarters are built in this order, so a quarter that adds plots
comes before the quarters on them. All other quarters are in stock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.bits import mask
from bot.game.contract import Event
from bot.game.flandern import GAME
from bot.game.flandern.building import tile_of
from bot.game.flandern.city import NONE, FlandernCity, build, emblem_at, new_city, quarters
from bot.game.flandern.data import (
    CARD_OF_KEY,
    CARDS,
    CITIES,
    CITY_OF_NAME,
    CONTENT,
    DECK_CARDS,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    EMBLEMS,
    GOLDEN,
    HOME,
    PLACE_OF_NAME,
    PLOT_NAMES,
    PLOT_OF_NAME,
    SITE,
    TAKE,
    TILES,
    members,
    stock_of,
)
from bot.game.flandern.scoring import score_of
from bot.game.flandern.state import (
    CardChoice,
    FlandernPlayer,
    FlandernRules,
    FlandernState,
    TwoActions,
    must_draw_golden,
)
from tests.game.lines import Lines

LINES = Lines(GAME)
play, refused, words = LINES.play, LINES.refused, LINES.words
asked, facts = LINES.asked, LINES.facts
run, check_refused = LINES.run, LINES.check_refused

HOME_OF = {emblem: CITIES[HOME[number]] for number, emblem in enumerate(EMBLEM_KEYS)}
EMBLEM_AT_HOME = {city: emblem for emblem, city in HOME_OF.items()}

ALL_CARDS = "brugge gent ieper leuven utrecht luik site take"
FILLED = (
    "t1 red, t2 green, t3 red, t4 green, "
    "p1 yellow, p2 grey, p3 yellow, p4 grey, "
    "r1 red, r2 green, r3 red, r4 green"
)
"""A way to fill any city whose centre is neither red nor green."""


def plots(names: str) -> int:
    """Return the bit mask of a list of plots: ``t1 p2``."""
    return mask(PLOT_OF_NAME[name] for name in names.split())


def named_plots(bits: int) -> str:
    """Return the list of the plots in a bit mask."""
    return " ".join(PLOT_NAMES[plot] for plot in members(bits))


def fill(city: FlandernCity, text: str) -> FlandernCity:
    """Build the plots of a text in a city, and return the city."""
    for part in filter(None, text.split(", ")):
        name, word, *more = part.split()
        plot = PLOT_OF_NAME[name]
        if name == "c":
            assert word == EMBLEM_KEYS[city.home]
        elif word == "covered":
            city.free &= ~(1 << plot)
            city.covered |= 1 << plot
            continue
        else:
            assert city.free >> plot & 1, f"{name} is not free"
            emblem, tile, bar = tile_of(word, plot)
            build(city, emblem, tile, plot, site="site" in more, bar=bar)
        if "cathedral" in more:
            city.cathedrals |= 1 << plot
        city.placed_leaders += [plot] * more.count("leader")
        assert set(more) <= {"site", "cathedral", "leader"}, part
    return city


def city_of(home: str, text: str = "") -> FlandernCity:
    """Return a city by its name, or by the emblem of its centre."""
    emblem = EMBLEM_AT_HOME.get(home, home)
    return fill(new_city(EMBLEM_OF_KEY[emblem]), text)


def without(text: str, names: str) -> str:
    """Return the text without some plots."""
    removed = names.split()
    return ", ".join(part for part in text.split(", ") if part.split()[0] not in removed)


def quarter_counts(text: str) -> list[int]:
    """Return the counts of quarters by kind from a list such as ``t t p-leader a``."""
    assert set(text.split()) <= set(TILES)
    return [text.split().count(key) for key in TILES]


def stock(text: str = "") -> list[list[int]]:
    """Return a stock of a few quarters: ``red t t; church p d``."""
    counts = [[0] * len(TILES) for _ in EMBLEM_KEYS]
    for part in filter(None, text.split("; ")):
        emblem, _, kinds = part.partition(" ")
        counts[EMBLEM_OF_KEY[emblem]] = quarter_counts(kinds)
    return counts


def table(
    *,
    seats: int = 4,
    first: int = 0,
    turn: int | None = None,
    guilds: str = "red green blue yellow",
    cities: Mapping[str, str] | None = None,
    scored: str = "",
    opened: Sequence[str] = (),
    influence: int | Sequence[int] = 3,
    golden: str = "take",
    golden_left: str | None = None,
    deck: str | None = None,
    points: Mapping[str, int] | None = None,
    idle: int = 0,
    any_bonus: bool = False,
) -> FlandernState:
    """Return a table in the middle of a game, before the choice of cards, or in a two-player game
    at the turn of a seat, by default the first player.

    Seats play for the `guilds` in order. In a two-player game the third and fourth guild are
    controlled by the first and second player; in a three-player game the fourth guild's city is
    missing. `cities` are texts. In `scored` cities all other plots are covered. `opened` are the
    open cards by seat; all others are in hand.

    `golden` is the card of the round, "" for none. `golden_left` lists the cards left in the decks:
    "" for none, None for all others. `deck` lists the cards left in the two-player deck, ``blue
    gent, yellow site``; the others are discards. `points` are those of an earlier city, by guild.
    """
    names = guilds.split()
    players = [
        FlandernPlayer(
            guild=EMBLEM_OF_KEY[names[seat]],
            controlled=EMBLEM_OF_KEY[names[2 + seat]] if seats == 2 else NONE,
        )
        for seat in range(seats)
    ]
    missing = EMBLEM_OF_KEY[names[3]] if seats == 3 else NONE
    state = FlandernState(
        rules=FlandernRules(1, any_bonus),
        players=players,
        cities=[None] * len(CITIES),
        stock=[stock_of(emblem) for emblem in range(EMBLEMS)],
        site_pieces=CONTENT.site_pieces,
        first=first,
        turn=first if turn is None else turn,
        frames=[TwoActions() if seats == 2 else CardChoice()],
        idle=idle,
        round=3,
    )
    for emblem, home in enumerate(HOME):
        if emblem != missing:
            state.cities[home] = city = city_of(CITIES[home], (cities or {}).get(CITIES[home], ""))
            # Its quarters and pieces come from the stock.
            for quarter in quarters(city):
                if quarter.kind != NONE:
                    state.stock[quarter.emblem][quarter.kind] -= 1
            state.site_pieces -= city.sites.bit_count()
            state.cathedral_pieces -= city.cathedrals.bit_count()
            state.leader_pieces -= len(city.placed_leaders)
    if missing != NONE:
        state.stock[missing] = [0] * len(TILES)
    for city in (in_city(state, key) for key in scored.split()):
        city.covered |= city.free
        city.free, city.scored = 0, True
        state.site_pieces += city.sites.bit_count()
    _deal(state, opened, [influence] * seats if isinstance(influence, int) else influence)
    if seats == 2:
        _set_deck(state, deck)
    else:
        state.cathedral_pieces += CONTENT.cathedrals
        state.leader_pieces += CONTENT.leaders
        _set_golden(state, golden, golden_left)
    for guild, count in (points or {}).items():
        state.points[EMBLEM_OF_KEY[guild]][0] = count
    assert GAME.invariants(state) == []
    return state


def _deal(state: FlandernState, opened: Sequence[str], influence: Sequence[int]) -> None:
    cities = [n for n, city in enumerate(state.cities) if city is not None and not city.scored]
    for seat, player in enumerate(state.players):
        open_cards = opened[seat] if seat < len(opened) else ""
        player.open = [CARD_OF_KEY[key] for key in open_cards.split()]
        player.hand = [card for card in [*cities, SITE, TAKE] if card not in player.open]
        player.influence = influence[seat] if len(state.players) > 2 else 0


def _set_deck(state: FlandernState, deck: str | None) -> None:
    """Set the two-player deck and the discards."""
    scored = [n for n, city in enumerate(state.cities) if city is not None and city.scored]
    state.deck = [[1] * DECK_CARDS for _ in state.players]
    state.discards = [[0] * DECK_CARDS for _ in state.players]
    if deck is None:
        return
    listed = [tuple(each.split()) for each in deck.split(", ") if each]
    for player, left, used in zip(state.players, state.deck, state.discards, strict=True):
        for card in range(DECK_CARDS):
            left[card] = int((EMBLEM_KEYS[player.controlled], CARDS[card]) in listed)
            used[card] = int(not left[card] and card not in scored)
    assert sum(map(sum, state.deck)) == len(listed)


def _set_golden(state: FlandernState, golden: str, left: str | None) -> None:
    decks = [[*deck] for deck in GOLDEN[state.rules.golden_cities]]
    for number, city in enumerate(state.cities):
        for deck in decks:
            deck[number] *= city is not None
    if golden:
        card = CARD_OF_KEY[golden]
        state.golden_card = card
        state.golden_deck = next(n for n, deck in enumerate(decks) if deck[card])
        decks[state.golden_deck][card] -= 1
    state.golden = [[0] * len(CARDS) for _ in decks]
    if left is None:
        state.golden, decks = decks, state.golden
    for key in (left or "").split():
        number = next(n for n, deck in enumerate(decks) if deck[CARD_OF_KEY[key]])
        decks[number][CARD_OF_KEY[key]] -= 1
        state.golden[number][CARD_OF_KEY[key]] += 1
    state.golden_out = [sum(counts) for counts in zip(*decks, strict=True)]


def choose_cards(
    state: FlandernState, *chosen: str, drawn: Sequence[int] | None = None
) -> list[Event]:
    """Choose the card of each seat: ``gent 1``, or ``gent`` without influence cards. If the round
    ends, draw the golden card of the next one; `drawn` has the draws. Return the last events."""
    events: list[Event] = []
    look_at_golden(state)
    for seat, choice in enumerate(chosen):
        card, *influence = choice.split()
        events = play(state, seat, f"choose {card} {influence[0] if influence else 0}", drawn=())
    return events + look_at_golden(state, drawn)


def look_at_golden(state: FlandernState, drawn: Sequence[int] | None = None) -> list[Event]:
    """Draw the golden card, if the first player still has to."""
    return play(state, state.first, "look", drawn=drawn) if must_draw_golden(state) else []


def play_alone(state: FlandernState, card: str, seat: int = 0) -> list[Event]:
    """Let one seat play a card, while all others take theirs back."""
    return choose_cards(
        state, *(card if seat == each else "take" for each in range(len(state.players)))
    )


def reveal_golden(state: FlandernState, drawn: Sequence[int] | None = None) -> list[Event]:
    """Let all players take their cards back, so that the golden card is revealed."""
    return choose_cards(state, *["take"] * len(state.players), drawn=drawn)


def draw(state: FlandernState, *cards: str) -> list[Event]:
    """Draw cards of the two-player deck, ``blue gent``; only the last one takes effect."""
    numbers = []
    for each in cards:
        guild, card = each.split()
        owner = [player.controlled for player in state.players].index(EMBLEM_OF_KEY[guild])
        numbers.append(owner * DECK_CARDS + CARD_OF_KEY[card])
    return play(state, state.turn, "draw", drawn=numbers)


def in_city(state: FlandernState, key: str) -> FlandernCity:
    """Return a city of the table that is in play."""
    city = state.cities[CITY_OF_NAME[key]]
    assert city is not None
    return city


def content_at(state: FlandernState, place: str) -> str:
    """Return the emblem at a place, ``free``, ``covered``, or ``none`` if there is no plot."""
    number, plot = PLACE_OF_NAME[place]
    city = in_city(state, CITIES[number])
    if (emblem := emblem_at(city, plot)) != NONE:
        return EMBLEM_KEYS[emblem]
    if city.free >> plot & 1:
        return "free"
    return "covered" if city.covered >> plot & 1 else "none"


def is_site(state: FlandernState, place: str) -> bool:
    """Return whether there is a site at a place."""
    number, plot = PLACE_OF_NAME[place]
    return bool(in_city(state, CITIES[number]).sites >> plot & 1)


def hand(state: FlandernState, seat: int) -> str:
    """Return the action cards in a hand, in order."""
    return " ".join(CARDS[card] for card in state.players[seat].hand)


def open_cards(state: FlandernState, seat: int) -> str:
    """Return the open action cards of a seat."""
    return " ".join(CARDS[card] for card in sorted(state.players[seat].open))


def influence_cards(state: FlandernState) -> list[int]:
    return [player.influence for player in state.players]


def scores(state: FlandernState) -> list[int]:
    return [score_of(state, seat) for seat in range(len(state.players))]


def points_of(state: FlandernState, guild: str, city: str) -> int:
    return state.points[EMBLEM_OF_KEY[guild]][CITY_OF_NAME[city]]
