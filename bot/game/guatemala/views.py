"""What the views of old had besides the state as it is known."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.contract import SPECTATOR, Observer, Outcome, Seat
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    EMPTY,
    KINDS,
    POSITION_NAMES,
    ROAD,
    SPACE_NAMES,
    colour_key,
    kind_of,
)
from bot.game.guatemala.sacks import ANSWERS, crop
from bot.game.guatemala.state import (
    NONE,
    Blocking,
    Buying,
    Frame,
    GuatemalaState,
    Refilling,
    asked,
    board_of,
)
from bot.game.guatemala.view import (
    GuatemalaSeatView,
    GuatemalaView,
    PieceView,
    PlantationView,
    PortView,
    TakenSackView,
)

_PIECES = tuple(PieceView(KINDS[kind_of(piece)], colour_key(piece)) for piece in range(ROAD + 1))


def view(
    state: GuatemalaState,
    observer: Observer,
    known: GuatemalaState,
    active: tuple[Seat, ...],
    outcome: Outcome | None,
) -> GuatemalaView:
    """The table as the observer may know it."""
    board, frame = board_of(state), state.frames[-1]
    buying = frame if isinstance(frame, Buying) else Buying()
    return GuatemalaView(
        observer=observer,
        known=known,
        asked=asked(state),
        active=active,
        round=state.round,
        first=state.first,
        turn=state.turn,
        production=tuple(None if each == EMPTY else _PIECES[each] for each in state.production),
        buyer=None if state.buyer == NONE else POSITION_NAMES[state.buyer],
        ports=tuple(
            PortView(
                about.name, tuple(COLOUR_KEYS[ship] for ship in ships), port in board.open_ports
            )
            for port, (about, ships) in enumerate(zip(board.ports, state.ports, strict=True))
        ),
        roads=tuple(board.roads[road].name for road in state.roads),
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
            _seat(state, seat, shown=seat == observer) for seat in range(len(state.players))
        ),
        outcome=outcome,
    )


def _taken(state: GuatemalaState, frame: Frame) -> TakenSackView | None:
    if not isinstance(frame, (Blocking, Refilling)):
        return None
    return TakenSackView(COLOUR_KEYS[state.track[-1]], SPACE_NAMES[frame.space])


def _answer(frame: Frame, observer: Observer) -> str | None:
    if not isinstance(frame, Blocking) or observer == SPECTATOR:
        return None
    answer = frame.answers[observer]
    return next((word for word, known in ANSWERS.items() if known == answer), None)


def _seat(state: GuatemalaState, seat: Seat, *, shown: bool) -> GuatemalaSeatView:
    player = state.players[seat]
    return GuatemalaSeatView(
        money=player.money,
        score=sum(player.points),
        points=tuple(player.points),
        sacks=sum(player.hand),
        hand=tuple(player.hand) if shown else None,
        plantations=tuple(_plantations(state, seat)),
    )


def _plantations(state: GuatemalaState, seat: Seat) -> Iterator[PlantationView]:
    board, player = board_of(state), state.players[seat]
    for colour, key in enumerate(COLOUR_KEYS):
        hut, workers = player.huts[colour], player.workers[colour]
        if hut == NONE and not workers:
            continue
        ports, ships, points = crop(state, seat, colour)
        yield PlantationView(
            colour=key,
            hut=None if hut == NONE else board.names[hut],
            workers=tuple(board.names[cell] for cell in workers),
            ports=tuple(board.ports[port].name for port in ports),
            ships=ships,
            points=points,
        )
