"""Buying pieces of the line that the buyer faces, each placed and paid at once (section 5)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.choices import OneOf
from bot.game.contract import Event, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    CONTENT,
    EMPTY,
    HUT,
    KINDS,
    ROAD,
    SACK,
    SHIP,
    colour_of,
    kind_of,
)
from bot.game.guatemala.placing import (
    can_place,
    cover,
    next_dock,
    place_words,
    price_of,
    why_not_place,
)
from bot.game.guatemala.production import SPACE_NAMES, SPACE_OF_NAME, line_of
from bot.game.guatemala.state import NONE, Buying, GuatemalaState, board_of

TOPIC = "buying"


class PieceBought(SeatEvent, frozen=True):
    """A piece taken from a space, placed and paid; a road has no colour, which is ""."""

    piece: str
    colour: str
    space: str
    place: str
    price: int


class RoadsFilled(Event, frozen=True):
    """Roads of the stock have filled these emptied spaces."""

    spaces: tuple[str, ...]


def buyable(state: GuatemalaState, seat: Seat) -> Iterator[str]:
    """The spaces of the line with a piece that the seat can place and pay (rulings 7 and 9)."""
    known = {EMPTY: False}
    for space in line_of(state.buyer):
        piece = state.production[space]
        can = known.get(piece)
        if can is None:
            can = kind_of(piece) != SACK and can_place(state, seat, piece)
            known[piece] = can
        if can:
            yield SPACE_NAMES[space]


def _gate(state: GuatemalaState, seat: Seat) -> Refusal | None:
    if len(frame_of(state, Buying).emptied) == CONTENT.pieces:
        return refuse("enough_pieces", count=CONTENT.pieces)
    return refuse("nothing_to_buy") if next(buyable(state, seat), None) is None else None


def _pieces(state: GuatemalaState, seat: Seat) -> OneOf:
    return OneOf("piece", tuple(buyable(state, seat)))


def _places(state: GuatemalaState, seat: Seat, word: str) -> OneOf:
    return place_words(state, seat, state.production[SPACE_OF_NAME[word]])


def _buy(state: GuatemalaState, seat: Seat, recorder: EventRecorder, word: str, place: str) -> None:
    space = SPACE_OF_NAME[word]
    piece = state.production[space]
    state.production[space] = EMPTY
    frame_of(state, Buying).emptied.append(space)
    price = _put(state, seat, piece, place)
    state.players[seat].money -= price
    colour = "" if piece == ROAD else COLOUR_KEYS[colour_of(piece)]
    recorder.tell(
        PieceBought(
            seat=seat,
            piece=KINDS[kind_of(piece)],
            colour=colour,
            space=word,
            place=place,
            price=price,
        )
    )


def _put(state: GuatemalaState, seat: Seat, piece: int, place: str) -> int:
    """Place a piece; returns its price (section 5.3)."""
    board, player, kind = board_of(state), state.players[seat], kind_of(piece)
    at = board.places[kind][place]
    if piece == ROAD:
        state.roads.append(at)
        return 0
    colour = colour_of(piece)
    if kind == SHIP:
        price = next_dock(board, state.ports, at)
        assert price is not None
        state.ports[at].append(colour)
        return price
    cover(state, at)
    if kind == HUT:
        player.huts[colour] = at
    else:
        player.workers[colour].append(at)
    return price_of(board, kind, at)


def _why_not_piece(state: GuatemalaState, seat: Seat, word: str) -> Refusal:
    space = SPACE_OF_NAME[word]
    piece = state.production[space]
    if space not in line_of(state.buyer):
        return refuse("not_in_line", space=word)
    if piece == EMPTY:
        return refuse("no_piece", space=word)
    kind, colour = kind_of(piece), colour_of(piece)
    if kind == SACK:
        return refuse("sacks_not_bought", "sacks", space=word)
    key = "" if piece == ROAD else COLOUR_KEYS[colour]
    if kind == HUT and state.players[seat].huts[colour] != NONE:
        return refuse("hut_built", "huts", colour=key)
    return refuse("cannot_place", f"{KINDS[kind]}s", piece=KINDS[kind], colour=key)


def _why_not_place(state: GuatemalaState, seat: Seat, word: str, place: str) -> Refusal | None:
    return why_not_place(state, seat, state.production[SPACE_OF_NAME[word]], place)


BUY: Rule[GuatemalaState] = (
    rule("buy", TOPIC, _gate)
    .word("piece", _pieces, _why_not_piece, SPACE_OF_NAME)
    .word("place", _places, _why_not_place)
    .does(_buy)
)


def fill_with_roads(state: GuatemalaState, recorder: EventRecorder) -> None:
    """A road on each space that was emptied, in that order, while the stock lasts (ruling 30)."""
    spaces = frame_of(state, Buying).emptied[: state.stock]
    state.stock -= len(spaces)
    for space in spaces:
        state.production[space] = ROAD
    if spaces:
        recorder.tell(RoadsFilled(spaces=tuple(SPACE_NAMES[space] for space in spaces)))
