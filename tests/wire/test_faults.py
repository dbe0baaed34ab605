"""A game goes on, whatever Discord does meanwhile; and one request that is refused, never ends, or
whose answer is lost, silences nobody."""

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
"""Seconds into a turn at which a connection is lost: in the middle of the first presses."""
ACTIONS = 8
FOR_EVER_S = 3600.0


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
    players = await wire.witnesses(edition="italian")

    def is_enough() -> bool:
        return not coming and all(rule.hits for rule in rules)

    await play_on(players, before=strike, until=is_enough)
    forget()

    assert coming == [], "the game was too short for all of this"
    assert all(rule.hits for rule in rules)
    await wire.quiet()
    check_actions(players, wire.stored)
    check_chain(players[0].posts, wire.stored)
    # At the start everybody is called, in between who comes to be awaited; who stays is not again.
    both = {wire.anna.id, wire.bert.id}
    assert pinged[0][0] == both
    assert pinged[-1][0] <= both
    for (_, before), (mentioned, named) in pairwise(pinged[:-1]):
        assert named - before <= mentioned <= named


class Heard(NamedTuple):
    """How many posts there are, and how many private messages each person has."""

    posts: int
    messages: tuple[int, ...]


def heard(wire: Wire) -> Heard:
    people = (wire.anna, wire.bert)
    return Heard(len(wire.player(wire.anna).posts), tuple(len(each.inbox) for each in people))


def refusal(code: int) -> Json:
    return {"message": "refused", "code": code}


async def played(folder: Path, arm: Callable[[Faults], object]) -> tuple[Heard, list[str]]:
    async with on_the_wire(folder) as wire:
        await wire.begin()
        await wire.quiet()
        arm(wire.standin.faults)
        for seed in range(ACTIONS):
            await wire.act_any(Random(seed))
            await wire.still()
        check_chain(wire.player(wire.anna).posts, wire.stored)
        return heard(wire), wire.stored.outbox()


async def test_edits_that_are_refused_or_never_end_hold_up_neither_posts_nor_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # A single table that waited for an edit would silence all of them.
    monkeypatch.setattr(post, "MAX_POSTS", 1)
    monkeypatch.setattr(post, "SHUTDOWN_S", 0.1)
    monkeypatch.setattr(channels, "DEADLINE_S", FOR_EVER_S)
    monkeypatch.setattr(context, "DEADLINE_S", FOR_EVER_S)
    for name in ("usual", "429", "400", "stuck"):
        (tmp_path / name).mkdir()
    usual, left = await played(tmp_path / "usual", lambda faults: None)
    assert usual.posts > 2
    assert sum(usual.messages) > 2
    assert left == []

    # A limit that nobody waits for, and a refusal for good.
    for status, code in ((429, 30046), (400, 50035)):
        body = {**refusal(code), "retry_after": FOR_EVER_S}
        found = await played(
            tmp_path / str(status),
            lambda faults, status=status, body=body: faults.fail(  # type: ignore[misc]
                "PATCH", EDITS, status=status, times=None, json=body
            ),
        )
        assert found == (usual, []), status
    stuck, _left = await played(
        tmp_path / "stuck", lambda faults: faults.delay("PATCH", EDITS, FOR_EVER_S)
    )
    assert stuck == usual
    assert "post failed, retrying" not in caplog.text


async def test_one_person_whose_messages_fail_holds_up_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "FIRST_RETRY", FOR_EVER_S)
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
    before = heard(wire)
    body = {**refusal(0), "retry_after": FOR_EVER_S}
    rule = faults.fail("POST", inbox, status=status, times=None, json=body)
    for seed in range(ACTIONS):
        await wire.act_any(Random(seed))

    def others_have_heard() -> bool:
        posts, (_anna, bert) = heard(wire)
        is_left = set(wire.stored.outbox()) <= {"hand", "private"}
        return is_left and posts > before.posts and bert > before.messages[1]

    await until(others_have_heard)
    assert rule.hits
    assert heard(wire).messages[0] == before.messages[0]
    faults.lift(rule)
    if status != 500:
        # Of a server error the library itself would try again after a second.
        await wire.post.on_resumed()
        await wire.quiet()
        assert heard(wire).messages[0] > before.messages[0]


async def test_a_late_answer_comes_though_the_bot_does_not_hear_that_its_promise_arrived(
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
