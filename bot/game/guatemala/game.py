"""Guatemala Café as a `Game`: setup, turns, end and result, and the invariants of its state."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from bot.game.bits import connected, mask
from bot.game.chance import take
from bot.game.contract import Action, Chance, Option, Outcome, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.game import Game
from bot.game.grammar import EventRecorder, Rule
from bot.game.guatemala.buying import BUY, END, MOVE, PASS, PUT, adjacent_cells, occupied_cells
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    EMPTY,
    FRAMED,
    OTHERS,
    PRINTED,
    ROAD,
    SACK,
    colour_of,
    kind_of,
    piece,
    piece_key,
)
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.sacks import BLOCK, REFILL, TAKE, distance_to_sacks
from bot.game.guatemala.state import (
    NONE,
    UNANSWERED,
    Blocking,
    Buying,
    GuatemalaOver,
    GuatemalaPlayer,
    GuatemalaRules,
    GuatemalaState,
    Moving,
    PuttingBuyer,
    block_order,
    board_of,
    deal,
    emptied_spaces,
)
from bot.game.invariants import conserved, present

QUESTIONS: Mapping[str, Sequence[Rule[GuatemalaState]]] = {
    "place": (PUT,),
    "step": (MOVE, PASS),
    "act": (BUY, TAKE, END),
    "block": (BLOCK,),
    "refill": (REFILL,),
    "over": (),
}
"""The rules whose actions answer each question, in display order."""


def _ending_by_sacks(state: GuatemalaState) -> str:
    """Return `met` if a marker has met the sacks, `no_sacks` if none is on the production board,
    else "" (ruling 43)."""
    if distance_to_sacks(state) <= 0:
        return "met"
    return "no_sacks" if all(state.production[space] == EMPTY for space in FRAMED) else ""


def _ending_by_idleness(state: GuatemalaState) -> str:
    """Return `no_steps` or `idle` if all players have stopped moving or taking, else "" (ruling
    6)."""
    if state.still == len(state.players):
        return "no_steps"
    return "idle" if state.idle == CONTENT.turns_without_piece else ""


def invariants(state: GuatemalaState) -> list[str]:
    """Return the faults of the state, one line each for developers."""
    board, bought, production = board_of(state), emptied_spaces(state), enumerate(state.production)
    huts = [hut for player in state.players for hut in player.huts if hut != NONE]
    workers = [cell for player in state.players for cells in player.workers for cell in cells]
    roads, docked = mask(state.roads), zip(board.ports, state.ports, strict=True)
    faults = {
        f"{len(bought)} pieces bought in a turn": len(bought) > CONTENT.pieces,
        **{f"seat {n} has {p.money} centavos": p.money < 0 for n, p in enumerate(state.players)},
        **{
            f"piece {each} is on space {space}": (kind_of(each) == SACK) != (space in FRAMED)
            for space, each in production
            if each != EMPTY
        },
        f"roads are on {state.roads}": (
            roads.bit_count() != len(state.roads) or roads & ~board.open_roads
        ),
        **{
            f"{port.name} has {ships}": len(ships) > len(port.prices) * (n in board.open_ports)
            for n, (port, ships) in enumerate(docked)
        },
        "two pieces are on one cell": len({*huts, *workers}) != len(huts) + len(workers),
        "a piece is on an illegal cell": (
            mask(huts) & ~board.hut_cells or mask(workers) & ~board.land
        ),
        "taken does not match the pieces": mask(huts + workers) != occupied_cells(state),
    }
    return [*present(faults), *_pieces(state), *_plantations(state)]


def _pieces(state: GuatemalaState) -> Iterator[str]:
    """Yield faults in the number of pieces of each kind and colour (rules: setup)."""
    colours, players = range(COLOURS), state.players
    placed = [
        *(sum(len(player.workers[colour]) for player in players) for colour in colours),
        *(sum(player.huts[colour] != NONE for player in players) for colour in colours),
        *(sum(ships.count(colour) for ships in state.ports) for colour in colours),
        *(state.track.count(colour) for colour in colours),
        len(state.roads),
    ]
    kinds, nothing = range(ROAD + 1), [0] * COLOURS
    stocks = [
        [state.production.count(each) for each in kinds],
        placed,
        [*nothing, *nothing, *state.gone, *state.bag, state.stock],
        *([*nothing, *nothing, *nothing, *player.hand, 0] for player in players),
    ]
    totals = [count for count in COUNTS for _ in colours]
    yield from conserved(stocks, [*map(piece_key, kinds)], [*totals, CONTENT.roads])


def _plantations(state: GuatemalaState) -> Iterator[str]:
    """Yield plantations that are not connected or join another player's (rulings 14 and 16)."""
    around, players = board_of(state).around, len(state.players)
    for colour, key in enumerate(COLOUR_KEYS):
        owned = [tuple(player.cells(colour)) for player in state.players]
        for seat, cells in enumerate(owned):
            if connected(mask(cells[:1]), mask(cells), around) != mask(cells):
                yield f"the {key} plantation of seat {seat} is not connected"
            adjacent = adjacent_cells(players, cells)
            if any(adjacent & mask(others) for others in owned[seat + 1 :]):
                yield f"{key} plantations are joined"


class Guatemala(Game[GuatemalaState]):
    """The rules of Guatemala Café.

    In events `colour`, `space`, `place`, `position` and `port` are words of the notation.
    """

    name = "guatemala"
    version = 1
    seats = (2, 3, 4)
    options = (
        Option("setup", ("printed", "random")),
        Option("track", tuple(map(str, CONTENT.tracks))),
    )
    events = kinds_of("bot.game.guatemala", TurnEnded, GameEnded)
    state = GuatemalaState
    questions = QUESTIONS

    deal = staticmethod(deal)
    invariants = staticmethod(invariants)

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> GuatemalaState:
        """Set up a table up to its first question, the buyer's first position."""
        first = chance.draw("first player", [1] * seats)
        is_random = options.get("setup") == "random"
        production = _random_production(chance) if is_random else [*PRINTED]
        bag = [COUNTS[SACK]] * COLOURS
        for space in FRAMED:
            bag[colour_of(production[space])] -= 1
        hand_size = (sum(bag) - CONTENT.sacks_left) // seats
        players = []
        for seat in range(seats):
            hand = [0] * COLOURS
            for _ in range(hand_size):
                hand[take(chance, f"sack of seat {seat}", bag)] += 1
            players.append(GuatemalaPlayer(hand, CONTENT.start_money))
        return GuatemalaState(
            rules=GuatemalaRules(int(options.get("track", CONTENT.tracks[0]))),
            players=players,
            production=production,
            ports=[[] for _ in board_for(seats).ports],
            bag=bag,
            stock=CONTENT.roads,
            first=first,
            turn=(first - 1) % seats,
            frames=[PuttingBuyer()],
        )

    def active_seat(self, state: GuatemalaState) -> Seat | None:
        """Return the seat whose turn it is; None during a block and at the end."""
        return None if isinstance(state.frames[-1], (Blocking, GuatemalaOver)) else state.turn

    def choosing(self, state: GuatemalaState) -> list[tuple[Seat, bool]]:
        """Return the seats that may block, and whether they have answered."""
        frame = state.frames[-1]
        return (
            [(seat, frame.answers[seat] != UNANSWERED) for seat in block_order(state)]
            if isinstance(frame, Blocking)
            else []
        )

    def carry_out(
        self,
        state: GuatemalaState,
        seat: Seat,
        rule: Rule[GuatemalaState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """Perform the action; if no question is left, begin the next turn or end the game."""
        frame = state.frames[-1]
        rule.perform(state, seat, recorder, *action[1:])
        if state.frames:
            return
        # Sacks can end the game only after a sack is dealt with, or the purchases after a block
        # (ruling 35).
        is_sack_done = frame.blocked if isinstance(frame, Buying) else not isinstance(frame, Moving)
        ending = _ending_by_sacks(state) if is_sack_done else ""
        if not ending:
            recorder.record(TurnEnded(seat=state.turn))
            ending = _ending_by_idleness(state)
        if ending:
            state.frames = [GuatemalaOver(ending)]
            recorder.record(GameEnded(ending=ending))
        else:
            state.turn = (state.turn + 1) % len(state.players)
            state.round += state.turn == state.first
            state.frames = [Moving()]

    def outcome(self, state: GuatemalaState) -> Outcome | None:
        """Return the result once the game is over: most points, then most money, then a tie
        (ruling 38)."""
        frame = state.frames[-1]
        if not isinstance(frame, GuatemalaOver):
            return None
        ranks = [(sum(player.points), player.money) for player in state.players]
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        by_colour = zip(*[player.points for player in state.players], strict=True)
        lines = tuple(zip(COLOUR_KEYS, by_colour, strict=True))
        return Outcome(frame.ending, winners, tuple(points for points, _ in ranks), lines)

    def progress(self, state: GuatemalaState) -> float:
        """Return how close the first marker and the sacks have come; some games end earlier.

        Its square root, as harvests grow: after half the turns they are a third of the way.
        """
        way = 1 - distance_to_sacks(state) / (state.rules.track + 1)
        return min(math.sqrt(way), 1.0)

    def hand(self, state: GuatemalaState, seat: Seat) -> object:
        """Return the seat's sacks: a block takes one when another seat's answer decides it."""
        return state.players[seat].hand

    def discloses(self, state: GuatemalaState, action: Action) -> bool:
        """Return True for a sack from a hand; answers about a block are sealed."""
        return action[0] == REFILL.move.kind


def _random_production(chance: Chance) -> list[int]:
    """Draw the pieces: on framed spaces a sack of each colour and a second one of a random colour
    (ruling 42), on the others the other pieces."""
    production = [EMPTY] * (len(FRAMED) + len(OTHERS))
    sacks = [1] * COLOURS
    sacks[chance.draw("colour of two sacks", sacks)] += 1
    for space in FRAMED:
        production[space] = piece(SACK, take(chance, "sack on the board", sacks))
    pieces = [count for count in COUNTS[:SACK] for _ in COLOUR_KEYS]
    for space in OTHERS:
        production[space] = take(chance, "piece on the board", pieces)
    return production


GAME = Guatemala()
"""The instance; it stores no table's state."""
