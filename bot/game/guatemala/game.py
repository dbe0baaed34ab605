"""Guatemala Café as a `Game`: the set-up, the course of the turns, the end and who has won, and
what must hold at a table after every action: no piece is lost or misplaced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.game.bits import connected, mask
from bot.game.chance import take
from bot.game.contract import Action, Chance, Option, Outcome, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.game import Game
from bot.game.grammar import EventRecorder, Rule
from bot.game.guatemala.buying import BUY, END, MOVE, PASS, PUT, cells_beside, occupied_cells
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
from bot.game.guatemala.sacks import BLOCK, REFILL, TAKE, lowest_sack
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
    asked_about_block,
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
"""The kinds of action that answer each question, in the order shown."""


def _ending_by_sacks(state: GuatemalaState) -> str:
    """A marker has met the sacks, or no sack lies on the production board (ruling 43)."""
    if max(sum(player.points) for player in state.players) >= lowest_sack(state):
        return "met"
    return "no_sacks" if all(state.production[space] == EMPTY for space in FRAMED) else ""


def _ending_by_standstill(state: GuatemalaState) -> str:
    """Nobody moves the buyer or takes anything any more (ruling 6)."""
    if state.still == len(state.players):
        return "no_steps"
    return "idle" if state.idle == CONTENT.turns_without_piece else ""


def invariants(state: GuatemalaState) -> list[str]:
    """What is wrong with a state, for developers; empty for a sound one."""
    board, bought, production = board_of(state), emptied_spaces(state), enumerate(state.production)
    huts = [hut for player in state.players for hut in player.huts if hut != NONE]
    workers = [cell for player in state.players for cells in player.workers for cell in cells]
    roads, docked = mask(state.roads), zip(board.ports, state.ports, strict=True)
    faults = {
        f"{len(bought)} pieces bought in a turn": len(bought) > CONTENT.pieces,
        **{f"seat {n} has {p.money} centavos": p.money < 0 for n, p in enumerate(state.players)},
        **{
            f"piece {each} lies on space {space}": (kind_of(each) == SACK) != (space in FRAMED)
            for space, each in production
            if each != EMPTY
        },
        f"roads lie on {state.roads}": (
            roads.bit_count() != len(state.roads) or roads & ~board.open_roads
        ),
        **{
            f"{port.name} holds {ships}": len(ships) > len(port.prices) * (n in board.open_ports)
            for n, (port, ships) in enumerate(docked)
        },
        "two pieces stand on one cell": len({*huts, *workers}) != len(huts) + len(workers),
        "a piece stands where it may not": (
            mask(huts) & ~board.hut_cells or mask(workers) & ~board.land
        ),
        "the occupied cells do not fit the pieces": mask(huts + workers) != occupied_cells(state),
    }
    return [*present(faults), *_pieces(state), *_plantations(state)]


def _pieces(state: GuatemalaState) -> Iterator[str]:
    """All of each kind and colour are somewhere (rules: setup)."""
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
    """They hang together, and none joins another player's of its colour (rulings 14 and 16)."""
    around, players = board_of(state).around, len(state.players)
    for colour, key in enumerate(COLOUR_KEYS):
        owned = [tuple(player.cells(colour)) for player in state.players]
        for seat, cells in enumerate(owned):
            if connected(mask(cells[:1]), mask(cells), around) != mask(cells):
                yield f"the {key} plantation of seat {seat} falls apart"
            beside = cells_beside(players, cells)
            if any(beside & mask(others) for others in owned[seat + 1 :]):
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
        """The table set up to its first question, where the buyer begins."""
        first = chance.draw("first player", [1] * seats)
        is_random = options.get("setup") == "random"
        production = _random_production(chance) if is_random else [*PRINTED]
        bag = [COUNTS[SACK]] * COLOURS
        for space in FRAMED:
            bag[colour_of(production[space])] -= 1
        each = (sum(bag) - CONTENT.sacks_left) // seats
        players = []
        for seat in range(seats):
            hand = [0] * COLOURS
            for _ in range(each):
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
        """Whose turn it is; None while others answer about a block and at the end."""
        return None if isinstance(state.frames[-1], (Blocking, GuatemalaOver)) else state.turn

    def choosing(self, state: GuatemalaState) -> list[tuple[Seat, bool]]:
        """Who answers about a block, and whether they have."""
        frame = state.frames[-1]
        return (
            [(seat, frame.answers[seat] != UNANSWERED) for seat in asked_about_block(state)]
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
        """Where nothing is left to ask the turn is over, and the next one begins."""
        frame = state.frames[-1]
        rule.perform(state, seat, recorder, *action[1:])
        if state.frames:
            return
        # All of a sack is done, or the buying after a block (ruling 35).
        is_sack_done = frame.blocked if isinstance(frame, Buying) else not isinstance(frame, Moving)
        ending = _ending_by_sacks(state) if is_sack_done else ""
        if not ending:
            recorder.record(TurnEnded(seat=state.turn))
            ending = _ending_by_standstill(state)
        if ending:
            state.frames = [GuatemalaOver(ending)]
            recorder.record(GameEnded(ending=ending))
        else:
            state.turn = (state.turn + 1) % len(state.players)
            state.round += state.turn == state.first
            state.frames = [Moving()]

    def outcome(self, state: GuatemalaState) -> Outcome | None:
        """The result, once the game is over: most points, then most money, then shared (ruling
        38)."""
        frame = state.frames[-1]
        if not isinstance(frame, GuatemalaOver):
            return None
        ranks = [(sum(player.points), player.money) for player in state.players]
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        by_colour = zip(*[player.points for player in state.players], strict=True)
        lines = tuple(zip(COLOUR_KEYS, by_colour, strict=True))
        return Outcome(frame.ending, winners, tuple(points for points, _ in ranks), lines)

    def hand(self, state: GuatemalaState, seat: Seat) -> object:
        """The seat's sacks, one of which a block takes when somebody else's answer settles it."""
        return state.players[seat].hand

    def discloses(self, state: GuatemalaState, action: Action) -> bool:
        """A sack out of a hand; answers about a block are sealed."""
        return action[0] == REFILL.move.kind


def _random_production(chance: Chance) -> list[int]:
    """On the framed spaces sacks of every colour and one of them twice (ruling 42), on the others
    the other pieces."""
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
"""The one instance; it holds no state of any table."""
