"""The evaluation of the computer players of Guatemala Café, and its standing orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import END, Action, Decision, joined
from bot.game.frames import frame_of
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import STEPS, adjacent_cells, step_cost
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    CONTENT,
    FACED,
    HUT,
    POSITION_NAMES,
    POSITIONS,
    WORKER,
    colour_of,
    kind_of,
)
from bot.game.guatemala.plantation import nearest_ports
from bot.game.guatemala.sacks import NO, YES, crops, distance_to_sacks
from bot.game.guatemala.state import (
    NONE,
    Blocking,
    Buying,
    GuatemalaOver,
    GuatemalaState,
    GuatemalaView,
)
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.guatemala.valuation import (
    HUTS,
    RATING,
    WEIGHTS,
    WORKERS,
    GuatemalaValuation,
    Weights,
)
from bot.policy.orders import ON, Answer, Order

STARTS, PURCHASES, PLACES = 12, 20, 3
"""The limits of a menu: first positions, purchases, and places for each piece."""
END_BY = 2
"""The maximum number of purchases before the end of the turn in a menu, to keep it near the top."""
MANY = 4
"""The limit of free cells around a plantation, and of workers that may join it."""
CLOSE, OPEN = 4.0, {2: 7.0, 3: 5.0, 4: 1.0}
"""The spread at the end, and the amount added to it at the beginning, by number of players.

They are fitted to the results of normal players.
"""


class GuatemalaJudgement(Judgement[GuatemalaState]):
    """The judgement of Guatemala Café: a rating includes the rest of the turn."""

    by_chance = ("place",)
    counted = tuple(RATING[2])

    def rated(
        self, view: GuatemalaView, decision: Decision, legal: Legal, weights: Weights
    ) -> Sequence[Rated]:
        rated: list[Rated] = []
        if decision.kind == "place":
            rated = [
                (-float(_first_gain(view.known, position)), ("place", name))
                for position, name in enumerate(POSITION_NAMES)
            ]
            return sorted(rated, key=lambda each: -each[0])[:STARTS]
        valuation = GuatemalaValuation(view.known, decision.seat, weights)
        match decision.kind:
            case "step":
                steps = [step for step in STEPS if step_cost(int(step)) <= valuation.player.money]
                rated = [(valuation.step(int(step)), ("move", step)) for step in steps]
                rated.append((float("-inf"), ("pass",)))
            case "act":
                return _rate_act(valuation)
            case "block":
                colour = frame_of(valuation.state, Blocking).colour
                rated = [(0.0, ("block", NO))]
                if valuation.player.hand[colour]:
                    rated.append((valuation.blocking(colour), ("block", YES)))
            case "refill":
                hand = [colour for colour, n in enumerate(valuation.player.hand) if n]
                rated = [
                    (valuation.refilling(each), ("refill", COLOUR_KEYS[each])) for each in hand
                ]
        return sorted(rated, key=lambda each: -each[0])

    def best(
        self,
        view: GuatemalaView,
        decision: Decision,
        legal: Legal,
        rng: Random,
        weights: Weights | None = None,
    ) -> Action:
        """Return the best action; in the buyer's line without rating all purchases."""
        if decision.kind != "act":
            return super().best(view, decision, legal, rng, weights)
        valuation = GuatemalaValuation(view.known, decision.seat, weights)
        purchase = valuation.best_purchases(valuation.state.buyer, _left(valuation))
        return max([purchase, *_rate_sack(valuation, purchase[0])], key=lambda each: each[0])[1]

    def candidates(self, view: GuatemalaView, decision: Decision, legal: Legal) -> Sequence[Action]:
        """Return the best of the menu: moves with alternatives, or the best action first."""
        menu = super().candidates(view, decision, legal)
        if decision.kind == "step":
            valuation, moves = GuatemalaValuation(view.known, decision.seat), menu[:-1]
            return [
                *moves,
                *(each for _, steps in moves for each in _alternatives(valuation, int(steps))),
            ]
        if decision.kind == "act":
            return [self.best(view, decision, legal, Random(0)), *menu]
        return menu

    def value(self, state: GuatemalaState) -> Sequence[float]:
        """Return the expected points of each seat, less a constant for all."""
        if isinstance(state.frames[-1], GuatemalaOver):
            return [float(sum(player.points)) for player in state.players]
        weights = RATING[len(state.players)].values()
        return [
            sum([weight * amount for weight, amount in zip(weights, amounts, strict=True)])
            for amounts in self.holdings(state)
        ]

    def spread(self, state: GuatemalaState) -> float:
        """Return a spread that shrinks as the markers approach the sacks."""
        distance = distance_to_sacks(state) / state.rules.track
        return CLOSE + OPEN[len(state.players)] * distance

    def holdings(self, state: GuatemalaState) -> list[list[float]]:
        """Return, by seat, the amounts that `RATING` weighs."""
        valuation = GuatemalaValuation(state, state.turn)
        nearest = nearest_ports(valuation.players, tuple(state.roads))
        by_seat = []
        for player in state.players:
            workers = ships = hutless = growth = room = 0.0
            for colour, times in enumerate(valuation.harvests):
                size, hut = len(player.workers[colour]), player.huts[colour]
                if hut == NONE:
                    hutless += size * times if valuation.on_board[HUTS[colour]] else 0.0
                    continue
                workers += size * times
                growth += min(valuation.on_board[WORKERS[colour]] / valuation.players, MANY) * times
                adjacent = adjacent_cells(valuation.players, tuple(player.cells(colour)))
                room += min((adjacent & valuation.free).bit_count(), MANY)
                port, missing = nearest[hut]
                docked, nearness = state.ports[port].count(colour), valuation.nearness(len(missing))
                ships += nearness * size * sum([min(docked - n, times) for n in range(docked)])
            points, time = float(sum(player.points)), valuation.time
            money, sacks = time * player.money, float(sum(player.hand))
            by_seat.append(
                [points, workers, ships, hutless, time * growth, time * room, money, sacks]
            )
        return by_seat


def _first_gain(state: GuatemalaState, position: int) -> int:
    """Return the most workers with their hut in a line that the first seat can reach."""

    def pairs(position: int) -> int:
        line = [state.production[space] for space in FACED[position % POSITIONS]]
        huts = [colour_of(each) for each in line if kind_of(each) == HUT]
        return sum(kind_of(each) == WORKER and colour_of(each) in huts for each in line)

    return max(pairs(position + step) for step in range(1, CONTENT.steps + 1))


def _left(valuation: GuatemalaValuation) -> int:
    """Return the number of pieces left to buy in this turn."""
    return CONTENT.pieces - len(frame_of(valuation.state, Buying).emptied)


def _rate_sack(valuation: GuatemalaValuation, instead: float) -> list[Rated]:
    """Return the rated sack of the buyer's line; an empty list if it may not be taken."""
    frame, colour = frame_of(valuation.state, Buying), valuation.sack(valuation.state.buyer)
    if colour is None or frame.emptied or frame.blocked:
        return []
    return [(valuation.take(colour, instead), ("take",))]


def _rate_act(valuation: GuatemalaValuation) -> list[Rated]:
    """Return the rated actions in the buyer's line.

    First are the best purchases joined with the end of the turn, then single purchases, with the
    end of the turn before those without gain. The sack is first or second. The last possible
    purchase ends the turn.
    """
    state, left = valuation.state, _left(valuation)
    offers = valuation.offers(state.buyer, PLACES) if left else []
    rated = [
        (value, joined(each, (END,)) if left == 1 else each) for value, each in offers[:PURCHASES]
    ]
    gaining = sum(value > 0 for value, _ in offers)
    rated.insert(min(gaining, END_BY), (0.0, (END,)))
    value, action = valuation.best_purchases(state.buyer, left)
    if gaining:
        copy, actions = GAME.decode(GAME.encode(state)), [action]
        while actions[-1] != (END,):
            GAME.apply(copy, valuation.seat, actions[-1], RandomChance(Random(0)))
            after = GuatemalaValuation(copy, valuation.seat, valuation.weights)
            actions.append(after.best_purchases(state.buyer, _left(after))[1])
        whole = joined(*actions)
        rated = [(value, whole), *(each for each in rated if each[1] != whole)]
    for sack in _rate_sack(valuation, value):
        rated.insert(sack[0] <= value, sack)
    return rated


def _alternatives(valuation: GuatemalaValuation, steps: int) -> list[Action]:
    """Return a move with the lower-rated use of a line with a sack: the sack, or purchases."""
    position = (valuation.state.buyer + steps) % POSITIONS
    colour, (value, first) = (
        valuation.sack(position),
        valuation.best_purchases(position, CONTENT.pieces),
    )
    if colour is None:
        return []
    if valuation.take(colour, value) <= value:
        return [joined(("move", str(steps)), ("take",))]
    # After paying for the move the seat may lack the money for the purchase.
    return [] if step_cost(steps) else [joined(("move", str(steps)), first)]


JUDGEMENT = GuatemalaJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, doubt=0.1)


# Standing orders about blocks. Only public information decides whether they answer, so an immediate
# answer reveals nothing about a hand.

MINIMUMS = ("1", "2", "3")
"""The minimum numbers of sacks of a colour to choose from for a block."""


def _block_order(
    decides: Callable[[GuatemalaState, int, Decision, str], bool | None], colour: int | None = None
) -> Answer:
    """Return a standing order about blocks of one colour or all.

    `decides` returns whether to block; None asks the player.
    """

    def answer(view: GuatemalaView, decision: Decision, legal: Legal, value: str) -> Action | None:
        frame = view.known.frames[-1]
        if not isinstance(frame, Blocking) or colour not in (None, frame.colour):
            return None
        blocks = decides(view.known, frame.colour, decision, value)
        return None if blocks is None else ("block", YES if blocks else NO)

    return answer


def _has_sacks(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool:
    """Return whether the hand has at least `value` sacks of the colour."""
    return state.players[decision.seat].hand[colour] >= int(value)


def _scoreless(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool | None:
    """Return True if only others would score and the seat can block, False if it can't or no one
    would score, None if the seat would score."""
    points = [each.points for each in crops(state, colour)]
    if points[decision.seat]:
        return None
    return any(points) and _has_sacks(state, colour, decision, "1")


ORDERS = {
    **{
        f"block_{key}": Order(MINIMUMS, _block_order(_has_sacks, colour))
        for colour, key in enumerate(COLOUR_KEYS)
    },
    "block_scoreless": Order(ON, _block_order(_scoreless)),
    "never_block": Order(ON, _block_order(lambda state, colour, decision, value: False)),
}
"""By name, the first one to answer first."""
