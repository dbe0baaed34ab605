"""Setup, phases, rounds, turns and the end (rules: setup, rounds, turn, ending, ties)."""

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
    KNOWLEDGE_ROW,
    LEFT_GOODS_ROW,
    NONE,
    POINTS,
    SILVERLINGS_ROW,
    WORKERS_ROW,
    Boards,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyRules,
    BurgundyState,
    Castles,
    Roll,
    Turn,
    castle_spaces,
    knowledge_amount,
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
    """A seat chose the estate board of this number."""

    board: int


class CastleChosen(SeatEvent, frozen=True):
    """A seat chose the space of its castle in secret; only the seat may see this."""

    space: str


class CastlePlaced(SeatEvent, frozen=True):
    """A seat's castle was revealed and placed."""

    space: str


def set_up(seats: int, options: Mapping[str, str], chance: Chance) -> BurgundyState:
    """Set up a table up to its first question: a board, a castle, or the first turn."""
    recorder, bag = EventRecorder(chance), [CONTENT.goods_each] * SIDES
    order, left = list[Seat](), list(range(seats))
    while left:
        is_last = len(left) == 1
        order.append(left.pop(0 if is_last else chance.draw("order", [1] * len(left))))
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
            # All use one board, but still choose their castles in secret (ruling 4).
            for player in players:
                player.board = int(number)
    return state


# Choosing boards


def _boards(state: BurgundyState, seat: Seat) -> OneOf:
    """Return the boards with a copy left: each number once, No. 1 without limit (ruling 3)."""
    taken = [player.board for player in state.players]
    free = [n for n, board in BOARDS.items() if taken.count(n) < board.copies]
    return OneOf("board", tuple(map(str, free)))


def _choose_board(state: BurgundyState, seat: Seat, recorder: EventRecorder, board: str) -> None:
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
    """Return the space that the seat chose in secret; NONE if it has not, or it is hidden."""
    frame = state.frames[0]
    if not isinstance(frame, Castles) or seat == SPECTATOR:
        return NONE
    return max(NONE, frame.chosen[seat])


def _choose_castle(state: BurgundyState, seat: Seat, recorder: EventRecorder, space: str) -> None:
    """Store a sealed choice; the last one reveals all. The first castle gives no free action and
    no points."""
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


MINE_WORKERS = 2
"""The knowledge tile that adds a worker to the pay of each mine."""
_DIE = (1,) * SIDES


class PhaseBegan(Event, frozen=True):
    """A phase, ``A`` to ``E``, began; the goods of its rounds are in order."""

    phase: str
    goods: tuple[str, ...]


class DepotFilled(Event, frozen=True):
    """A depot got new tiles."""

    depot: str
    tiles: tuple[str, ...]


class RoundBegan(Event, frozen=True):
    """A round began; the seats are in turn order."""

    phase: str
    round: int
    seats: tuple[int, ...]


class Rolled(SeatEvent, frozen=True):
    """A seat rolled its two dice."""

    dice: tuple[int, ...]


class GoodsPlaced(Event, frozen=True):
    """The round's goods tile was placed at the depot of the white die."""

    depot: str
    good: str


class MinesPaid(SeatEvent, frozen=True):
    """A seat's mines paid at the end of a phase."""

    silverlings: int
    workers: int


class Scored(SeatEvent, frozen=True):
    """A seat scored at the end; `item` is a row of POINTS in state.py, from the seventh on."""

    item: str
    points: int


class DepotsCleared(Event, frozen=True):
    """The tiles left in the depots, `count` of them, left the game."""

    count: int


def begin_phase(state: BurgundyState, recorder: EventRecorder) -> None:
    """Draw the five goods of the phase, fill all depots, and begin the first round."""
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


def turn_order(state: BurgundyState) -> list[Seat]:
    """Return the turn order: furthest ahead on the track first, on a space from the top."""
    return [seat for seats in reversed(state.track) for seat in reversed(seats)]


def begin_round(state: BurgundyState, recorder: EventRecorder) -> None:
    """Roll all dice and put the next goods tile at the depot of the white die."""
    state.round += 1
    state.order = turn_order(state)
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
    state.frames = [Turn(list(state.players[state.order[state.at]].dice))]


def _gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Refuse while dice are left; taking workers is always possible (ruling 9)."""
    left = frame_of(state, Turn).left
    return refuse("dice_left", count=len(left)) if left else None


def _end(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    # Rolling is a separate action, so the last turn of a round can be undone like the others.
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
    """Pay for mines and remove the tiles left in the depots; goods stay (ruling 6)."""
    for seat in state.order:
        player = state.players[seat]
        mines = player.estate.count(MINE_TILE)
        if mines:
            silverlings = mines * TILES[MINE_TILE].amount
            workers = mines * knowledge_amount(player, MINE_WORKERS)
            player.silverlings += silverlings
            player.workers += workers
            recorder.record(MinesPaid(seat=seat, silverlings=silverlings, workers=workers))
    recorder.record(DepotsCleared(count=sum(map(len, state.depots))))
    for tile in chain(*state.depots):
        state.removed[tile] += 1
    state.depots = [[] for _ in state.depots]


def roll(state: BurgundyState, seat: Seat, recorder: EventRecorder) -> None:
    """Begin the next round, and first its phase if needed."""
    (begin_round if state.round % CONTENT.rounds else begin_phase)(state, recorder)


END: Rule[BurgundyState] = rule("end", "turn", _gate).does(_end)
ROLL: Rule[BurgundyState] = rule("roll", "rounds", on_opening=True).does(roll)


# The end

KINDS_SOLD, KINDS_OF_ANIMALS, GOODS_SOLD, BONUSES = 15, 24, 25, 26
"""The knowledge tiles that do not count a building."""


def bonus_tiles(state: BurgundyState, seat: Seat) -> list[tuple[int, int]]:
    """Return the colour and points of each bonus tile that the seat owns."""
    bonus = FOR_PLAYERS[len(state.players)].bonus
    return [
        (colour, points)
        for colour, seats in enumerate(state.completed)
        for other, points in zip(seats, bonus, strict=False)
        if other == seat
    ]


def knowledge_points(state: BurgundyState, seat: Seat, number: int) -> int:
    """Return the points of a knowledge tile at the end; 0 for one that scores nothing (rules:
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
    """Return the points at the end by row of POINTS. Tiles in storage score nothing.

    If the sold goods are hidden in `state`, the points that depend on them are left out.
    """
    player = state.players[seat]
    return {
        LEFT_GOODS_ROW: sum(player.goods),
        SILVERLINGS_ROW: player.silverlings,
        WORKERS_ROW: player.workers // CONTENT.workers_a_point,
        KNOWLEDGE_ROW: sum(
            knowledge_points(state, seat, number)
            for number in members(player.knowledge)
            if number != KINDS_SOLD or knows_sold(player)
        ),
    }


def end_game(state: BurgundyState, recorder: EventRecorder) -> None:
    """Score the points of the end and end the game."""
    for seat, player in enumerate(state.players):
        for item, points in last_points(state, seat).items():
            player.points[item] += points
            recorder.record(Scored(seat=seat, item=POINTS[item], points=points))
    ending = _ranking(state)[1]
    state.frames = [BurgundyOver(ending)]
    recorder.record(GameEnded(ending=ending))


def _ranking(state: BurgundyState) -> tuple[Seat, str]:
    """Return the winner and the criterion that decided: points, else estate, else turn order.

    With `emptiest`, fewer covered spaces win, then the later position in the order; without it
    more covered spaces, then the earlier position (ruling 29).
    """
    sign = -1 if state.rules.emptiest else 1
    ranked = sorted(
        (sum(player.points), sign * player.covered.bit_count(), sign * order, seat)
        for order, seat in enumerate(chain(*state.track))
        for player in (state.players[seat],)
    )
    *first, winner = ranked[-1]
    criteria = zip(("points", "estate", "order"), first, ranked[-2], strict=False)
    return winner, next(name for name, best, second in criteria if best != second)


def outcome(state: BurgundyState) -> Outcome | None:
    """Return the result once the game is over; there is always one winner."""
    frame = state.frames[-1]
    if not isinstance(frame, BurgundyOver):
        return None
    by_seat = [player.points for player in state.players]
    lines = tuple(zip(POINTS, zip(*by_seat, strict=True), strict=True))
    return Outcome(frame.ending, (_ranking(state)[0],), tuple(map(sum, by_seat)), lines)
