"""What the computer players of The Castles of Burgundy go by, one action with a die at a time: what
a tile, a space, goods and workers seem to be worth to a seat, in points.

The weights are read from data/burgundy/weights.toml.
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
    HARBOURS,
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
    """What one computer player judges by, in points where nothing else is said."""

    worker: float
    silverling: float
    black_tile: float
    """What a tile from the black depot is worth over the silverlings paid for it."""
    covered: float
    """A space covered: more neighbours, and nearer to a colour's bonus."""
    opening: float
    """Each empty space that can be reached only from there."""
    goal: float
    """How much of a region's points each of its spaces counts for before the last one."""
    later: float
    """A discount: what is in storage still has to be placed with another die."""
    unreached: float
    """Another one, for a space that nothing borders on yet."""
    left_over: float
    """A tile that nothing can be done with."""
    ship: float
    goods: float
    """Each goods tile that a ship can take in."""
    warehouse: float
    """Each goods tile that it sells."""
    counted: float
    """For what a knowledge tile counts at the end: how many more there will be by then, for each
    phase to come."""
    animal_kinds: float
    """The same of kinds of animals."""
    sold: float
    """The same of goods sold."""
    effects: Mapping[str, float]
    """What some tiles bring, whenever they are placed."""
    early: Mapping[str, float]
    """What the knowledge tiles that work during the game bring over a whole one."""


WEIGHTS: Mapping[str, BurgundyWeights] = read(
    data("burgundy", "weights.toml"), dict[str, BurgundyWeights]
)
"""By the name of what judges by them."""
NORMAL = WEIGHTS["normal"]


class BurgundyWorth:
    """Values for one seat, of what it may know."""

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
        """A tile on a space, where that scores so many points immediately."""
        region = self._board.region_of[space]
        return self._placed(region, space, points, self._effect(tile))

    def stored(self, tile: int) -> float:
        """A tile in storage: the best that it can still become."""
        found = self._stored.get(tile)
        if found is None:
            found = self._stored[tile] = self._best(tile)
        return found

    def discarded(self) -> tuple[float, str]:
        """What the tile is worth that makes room for another, and its key; nothing where there is
        room."""
        if self.has_room:
            return 0.0, ""
        tile = min(self.mine.storage, key=self.stored)
        return self.stored(tile), TILE_KEYS[tile]

    def _best(self, tile: int) -> float:
        mine, colour, weights = self.mine, COLOUR_OF[tile], self.weights
        waiting = sum([COLOUR_OF[other] == colour for other in mine.storage])
        empty = (self._board.of_colour[colour] & ~mine.covered).bit_count()
        best = weights.left_over
        if empty <= waiting or self._rounds_left < 1:
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
            # One more space of a region that is not completed by it.
            gain = sum(region_points(self._phase, region))
            value += weights.goal * gain / len(region.spaces)
        if left > 3:
            # Empty spaces that can be reached only from there.
            value += weights.opening * (AROUND[space] & ~mine.covered & ~mine.border).bit_count()
        return value

    def _effect(self, tile: int) -> float:
        """What a tile is worth besides its points, once placed."""
        kind, weights, estate = TILES[tile], self.weights, self.mine.estate
        match kind.key:
            case "mine":
                return weights.silverling * self._phases_left * kind.amount
            case "ship":
                most = min(3, max(map(sum, self.state.goods)))
                # There must be time to sell them.
                return weights.ship + most * (weights.goods if self._rounds_left > 1 else 1) / 2
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
            there = estate.count(TILE_OF_KEY[kind.counts])
            return kind.amount * (there + weights.counted * self._phases_left)
        return weights.effects.get(kind.key, 0.0)


SOON = 5
"""In the last part of the game, one in so many, what is kept to be used later loses its worth."""
SILVERLING, WORKER, STORED = 0.3, 0.5, 3.5
"""What these are worth over their points at the end, while they can be used; the last, a tile in
storage."""
GOODS, A_SALE = 0.3, 0.7
"""What goods are worth: so much, and so much of the points that each brings when it is sold."""
MINE_PAYS = 1.3
"""A mine, for each phase to come."""
GOAL, CURVE, ROOM = 0.8, 1.5, 1.2
"""The part of a region's points that its covered spaces promise, which grows with this power of
their share; while there is time to cover this many times the empty ones."""
COVERED = 1.2
"""A covered space at the beginning: what it opens, and how near it brings colours."""
CLOSE, OPEN = 8.0, 12.0
"""The points by which leads are told apart at the end, and those more at the beginning."""

_EARLY = tuple((int(key[1:]), worth) for key, worth in NORMAL.early.items())
_NO_EFFECT = ("watchtower", "boarding_house")
"""The buildings that only bring points or workers."""


class BurgundyJudgement(Judgement[BurgundyState]):
    """Of two dice for the same thing the cheaper one is offered, of goods that do not all fit the
    most, and of tiles to discard the one of least worth; all others can be chosen word by word."""

    by_chance = ("board", "castle")
    always = (END, DECLINE, "workers")

    def rated(
        self, view: BurgundyView, decision: Decision, legal: Legal, weights: BurgundyWeights
    ) -> Sequence[Rated]:
        """What gains most first."""
        state, seat = view.known, decision.seat
        kinds, found = _words(legal(())), list[Rated]()
        match decision.kind:
            case "board":
                found += [(0.0, ("board", board)) for board in _words(legal(("board",)))]
            case "castle":
                board, spaces = BOARDS[state.players[seat].board], _words(legal(("castle",)))
                found += [(_around(board, space), ("castle", space)) for space in spaces]
            case "load":
                found += _loads(state, state.players[seat], legal)
            case _:
                worth = BurgundyWorth(state, seat, weights)
                for die in dice(state):
                    found += _with_die(worth, die, kinds)
                found += _buys(worth)
        found += [(0.0, (kind,)) for kind in (END, DECLINE, "roll") if kind in kinds]
        found.sort(key=lambda each: -each[0])
        return found

    def refrains(self, view: BurgundyView, worth: float, action: Action) -> bool:
        """It buys only what gains and fits, and throws nothing away in a turn in which it has
        bought: that might be what it has paid for."""
        if action[0] == "buy":
            return worth <= 0 or action[-1] != ""
        turn = turn_of(view.known)
        return action[0] == "take" and action[-1] != "" and turn is not None and turn.bought

    def aim(self, action: Action) -> Action:
        """Whatever die it is done with, but for one that is given away."""
        kind, *words = action
        return (kind, *words[1:]) if kind in ("place", "take", "sell") else action

    def arranged(
        self, view: BurgundyView, decision: Decision, actions: Sequence[Action]
    ) -> Sequence[Action]:
        """The end of the turn goes with what leaves nothing else to do: with the last die, or with
        a purchase after it."""
        turn = turn_of(view.known)
        if turn is None or len(turn.left) > (decision.kind == "turn"):
            return actions
        worth = BurgundyWorth(view.known, decision.seat, NORMAL)
        would_buy = worth.has_room and any(gain > 0 for gain, _ in _buys(worth))

        def is_last(action: Action) -> bool:
            if action[0] == "buy":
                return not turn.left
            return not would_buy and _leaves_nothing(worth, action)

        return [joined(action, (END,)) if is_last(action) else action for action in actions]

    def value(self, state: BurgundyState) -> Sequence[float]:
        """Points scored, and what there is promises to bring."""
        values = [float(sum(player.points)) for player in state.players]
        if not isinstance(state.frames[-1], BurgundyOver):
            for seat, player in enumerate(state.players):
                values[seat] += sum(last_points(state, seat).values()) + _promised(state, player)
        return values

    def spread(self, state: BurgundyState) -> float:
        """Less and less can change."""
        return CLOSE + OPEN * (LAST_ROUND - state.round) / LAST_ROUND


def _words(choices: Choices) -> tuple[str, ...]:
    """The words of a choice of one word."""
    assert isinstance(choices, OneOf)
    return choices.values


def _around(board: Board, space: str) -> int:
    """A castle is well placed with many, and varied, neighbours."""
    near = NEIGHBOURS[SPACE_OF_NAME[space]]
    return len(near) + len({board.region_of[each].colour for each in near})


def _loads(state: BurgundyState, player: BurgundyPlayer, legal: Legal) -> list[Rated]:
    """How many goods a ship takes in at each depot, with the types of which there are most; of the
    depots from which it would take none one alone."""
    found: list[Rated] = []
    for depot in _words(legal(("load",))):
        choices = legal(("load", depot))
        assert isinstance(choices, Bundle)
        ways = [
            (float(sum(loads(state, player, DEPOT_OF_WORD[depot], kinds))), ("load", depot, kinds))
            for kinds in choices.each()
        ]
        found.append(max(ways, key=lambda each: each[0]))
    empty = [] if DECLINE in _words(legal(())) else [each for each in found if not each[0]]
    return [*(each for each in found if each[0]), *empty[:1]]


def _with_die(worth: BurgundyWorth, die: int, kinds: Sequence[str]) -> Iterator[Rated]:
    """What can be done with a die that is left, or with an effect."""
    state, mine, word = worth.state, worth.mine, DIE_WORDS[die]
    worker, silverling = worth.weights.worker, worth.weights.silverling
    if "place" in kinds:
        for tile, space, workers in ways_to_place(mine, die):
            value = worth.placed(tile, space, total(scores(state, worth.seat, tile, space)))
            yield value - worker * workers, ("place", word, TILE_KEYS[tile], SPACE_NAMES[space])
    if "take" in kinds:
        lost, discard = worth.discarded()
        for depot, tile, workers in ways_to_take(state, mine, die):
            value = worth.stored(tile) - lost - worker * workers
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


def _buys(worth: BurgundyWorth) -> Iterator[Rated]:
    """What can be bought."""
    weights = worth.weights
    price, (lost, discard) = weights.silverling * CONTENT.price, worth.discarded()
    for depot in purchases(worth.state):
        for tile in dict.fromkeys(worth.state.depots[depot]):
            value = worth.stored(tile) - price + weights.black_tile - lost
            yield value, ("buy", DEPOT_WORDS[depot], TILE_KEYS[tile], discard)


def _leaves_nothing(worth: BurgundyWorth, action: Action) -> bool:
    """Whether an action with the last die leaves no effect to use, and no silverlings to buy."""
    state, mine = worth.state, worth.mine
    match action:
        case ["take" | "workers" | "decline", *_]:
            return True
        case ["place", _, "city_hall", _]:
            return len(mine.storage) == 1
        case ["place", _, "warehouse", _]:
            return not any(mine.goods)
        case ["place", _, "ship", _]:
            fitting = GOODS_LETTERS if room(mine) else ""
            return not any(any(loads(state, mine, depot, fitting)) for depot in range(DEPOTS))
        case ["place", _, tile, _]:
            return tile in _NO_EFFECT or KINDS[tile].colour in ("animal", "knowledge", "mine")
        case ["load", *_]:
            return not has_knowledge(mine, HARBOURS) or not is_first(state.frames[-1])
        case ["sell", _, good]:
            brought, turn = sale(state, mine, GOOD_OF_WORD[good])[1], turn_of(state)
            has_bought = turn is not None and turn.bought
            return has_bought or mine.silverlings + brought < CONTENT.price
    return False


def _promised(state: BurgundyState, player: BurgundyPlayer) -> float:
    """What a seat has is worth over its points at the end: what can be used later, and the regions
    that can still be completed, most often not before the next phase."""
    time, phase = LAST_ROUND - state.round, phase_of(state)
    left, sale_points = time / LAST_ROUND, FOR_PLAYERS[len(state.players)].sale_points
    kept = (
        SILVERLING * player.silverlings
        + WORKER * player.workers
        + (GOODS + A_SALE * sale_points) * sum(player.goods)
        + STORED * len(player.storage)
    )
    promised = min(1.0, SOON * left) * kept
    promised += MINE_PAYS * player.estate.count(MINE_TILE) * (PHASES - phase)
    promised += left * COVERED * player.covered.bit_count()
    promised += left * sum(worth for number, worth in _EARLY if has_knowledge(player, number))
    bonus = CONTENT.phase_points[min(phase + 1, PHASES - 1)]
    for region in BOARDS[player.board].regions if player.board else ():
        empty, size = (region.mask & ~player.covered).bit_count(), len(region.spaces)
        if empty and ROOM * empty <= time:
            promised += GOAL * (region.points + bonus) * ((size - empty) / size) ** CURVE
    return promised


JUDGEMENT = BurgundyJudgement(game=GAME, weights=WEIGHTS, nodes=300)
