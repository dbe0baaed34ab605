"""The evaluation of the computer players of The Castles of Burgundy.

It estimates, in points, the value of tiles, spaces, goods and workers for a seat, for one action
with a die at a time. The weights are in data/burgundy/weights.toml.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.game.bits import members
from bot.game.burgundy import GAME
from bot.game.burgundy.data import (
    ANIMAL,
    AROUND,
    BOARDS,
    COLOUR_OF,
    CONTENT,
    DEPOT_OF_WORD,
    DEPOT_WORDS,
    DEPOTS,
    FOR_PLAYERS,
    GOODS_LETTERS,
    KINDS,
    LAST_ROUND,
    MINE_TILE,
    NEIGHBOURS,
    PHASES,
    SPACE_NAMES,
    SPACE_OF_NAME,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    Board,
    Region,
)
from bot.game.burgundy.dice import DIE_WORDS, dice, gain, purchases, ways_to_take
from bot.game.burgundy.goods import (
    GOOD_OF_WORD,
    SECOND_LOAD,
    is_first,
    loads,
    room,
    sale,
    ways_to_sell,
)
from bot.game.burgundy.placing import animals_scoring, region_points, scores, total, ways_to_place
from bot.game.burgundy.rounds import last_points
from bot.game.burgundy.state import (
    NONE,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyState,
    BurgundyView,
    has_knowledge,
    phase_of,
    turn_of,
)
from bot.game.choices import Bundle, Choices, OneOf
from bot.game.content import Strict, read
from bot.game.contract import DECLINE, END, Action, Decision, Seat, joined
from bot.policy.contract import Judgement, Legal, Rated
from bot.resources import data


class BurgundyWeights(Strict, frozen=True):
    """The weights of a computer player, in points unless noted."""

    worker: float
    silverling: float
    black_tile: float
    """Added for a tile from the black depot, to offset its price."""
    covered: float
    """A covered space: more neighbours, and progress to a colour's bonus."""
    opening: float
    """Each empty space that gets its first covered neighbour."""
    goal: float
    """Share of a region's points for covering its spaces before the last one."""
    later: float
    """Factor for a tile in storage, as placing it costs another die."""
    unreached: float
    """Another factor, for a space without a covered neighbour."""
    left_over: float
    """A tile that can no longer be placed."""
    ship: float
    goods: float
    """Each goods tile that a ship can load."""
    warehouse: float
    """Each goods tile that a Warehouse sells."""
    counted: float
    """Expected number of additional pieces per remaining phase that a knowledge tile will count."""
    animal_kinds: float
    """Expected number of additional kinds of animals per remaining phase."""
    sold: float
    """Expected number of additional sold goods per remaining phase."""
    effects: Mapping[str, float]
    """Tiles whose value never changes."""
    early: Mapping[str, float]
    """Knowledge tiles with an effect during the game, if they are placed in its first round."""


WEIGHTS: Mapping[str, BurgundyWeights] = read(
    data("burgundy", "weights.toml"), dict[str, BurgundyWeights]
)
"""The weights by name of the player."""
NORMAL = WEIGHTS["normal"]


class BurgundyValuation:
    """Estimates values for one seat from a state as that seat knows it."""

    def __init__(self, state: BurgundyState, seat: Seat, weights: BurgundyWeights) -> None:
        self.state = state
        self.seat = seat
        self.weights = weights
        self.mine = state.players[seat]
        self.has_room = len(self.mine.storage) < CONTENT.storage_spaces
        self._board = BOARDS[self.mine.board]
        self._phase = phase_of(state)
        self._phases_left = PHASES - self._phase
        self._rounds_left = LAST_ROUND - max(state.round, 1)
        self._stored: dict[int, float] = {}

    def placed(self, tile: int, space: int, points: int) -> float:
        """Return the value of a tile on a space, with the points that it scores immediately."""
        region = self._board.region_of[space]
        return self._placed(region, space, points, self._effect(tile))

    def stored(self, tile: int) -> float:
        """Return the value of a tile in storage: the best that it can still score."""
        value = self._stored.get(tile)
        if value is None:
            value = self._stored[tile] = self._best(tile)
        return value

    def discarded(self) -> tuple[float, str]:
        """Return the value and key of the tile to discard for another; 0 and '' if storage has
        room."""
        if self.has_room:
            return 0.0, ""
        tile = min(self.mine.storage, key=self.stored)
        return self.stored(tile), TILE_KEYS[tile]

    def _best(self, tile: int) -> float:
        mine, colour, weights = self.mine, COLOUR_OF[tile], self.weights
        stored = sum([COLOUR_OF[other] == colour for other in mine.storage])
        empty = (self._board.of_colour[colour] & ~mine.covered).bit_count()
        best = weights.left_over
        if empty <= stored or self._rounds_left < 1:
            return best
        effect = self._effect(tile)
        for region in self._board.regions:
            spaces = region.mask & ~mine.covered
            if region.colour != colour or not spaces:
                continue
            points = sum(animals_scoring(mine, tile, region)) if colour == ANIMAL else 0
            if spaces & (spaces - 1) == 0:
                points += sum(region_points(self._phase, region))
            for space in members(spaces):
                value = self._placed(region, space, points, effect)
                if not mine.border >> space & 1:
                    value *= weights.unreached
                best = max(best, value)
        return best * weights.later

    def _placed(self, region: Region, space: int, points: int, effect: float) -> float:
        mine, weights, left = self.mine, self.weights, self._rounds_left
        value = weights.covered + points + effect
        empty = (region.mask & ~mine.covered).bit_count()
        if 1 < empty <= left:
            # The tile does not complete the region.
            gain = sum(region_points(self._phase, region))
            value += weights.goal * gain / len(region.spaces)
        if left > 3:
            value += weights.opening * (AROUND[space] & ~mine.covered & ~mine.border).bit_count()
        return value

    def _effect(self, tile: int) -> float:
        """Return the value of a placed tile besides its immediate points."""
        kind, weights, estate = TILES[tile], self.weights, self.mine.estate
        match kind.key:
            case "mine":
                return weights.silverling * self._phases_left * kind.amount
            case "ship":
                count = min(3, max(map(sum, self.state.goods)))
                # Without time to sell them, goods score 1 point each at the end.
                return weights.ship + count * (weights.goods if self._rounds_left > 1 else 1) / 2
            case "warehouse":
                return weights.warehouse * max(self.mine.goods)
            case "boarding_house":
                return weights.worker * kind.amount
            case "bank":
                return weights.silverling * kind.amount
            case "k24":
                animals = {TILES[each].kind for each in estate if each != NONE} - {""}
                return kind.amount * (len(animals) + weights.animal_kinds * self._phases_left)
            case "k15" | "k25":
                sold = sum(self.mine.sold) / (1 if kind.key == "k25" else 2)
                return sold + weights.sold * self._phases_left
        if kind.key in weights.early:
            return weights.early[kind.key] * (self._rounds_left + 1) / LAST_ROUND
        if kind.counts:
            count = estate.count(TILE_OF_KEY[kind.counts])
            return kind.amount * (count + weights.counted * self._phases_left)
        return weights.effects.get(kind.key, 0.0)


FADING = 5
"""The supplies lose their additional value during the last 1/FADING of the game."""
SILVERLING, WORKER, STORED = 0.3, 0.5, 3.5
"""The values of a silverling, a worker and a stored tile beyond their points at the end."""
GOODS, SALE = 0.3, 0.7
"""The value of a goods tile: a constant, and a share of its points when sold."""
MINE_PAY = 1.3
"""The value of a mine for each remaining phase."""
GOAL, CURVE, PACE = 0.8, 1.5, 1.2
"""The value of an open region: GOAL of its points, times its covered share to the power of CURVE.

It counts only while at least PACE rounds remain for each empty space.
"""
COVERED = 1.2
"""The value of a covered space at the beginning: new neighbours, and progress to bonus tiles."""
CLOSE, OPEN = 8.0, 12.0
"""The spread at the end, and the amount added to it at the beginning."""

_EARLY = tuple((int(key[1:]), value) for key, value in NORMAL.early.items())
_NO_EFFECT = ("watchtower", "boarding_house")
"""The buildings that only give points or workers."""


class BurgundyJudgement(Judgement[BurgundyState]):
    """The judgement of Burgundy.

    The menu has the cheaper of two dice, the most goods that fit, and the least valuable tile to
    discard; players can choose others word by word.
    """

    by_chance = ("board", "castle")
    always = (END, DECLINE, "workers")

    def rated(
        self, view: BurgundyView, decision: Decision, legal: Legal, weights: BurgundyWeights
    ) -> Sequence[Rated]:
        state, seat = view.known, decision.seat
        kinds, rated = _words(legal(())), list[Rated]()
        match decision.kind:
            case "board":
                rated += [(0.0, ("board", board)) for board in _words(legal(("board",)))]
            case "castle":
                board, spaces = BOARDS[state.players[seat].board], _words(legal(("castle",)))
                rated += [(_around(board, space), ("castle", space)) for space in spaces]
            case "load":
                rated += _loads(state, state.players[seat], legal)
            case _:
                valuation = BurgundyValuation(state, seat, weights)
                for die in dice(state):
                    rated += _with_die(valuation, die, kinds)
                rated += _buys(valuation)
        rated += [(0.0, (kind,)) for kind in (END, DECLINE, "roll") if kind in kinds]
        rated.sort(key=lambda each: -each[0])
        return rated

    def refrains(self, view: BurgundyView, worth: float, action: Action) -> bool:
        """Return True for a purchase without gain or room, and for a discard after a purchase,
        which could discard the bought tile."""
        if action[0] == "buy":
            return worth <= 0 or action[-1] != ""
        turn = turn_of(view.known)
        return action[0] == "take" and action[-1] != "" and turn is not None and turn.bought

    def aim(self, action: Action) -> Action:
        """Return the action without its die, unless that is given for workers."""
        kind, *words = action
        return (kind, *words[1:]) if kind in ("place", "take", "sell") else action

    def arranged(
        self, view: BurgundyView, decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """Join the end of the turn to an action that leaves nothing else to do: the last die's, or
        a purchase after it."""
        turn = turn_of(view.known)
        if turn is None or len(turn.left) > (decision.kind == "turn"):
            return actions
        valuation = BurgundyValuation(view.known, decision.seat, NORMAL)
        would_buy = valuation.has_room and any(value > 0 for value, _ in _buys(valuation))

        def is_last(action: Action) -> bool:
            if action[0] == "buy":
                return not turn.left
            return not would_buy and _leaves_nothing(valuation, action)

        return [joined(action, (END,)) if is_last(action) else action for action in actions]

    def value(self, state: BurgundyState) -> Sequence[float]:
        """Return the points of each seat: scored, of the end, and expected."""
        values = [float(sum(player.points)) for player in state.players]
        if not isinstance(state.frames[-1], BurgundyOver):
            for seat, player in enumerate(state.players):
                values[seat] += sum(last_points(state, seat).values()) + _expected(state, player)
        return values

    def spread(self, state: BurgundyState) -> float:
        """Return a spread that shrinks with the rounds left."""
        return CLOSE + OPEN * (LAST_ROUND - state.round) / LAST_ROUND


def _words(choices: Choices) -> tuple[str, ...]:
    assert isinstance(choices, OneOf)
    return choices.values


def _around(board: Board, space: str) -> int:
    """Return the value of a space for the first castle: many neighbours of many colours."""
    near = NEIGHBOURS[SPACE_OF_NAME[space]]
    return len(near) + len({board.region_of[each].colour for each in near})


def _loads(state: BurgundyState, player: BurgundyPlayer, legal: Legal) -> list[Rated]:
    """Return the best load at each depot, rated by the number of goods.

    Of the depots without goods to load there is at most one.
    """
    best: list[Rated] = []
    for depot in _words(legal(("load",))):
        choices = legal(("load", depot))
        assert isinstance(choices, Bundle)
        ways = [
            (float(sum(loads(state, player, DEPOT_OF_WORD[depot], kinds))), ("load", depot, kinds))
            for kinds in choices.each()
        ]
        best.append(max(ways, key=lambda each: each[0]))
    empty = [] if DECLINE in _words(legal(())) else [each for each in best if not each[0]]
    return [*(each for each in best if each[0]), *empty[:1]]


def _with_die(valuation: BurgundyValuation, die: int, kinds: Sequence[str]) -> Iterator[Rated]:
    """Yield the actions with a remaining die, or of an effect."""
    state, mine, word = valuation.state, valuation.mine, DIE_WORDS[die]
    worker, silverling = valuation.weights.worker, valuation.weights.silverling
    if "place" in kinds:
        for tile, space, workers in ways_to_place(mine, die):
            points = total(scores(state, valuation.seat, tile, space))
            value = valuation.placed(tile, space, points) - worker * workers
            yield value, ("place", word, TILE_KEYS[tile], SPACE_NAMES[space])
    if "take" in kinds:
        lost, discard = valuation.discarded()
        for depot, tile, workers in ways_to_take(state, mine, die):
            value = valuation.stored(tile) - lost - worker * workers
            yield value, ("take", word, DEPOT_WORDS[depot], TILE_KEYS[tile], discard)
    if "sell" in kinds:
        for good, workers in ways_to_sell(mine, die):
            points, silverlings, _ = sale(state, mine, good)
            value = points + silverling * silverlings - worker * workers
            yield value, ("sell", word, GOODS_LETTERS[good])
    if "workers" in kinds:
        workers, silverlings = gain(mine)
        value = worker * workers / (1 + mine.workers / 6) + silverling * silverlings
        yield value, ("workers", word)


def _buys(valuation: BurgundyValuation) -> Iterator[Rated]:
    weights = valuation.weights
    price, (lost, discard) = weights.silverling * CONTENT.price, valuation.discarded()
    for depot in purchases(valuation.state):
        for tile in dict.fromkeys(valuation.state.depots[depot]):
            value = valuation.stored(tile) - price + weights.black_tile - lost
            yield value, ("buy", DEPOT_WORDS[depot], TILE_KEYS[tile], discard)


def _leaves_nothing(valuation: BurgundyValuation, action: Action) -> bool:
    """Return whether an action with the last die has no effect to use and brings no purchase."""
    state, mine = valuation.state, valuation.mine
    match action:
        case ["take" | "workers" | "decline", *_]:
            return True
        case ["place", _, "city_hall", _]:
            return len(mine.storage) == 1
        case ["place", _, "warehouse", _]:
            return not any(mine.goods)
        case ["place", _, "ship", _]:
            kinds = GOODS_LETTERS if room(mine) else ""
            return not any(any(loads(state, mine, depot, kinds)) for depot in range(DEPOTS))
        case ["place", _, tile, _]:
            return tile in _NO_EFFECT or KINDS[tile].colour in ("animal", "knowledge", "mine")
        case ["load", *_]:
            return not has_knowledge(mine, SECOND_LOAD) or not is_first(state.frames[-1])
        case ["sell", _, good]:
            gained, turn = sale(state, mine, GOOD_OF_WORD[good])[1], turn_of(state)
            has_bought = turn is not None and turn.bought
            return has_bought or mine.silverlings + gained < CONTENT.price
    return False


def _expected(state: BurgundyState, player: BurgundyPlayer) -> float:
    """Return the points that a player can expect beyond those of the end.

    They come from supplies still to be used and from open regions, which are assumed to be
    completed in the next phase.
    """
    time, phase = LAST_ROUND - state.round, phase_of(state)
    left, sale_points = time / LAST_ROUND, FOR_PLAYERS[len(state.players)].sale_points
    supplies = (
        SILVERLING * player.silverlings
        + WORKER * player.workers
        + (GOODS + SALE * sale_points) * sum(player.goods)
        + STORED * len(player.storage)
    )
    expected = min(1.0, FADING * left) * supplies
    expected += MINE_PAY * player.estate.count(MINE_TILE) * (PHASES - phase)
    expected += left * COVERED * player.covered.bit_count()
    expected += left * sum(value for number, value in _EARLY if has_knowledge(player, number))
    bonus = CONTENT.phase_points[min(phase + 1, PHASES - 1)]
    for region in BOARDS[player.board].regions if player.board else ():
        empty, size = (region.mask & ~player.covered).bit_count(), len(region.spaces)
        if empty and PACE * empty <= time:
            expected += GOAL * (region.points + bonus) * ((size - empty) / size) ** CURVE
    return expected


JUDGEMENT = BurgundyJudgement(game=GAME, weights=WEIGHTS, nodes=300)
