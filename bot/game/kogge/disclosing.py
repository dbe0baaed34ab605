"""Which events and actions may disclose a secret; actions by what everybody can see of them."""

from __future__ import annotations

from bot.game.contract import Action, Event
from bot.game.kogge import auction, conflicts, guild_master, movement, offers, raid, routes, setup
from bot.game.kogge.common import here
from bot.game.kogge.notation import split
from bot.game.kogge.routes import SLOT
from bot.game.kogge.state import Acting, KoggeState, Movement, Push
from bot.game.kogge.turn import TURNS

REVEALING: tuple[type[Event], ...] = (
    *(setup.Founded, setup.Crowded, auction.NoBid, auction.ExtraMarker),
    *(routes.Saw, routes.Rerouted, movement.Sailed, movement.RouteFailed),
    *(raid.CargoSplit, raid.Looted, raid.Pushed, raid.PushFailed),
    *(conflicts.ConflictBids, conflicts.ConflictWon, conflicts.ConflictTied, conflicts.Demanded),
    *(guild_master.TaxPaid, guild_master.TaxPaidSecretly),
    *(offers.OfficeAccepted, offers.OfficeAcceptedSecretly),
)
"""The kinds of event that disclose what was secret until then: sealed choices revealed at once, a
seat without a bid, what lay face down and is turned or taken up, a cargo laid open to its robber,
what comes to lie in the reserve or in an office."""

OF_PIECES = frozenset({"fee", "price", "give", "take", "markers", "marker", "pieces", "good"})
"""Parameters that name pieces, which are paid, dealt or laid."""

HARMLESS = frozenset({"advance", "stop", "load", "end", "sail", "raid_city", "decline", "withdraw"})
"""Kinds that touch no hidden hand, unless something is paid for them."""

BRINGS_GOODS = frozenset({"trade", "accept"})
"""Kinds that may put a good of another colour on the ship in the middle of a turn."""

OUT_OF_THE_BAG = "swap_good"
"""The kind by which all see a number the bag had; until then the buyer alone did (ruling 45)."""

OF_MEMORY = frozenset({"peek", "reroute", "pass"})
"""With Memory somebody looks at what lies face down."""


def discloses(state: KoggeState, action: Action) -> bool:
    """Whether the action may disclose something: a route that is turned up, a look at what lies
    face down or into the bag, or a piece out of a hand that others do not see.

    It errs on the safe side: it is true even where everybody happened to know already.
    """
    kind, *words = action
    if kind == OUT_OF_THE_BAG or _turns_up(state, kind, words) or _opens_the_bag(state, kind):
        return True
    if state.rules.memory and kind in OF_MEMORY:
        return True
    paid = [
        word
        for name, word in zip(TURNS.rules[kind].move.params, words, strict=False)
        if name in OF_PIECES
    ]
    if state.rules.hidden:
        return kind not in HARMLESS or (kind != "load" and any(paid))
    # A marker leaves a hand of which only the goods are visible.
    return state.rules.covered and (kind == "accept" or any(map(_has_marker, paid)))


def _has_marker(word: str) -> bool:
    """Whether pieces, or the price of an office, include a marker."""
    return word in ("markers", "both") or bool(split(word)[1])


def _turns_up(state: KoggeState, kind: str, words: list[str]) -> bool:
    if kind not in ("sail", "push") or words[0] not in SLOT:
        return False
    frame = state.frames[-1]
    ship = frame.pushed if isinstance(frame, Push) else TURNS.asked_seat(state)
    return ship is not None and here(state, ship).routes[SLOT[words[0]]].hidden


def _opens_the_bag(state: KoggeState, kind: str) -> bool:
    """Whether somebody comes to be able to deal with the guild master, or with other goods: for
    each good they hold they see which numbers the bag has (ruling 45)."""
    frame, seat = state.frames[-1], TURNS.asked_seat(state)
    if seat is None or state.players[seat].city != state.guild_city:
        return False
    if isinstance(frame, Movement):
        return kind == "stop"
    return isinstance(frame, Acting) and "guild" not in frame.used and kind in BRINGS_GOODS
