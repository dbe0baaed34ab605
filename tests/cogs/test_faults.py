"""Faults of the bot itself: a picture that can't be drawn, a database that doesn't answer."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from bot.cogs.posting import work_queue
from bot.cogs.ui import user_errors
from bot.cogs.ui.reply import TIMEOUT_S
from bot.cogs.ui.services import Services
from bot.local import world
from bot.store import NumberedMessageRow, Store, Unavailable, WriteBatch
from bot.store.errors import MaybeStored
from bot.store.sql import save_sql
from bot.tables import OutboxItem, StoreUnavailable
from bot.tables.computers import Computers
from bot.titles import TITLES
from tests.cogs.conftest import Club, block_messages, ids, wording

SECRET = "the hand of a player"


@pytest.fixture
def no_paint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every drawing fail with an error that quotes a secret.

    StopIteration because a future cannot hold it.
    """

    def fail(_: object) -> NoReturn:
        raise StopIteration(SECRET)

    kogge = TITLES["kogge"]
    monkeypatch.setitem(vars(kogge), "pictures", replace(kogge.pictures, table=fail))


def expected_errors(club: Club) -> str:
    """Return and clear the errors that the bot has logged."""
    errors = "\n".join(club.faults.seen)
    club.faults.seen.clear()
    return errors


@pytest.mark.usefixtures("no_paint")
async def test_a_game_continues_as_text_if_its_pictures_fail(club: Club) -> None:
    table = await club.game()
    board = await club.panel(table.id)
    assert board.attachments == []
    assert "couldn't draw" in wording(board)
    assert await club.tables.outbox.items(table.id) == []

    panel = await club.open_panel(table, 0)
    done = await club.person(table, 0).click(panel, custom_id="act:1:0:found,4")
    assert (await club.actions(1))[-1] == "found 4"
    assert "Riga" in wording(done.response)
    assert "went wrong" not in wording(done.response)

    asked = await club.person(table, 0).click(board, custom_id="board:1")
    assert "**4 Riga**: " in wording(asked.response)
    assert ids(asked.response) == ["parttext:1"]
    errors = expected_errors(club)
    assert re.search("picture failed .* error=(ValueError|WorkerError)", errors)
    assert SECRET not in errors


async def test_a_slow_answer_times_out_with_a_message_and_the_action_is_still_stored(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    person, panel = club.person(table, 0), await club.open_panel(table, 0)
    await club.tables.people.change(person.id, language="it")
    commit, answer = Store.commit, user_errors.answer
    hangs, answered = asyncio.Event(), asyncio.Event()
    before: list[list[str]] = []

    async def commit_later(store: Store, batch: WriteBatch) -> None:
        hangs.set()
        await answered.wait()
        await commit(store, batch)

    async def answer_first(*args: Any) -> None:
        await answer(*args)
        before.append(await club.actions(1))
        answered.set()

    async def wait(working: list[asyncio.Task[None]], timeout: float) -> None:  # noqa: ASYNC109
        assert timeout == TIMEOUT_S
        hanging = asyncio.create_task(hangs.wait())
        await asyncio.wait([*working, hanging], return_when=asyncio.FIRST_COMPLETED)
        hanging.cancel()

    monkeypatch.setattr(Store, "commit", commit_later)
    monkeypatch.setattr(user_errors, "answer", answer_first)
    patched = SimpleNamespace(create_task=asyncio.create_task, wait=wait)
    monkeypatch.setitem(vars(user_errors), "asyncio", patched)
    pressed = await person.click(panel, custom_id="act:1:0:found,4")
    assert wording(pressed.response).startswith("Ci sto mettendo troppo")
    assert before[0][-1] != (await club.actions(1))[-1] == "found 4"

    hangs.clear()
    answered.clear()
    typed = await club.person(table, 1).slash(club.place(table), "kogge found", marker="5")
    assert wording(typed.response).startswith("This is taking too long")
    assert before[1][-1] != (await club.actions(1))[-1] == "found 5"
    assert expected_errors(club).count("interaction timed out") == 2


@pytest.mark.parametrize(
    ("where", "raised"), [("title_of", asyncio.CancelledError), ("is_ours", ValueError)]
)
async def test_a_person_is_answered_whatever_error_occurs(
    club: Club, monkeypatch: pytest.MonkeyPatch, where: str, raised: type[BaseException]
) -> None:
    table = await club.game()
    person, panel = club.person(table, 0), await club.panel(table.id)

    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(Services, where, fail)
    pressed = await person.click(panel, custom_id="play:1")
    typed = await person.slash(club.place(table), "game board")

    for result in (pressed, typed):
        assert "went wrong" in wording(result.response)
    assert re.search("^(interaction cancelled|unexpected error) user=", expected_errors(club))


async def test_late_suggestions_are_no_error(club: Club, caplog: pytest.LogCaptureFixture) -> None:
    route = "/interactions/*/*/callback"
    club.fail("POST", route, status=404, code=10062, times=1)

    assert await club.people[0].suggestions(club.channel, "game new", "game", "k") == []

    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


async def test_nothing_is_posted_twice_while_acknowledgements_fail(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world, "NONCE_MEMORY_S", -1.0)
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 0.0)
    table = await club.game()
    people = [club.person(table, seat) for seat in (0, 1)]
    posts, messages = len(club.posts(table)), [len(club.dms(each)) for each in people]
    acknowledge, failed = club.tables.outbox.acknowledge, 0

    async def disk_full(items: Iterable[OutboxItem], **numbers: Any) -> None:
        nonlocal failed
        failed += 1
        if failed <= 20:
            raise StoreUnavailable("store_unavailable")
        await acknowledge(items, **numbers)

    monkeypatch.setattr(club.tables.outbox, "acknowledge", disk_full)
    for seat in (0, 1):
        await club.tables.play.act(table.id, seat, ("found", "4"))

    await club.settle()
    assert failed > 20
    assert len(club.posts(table)) == posts + 1
    # The first to choose gets a confirmation; founding has changed both hands.
    contents = [
        " ".join(wording(message) for message in club.dms(each)[before:])
        for each, before in zip(people, messages, strict=True)
    ]
    assert [each.count("Only you know this") for each in contents] == [1, 0]
    assert [each.count("**Markers:**") for each in contents] == [1, 1]


@pytest.mark.slow
async def test_no_kind_of_message_is_sent_again_if_storing_its_id_fails(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world, "NONCE_MEMORY_S", -1.0)
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 0.0)
    store = club.tables._unit_of_work.store
    commit = store.commit
    failed: set[tuple[int, str, int]] = set()

    async def fail_first(batch: WriteBatch) -> None:
        noted = [
            (row["table"], row["what"], row["number"])
            for sql, row in batch.steps
            if sql == save_sql(NumberedMessageRow) and row["noted"]
        ]
        if set(noted) - failed:
            failed.update(noted)
            raise Unavailable("the disk is full")
        await commit(batch)

    monkeypatch.setattr(store, "commit", fail_first)
    anna, bert, clara, _ = club.people
    await anna.slash(club.channel, "me set", notices="dm")
    await bert.slash(club.channel, "me set", reminder="6")
    table = await club.start_game("kogge", ("clock", "d1"), seats=3)
    block_messages(club, clara)
    rng = Random(2)
    for _ in range(3):
        for hours in (7, 20, 30):
            club.clock.move(timedelta(hours=hours))
            await club.tables.scheduler.tick()
            await club.settle()
        for _ in range(4):
            await club.act(table.id, rng)
            await club.settle()
    await club.finish(table.id)

    refused = str(clara.dm.id)
    posted = [
        str(entry)
        for entry in club.requests
        if entry.method == "POST" and refused not in entry.path
    ]
    nonces = [found for each in posted for found in re.findall(r"\b1\.([a-z]+\d*\.\d+)\b", each)]
    kinds = {re.sub(r"\d", "", nonce.partition(".")[0]) for nonce in nonces}
    assert kinds == {"lobby", "post", "news", "call", "ring", "closed", "story", "film"}
    assert [nonce for nonce, count in Counter(nonces).items() if count > 1] == []
    assert set(nonces) <= {f"{what}.{number}" for _, what, number in failed}


async def test_nothing_is_posted_to_a_server_the_bot_has_left(
    club: Club,
) -> None:
    table = await club.game()
    club.dispatch("GUILD_DELETE", {"id": str(club.guild.id)})
    await club.settle()
    before = len(club.requests)

    for seat in (0, 1):
        await club.tables.play.act(table.id, seat, ("found", "4"))
    await club.settle()

    posted = [each.path for each in club.requests[before:] if each.method == "POST"]
    places = {str(club.channel.id), *(str(each.id) for each in club.threads)}
    assert [each for each in posted if places & set(each.split("/"))] == []
    assert await club.tables.outbox.items(table.id)


async def test_an_answer_says_saved_only_if_the_action_was_stored(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    founding = f"act:{table.id}:0:found,4"
    panel = await club.open_panel(table, 0)

    async def cut_off(*_: object) -> object:
        raise MaybeStored("cut off")

    with monkeypatch.context() as failing:
        failing.setattr(club.tables._unit_of_work.store._writer, "_write", cut_off)
        answer = await club.person(table, 0).click(panel, custom_id=founding)
    assert "I don't know whether everything was saved" in wording(answer.response)

    for seat, fault in enumerate((StoreUnavailable("store_unavailable"), ValueError(SECRET))):

        async def fail(*_: object, fault: Exception = fault) -> object:
            raise fault

        panel = await club.open_panel(table, seat)
        with monkeypatch.context() as failing:
            # The first call after the action is stored.
            failing.setattr(Computers, "until_idle", fail)
            answer = await club.person(table, seat).click(panel, custom_id=founding)
        assert wording(answer.response).startswith("It's saved")
        expected_errors(club)
        assert await club.tables.reader.seq(table.id) == 1 + seat
