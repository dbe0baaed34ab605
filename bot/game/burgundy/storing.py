"""Taking tiles into storage: with a die, by an effect, and by purchase (sections 5 and 7.3)."""

from __future__ import annotations

from bot.game.burgundy.data import (
    BLACK,
    COLOUR_KEYS,
    COLOUR_OF,
    CONTENT,
    DEPOT_WORDS,
    TILE_KEYS,
    TILE_OF_KEY,
    TILES,
    keys,
)
from bot.game.burgundy.dice import (
    ANY,
    DIE_OF_WORD,
    DIE_WORDS,
    WITHIN,
    dice,
    no_die,
    reach,
    too_far,
    use_die,
    why_not_die,
    workers_for,
)
from bot.game.burgundy.state import BurgundyPlayer, BurgundyState, Effect, Turn, knows
from bot.game.choices import OneOf
from bot.game.contract import Action, Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder, Rule, rule

TOPIC = "take"
PURCHASE = "black_depot"
FREE_STEP = 12
"""The knowledge tile that gives a free step for taking a tile."""
ANYWHERE = 6
"""The knowledge tile that lets its owner buy from any depot."""

DEPOT_OF_WORD = {word: depot for depot, word in enumerate(DEPOT_WORDS)}
_TAKES = {
    tile: frozenset(COLOUR_KEYS.index(colour) for colour in kind.takes)
    for tile, kind in enumerate(TILES)
    if kind.takes
}
"""By building, the colours that it lets its owner take."""
_NO_DISCARD = OneOf("discard", ("",))


class Taken(SeatEvent, frozen=True):
    """A tile has come into storage with a die."""

    tile: str
    depot: str
    die: str
    spent: int


class Bought(SeatEvent, frozen=True):
    """A tile was bought into storage for silverlings."""

    tile: str
    depot: str
    price: int


class Discarded(SeatEvent, frozen=True):
    """A stored tile has left the game."""

    tile: str


def tiles_in(state: BurgundyState, depot: int) -> list[int]:
    """The tiles of a depot that may be taken now: a building's effect is limited to some
    colours."""
    frame = state.frames[-1]
    if isinstance(frame, Effect):
        wanted = _TAKES[frame.building]
        return [tile for tile in state.depots[depot] if COLOUR_OF[tile] in wanted]
    return state.depots[depot]


def depots_for(state: BurgundyState, player: BurgundyPlayer, die: int) -> list[int]:
    """The numbered depots that a die can take something from, with the help of workers."""
    within = WITHIN[die][reach(player, FREE_STEP)]
    if die == ANY:
        return [depot for depot in within if tiles_in(state, depot)]
    depots = state.depots
    return [depot for depot in within if depots[depot]]


def _can_take(state: BurgundyState, player: BurgundyPlayer, die: int) -> bool:
    if die == ANY:
        return bool(depots_for(state, player, die))
    depots = state.depots
    # Not by any(): see placing.
    for depot in WITHIN[die][reach(player, FREE_STEP)]:  # noqa: SIM110
        if depots[depot]:
            return True
    return False


def cost_of_depot(player: BurgundyPlayer, die: int, depot: int) -> int:
    """The workers it takes to take from a depot."""
    return workers_for(player, die, depot + 1, FREE_STEP)


def take_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Whether some die reaches some tile."""
    player = state.players[seat]
    for die in dice(state):
        if _can_take(state, player, die):
            return None
    return no_die(state, TOPIC) or Refusal("nothing_to_take", TOPIC)


def _dice(state: BurgundyState, seat: Seat) -> OneOf:
    player = state.players[seat]
    able = [DIE_WORDS[die] for die in dice(state) if _can_take(state, player, die)]
    return OneOf("die", tuple(able))


def _depots(state: BurgundyState, seat: Seat, die: str) -> OneOf:
    found = depots_for(state, state.players[seat], DIE_OF_WORD[die])
    return OneOf("depot", tuple([DEPOT_WORDS[depot] for depot in found]))


def _tiles(state: BurgundyState, seat: Seat, die: str, depot: str) -> OneOf:
    return OneOf("tile", keys(tiles_in(state, DEPOT_OF_WORD[depot])))


def _discards(state: BurgundyState, seat: Seat, *words: str) -> OneOf:
    """With full storage a stored tile is discarded first; it leaves the game."""
    storage = state.players[seat].storage
    if len(storage) < CONTENT.storage_spaces:
        return _NO_DISCARD
    return OneOf("discard", keys(storage))


def _take(
    state: BurgundyState,
    seat: Seat,
    recorder: EventRecorder,
    die: str,
    depot: str,
    tile: str,
    discard: str,
) -> None:
    player, value, place = state.players[seat], DIE_OF_WORD[die], DEPOT_OF_WORD[depot]
    spent = cost_of_depot(player, value, place)
    use_die(state, value, spent)
    _store(state, seat, recorder, place, tile, discard)
    recorder.tell(Taken(seat=seat, tile=tile, depot=depot, die=die, spent=spent))


def _store(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: int, tile: str, discard: str
) -> None:
    storage = state.players[seat].storage
    if discard:
        gone = TILE_OF_KEY[discard]
        storage.remove(gone)
        state.removed[gone] += 1
        recorder.tell(Discarded(seat=seat, tile=discard))
    state.depots[depot].remove(TILE_OF_KEY[tile])
    storage.append(TILE_OF_KEY[tile])


def _why_not_take(state: BurgundyState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1:
        return why_not_die(state, TOPIC, word)
    if len(prefix) == 2:
        depot = DEPOT_OF_WORD.get(word)
        if depot is None:
            return None
        if depot == BLACK:
            return Refusal("not_from_black", TOPIC)
        if not state.depots[depot]:
            return Refusal("depot_empty", TOPIC, {"depot": word})
        if not tiles_in(state, depot):
            return _wrong_colour(state, word)
        player, die = state.players[seat], DIE_OF_WORD[prefix[1]]
        return too_far(player, TOPIC, die, depot + 1, FREE_STEP)
    if len(prefix) == 3:
        return _why_not_tile(state, TOPIC, prefix[2], word)
    return _why_not_discard(state, seat, TOPIC, word)


def _wrong_colour(state: BurgundyState, depot: str) -> Refusal:
    frame = state.frames[-1]
    assert isinstance(frame, Effect)
    return Refusal("wrong_colour", "buildings", {"depot": depot, "tile": TILE_KEYS[frame.building]})


def _why_not_tile(state: BurgundyState, topic: str, depot: str, word: str) -> Refusal | None:
    tile = TILE_OF_KEY.get(word)
    if tile is None:
        return None
    if tile in state.depots[DEPOT_OF_WORD[depot]]:
        return _wrong_colour(state, depot)
    return Refusal("not_in_depot", topic, {"tile": word, "depot": depot})


def _why_not_discard(state: BurgundyState, seat: Seat, topic: str, word: str) -> Refusal | None:
    if len(state.players[seat].storage) < CONTENT.storage_spaces:
        return Refusal("room_left", topic)
    if not word:
        return Refusal("storage_full", topic)
    return Refusal("not_in_storage", topic, {"tile": word}) if word in TILE_OF_KEY else None


TAKE: Rule[BurgundyState] = (
    rule("take", TOPIC, take_gate)
    .word("die", _dice)
    .word("depot", _depots)
    .word("tile", _tiles)
    .word("discard", _discards)
    .does(_take, explain=_why_not_take)
)


# Buying: once in a turn, never in the middle of an action


def depots_to_buy_from(state: BurgundyState, player: BurgundyPlayer) -> list[int]:
    """The black depot; with tile 6 every depot. Only where there is something."""
    if knows(player, ANYWHERE):
        return [depot for depot, tiles in enumerate(state.depots) if tiles]
    return [BLACK] if state.depots[BLACK] else []


def buy_gate(state: BurgundyState, seat: Seat) -> Refusal | None:
    """Two silverlings, one purchase a turn (section 7.3)."""
    frame, player = state.frames[-1], state.players[seat]
    assert isinstance(frame, Turn)
    if frame.bought:
        return Refusal("already_bought", PURCHASE)
    if player.silverlings < CONTENT.price:
        facts = {"count": CONTENT.price, "silverlings": player.silverlings}
        return Refusal("needs_silverlings", PURCHASE, facts)
    return None if depots_to_buy_from(state, player) else Refusal("nothing_to_buy", PURCHASE)


def _shops(state: BurgundyState, seat: Seat) -> OneOf:
    found = depots_to_buy_from(state, state.players[seat])
    return OneOf("depot", tuple([DEPOT_WORDS[depot] for depot in found]))


def _wares(state: BurgundyState, seat: Seat, depot: str) -> OneOf:
    return OneOf("tile", keys(state.depots[DEPOT_OF_WORD[depot]]))


def _buy(
    state: BurgundyState, seat: Seat, recorder: EventRecorder, depot: str, tile: str, discard: str
) -> None:
    frame = state.frames[-1]
    assert isinstance(frame, Turn)
    frame.bought = True
    state.players[seat].silverlings -= CONTENT.price
    _store(state, seat, recorder, DEPOT_OF_WORD[depot], tile, discard)
    recorder.tell(Bought(seat=seat, tile=tile, depot=depot, price=CONTENT.price))


def _why_not_buy(state: BurgundyState, seat: Seat, prefix: Action, word: str) -> Refusal | None:
    if len(prefix) == 1:
        depot = DEPOT_OF_WORD.get(word)
        if depot is None:
            return None
        if depot != BLACK and not knows(state.players[seat], ANYWHERE):
            return Refusal("only_from_black", PURCHASE)
        return Refusal("depot_empty", PURCHASE, {"depot": word})
    if len(prefix) == 2:
        return _why_not_tile(state, PURCHASE, prefix[1], word)
    return _why_not_discard(state, seat, PURCHASE, word)


BUY: Rule[BurgundyState] = (
    rule("buy", PURCHASE, buy_gate)
    .word("depot", _shops)
    .word("tile", _wares)
    .word("discard", _discards)
    .does(_buy, explain=_why_not_buy)
)
