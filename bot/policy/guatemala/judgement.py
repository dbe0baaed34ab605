"""What the computer players of Guatemala Café go by, and its standing orders."""

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
from bot.game.guatemala.sacks import NO, YES, crops, lowest_sack
from bot.game.guatemala.state import (
    NONE,
    Blocking,
    Buying,
    GuatemalaOver,
    GuatemalaState,
    GuatemalaView,
)
from bot.policy.contract import Judgement, Legal, Rated
from bot.policy.guatemala.worth import HUTS, RATING, WEIGHTS, WORKERS, GuatemalaWorth, Weights
from bot.policy.orders import ON, Answer, Order

STARTS, PURCHASES, PLACES = 12, 20, 3
"""So many positions are offered to begin at, purchases to make, and places of each piece."""
END_BY = 2
"""How many purchases are offered before the end of the turn at the most, so that it is soon
found."""
MANY = 4
"""Free cells around a plantation, and workers that may join it: more are not worth more."""
CLOSE, OPEN = 4.0, {2: 7.0, 3: 5.0, 4: 1.0}
"""The points by which leads are told apart at the end, and those more at the beginning, by number
of players: so that chances are right in games of normal players."""


class GuatemalaJudgement(Judgement[GuatemalaState]):
    """A step, a purchase or a sack is rated with what the turn can bring after it."""

    by_chance = ("place",)
    counted = tuple(RATING[2])

    def rated(
        self, view: GuatemalaView, decision: Decision, legal: Legal, weights: Weights
    ) -> Sequence[Rated]:
        """What gains most first."""
        found: list[Rated] = []
        if decision.kind == "place":
            found = [
                (-float(_begun(view.known, position)), ("place", name))
                for position, name in enumerate(POSITION_NAMES)
            ]
            return sorted(found, key=lambda each: -each[0])[:STARTS]
        worth = GuatemalaWorth(view.known, decision.seat, weights)
        match decision.kind:
            case "step":
                able = [step for step in STEPS if step_cost(int(step)) <= worth.me.money]
                found = [(worth.step(int(step)), ("move", step)) for step in able]
                found.append((float("-inf"), ("pass",)))
            case "act":
                return _acts(worth)
            case "block":
                colour = frame_of(worth.state, Blocking).colour
                found = [(0.0, ("block", NO))]
                if worth.me.hand[colour]:
                    found.append((worth.blocking(colour), ("block", YES)))
            case "refill":
                held = [colour for colour, n in enumerate(worth.me.hand) if n]
                found = [(worth.refilling(each), ("refill", COLOUR_KEYS[each])) for each in held]
        return sorted(found, key=lambda each: -each[0])

    def best(
        self,
        view: GuatemalaView,
        decision: Decision,
        legal: Legal,
        rng: Random,
        weights: Weights | None = None,
    ) -> Action:
        """Before the buyer's line nothing else is looked at than what is best."""
        if decision.kind != "act":
            return super().best(view, decision, legal, rng, weights)
        worth = GuatemalaWorth(view.known, decision.seat, weights)
        bought = worth.basket(worth.state.buyer, _left(worth))
        return max([bought, *_sack(worth, bought[0])], key=lambda each: each[0])[1]

    def candidates(self, view: GuatemalaView, decision: Decision, legal: Legal) -> Sequence[Action]:
        """For a step, what could be done there as well; else what would be played on with, before
        the best of what people are offered."""
        offered = super().candidates(view, decision, legal)
        if decision.kind == "step":
            worth, moves = GuatemalaWorth(view.known, decision.seat), offered[:-1]
            return [*moves, *(each for _, steps in moves for each in _instead(worth, int(steps)))]
        if decision.kind == "act":
            return [self.best(view, decision, legal, Random(0)), *offered]
        return offered

    def value(self, state: GuatemalaState) -> Sequence[float]:
        """By seat, how many points it may have at the end, less what they all have then."""
        if isinstance(state.frames[-1], GuatemalaOver):
            return [float(sum(player.points)) for player in state.players]
        weights = RATING[len(state.players)].values()
        return [
            sum([weight * amount for weight, amount in zip(weights, held, strict=True)])
            for held in self.holdings(state)
        ]

    def spread(self, state: GuatemalaState) -> float:
        """Less and less can change."""
        first = max(sum(player.points) for player in state.players)
        return CLOSE + OPEN[len(state.players)] * (lowest_sack(state) - first) / state.rules.track

    def holdings(self, state: GuatemalaState) -> list[list[float]]:
        """By seat, how much it has of what `RATING` weighs."""
        worth = GuatemalaWorth(state, state.turn)
        nearest = nearest_ports(worth.players, tuple(state.roads))
        found = []
        for player in state.players:
            workers = ships = hutless = growth = room = 0.0
            for colour, times in enumerate(worth.harvests):
                size, hut = len(player.workers[colour]), player.huts[colour]
                if hut == NONE:
                    hutless += size * times if worth.lying[HUTS[colour]] else 0.0
                    continue
                workers += size * times
                growth += min(worth.lying[WORKERS[colour]] / worth.players, MANY) * times
                beside = adjacent_cells(worth.players, tuple(player.cells(colour)))
                room += min((beside & worth.free).bit_count(), MANY)
                port, missing = nearest[hut]
                there, close = state.ports[port].count(colour), worth.close(len(missing))
                ships += close * size * sum([min(there - n, times) for n in range(there)])
            points, time = float(sum(player.points)), worth.time
            money, sacks = time * player.money, float(sum(player.hand))
            found.append(
                [points, workers, ships, hutless, time * growth, time * room, money, sacks]
            )
        return found


def _begun(state: GuatemalaState, position: int) -> int:
    """How much the first seat finds if the buyer begins there: workers in a line with their hut."""

    def pairs(position: int) -> int:
        lying = [state.production[space] for space in FACED[position % POSITIONS]]
        huts = [colour_of(each) for each in lying if kind_of(each) == HUT]
        return sum(kind_of(each) == WORKER and colour_of(each) in huts for each in lying)

    return max(pairs(position + step) for step in range(1, CONTENT.steps + 1))


def _left(worth: GuatemalaWorth) -> int:
    """How many pieces may yet be bought in this turn."""
    return CONTENT.pieces - len(frame_of(worth.state, Buying).emptied)


def _sack(worth: GuatemalaWorth, instead: float) -> list[Rated]:
    """The sack of the buyer's line, where it may be taken."""
    frame, colour = frame_of(worth.state, Buying), worth.sack(worth.state.buyer)
    if colour is None or frame.emptied or frame.blocked:
        return []
    return [(worth.take(colour, instead), ("take",))]


def _acts(worth: GuatemalaWorth) -> list[Rated]:
    """All that would be bought in a row, and the end of the turn; then pieces on the best of their
    places, the end of the turn before those that gain nothing, and the sack, either first or
    second. The last piece that may be bought ends the turn."""
    state, left = worth.state, _left(worth)
    offers = worth.offers(state.buyer, PLACES) if left else []
    found = [
        (value, joined(each, (END,)) if left == 1 else each) for value, each in offers[:PURCHASES]
    ]
    gaining = sum(value > 0 for value, _ in offers)
    found.insert(min(gaining, END_BY), (0.0, (END,)))
    value, action = worth.basket(state.buyer, left)
    if gaining:
        ahead, bought = GAME.decode(GAME.encode(state)), [action]
        while bought[-1] != (END,):
            GAME.apply(ahead, worth.seat, bought[-1], RandomChance(Random(0)))
            then = GuatemalaWorth(ahead, worth.seat, worth.by)
            bought.append(then.basket(state.buyer, _left(then))[1])
        all_of_it = joined(*bought)
        found = [(value, all_of_it), *(each for each in found if each[1] != all_of_it)]
    for sack in _sack(worth, value):
        found.insert(sack[0] <= value, sack)
    return found


def _instead(worth: GuatemalaWorth, steps: int) -> list[Action]:
    """Such a step, and what would not be done with the sack there: to take it, or to buy."""
    position = (worth.state.buyer + steps) % POSITIONS
    colour, (value, first) = worth.sack(position), worth.basket(position, CONTENT.pieces)
    if colour is None:
        return []
    if worth.take(colour, value) <= value:
        return [joined(("move", str(steps)), ("take",))]
    # What a step costs may be missing for what is bought then.
    return [] if step_cost(steps) else [joined(("move", str(steps)), first)]


JUDGEMENT = GuatemalaJudgement(game=GAME, weights=WEIGHTS, nodes=1_000, doubt=0.1)


# Standing orders about blocks. Whom they answer for depends on what everybody can see alone, so
# that being answered at once tells nothing of a hand.

LEAST = ("1", "2", "3")
"""How many sacks of a colour one may want to hold for a block with it."""


def _about_block(
    says: Callable[[GuatemalaState, int, Decision, str], bool | None], colour: int | None = None
) -> Answer:
    """An order about blocks, of one colour or of any: it blocks or not, as it `says`; None asks the
    person."""

    def answer(view: GuatemalaView, decision: Decision, legal: Legal, value: str) -> Action | None:
        frame = view.known.frames[-1]
        if not isinstance(frame, Blocking) or colour not in (None, frame.colour):
            return None
        blocks = says(view.known, frame.colour, decision, value)
        return None if blocks is None else ("block", YES if blocks else NO)

    return answer


def _holding(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool:
    """A block with so many sacks of the colour in hand at least; without them no block."""
    return state.players[decision.seat].hand[colour] >= int(value)


def _scoreless(state: GuatemalaState, colour: int, decision: Decision, value: str) -> bool | None:
    """A block, where one can, when others would score and one's own plantation nothing; where
    nobody would, no sack is spent."""
    points = [each.points for each in crops(state, colour)]
    if points[decision.seat]:
        return None
    return any(points) and _holding(state, colour, decision, "1")


ORDERS = {
    **{
        f"block_{key}": Order(LEAST, _about_block(_holding, colour))
        for colour, key in enumerate(COLOUR_KEYS)
    },
    "block_scoreless": Order(ON, _about_block(_scoreless)),
    "never_block": Order(ON, _about_block(lambda state, colour, decision, value: False)),
}
"""By name, in the order in which they answer."""
