"""Guatemala Café as a `Game`: the set-up, the course of the turns, the end and who has won."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import Action, Chance, Option, Outcome, Seat
from bot.game.events import GameEnded, TurnEnded, kinds_of
from bot.game.grammar import EventRecorder, Rule
from bot.game.guatemala.buyer import MOVE, PASS, PUT
from bot.game.guatemala.buying import BUY, END
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOURS,
    CONTENT,
    COUNTS,
    EMPTY,
    FRAMED,
    OTHERS,
    PRINTED,
    SACK,
    colour_of,
    piece,
)
from bot.game.guatemala.invariants import invariants
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.sacks import BLOCK, REFILL, TAKE, draw, lowest_sack
from bot.game.guatemala.state import (
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
    deal,
)
from bot.game.turns import RuledGame, TurnLoop


class GuatemalaTurns(TurnLoop[GuatemalaState]):
    """The top frame asks; about a block all others are asked at once, in secret."""

    def asked_seat(self, state: GuatemalaState) -> Seat | None:
        """Whose turn it is; None while others answer about a block and at the end."""
        if isinstance(state.frames[-1], (Blocking, GuatemalaOver)):
            return None
        return state.turn

    def choosing(self, state: GuatemalaState) -> list[tuple[Seat, bool]]:
        """Who answers about a block, and whether they have."""
        frame = state.frames[-1]
        if not isinstance(frame, Blocking):
            return []
        return [(seat, frame.answers[seat] != UNANSWERED) for seat in asked_about_block(state)]

    def carry_out(
        self,
        state: GuatemalaState,
        seat: Seat,
        known: Rule[GuatemalaState],
        action: Action,
        recorder: EventRecorder,
    ) -> None:
        """Where nothing is left to ask the turn is over, and the next one begins."""
        frame = state.frames[-1]
        known.perform(state, seat, recorder, *action[1:])
        if state.frames:
            return
        # All of a sack is done, or the buying after a block (ruling 35).
        is_sack_done = frame.blocked if isinstance(frame, Buying) else not isinstance(frame, Moving)
        ending = _ending_by_sacks(state) if is_sack_done else ""
        if not ending:
            recorder.tell(TurnEnded(seat=state.turn))
            ending = _ending_by_standstill(state)
        if ending:
            state.frames = [GuatemalaOver(ending)]
            recorder.tell(GameEnded(ending=ending))
        else:
            state.turn = (state.turn + 1) % len(state.players)
            state.round += state.turn == state.first
            state.frames = [Moving()]


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


class Guatemala(RuledGame[GuatemalaState]):
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
    turns = GuatemalaTurns(
        {
            "place": (PUT,),
            "step": (MOVE, PASS),
            "act": (BUY, TAKE, END),
            "block": (BLOCK,),
            "refill": (REFILL,),
            "over": (),
        }
    )
    state = GuatemalaState

    deal = staticmethod(deal)
    invariants = staticmethod(invariants)

    def begin(self, seats: int, options: Mapping[str, str], chance: Chance) -> GuatemalaState:
        """The table set up to its first question, where the buyer begins."""
        first = chance.draw("first player", [1] * seats)
        production = [*PRINTED]
        if options.get("setup") == "random":
            production = _random_production(chance)
        bag = [COUNTS[SACK]] * COLOURS
        for space in FRAMED:
            bag[colour_of(production[space])] -= 1
        each = (sum(bag) - CONTENT.sacks_left) // seats
        players = []
        for seat in range(seats):
            hand = [0] * COLOURS
            for _ in range(each):
                hand[draw(bag, f"sack of seat {seat}", chance)] += 1
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

    def outcome(self, state: GuatemalaState) -> Outcome | None:
        """The result, once the game is over: most points, then most money, then shared (ruling
        38)."""
        frame = state.frames[-1]
        if not isinstance(frame, GuatemalaOver):
            return None
        ranks = [(sum(player.points), player.money) for player in state.players]
        winners = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        lines = tuple(
            (key, tuple(player.points[colour] for player in state.players))
            for colour, key in enumerate(COLOUR_KEYS)
        )
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
        production[space] = piece(SACK, draw(sacks, "sack on the board", chance))
    pieces = [count for count in COUNTS[:SACK] for _ in COLOUR_KEYS]
    for space in OTHERS:
        production[space] = draw(pieces, "piece on the board", chance)
    return production


GAME = Guatemala()
"""The one instance; it holds no state of any table."""
