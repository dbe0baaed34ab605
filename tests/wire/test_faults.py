"""Games continue after faults of Discord, and a failing request does not block other messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from bot.cogs import post
from bot.cogs.posting import context, work_queue
from bot.cogs.ui import channels, reply
from bot.local.changes import Change, MessageCreated
from bot.local.faults import FaultRule, Faults
from bot.local.interactions import ACKNOWLEDGE_S
from bot.local.model import Json
from tests.waiting import until
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.players import TIMEOUT_S, has_board, play_on
from tests.wire.witness import check_actions, check_chain

MESSAGES, EDITS, CALLBACKS = "/channels/*/messages", "/channels/*/messages/*", "*/callback"
SOON_S = 0.004
"""Seconds from the start of a turn to a lost connection, during the first presses."""
ACTIONS = 8
FOREVER_S = 3600.0


# A slow machine must not defer: the test drops answers, not deferrals.
@pytest.mark.usefixtures("never_deferred")
async def test_no_fault_stops_a_game_or_loses_or_doubles_anything(
    wire: Wire,
) -> None:
    # A press during an invalid session gets no answer, and the player presses again.
    wire.standin.interactions.acknowledge_s = ACKNOWLEDGE_S
    faults = wire.standin.faults
    rules: list[FaultRule] = []
    fast: list[Callable[[], FaultRule | None]] = [
        lambda: faults.too_many_requests("POST", MESSAGES, retry_after=0.05),
        lambda: faults.too_many_requests("POST", CALLBACKS, retry_after=0.05),
        lambda: faults.too_many_requests("PATCH", EDITS, retry_after=0.05),
        lambda: faults.delay("POST", MESSAGES, 0.2, times=2),
        lambda: faults.delay("POST", CALLBACKS, 0.05, times=3),
        lambda: faults.drop_response("POST", CALLBACKS),
        lambda: soon(wire.standin.gateway.drop_sockets),
    ]
    # discord.py waits at least a second after each of these.
    slow: list[Callable[[], FaultRule | None]] = [
        lambda: faults.fail("POST", MESSAGES, status=502),
        lambda: faults.drop_response("POST", MESSAGES),
        lambda: faults.fail("POST", CALLBACKS, status=502),
        lambda: faults.fail("PATCH", EDITS, status=502),
        lambda: faults.drop_response("PATCH", EDITS),
        lambda: soon(wire.standin.gateway.invalidate_sessions),
    ]
    remaining = [*fast, *slow]

    def soon(disconnect: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(SOON_S, disconnect)

    def next_fault() -> None:
        rule = remaining.pop(0)() if remaining else None
        if rule is not None:
            rules.append(rule)

    pings: list[tuple[set[int], set[int]]] = []

    def record(change: Change) -> None:
        if isinstance(change, MessageCreated) and has_board(change.message):
            message = change.message
            if not message.is_ephemeral:
                to_move = message.text.splitlines()[-1]
                named = {p.id for p in (wire.anna, wire.bert) if p.mention in to_move}
                pings.append((set(message.mentions), named))

    unsubscribe = wire.standin.model.subscribe(record)
    players = await wire.witnesses(edition="italian")

    def is_enough() -> bool:
        return not remaining and all(rule.hits for rule in rules)

    await play_on(players, before=next_fault, until=is_enough)
    unsubscribe()

    assert remaining == [], "the game was too short"
    assert all(rule.hits for rule in rules)
    await wire.quiet()
    check_actions(players, wire.stored)
    check_chain(players[0].posts, wire.stored)
    # The first post pings all players, later ones only players who were not to act before.
    both = {wire.anna.id, wire.bert.id}
    assert pings[0][0] == both
    assert pings[-1][0] <= both
    for (_, before), (mentioned, named) in pairwise(pings[:-1]):
        assert named - before <= mentioned <= named


class Counts(NamedTuple):
    """The number of posts, and of each person's DMs."""

    posts: int
    messages: tuple[int, ...]


def counts_of(wire: Wire) -> Counts:
    people = (wire.anna, wire.bert)
    return Counts(
        len(wire.player(wire.anna).posts), tuple(len(each.sees(each.dm)) for each in people)
    )


def refusal(code: int) -> Json:
    return {"message": "refused", "code": code}


async def play_with(
    folder: Path, add_fault: Callable[[Faults], object]
) -> tuple[Counts, list[str]]:
    async with on_the_wire(folder) as wire:
        await wire.begin()
        await wire.quiet()
        add_fault(wire.standin.faults)
        for seed in range(ACTIONS):
            await wire.act_any(Random(seed))
            await wire.still()
        check_chain(wire.player(wire.anna).posts, wire.stored)
        return counts_of(wire), wire.stored.outbox()


async def test_failing_edits_do_not_block_posts_or_private_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # With one worker, a table that waited for an edit would block all tables.
    monkeypatch.setattr(post, "MAX_POSTS", 1)
    monkeypatch.setattr(post, "SHUTDOWN_S", 0.1)
    monkeypatch.setattr(channels, "DEADLINE_S", FOREVER_S)
    monkeypatch.setattr(context, "DEADLINE_S", FOREVER_S)
    for name in ("usual", "429", "400", "stuck"):
        (tmp_path / name).mkdir()
    usual, outbox = await play_with(tmp_path / "usual", lambda faults: None)
    assert usual.posts > 2
    assert sum(usual.messages) > 2
    assert outbox == []

    # A rate limit that is too long to wait for, and a permanent error.
    for status, code in ((429, 30046), (400, 50035)):
        body = {**refusal(code), "retry_after": FOREVER_S}
        counts = await play_with(
            tmp_path / str(status),
            lambda faults, status=status, body=body: faults.fail(  # type: ignore[misc]
                "PATCH", EDITS, status=status, times=None, json=body
            ),
        )
        assert counts == (usual, []), status
    stuck, _outbox = await play_with(
        tmp_path / "stuck", lambda faults: faults.delay("PATCH", EDITS, FOREVER_S)
    )
    assert stuck == usual
    assert "post failed, retrying" not in caplog.text


async def test_failing_messages_to_one_person_do_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", FOREVER_S)
    monkeypatch.setattr(post, "SHUTDOWN_S", 0.1)
    for status in (400, 429, 500):
        folder = tmp_path / str(status)
        folder.mkdir()
        async with on_the_wire(folder) as wire:
            assert wire.bot.http.max_ratelimit_timeout == 30.0
            await one_fails(wire, status)


async def one_fails(wire: Wire, status: int) -> None:
    faults, inbox = wire.standin.faults, f"/channels/{wire.anna.dm.id}/messages"
    await wire.begin()
    await wire.quiet()
    before = counts_of(wire)
    body = {**refusal(0), "retry_after": FOREVER_S}
    rule = faults.fail("POST", inbox, status=status, times=None, json=body)
    for seed in range(ACTIONS):
        await wire.act_any(Random(seed))

    def others_have_messages() -> bool:
        posts, (_anna, bert) = counts_of(wire)
        only_private = set(wire.stored.outbox()) <= {"hand", "private"}
        return only_private and posts > before.posts and bert > before.messages[1]

    await until(others_have_messages)
    assert rule.hits
    assert counts_of(wire).messages[0] == before.messages[0]
    faults.remove(rule)
    if status != 500:
        # After a server error, discord.py itself would retry after a second.
        await wire.post.on_resumed()
        await wire.quiet()
        assert counts_of(wire).messages[0] > before.messages[0]


async def test_a_deferred_answer_arrives_although_the_response_to_the_deferral_was_lost(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.0)
    anna, _ = await wire.begin()
    await anna.open()
    for text in ("first office", "You can change it"):
        wire.standin.faults.drop_response("POST", "*/interactions/*/callback", times=1)
        if text == "first office":
            panel = await anna.open()
        else:
            answer = await anna.choose(anna.choices()[0])
            panel = answer.message or panel
        await wire.anna.wait_for(lambda m=panel, t=text: t in m.text, timeout=TIMEOUT_S)  # type: ignore[misc]
    assert [entry.action.split()[0] for entry in wire.stored.log()].count("found") == 1
