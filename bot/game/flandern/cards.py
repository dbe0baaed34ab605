"""Cards: the round with its golden card, and the two-player turn (rules: cards, order, golden,
two_players)."""

from __future__ import annotations

from operator import mul
from random import Random

from bot.game.choices import OneOf
from bot.game.contract import Event, Observer, Refusal, Seat
from bot.game.events import SeatEvent, SeatsEvent
from bot.game.flandern.building import can_use_card
from bot.game.flandern.city import NONE
from bot.game.flandern.data import (
    ACTION_CARDS,
    CARD_OF_KEY,
    CARDS,
    CITIES,
    CITY_OF_NAME,
    DECK_CARDS,
    EMBLEM_KEYS,
    GOLDEN,
    INFLUENCE,
    INFLUENCE_COUNTS,
    LEADER,
    SITE,
    TAKE,
)
from bot.game.flandern.state import (
    CardAction,
    CardChoice,
    CathedralAction,
    CityAction,
    FlandernState,
    LeaderAction,
    SiteAction,
    TwoActions,
    must_draw_golden,
    why_closed,
)
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.hidden import UNSEEN
from bot.game.sides import clockwise

DECKS = ("a", "b")
"""Deck A is used up before deck B."""


class RoundBegun(Event, frozen=True):
    """A round began; `first` is the first player."""

    first: int
    round: int

    @property
    def named(self) -> tuple[Seat, ...]:
        """The first player."""
        return (self.first,)


class CardEvent(SeatEvent, frozen=True):
    """The base class of events about a seat and a card."""

    card: str


class GoldenDrawn(CardEvent, frozen=True):
    """The golden card of the round, visible to the first player only."""


class GoldenFaceDown(SeatEvent, frozen=True):
    """The public version of `GoldenDrawn`: only the deck."""

    deck: str


class GoldenSetAside(CardEvent, frozen=True):
    """A golden card of a scored city was set aside; another is drawn."""


class NoGolden(SeatEvent, frozen=True):
    """The golden decks are empty, so the first player has no golden card."""


class CardChosen(CardEvent, frozen=True):
    """A seat played a card face down; visible to that seat only."""

    influence: int


class CardRevealed(CardEvent, frozen=True):
    """A seat's card was revealed. Its influence cards leave the game (ruling 9)."""

    influence: int


class SeatsOrdered(SeatsEvent, frozen=True):
    """The turn order of the round."""


class GoldenRevealed(CardEvent, frozen=True):
    """The golden card was revealed. An influence card goes to the first player's hand."""


class CardsTakenBack(SeatEvent, frozen=True):
    """A seat took its action cards back into its hand."""

    cards: tuple[str, ...]


class Impossible(CardEvent, frozen=True):
    """A card had no effect but counts as played (ruling 11). `golden` is 1 for a golden card."""

    golden: int


class CardPlayed(CardEvent, frozen=True):
    """A seat played an action card from its hand."""


class CardDrawn(SeatEvent, frozen=True):
    """A seat drew a card of the deck and acts for the guild on it."""

    guild: str
    card: str


class DrawnSetAside(SeatEvent, frozen=True):
    """A drawn card of a scored city was set aside; another is drawn."""

    guild: str
    card: str


class DeckShuffled(Event, frozen=True):
    """The discards were shuffled into a new deck."""

    count: int


def is_scored(state: FlandernState, card: int) -> bool:
    """Return whether this is the card of a scored city."""
    city = state.cities[card] if card < len(CITIES) else None
    return city is not None and city.scored


def deal(state: FlandernState, observer: Observer, rng: Random) -> None:
    """Deal what the observer can't see: any golden card that may have come from its deck, and, for
    each seat that has chosen, any card of its hand with any number of influence cards."""
    if state.golden_card == UNSEEN:
        state.golden = a, b = dealt_golden(state)
        for card, used in enumerate(state.golden_out):
            # Deck A is used up before deck B.
            from_a = a[card] if state.golden_deck else used
            a[card] -= from_a
            b[card] -= used - from_a
        deck = state.golden[state.golden_deck]
        weights = [0 if is_scored(state, card) else count for card, count in enumerate(deck)]
        state.golden_card = rng.choices(range(len(CARDS)), weights)[0]
        deck[state.golden_card] -= 1
    for player in state.players:
        if player.card == UNSEEN:
            player.card, player.laid = rng.choice(player.hand), rng.randint(0, player.influence)


def dealt_golden(state: FlandernState) -> list[list[int]]:
    """Return both golden decks as counts by card, without the city that is missing in a
    three-player game."""
    in_play = [card >= len(CITIES) or state.cities[card] is not None for card in range(len(CARDS))]
    return [list(map(mul, deck, in_play)) for deck in GOLDEN[state.rules.golden_cities]]


# Phase 1


def begin_round(state: FlandernState, recorder: EventRecorder) -> None:
    """Begin a round with the choice of cards. The golden card isn't drawn yet, so the action that
    ended the last round can be undone until the first player looks."""
    state.round += 1
    for player in state.players:
        player.card, player.laid = NONE, 0
    state.order, state.acted, state.turn = [], 0, state.first
    state.golden_card, state.golden_deck, state.revealed = NONE, NONE, False
    recorder.record(RoundBegun(first=state.first, round=state.round))
    state.frames = [CardChoice()]


def _why_not_look(state: FlandernState, seat: Seat) -> Refusal | None:
    if seat != state.first:
        return refuse("not_first_player", other=state.first)
    return None if must_draw_golden(state) else refuse("golden_drawn")


def _look(state: FlandernState, seat: Seat, recorder: EventRecorder) -> None:
    """Draw the golden card. Cards of scored cities are set aside in public (ruling 3)."""
    for number, deck in enumerate(state.golden):
        while sum(deck):
            card = recorder.chance.draw("golden card", deck)
            deck[card] -= 1
            if not is_scored(state, card):
                state.golden_card, state.golden_deck = card, number
                recorder.record(GoldenDrawn(seat=seat, card=CARDS[card], only=(seat,)))
                recorder.record(GoldenFaceDown(seat=seat, deck=DECKS[number], but=(seat,)))
                return
            state.golden_out[card] += 1
            recorder.record(GoldenSetAside(seat=seat, card=CARDS[card]))
    recorder.record(NoGolden(seat=seat))


LOOK: Rule[FlandernState] = rule("look", "golden", _why_not_look, on_opening=True).does(_look)


# Phases 2 and 3


def _why_not_choose(state: FlandernState, seat: Seat) -> Refusal | None:
    must_look = seat == state.first and must_draw_golden(state)
    return refuse("look_first", "golden") if must_look else None


def _cards(state: FlandernState, seat: Seat) -> OneOf:
    """Return the action cards in hand. Cards without effect may be chosen too."""
    return OneOf("card", tuple([CARDS[card] for card in state.players[seat].hand]))


def why_not_card(state: FlandernState, seat: Seat, word: str) -> Refusal:
    """Return why an action card can't be played."""
    closed = why_closed(state, CITY_OF_NAME[word]) if word in CITY_OF_NAME else None
    return closed or refuse("card_lies_open", "cards", card=word)


def _influence(state: FlandernState, seat: Seat, card: str) -> OneOf:
    """From none to all influence cards in hand (ruling 5)."""
    return OneOf("influence", INFLUENCE_COUNTS[: state.players[seat].influence + 1])


def _why_not_influence(state: FlandernState, seat: Seat, card: str, word: str) -> Refusal:
    return refuse("too_little_influence")


def _choose(
    state: FlandernState, seat: Seat, recorder: EventRecorder, card: str, influence: str
) -> None:
    """Store a sealed choice. The last one reveals all."""
    player = state.players[seat]
    player.card, player.laid = CARD_OF_KEY[card], int(influence)
    if any(other.card == NONE for other in state.players):
        recorder.record(CardChosen(seat=seat, card=card, influence=player.laid, only=(seat,)))
        return
    state.decision += 1
    state.frames = []
    seats = clockwise(state.first, len(state.players))
    for other in seats:
        shown = state.players[other]
        shown.move_to_open(shown.card)
        shown.influence -= shown.laid
        recorder.record(CardRevealed(seat=other, card=CARDS[shown.card], influence=shown.laid))
    state.order = sorted(seats, key=lambda other: -state.players[other].laid)
    recorder.record(SeatsOrdered(seats=tuple(state.order)))


CHOOSE: Rule[FlandernState] = (
    rule("choose", "cards", _why_not_choose)
    .word("card", _cards, why_not_card, ACTION_CARDS)
    .word("influence", _influence, _why_not_influence, INFLUENCE_COUNTS)
    .does(_choose)
)


# Phases 4 and 5


def carry_out(
    state: FlandernState, card: int, guild: int, recorder: EventRecorder, *, golden: bool = False
) -> None:
    """Let the active seat use a card. Without a legal action the card counts as played (ruling 11).
    `guild` is the guild whose quarters the card allows, or NONE."""
    seat, player = state.turn, state.players[state.turn]
    if card == TAKE:
        # All open cards of the seat, including this one (ruling 6).
        cards = tuple([CARDS[each] for each in sorted(player.open)])
        recorder.record(CardsTakenBack(seat=seat, cards=cards))
        player.hand, player.open = sorted([*player.hand, *player.open]), []
    elif card == INFLUENCE:
        # It can be used from the next round on.
        player.influence += 1
    elif can_use_card(state, action := card_action(card, guild, golden=golden)):
        state.frames.append(action)
    else:
        recorder.record(Impossible(seat=seat, card=CARDS[card], golden=int(golden)))


def card_action(card: int, guild: int, *, golden: bool = False) -> CardAction:
    """Return the question of a card. Take and influence have none."""
    if card < len(CITIES):
        return CityAction(card, guild, golden)
    if card == SITE:
        return SiteAction(guild, golden)
    return LeaderAction() if card == LEADER else CathedralAction()


def reveal_golden(state: FlandernState, recorder: EventRecorder) -> None:
    """Reveal the golden card and let the first player use it."""
    card, seat = state.golden_card, state.first
    state.revealed, state.turn = True, seat
    state.golden_out[card] += 1
    recorder.record(GoldenRevealed(seat=seat, card=CARDS[card]))
    carry_out(state, card, NONE, recorder, golden=True)


# Two players: a card from the hand


def _play_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    return refuse("already_played") if frame_of(state, TwoActions).played else None


def _hand_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    return None if state.players[seat].hand != [TAKE] else refuse("only_take_left")


def _playable(state: FlandernState, seat: Seat) -> OneOf:
    hand = state.players[seat].hand
    return OneOf("card", tuple([CARDS[card] for card in hand if card != TAKE]))


def _play(state: FlandernState, seat: Seat, recorder: EventRecorder, card: str) -> None:
    player, number = state.players[seat], CARD_OF_KEY[card]
    frame_of(state, TwoActions).played = True
    player.move_to_open(number)
    recorder.record(CardPlayed(seat=seat, card=card))
    carry_out(state, number, player.guild, recorder)


PLAY: Rule[FlandernState] = (
    rule("play", "two_players", _play_gate, _hand_gate)
    .word("card", _playable, why_not_card, [card for card in ACTION_CARDS if card != CARDS[TAKE]])
    .does(_play)
)


def _take(state: FlandernState, seat: Seat, recorder: EventRecorder) -> None:
    frame_of(state, TwoActions).played = True
    carry_out(state, TAKE, NONE, recorder)


TAKE_BACK: Rule[FlandernState] = rule("take", "two_players", _play_gate).does(_take)


# Two players: a card from the deck


def _draw_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    return refuse("already_drawn") if frame_of(state, TwoActions).drawn else None


def _draw(state: FlandernState, seat: Seat, recorder: EventRecorder) -> None:
    """Draw a card and act for its guild, whichever of the two it is (ruling 40). A card of a scored
    city is set aside and another drawn (ruling 66)."""
    frame_of(state, TwoActions).drawn = True
    while True:
        if not any(map(sum, state.deck)):
            # Including the card drawn last (ruling 67).
            state.deck, state.discards = state.discards, state.deck
            recorder.record(DeckShuffled(count=sum(map(sum, state.deck))))
        weights = [count for guild in state.deck for count in guild]
        owner, card = divmod(recorder.chance.draw("card of the deck", weights), DECK_CARDS)
        state.deck[owner][card] -= 1
        guild = state.players[owner].controlled
        if not is_scored(state, card):
            break
        recorder.record(DrawnSetAside(seat=seat, guild=EMBLEM_KEYS[guild], card=CARDS[card]))
    state.discards[owner][card] += 1
    state.drawn = (guild, card)
    recorder.record(CardDrawn(seat=seat, guild=EMBLEM_KEYS[guild], card=CARDS[card]))
    carry_out(state, card, guild, recorder)


DRAW: Rule[FlandernState] = rule("draw", "two_players", _draw_gate).does(_draw)
