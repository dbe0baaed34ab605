"""One request that is refused, never ends, or whose answer is lost, silences nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from bot.cogs import post
from bot.cogs.posting import cosmetic, work_queue
from bot.cogs.ui import channels, reply
from bot.local.faults import Faults
from bot.local.model import Json
from tests.waiting import until
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.hands import TIMEOUT_S
from tests.wire.witness import check_chain

EDITS = "/channels/*/messages/*"
ACTIONS = 8
FOR_EVER_S = 3600.0


class Heard(NamedTuple):
    """How many posts there are, and how many private messages each person has."""

    posts: int
    messages: tuple[int, ...]


def heard(wire: Wire) -> Heard:
    people = (wire.anna, wire.bert)
    return Heard(len(wire.hands(wire.anna).posts), tuple(len(each.inbox) for each in people))


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
        check_chain(wire.hands(wire.anna).posts, wire.kept)
        return heard(wire), wire.kept.owed()


async def test_edits_that_are_refused_or_never_end_hold_up_neither_posts_nor_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # A single table that waited for an edit would silence all of them.
    monkeypatch.setattr(post, "AT_ONCE", 1)
    monkeypatch.setattr(post, "FAREWELL", 0.1)
    monkeypatch.setattr(channels, "DEADLINE_S", FOR_EVER_S)
    monkeypatch.setattr(cosmetic, "DEADLINE_S", FOR_EVER_S)
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
    assert "not sent, again" not in caplog.text


async def test_one_person_whose_messages_fail_holds_up_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "FIRST_RETRY", FOR_EVER_S)
    monkeypatch.setattr(post, "FAREWELL", 0.1)
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
        is_left = set(wire.kept.owed()) <= {"hand", "private"}
        return is_left and posts > before.posts and bert > before.messages[1]

    await until(others_have_heard)
    assert rule.struck
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
    for text in ("first office", "Nobody else knows"):
        wire.standin.faults.drop_response("POST", "*/interactions/*/callback", times=1)
        if text == "first office":
            panel = await anna.open()
        else:
            answer = await anna.choose(anna.choices()[0])
            panel = answer.message or panel
        await wire.anna.wait_for(lambda m=panel, t=text: t in m.text, timeout=TIMEOUT_S)  # type: ignore[misc]
    assert [entry.action.split()[0] for entry in wire.kept.log()].count("found") == 1
