"""Random states that look like a view: what its observer may take the table to be.

Which action cards somebody holds follows from those that lie open. What others have laid out face
down is any of them, with any number of influence cards; the golden card of the round any that may
have been drawn from its deck. Of the cards of two players that were set aside it is known only that
they are of scored cities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random

from bot.game.flandern.cards import DECKS, is_scored
from bot.game.flandern.city import NONE, copy_of
from bot.game.flandern.data import (
    CARD_OF_KEY,
    CARDS,
    DECK_CARDS,
    EMBLEM_OF_KEY,
    GOLDEN,
    SITE,
    TAKE,
)
from bot.game.flandern.plan import CITIES, CITY_OF_NAME
from bot.game.flandern.state import (
    CardChoice,
    CathedralAction,
    CityAction,
    ControlChoice,
    FlandernOver,
    FlandernPlayer,
    FlandernRules,
    FlandernState,
    Frame,
    GuildChoice,
    LeaderAction,
    SiteAction,
    TwoActions,
    two_players,
)
from bot.game.flandern.view import FlandernSeatView, FlandernView
from bot.game.flandern.views import golden_of, lay_out_anew

_BEFORE_CARDS = ("guild", "control", "choose")
"""What is asked before an order of the round is known."""


def imagine(view: FlandernView, rng: Random) -> FlandernState:
    """A state in which the view's observer would see that very view; `decision` is not in it."""
    for_two = len(view.seats) == 2
    state = FlandernState(
        rules=FlandernRules(view.golden_cities, view.any_bonus),
        players=[_player(view, seat) for seat in view.seats],
        cities=[None if city.plots is None else copy_of(city.plots) for city in view.cities],
        stock=[list(counts) for counts in view.stock],
        sites=view.sites,
        first=view.first,
        turn=view.turn,
        frames=_frames(view),
        cathedrals=view.cathedrals,
        leaders=view.leaders,
        golden_out=_counted(view.golden_out),
        revealed=view.revealed,
        order=[] if for_two or view.asked in _BEFORE_CARDS else list(view.order),
        acted=view.acted,
        still=-1 if view.has_built else view.still,
        bonus=[seat.bonus for seat in view.seats] if view.outcome is not None else [],
        round=view.round,
    )
    if view.drawn is not None:
        guild, card = view.drawn
        state.drawn = (EMBLEM_OF_KEY[guild], CARD_OF_KEY[card])
    for scored in view.guilds:
        state.points[EMBLEM_OF_KEY[scored.guild]] = list(scored.points)
    if view.golden_left:
        _stack_golden(state, view, rng)
    if two_players(state) and any(seat.cards for seat in view.seats):
        _stack_deck(state, view, rng)
    for player, seat in zip(state.players, view.seats, strict=True):
        if seat.chosen and seat.card is None:
            lay_out_anew(player, rng)
    return state


def _player(view: FlandernView, seat: FlandernSeatView) -> FlandernPlayer:
    shown = [CARD_OF_KEY[card] for card in seat.open]
    if seat.hand is not None:
        hand = [CARD_OF_KEY[card] for card in seat.hand]
    elif seat.cards or shown:
        # The cards of a city that has been scored are out of the game.
        cities = [n for n, city in enumerate(view.cities) if city.in_play and not city.scored]
        hand = [card for card in (*cities, SITE, TAKE) if card not in shown]
    else:
        hand = []  # They have not been dealt yet.
    return FlandernPlayer(
        guild=_emblem(seat.guild),
        controlled=_emblem(seat.controlled),
        hand=hand,
        open=shown,
        influence=seat.cards - len(hand),
        card=NONE if seat.card is None else CARD_OF_KEY[seat.card],
        laid=seat.laid or 0,
    )


def _emblem(key: str) -> int:
    return EMBLEM_OF_KEY[key] if key else NONE


def _counted(cards: Iterable[str]) -> list[int]:
    counts = Counter(cards)
    return [counts[card] for card in CARDS]


def _stack_golden(state: FlandernState, view: FlandernView, rng: Random) -> None:
    """What is left of both decks, and the card of the round. All of A comes out before B."""
    out = list(state.golden_out)
    known = None if view.golden_card is None else CARD_OF_KEY[view.golden_card]
    for printed, left in zip(GOLDEN[state.rules.golden_cities], view.golden_left, strict=True):
        deck = [
            0 if card < len(CITIES) and state.cities[card] is None else count
            for card, count in enumerate(printed)
        ]
        for card, count in enumerate(deck):
            gone = min(count, out[card]) if sum(deck) > left else 0
            deck[card] -= gone
            out[card] -= gone
        state.golden.append(deck)
    if not view.golden_deck:
        return
    state.golden_deck = DECKS.index(view.golden_deck)
    deck = state.golden[state.golden_deck]
    state.golden_card = golden_of(state, deck, rng) if known is None else known
    if not state.revealed:
        deck[state.golden_card] -= 1


def _stack_deck(state: FlandernState, view: FlandernView, rng: Random) -> None:
    """The deck of two players: what neither lies among the cards used nor was set aside."""
    used = Counter(view.discards)
    left: list[tuple[int, int]] = []
    for whose, player in enumerate(state.players):
        counts = [0] * DECK_CARDS
        for (guild, card), count in used.items():
            if EMBLEM_OF_KEY[guild] == player.controlled:
                counts[CARD_OF_KEY[card]] += count
        state.discards.append(counts)
        left += [(whose, card) for card, count in enumerate(counts) if not count]
    aside = [each for each in left if is_scored(state, each[1])]
    gone = rng.sample(aside, len(left) - view.deck)
    state.deck = [
        [int((whose, card) in left and (whose, card) not in gone) for card in range(DECK_CARDS)]
        for whose in range(len(state.players))
    ]


def _frames(view: FlandernView) -> list[Frame]:
    """What is being asked; of two players on top of the turn."""
    below: Sequence[Frame] = ()
    if len(view.seats) == 2 and view.asked in ("turn", "city", "site"):
        below = (TwoActions(view.played, view.has_drawn),)
    action = view.action
    match view.asked:
        case "guild":
            return [GuildChoice()]
        case "control":
            return [ControlChoice()]
        case "choose":
            return [CardChoice()]
        case "turn":
            return [*below]
        case "city":
            assert action is not None
            guild = _emblem(action.guild)
            return [*below, CityAction(CITY_OF_NAME[action.city], guild, action.golden)]
        case "site":
            assert action is not None
            return [*below, SiteAction(_emblem(action.guild), action.golden)]
        case "cathedral":
            return [CathedralAction()]
        case "leader":
            return [LeaderAction()]
        case "over":
            assert view.outcome is not None
            return [FlandernOver(view.outcome.ending)]
    raise ValueError(f"{view.asked!r} is no question of Flandern 1302")
