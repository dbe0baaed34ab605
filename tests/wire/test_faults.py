"""A game goes on, whatever Discord does meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest

from bot.local.changes import Change, MessageCreated
from bot.local.faults import FaultRule
from bot.local.interactions import ACKNOWLEDGE_S
from tests.wire.conftest import Wire
from tests.wire.hands import has_board, play_on
from tests.wire.witness import check_actions, check_chain

MESSAGES, EDITS, CALLBACKS = "/channels/*/messages", "/channels/*/messages/*", "*/callback"
SOON_S = 0.004
"""Seconds into a turn at which a connection is lost: in the middle of the first presses."""


# What is lost is the answer itself, not what says on a slow machine that it takes its time.
@pytest.mark.usefixtures("unhurried")
async def test_a_game_goes_on_through_every_fault_with_nothing_lost_or_doubled(
    wire: Wire,
) -> None:
    # A press that is lost with its session gets no answer, and is pressed again.
    wire.standin.interactions.acknowledge_s = ACKNOWLEDGE_S
    faults = wire.standin.faults
    rules: list[FaultRule] = []
    cheap: list[Callable[[], FaultRule | None]] = [
        lambda: faults.too_many_requests("POST", MESSAGES, retry_after=0.05),
        lambda: faults.too_many_requests("POST", CALLBACKS, retry_after=0.05),
        lambda: faults.too_many_requests("PATCH", EDITS, retry_after=0.05),
        lambda: faults.delay("POST", MESSAGES, 0.2, times=2),
        lambda: faults.delay("POST", CALLBACKS, 0.05, times=3),
        lambda: faults.drop_response("POST", CALLBACKS),
        lambda: soon(faults.drop_sockets),
    ]
    # After each of these a client waits for a second or more before it tries again.
    costly: list[Callable[[], FaultRule | None]] = [
        lambda: faults.fail("POST", MESSAGES, status=502),
        lambda: faults.drop_response("POST", MESSAGES),
        lambda: faults.fail("POST", CALLBACKS, status=502),
        lambda: faults.fail("PATCH", EDITS, status=502),
        lambda: faults.drop_response("PATCH", EDITS),
        lambda: soon(faults.invalidate_sessions),
    ]
    coming = [*cheap, *costly]

    def soon(disconnect: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(SOON_S, disconnect)

    def strike() -> None:
        rule = coming.pop(0)() if coming else None
        if rule is not None:
            rules.append(rule)

    pinged: list[tuple[set[int], set[int]]] = []

    def note(change: Change) -> None:
        if isinstance(change, MessageCreated) and has_board(change.message):
            message = change.message
            if not message.is_ephemeral:
                to_move = message.text.splitlines()[-1]
                named = {p.id for p in (wire.anna, wire.bert) if p.mention in to_move}
                pinged.append((set(message.mentions), named))

    forget = wire.standin.model.subscribe(note)
    hands = await wire.witnesses(edition="italian")

    def is_enough() -> bool:
        return not coming and all(rule.struck for rule in rules)

    await play_on(hands, before=strike, until=is_enough)
    forget()

    assert coming == [], "the game was too short for all of this"
    assert all(rule.struck for rule in rules)
    await wire.quiet()
    check_actions(hands, wire.kept)
    check_chain(hands[0].posts, wire.kept)
    # At the start everybody is called, in between who comes to be awaited; who stays is not again.
    both = {wire.anna.id, wire.bert.id}
    assert pinged[0][0] == both
    assert pinged[-1][0] <= both
    for (_, before), (mentioned, named) in pairwise(pinged[:-1]):
        assert named - before <= mentioned <= named
