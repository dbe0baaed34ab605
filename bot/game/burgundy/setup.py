"""Setting up, choosing boards and placing the starting castles (sections 7.1 and 11)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.boards import BEGINNERS_BOARD, BOARDS, CENTRE, SPACE_NAMES, SPACE_OF_NAME
from bot.game.burgundy.data import CASTLE_TILE, CONTENT, SIDES, TILES
from bot.game.burgundy.placing import cover
from bot.game.burgundy.rounds import begin_phase, draw
from bot.game.burgundy.state import (
    NONE,
    Boards,
    BurgundyPlayer,
    BurgundyRules,
    BurgundyState,
    Castles,
    any_time,
)
from bot.game.choices import OneOf
from bot.game.contract import Chance, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule

TOPIC = "setup"


class BoardChosen(SeatEvent, frozen=True):
    """A seat has taken the estate board of this number."""

    board: int


class CastleChosen(SeatEvent, frozen=True):
    """The secret choice of a castle's space, heard by its owner alone."""

    space: str


class CastlePlaced(SeatEvent, frozen=True):
    """All castles are revealed and placed; this is one of them."""

    space: str


def rules_of(options: Mapping[str, str]) -> BurgundyRules:
    """A table's options resolved to rules."""
    return BurgundyRules(
        emptiest=options.get("ties") == "emptiest", hidden=options.get("sold_goods") == "hidden"
    )


def set_up(seats: int, options: Mapping[str, str], chance: Chance) -> BurgundyState:
    """The table set up to its first question: a board, a castle, or the first turn."""
    recorder = EventRecorder(chance)
    bag = [CONTENT.goods_each] * SIDES
    waiting = list(range(seats))
    order = [waiting.pop(chance.draw("order", [1] * len(waiting))) for _ in range(seats - 1)]
    order += waiting
    players = []
    for seat in range(seats):
        goods = [0] * SIDES
        for _ in range(CONTENT.start_goods):
            goods[draw(bag, tuple(range(SIDES)), f"goods of seat {seat}", recorder)] += 1
        players.append(
            BurgundyPlayer(goods, [0] * SIDES, CONTENT.start_silverlings, 1 + order.index(seat))
        )
    stacks = [kind.coloured for kind in TILES]
    stacks[CASTLE_TILE] -= seats
    track: list[list[Seat]] = [[] for _ in range(CONTENT.track_spaces)]
    track[0] = order[::-1]
    state = BurgundyState(
        rules=rules_of(options),
        players=players,
        stacks=stacks,
        black=[kind.black for kind in TILES],
        bag=bag,
        order=order,
        track=track,
        frames=[Castles([NONE] * seats)],
    )
    boards = options.get("boards", "beginner")
    if boards == "choose":
        state.frames = [Boards()]
    elif boards == "random":
        _deal_boards(state, chance)
    elif boards == "beginner":
        _begin_simply(state, recorder)
    else:
        # One board for all; the castles are placed in secret as always (section 11).
        for player in players:
            player.board = int(boards)
    return state


def _deal_boards(state: BurgundyState, chance: Chance) -> None:
    numbers = list(BOARDS)
    for player in state.players:
        player.board = numbers.pop(chance.draw("board", [1] * len(numbers)))


def _begin_simply(state: BurgundyState, recorder: EventRecorder) -> None:
    """Everybody gets board 1 and starts in its centre."""
    for player in state.players:
        player.board = BEGINNERS_BOARD
        cover(player, CASTLE_TILE, CENTRE)
    begin_phase(state, recorder)


# Boards, where they are chosen


def _boards(state: BurgundyState, seat: Seat) -> OneOf:
    """The boards with a copy left: every number once, No. 1 without limit (section 11)."""
    taken = [player.board for player in state.players]
    free = [n for n, board in BOARDS.items() if taken.count(n) < board.copies]
    return OneOf("board", tuple(map(str, free)))


def _choose_board(state: BurgundyState, seat: Seat, recorder: EventRecorder, board: str) -> None:
    """In turn order; after the last one all place their castles."""
    state.players[seat].board = int(board)
    recorder.tell(BoardChosen(seat=seat, board=int(board)))
    state.at += 1
    if state.at == len(state.order):
        state.at = 0
        state.frames = [Castles([NONE] * len(state.players))]


def _why_not_board(state: BurgundyState, seat: Seat, word: str) -> Refusal:
    return refuse("board_taken", board=word)


BOARD: Rule[BurgundyState] = (
    rule("board", TOPIC, any_time)
    .word("board", _boards, _why_not_board, tuple(map(str, BOARDS)))
    .does(_choose_board)
)


# Castles


def castle_spaces(state: BurgundyState, seat: Seat) -> OneOf:
    """The castle spaces of the seat's board."""
    board = BOARDS[state.players[seat].board]
    return OneOf("space", tuple(SPACE_NAMES[space] for space in board.castles))


def _choose_castle(state: BurgundyState, seat: Seat, recorder: EventRecorder, space: str) -> None:
    """A sealed choice; the last one reveals all. The castle gives no action and no points."""
    frame = frame_of(state, Castles)
    frame.chosen[seat] = SPACE_OF_NAME[space]
    if NONE in frame.chosen:
        recorder.tell(CastleChosen(seat=seat, space=space, only=(seat,)))
        return
    state.decision += 1
    for other, chosen in enumerate(frame.chosen):
        cover(state.players[other], CASTLE_TILE, chosen)
        recorder.tell(CastlePlaced(seat=other, space=SPACE_NAMES[chosen]))
    begin_phase(state, recorder)


def _why_not_castle(state: BurgundyState, seat: Seat, word: str) -> Refusal:
    return refuse("no_castle_space", space=word)


CASTLE: Rule[BurgundyState] = (
    rule("castle", TOPIC, any_time)
    .word("space", castle_spaces, _why_not_castle, SPACE_OF_NAME)
    .does(_choose_castle)
)
