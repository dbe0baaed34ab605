"""What the computer players of The Castles of Burgundy go by, one action with a die at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.game.burgundy import GAME
from bot.game.burgundy.data import (
    BOARDS,
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
    Board,
)
from bot.game.burgundy.dice import DIE_WORDS, dice, gain
from bot.game.burgundy.goods import (
    GOOD_OF_WORD,
    HARBOURS,
    is_first,
    loads,
    room,
    sale,
    ways_to_sell,
)
from bot.game.burgundy.placing import scores, total, ways_to_place
from bot.game.burgundy.rounds import last_points
from bot.game.burgundy.state import (
    BurgundyOver,
    BurgundyPlayer,
    BurgundyState,
    BurgundyView,
    knows,
    phase_of,
    turn_of,
)
from bot.game.burgundy.storing import purchases, ways_to_take
from bot.game.choices import Bundle, Choices, OneOf
from bot.game.contract import DECLINE, END, Action, Decision, joined
from bot.policy.burgundy.worth import NORMAL, WEIGHTS, BurgundyWeights, BurgundyWorth
from bot.policy.contract import Judgement, Legal, Rated

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
        match decision.kind:
            case "board":
                return [(0.0, ("board", board)) for board in _words(legal(("board",)))]
            case "castle":
                board = BOARDS[state.players[seat].board]
                spaces = [(_around(board, space), space) for space in _words(legal(("castle",)))]
                spaces.sort(key=lambda each: -each[0])
                return [(worth, ("castle", space)) for worth, space in spaces]
            case "roll":
                return [(0.0, ("roll",))]
            case "load":
                return _loads(state, state.players[seat], legal)
        kinds, worth = _words(legal(())), BurgundyWorth(state, seat, weights)
        found = [each for die in dice(state) for each in _with_die(worth, die, kinds)]
        if "buy" in kinds:
            found += _buys(worth)
        found += [(0.0, (kind,)) for kind in (END, DECLINE) if kind in kinds]
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
        # The types already in the hold are loaded without being chosen.
        there, choices = state.goods[DEPOT_OF_WORD[depot]], legal(("load", depot))
        held = sum(count for count, own in zip(there, player.goods, strict=True) if own)
        assert isinstance(choices, Bundle)
        ways = [(sum(there[GOOD_OF_WORD[good]] for good in way), way) for way in choices.each()]
        most, goods = max(ways, key=lambda each: each[0])
        found.append((float(held + most), ("load", depot, goods)))
    found.sort(key=lambda each: -each[0])
    loads = [each for each in found if each[0]]
    can_decline = DECLINE in _words(legal(()))
    return [*loads, (0.0, (DECLINE,))] if can_decline else [*loads, *found[len(loads) :][:1]]


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
            return not knows(mine, HARBOURS) or not is_first(state.frames[-1])
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
    promised += left * sum(worth for number, worth in _EARLY if knows(player, number))
    bonus = CONTENT.phase_points[min(phase + 1, PHASES - 1)]
    for region in BOARDS[player.board].regions if player.board else ():
        empty, size = (region.mask & ~player.covered).bit_count(), len(region.spaces)
        if empty and ROOM * empty <= time:
            promised += GOAL * (region.points + bonus) * ((size - empty) / size) ** CURVE
    return promised


JUDGEMENT = BurgundyJudgement(game=GAME, weights=WEIGHTS, nodes=300)
