"""Setting up, phases, rounds, turns and the end (rules: setup, rounds, turn, ending, ties)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from bot.game.bits import members
from bot.game.burgundy.data import (
    BEGINNERS_BOARD,
    BLACK,
    BOARDS,
    CASTLE_TILE,
    CENTRE,
    COLOUR_KEYS,
    CONTENT,
    DEPOT_WORDS,
    DEPOTS,
    FOR_PLAYERS,
    GOODS_LETTERS,
    KINDS,
    LAST_ROUND,
    MINE_TILE,
    SIDES,
    SPACE_NAMES,
    SPACE_OF_NAME,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    TILES_OF,
    filled,
)
from bot.game.burgundy.placing import cover
from bot.game.burgundy.state import (
    HANDS,
    LEFT,
    MONEY,
    NONE,
    POINTS,
    WISDOM,
    Boards,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyRules,
    BurgundyState,
    Castles,
    Roll,
    Turn,
    brings,
    castle_spaces,
    knows_sold,
    phase_letter,
    round_of_phase,
)
from bot.game.chance import take
from bot.game.choices import OneOf
from bot.game.contract import SPECTATOR, Chance, Event, Outcome, Refusal, Seat
from bot.game.events import GameEnded, SeatEvent, TurnEnded
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Rule, refuse, rule


class BoardChosen(SeatEvent, frozen=True):
    """A seat has taken the estate board of this number."""

    board: int


class CastleChosen(SeatEvent, frozen=True):
    """The secret choice of a castle's space, heard by its owner alone."""

    space: str


class CastlePlaced(SeatEvent, frozen=True):
    """All castles are revealed and placed; this is one of them."""

    space: str


def set_up(seats: int, options: Mapping[str, str], chance: Chance) -> BurgundyState:
    """The table set up to its first question: a board, a castle, or the first turn."""
    recorder, bag = EventRecorder(chance), [CONTENT.goods_each] * SIDES
    order, waiting = list[Seat](), list(range(seats))
    while waiting:
        alone = len(waiting) == 1
        order.append(waiting.pop(0 if alone else chance.draw("order", [1] * len(waiting))))
    players = []
    for seat in range(seats):
        goods = [0] * SIDES
        for _ in range(CONTENT.start_goods):
            goods[take(chance, f"goods of seat {seat}", bag)] += 1
        players.append(
            BurgundyPlayer(goods, [0] * SIDES, CONTENT.start_silverlings, 1 + order.index(seat))
        )
    stacks = [kind.coloured for kind in TILES]
    stacks[CASTLE_TILE] -= seats
    state = BurgundyState(
        rules=BurgundyRules(
            emptiest=options.get("ties") == "emptiest", hidden=options.get("sold_goods") == "hidden"
        ),
        players=players,
        stacks=stacks,
        black=[kind.black for kind in TILES],
        bag=bag,
        order=order,
        track=[order[::-1], *([] for _ in range(CONTENT.track_spaces - 1))],
        frames=[Castles([NONE] * seats)],
    )
    match options.get("boards", "beginner"):
        case "choose":
            state.frames = [Boards()]
        case "random":
            numbers = list(BOARDS)
            for player in players:
                player.board = numbers.pop(chance.draw("board", [1] * len(numbers)))
        case "beginner":
            for player in players:
                player.board = BEGINNERS_BOARD
                cover(player, CASTLE_TILE, CENTRE)
            begin_phase(state, recorder)
        case number:
            # One board for all; the castles are placed in secret as always (ruling 4).
            for player in players:
                player.board = int(number)
    return state


# Boards, where they are chosen


def _boards(state: BurgundyState, seat: Seat) -> OneOf:
    """The boards with a copy left: every number once, No. 1 without limit (ruling 3)."""
    taken = [player.board for player in state.players]
    free = [n for n, board in BOARDS.items() if taken.count(n) < board.copies]
    return OneOf("board", tuple(map(str, free)))


def _choose_board(state: BurgundyState, seat: Seat, recorder: EventRecorder, board: str) -> None:
    """In turn order; after the last one all place their castles."""
    state.players[seat].board = int(board)
    recorder.record(BoardChosen(seat=seat, board=int(board)))
    state.at += 1
    if state.at == len(state.order):
        state.at = 0
        state.frames = [Castles([NONE] * len(state.players))]


BOARD: Rule[BurgundyState] = (
    rule("board", "setup")
    .word(
        "board",
        _boards,
        lambda state, seat, word: refuse("board_taken", board=word),
        tuple(map(str, BOARDS)),
    )
    .does(_choose_board)
)


# Castles


def _castle_spaces(state: BurgundyState, seat: Seat) -> OneOf:
    return OneOf("space", tuple(SPACE_NAMES[each] for each in castle_spaces(state.players[seat])))


def castle_chosen(state: BurgundyState, seat: Seat) -> int:
    """The space that the seat has chosen in secret, as far as it is known; otherwise NONE."""
    frame = state.frames[0]
    if not isinstance(frame, Castles) or seat == SPECTATOR:
        return NONE
    return max(NONE, frame.chosen[seat])


def _choose_castle(state: BurgundyState, seat: Seat, recorder: EventRecorder, space: str) -> None:
    """A sealed choice; the last one reveals all. The castle gives no action and no points."""
    frame = frame_of(state, Castles)
    frame.chosen[seat] = SPACE_OF_NAME[space]
    if NONE in frame.chosen:
        recorder.record(CastleChosen(seat=seat, space=space, only=(seat,)))
        return
    state.decision += 1
    for other, chosen in enumerate(frame.chosen):
        cover(state.players[other], CASTLE_TILE, chosen)
        recorder.record(CastlePlaced(seat=other, space=SPACE_NAMES[chosen]))
    begin_phase(state, recorder)


CASTLE: Rule[BurgundyState] = (
    rule("castle", "setup")
    .word(
        "space",
        _castle_spaces,
        lambda state, seat, word: refuse("no_castle_space", space=word),
        SPACE_OF_NAME,
    )
    .does(_choose_castle)
)


MINERS = 2
"""The knowledge tile by which each mine also gives a worker."""
_DIE = (1,) * SIDES


class PhaseBegan(Event, frozen=True):
    """A phase, ``A`` to ``E``, with the goods of its rounds in order."""

    phase: str
    goods: tuple[str, ...]


class DepotFilled(Event, frozen=True):
    """New tiles in a depot."""

    depot: str
    tiles: tuple[str, ...]


class RoundBegan(Event, frozen=True):
    """A round of a phase, with the seats in the order of play."""

    phase: str
    round: int
    seats: tuple[int, ...]


class Rolled(SeatEvent, frozen=True):
    """A seat's two dice."""

    dice: tuple[int, ...]


class GoodsPlaced(Event, frozen=True):
    """The round's good was placed on the depot of the white die."""

    depot: str
    good: str


class MinesPaid(SeatEvent, frozen=True):
    """What mines pay at the end of a phase."""

    silverlings: int
    workers: int


class Scored(SeatEvent, frozen=True):
    """Points at the end; `item` is one of POINTS in state.py, from the seventh on."""

    item: str
    points: int


class DepotsCleared(Event, frozen=True):
    """This many tiles that nobody took have left the game."""

    count: int


def begin_phase(state: BurgundyState, recorder: EventRecorder) -> None:
    """Fill all depots, lay out five goods for all to see, and begin the first round."""
    phase = state.round // CONTENT.rounds
    seats = len(state.players)
    state.coming = [take(recorder.chance, "goods", state.bag) for _ in range(CONTENT.goods_a_phase)]
    goods = tuple(GOODS_LETTERS[good] for good in state.coming)
    recorder.record(PhaseBegan(phase=CONTENT.phases[phase], goods=goods))
    for depot in range(DEPOTS):
        state.depots[depot] = [
            take(recorder.chance, COLOUR_KEYS[colour], state.stacks, TILES_OF[colour])
            for colour in filled(depot, seats, phase)
        ]
    state.depots[BLACK] = [
        take(recorder.chance, "black depot", state.black)
        for _ in range(FOR_PLAYERS[seats].black_depot)
    ]
    for word, tiles in zip(DEPOT_WORDS, state.depots, strict=True):
        recorder.record(DepotFilled(depot=word, tiles=tuple(TILE_KEYS[tile] for tile in tiles)))
    begin_round(state, recorder)


def play_order(state: BurgundyState) -> list[Seat]:
    """Furthest ahead on the track first; on a space the top piece first."""
    return [seat for seats in reversed(state.track) for seat in reversed(seats)]


def begin_round(state: BurgundyState, recorder: EventRecorder) -> None:
    """Everybody rolls; the start player's white die decides where the next good goes."""
    state.round += 1
    state.order = play_order(state)
    state.at = 0
    phase, number = phase_letter(state), round_of_phase(state)
    recorder.record(RoundBegan(phase=phase, round=number, seats=tuple(state.order)))
    for seat in state.order:
        state.players[seat].dice = [
            1 + recorder.chance.draw(f"die of seat {seat}", _DIE) for _ in "ab"
        ]
        recorder.record(Rolled(seat=seat, dice=tuple(state.players[seat].dice)))
    depot = recorder.chance.draw("white die", _DIE)
    state.white = depot + 1
    good = state.coming.pop(0)
    state.goods[depot][good] += 1
    recorder.record(GoodsPlaced(depot=DEPOT_WORDS[depot], good=GOODS_LETTERS[good]))
    begin_turn(state)


def begin_turn(state: BurgundyState) -> None:
    """The seat whose turn it is may use its dice."""
    state.frames = [Turn(list(state.players[state.order[state.at]].dice))]


def _gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Both dice must be used; taking two workers is always possible (ruling 9)."""
    left = frame_of(state, Turn).left
    return refuse("dice_left", count=len(left)) if left else None


def _end(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    """Nothing is rolled yet: so the last turn of a round can be taken back like the others."""
    recorder.record(TurnEnded(seat=seat))
    state.at += 1
    if state.at < len(state.order):
        begin_turn(state)
        return
    state.frames = [Roll()]
    if not state.round % CONTENT.rounds:
        _end_phase(state, recorder)
    if state.round == LAST_ROUND:
        end_game(state, recorder)
    else:
        state.at = 0


def _end_phase(state: BurgundyState, recorder: EventRecorder) -> None:
    """Mines pay; tiles left in the depots leave the game, goods stay (ruling 6)."""
    for seat in state.order:
        player = state.players[seat]
        mines = player.estate.count(MINE_TILE)
        if mines:
            silverlings = mines * TILES[MINE_TILE].amount
            workers = mines * brings(player, MINERS)
            player.silverlings += silverlings
            player.workers += workers
            recorder.record(MinesPaid(seat=seat, silverlings=silverlings, workers=workers))
    recorder.record(DepotsCleared(count=sum(map(len, state.depots))))
    for tile in chain(*state.depots):
        state.removed[tile] += 1
    state.depots = [[] for _ in state.depots]


def roll(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    """The next round begins, and where it is the first of a phase, that."""
    (begin_round if state.round % CONTENT.rounds else begin_phase)(state, recorder)


END: Rule[BurgundyState] = rule("end", "turn", _gate).does(_end)
ROLL: Rule[BurgundyState] = rule("roll", "rounds", on_opening=True).does(roll)


# The end

KINDS_SOLD, KINDS_OF_ANIMALS, GOODS_SOLD, BONUSES = 15, 24, 25, 26
"""The knowledge tiles that count something other than one building."""


def bonus_tiles(state: BurgundyState, seat: Seat) -> list[tuple[int, int]]:
    """The colours of which the seat owns a bonus tile, and its points."""
    bonus = FOR_PLAYERS[len(state.players)].bonus
    return [
        (colour, points)
        for colour, seats in enumerate(state.completed)
        for other, points in zip(seats, bonus, strict=False)
        if other == seat
    ]


def knowledge_points(state: BurgundyState, seat: Seat, number: int) -> int:
    """What a knowledge tile is worth at the end; 0 for one that counts nothing (rules:
    knowledge_points)."""
    player, tile = state.players[seat], KINDS[f"k{number}"]
    if tile.counts:
        return tile.amount * player.estate.count(TILE_OF_KEY[tile.counts])
    animals = {TILES[each].kind for each in player.estate if each != NONE} - {""}
    counts = {
        KINDS_SOLD: sum(map(bool, player.sold)),
        KINDS_OF_ANIMALS: len(animals),
        GOODS_SOLD: sum(player.sold),
        BONUSES: len(bonus_tiles(state, seat)),
    }
    return tile.amount * counts.get(number, 0)


def last_points(state: BurgundyState, seat: Seat) -> dict[int, int]:
    """The points of the end, by place in POINTS. Tiles in storage score nothing.

    Where an observer does not know what was sold, the points that depend on it are left out.
    """
    player = state.players[seat]
    return {
        LEFT: sum(player.goods),
        MONEY: player.silverlings,
        HANDS: player.workers // CONTENT.workers_a_point,
        WISDOM: sum(
            knowledge_points(state, seat, number)
            for number in members(player.knowledge)
            if number != KINDS_SOLD or knows_sold(player)
        ),
    }


def end_game(state: BurgundyState, recorder: EventRecorder) -> None:
    """Count what is left and end the game."""
    for seat, player in enumerate(state.players):
        for item, points in last_points(state, seat).items():
            player.points[item] += points
            recorder.record(Scored(seat=seat, item=POINTS[item], points=points))
    ending = _ranking(state)[1]
    state.frames = [BurgundyOver(ending)]
    recorder.record(GameEnded(ending=ending))


def _ranking(state: BurgundyState) -> tuple[Seat, str]:
    """The winner, and what decided it: points, else the estate, else the order on the track.

    Fullest: more covered spaces, then further ahead. Emptiest: fewer of them, then further back
    (ruling 29).
    """
    sign = -1 if state.rules.emptiest else 1
    ranked = sorted(
        (sum(player.points), sign * player.covered.bit_count(), sign * order, seat)
        for order, seat in enumerate(chain(*state.track))
        for player in (state.players[seat],)
    )
    *first, winner = ranked[-1]
    apart = zip(("points", "estate", "order"), first, ranked[-2], strict=False)
    return winner, next(name for name, best, second in apart if best != second)


def outcome(state: BurgundyState) -> Outcome | None:
    """The result, once the game is over; there is always one winner."""
    frame = state.frames[-1]
    if not isinstance(frame, BurgundyOver):
        return None
    by_seat = [player.points for player in state.players]
    lines = tuple(zip(POINTS, zip(*by_seat, strict=True), strict=True))
    return Outcome(frame.ending, (_ranking(state)[0],), tuple(map(sum, by_seat)), lines)
