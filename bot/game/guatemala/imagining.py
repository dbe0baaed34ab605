"""Random states that look like a view: what its observer may take the table to be.

The sacks that the observer does not see are dealt at random to hands and bag. Of others' answers
about a block, those that the game would have gone by let it score; the rest are as likely yes as
no, for whoever is dealt a sack to block with. What else hands can be told by, such as a block that
somebody could have made and did not, is not taken into account.
"""

from __future__ import annotations

from random import Random

from bot.game.guatemala.data import (
    COLOUR_OF_KEY,
    COLOURS,
    CONTENT,
    EMPTY,
    KINDS,
    ROAD,
    SACK,
    SHIP,
    piece,
)
from bot.game.guatemala.placing import cells_of, cover
from bot.game.guatemala.production import POSITION_OF_NAME, SPACE_OF_NAME
from bot.game.guatemala.sacks import ANSWERS, asked_about_block
from bot.game.guatemala.state import (
    LETS,
    NONE,
    UNANSWERED,
    Blocking,
    Buying,
    Frame,
    GuatemalaOver,
    GuatemalaPlayer,
    GuatemalaRules,
    GuatemalaState,
    Moving,
    Placing,
    Refilling,
)
from bot.game.guatemala.view import GuatemalaSeatView, GuatemalaView, PieceView
from bot.game.guatemala.views import answer_anew

_KIND_OF = {key: kind for kind, key in enumerate(KINDS)}


def imagine(view: GuatemalaView, rng: Random) -> GuatemalaState:
    """A state in which the view's observer would see that very view; `decision` is not in it."""
    board = view.board
    production = [_piece(lying) for lying in view.production]
    track = [COLOUR_OF_KEY[colour] for colour in view.track]
    ports = [[COLOUR_OF_KEY[ship] for ship in port.ships] for port in view.ports]
    hands, bag = _sacks(view, production, track, rng)
    state = GuatemalaState(
        rules=GuatemalaRules(view.last_space),
        players=[_player(view, seat, hand) for seat, hand in zip(view.seats, hands, strict=True)],
        production=production,
        ports=ports,
        bag=bag,
        stock=view.stock,
        first=view.first,
        turn=view.turn,
        frames=[],
        buyer=NONE if view.buyer is None else POSITION_OF_NAME[view.buyer],
        roads=[board.road_of_name[name] for name in view.roads],
        track=track,
        gone=[
            CONTENT.ships
            - production.count(piece(SHIP, colour))
            - sum(ships.count(colour) for ships in ports)
            for colour in range(COLOURS)
        ],
        idle=view.idle,
        still=view.still,
        round=view.round,
    )
    for player in state.players:
        for colour in range(COLOURS):
            for cell in cells_of(player, colour):
                cover(state, cell)
    state.frames = [_frame(view, state, rng)]
    return state


def _piece(lying: PieceView | None) -> int:
    if lying is None:
        return EMPTY
    if not lying.colour:
        return ROAD
    return piece(_KIND_OF[lying.kind], COLOUR_OF_KEY[lying.colour])


def _player(view: GuatemalaView, seat: GuatemalaSeatView, hand: list[int]) -> GuatemalaPlayer:
    player, cells = GuatemalaPlayer(hand, seat.money, list(seat.points)), view.board.cell_of_name
    for each in seat.plantations:
        colour = COLOUR_OF_KEY[each.colour]
        player.huts[colour] = NONE if each.hut is None else cells[each.hut]
        player.workers[colour] = [cells[name] for name in each.workers]
    return player


def _sacks(
    view: GuatemalaView, production: list[int], track: list[int], rng: Random
) -> tuple[list[list[int]], list[int]]:
    """The hands and the bag: what is known of them, and the rest at random."""
    pool: list[int] = []
    for colour in range(COLOURS):
        seen = production.count(piece(SACK, colour)) + track.count(colour)
        seen += sum(seat.hand[colour] for seat in view.seats if seat.hand is not None)
        pool += [colour] * (CONTENT.sacks - seen)
    rng.shuffle(pool)
    hands = []
    for seat in view.seats:
        if seat.hand is None:
            hands.append(_counted(pool[: seat.sacks]))
            del pool[: seat.sacks]
        else:
            hands.append(list(seat.hand))
    return hands, _counted(pool)


def _counted(sacks: list[int]) -> list[int]:
    return [sacks.count(colour) for colour in range(COLOURS)]


def _frame(view: GuatemalaView, state: GuatemalaState, rng: Random) -> Frame:
    """What is being asked."""
    match view.asked:
        case "place":
            return Placing()
        case "step":
            return Moving()
        case "act":
            return Buying([SPACE_OF_NAME[space] for space in view.emptied], view.blocked)
        case "refill":
            assert view.taken is not None
            return Refilling(SPACE_OF_NAME[view.taken.space])
        case "block":
            return _blocking(view, state, rng)
        case "over":
            assert view.outcome is not None
            return GuatemalaOver(view.outcome.ending)
    raise ValueError(f"{view.asked!r} is no question of Guatemala Café")


def _blocking(view: GuatemalaView, state: GuatemalaState, rng: Random) -> Blocking:
    assert view.taken is not None
    answers = [UNANSWERED] * len(view.seats)
    for seat in asked_about_block(state):
        if seat not in view.active:
            answers[seat] = LETS
    if view.answer is not None:
        answers[view.observer] = ANSWERS[view.answer]
    frame = Blocking(SPACE_OF_NAME[view.taken.space], COLOUR_OF_KEY[view.taken.colour], answers)
    answer_anew(state, frame, view.observer, rng)
    return frame
