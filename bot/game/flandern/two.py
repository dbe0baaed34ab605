"""The turn of two players: a card of the hand, and one of the guilds under influence (9.5, 9.6)."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.flandern.cards import carry_out, is_scored, take_back, why_not_card
from bot.game.flandern.data import ACTION_CARDS, CARD_OF_KEY, CARDS, DECK_CARDS, EMBLEM_KEYS, TAKE
from bot.game.flandern.state import FlandernState, TwoActions
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule

TOPIC = "two_players"


class CardPlayed(SeatEvent, frozen=True):
    """A card of the hand, played for an action."""

    card: str


class CardDrawn(SeatEvent, frozen=True):
    """A card of the deck, carried out with the guild on it."""

    guild: str
    card: str


class DrawnSetAside(SeatEvent, frozen=True):
    """A card of a city that is scored; another is drawn."""

    guild: str
    card: str


class DeckShuffled(Event, frozen=True):
    """The cards used become the deck again."""

    count: int


# A card of one's own


def _own_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    return refuse("already_played") if frame_of(state, TwoActions).played else None


def _hand_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    return None if state.players[seat].hand != [TAKE] else refuse("only_take_left")


def _cards(state: FlandernState, seat: Seat) -> OneOf:
    hand = state.players[seat].hand
    return OneOf("card", tuple([CARDS[card] for card in hand if card != TAKE]))


def _play(state: FlandernState, seat: Seat, recorder: EventRecorder, card: str) -> None:
    player, number = state.players[seat], CARD_OF_KEY[card]
    frame_of(state, TwoActions).played = True
    player.lay_open(number)
    recorder.tell(CardPlayed(seat=seat, card=card))
    carry_out(state, number, player.guild, recorder)


PLAY: Rule[FlandernState] = (
    rule("play", TOPIC, _own_gate, _hand_gate)
    .word("card", _cards, why_not_card, [card for card in ACTION_CARDS if card != CARDS[TAKE]])
    .does(_play)
)


def _take(state: FlandernState, seat: Seat, recorder: EventRecorder) -> None:
    """The card that takes all others back comes back with them."""
    frame_of(state, TwoActions).played = True
    take_back(state, seat, recorder)


TAKE_BACK: Rule[FlandernState] = rule("take", TOPIC, _own_gate).does(_take)


# A card of the deck


def _draw_gate(state: FlandernState, seat: Seat) -> Refusal | None:
    return refuse("already_drawn") if frame_of(state, TwoActions).drawn else None


def _draw(state: FlandernState, seat: Seat, recorder: EventRecorder) -> None:
    """The guild on the card acts, whichever of the two it is (ruling 40); a card of a scored city
    is put aside and another drawn (ruling 66)."""
    frame_of(state, TwoActions).drawn = True
    while True:
        if not any(map(sum, state.deck)):
            _shuffle(state, recorder)
        weights = [count for guild in state.deck for count in guild]
        whose, card = divmod(recorder.chance.draw("card of the deck", weights), DECK_CARDS)
        state.deck[whose][card] -= 1
        guild = state.players[whose].controlled
        if not is_scored(state, card):
            break
        recorder.tell(DrawnSetAside(seat=seat, guild=EMBLEM_KEYS[guild], card=CARDS[card]))
    state.discards[whose][card] += 1
    state.drawn = (guild, card)
    recorder.tell(CardDrawn(seat=seat, guild=EMBLEM_KEYS[guild], card=CARDS[card]))
    carry_out(state, card, guild, recorder)


def _shuffle(state: FlandernState, recorder: EventRecorder) -> None:
    """When a card is needed and none is left; the one drawn last is among them (ruling 67)."""
    state.deck, state.discards = state.discards, state.deck
    recorder.tell(DeckShuffled(count=sum(map(sum, state.deck))))


DRAW: Rule[FlandernState] = rule("draw", TOPIC, _draw_gate).does(_draw)
