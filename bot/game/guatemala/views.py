"""What an observer may know: a View, built up from nothing, and random states that look alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from bot.game.contract import SPECTATOR, Observer, Seat
from bot.game.guatemala.data import COLOUR_KEYS, COLOURS, EMPTY, KINDS, ROAD, colour_of, kind_of
from bot.game.guatemala.ending import outcome
from bot.game.guatemala.plantation import Corner
from bot.game.guatemala.production import POSITION_NAMES, SPACE_NAMES
from bot.game.guatemala.sacks import ANSWERS, asked_about_block
from bot.game.guatemala.scoring import crop
from bot.game.guatemala.state import (
    BLOCKS,
    LETS,
    NONE,
    UNANSWERED,
    Blocking,
    Buying,
    Frame,
    GuatemalaState,
    Refilling,
    board_of,
)
from bot.game.guatemala.turn import TURNS
from bot.game.guatemala.view import (
    GuatemalaSeatView,
    GuatemalaView,
    PieceView,
    PlantationView,
    PortView,
    TakenSack,
)

_PIECES = tuple(
    PieceView(KINDS[kind_of(piece)], "" if piece == ROAD else COLOUR_KEYS[colour_of(piece)])
    for piece in range(ROAD + 1)
)


def view(state: GuatemalaState, observer: Observer) -> GuatemalaView:
    """The table as the observer may know it."""
    board, frame = board_of(state), state.frames[-1]
    networks = board.networks(state.roads)
    buying = frame if isinstance(frame, Buying) else Buying()
    return GuatemalaView(
        observer=observer,
        asked=TURNS.question(state),
        active=TURNS.awaited(state),
        round=state.round,
        first=state.first,
        turn=state.turn,
        production=tuple(None if each == EMPTY else _PIECES[each] for each in state.production),
        buyer=None if state.buyer == NONE else POSITION_NAMES[state.buyer],
        ports=tuple(
            PortView(name, tuple(COLOUR_KEYS[ship] for ship in ships), port in board.open_ports)
            for port, (name, ships) in enumerate(zip(board.port_names, state.ports, strict=True))
        ),
        roads=tuple(board.road_names[road] for road in state.roads),
        stock=state.stock,
        bag=sum(state.bag),
        last_space=state.rules.track,
        track=tuple(COLOUR_KEYS[sack] for sack in state.track),
        emptied=tuple(SPACE_NAMES[space] for space in buying.emptied),
        taken=_taken(state, frame),
        blocked=buying.blocked,
        answer=_answer(frame, observer),
        idle=state.idle,
        still=state.still,
        seats=tuple(
            _seat(state, networks, seat, shown=seat == observer)
            for seat in range(len(state.players))
        ),
        outcome=outcome(state),
    )


def _taken(state: GuatemalaState, frame: Frame) -> TakenSack | None:
    if not isinstance(frame, (Blocking, Refilling)):
        return None
    return TakenSack(COLOUR_KEYS[state.track[-1]], SPACE_NAMES[frame.space])


def _answer(frame: Frame, observer: Observer) -> str | None:
    if not isinstance(frame, Blocking) or observer == SPECTATOR:
        return None
    answer = frame.answers[observer]
    return next((word for word, known in ANSWERS.items() if known == answer), None)


def _seat(
    state: GuatemalaState, networks: Mapping[Corner, int], seat: Seat, *, shown: bool
) -> GuatemalaSeatView:
    player = state.players[seat]
    return GuatemalaSeatView(
        money=player.money,
        score=sum(player.points),
        points=tuple(player.points),
        sacks=sum(player.hand),
        hand=tuple(player.hand) if shown else None,
        plantations=tuple(_plantations(state, networks, seat)),
    )


def _plantations(
    state: GuatemalaState, networks: Mapping[Corner, int], seat: Seat
) -> Iterator[PlantationView]:
    board, player = board_of(state), state.players[seat]
    for colour, key in enumerate(COLOUR_KEYS):
        hut, workers = player.huts[colour], player.workers[colour]
        if hut == NONE and not workers:
            continue
        ports, ships, points = crop(state, networks, seat, colour)
        yield PlantationView(
            colour=key,
            hut=None if hut == NONE else board.names[hut],
            workers=tuple(board.names[cell] for cell in workers),
            ports=tuple(board.port_names[port] for port in ports),
            ships=ships,
            points=points,
        )


def mix(state: GuatemalaState, observer: Observer, rng: Random) -> None:
    """Deal the sacks that the observer does not see anew, and answer anew about a block."""
    hands = [player.hand for seat, player in enumerate(state.players) if seat != observer]
    stocks = [*hands, state.bag]
    pool = [colour for stock in stocks for colour in range(COLOURS) for _ in range(stock[colour])]
    rng.shuffle(pool)
    for stock in stocks:
        count = sum(stock)
        dealt, pool = pool[:count], pool[count:]
        stock[:] = [dealt.count(colour) for colour in range(COLOURS)]
    frame = state.frames[-1]
    if isinstance(frame, Blocking):
        answer_anew(state, frame, observer, rng)


def answer_anew(state: GuatemalaState, frame: Blocking, observer: Observer, rng: Random) -> None:
    """Other answers of others.

    Who has answered before everybody after them is known to let it score: the table waits.
    """
    known = True
    for seat in asked_about_block(state):
        known = known and frame.answers[seat] != UNANSWERED
        if known or seat == observer or frame.answers[seat] == UNANSWERED:
            continue
        can = state.players[seat].hand[frame.colour]
        frame.answers[seat] = rng.choice((LETS, BLOCKS)) if can else LETS
