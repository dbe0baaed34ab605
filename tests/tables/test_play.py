"""Actions at a table: carried out once, completely, and seen by those they concern."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from bot.game.contract import SPECTATOR, Event, IllegalAction
from bot.store import EntryRow, Store
from bot.tables import (
    NotSeated,
    NotYourSeat,
    OutboxKind,
    StaleDecision,
    Status,
    StoreUnavailable,
    TableOver,
)
from bot.tables.core.table_lines import Resigned
from tests.store.database import IMPATIENT_MS, WAIT_S
from tests.tables.world import ANNA, BEN, CARA, World, whole_record


async def test_an_action_is_answered_with_what_its_seat_heard(world: World) -> None:
    table = await world.game(ANNA, BEN)
    acted = await world.tables.play.act(table.id, 0, ("choose", "2"), decision="c1")
    assert (acted.seq, acted.repeated) == (1, False)
    assert [event.kind for event in acted.events] == ["chose", "chose_number"]
    assert (await world.tables.reader.view(table.id, 0)).chosen == 2
    assert (await world.tables.reader.view(table.id, 1)).chosen == 0


async def test_events_are_heard_by_those_they_are_for(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "2"))
    await world.tables.play.act(table.id, 1, ("gift", "0"))
    for observer, kinds in (
        (0, ["chose", "chose_number", "offered"]),
        (1, ["chose", "offered"]),
        (SPECTATOR, ["chose"]),
    ):
        heard = await world.tables.reader.events_since(table.id, 0, observer)
        assert [event.kind for event in heard] == kinds
    assert await world.tables.reader.events_since(table.id, 2, 0) == []
    assert [event.kind for event in await world.tables.reader.events_of(table.id, 2, 0)] == [
        "offered"
    ]


async def test_the_newest_of_a_moment_are_the_same_whatever_comes_later(
    world: World,
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    newest = world.tables.reader.newest
    await world.play(table.id, 7, Random(1))
    of_turn = await newest(table.id, 5, SPECTATOR, until=7)
    last = await newest(table.id, 7, SPECTATOR, until=7)
    assert of_turn[0] == 5
    assert of_turn[1][-len(last[1]) :] == last[1] != []
    await world.play(table.id, 3, Random(1))
    assert await newest(table.id, 5, SPECTATOR, until=7) == of_turn
    assert await newest(table.id, 7, SPECTATOR, until=7) == last
    await world.reopen()
    assert await newest(table.id, 5, SPECTATOR, until=7) == of_turn
    assert await newest(table.id, 7, SPECTATOR, until=7) == last


async def test_what_was_heard_can_be_heard_again_after_a_restart(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.play(table.id, 100, Random(1))
    before = [
        await world.tables.reader.log(table.id, observer, 200) for observer in (0, 1, SPECTATOR)
    ]
    recent = await world.tables.reader.events_since(table.id, 95, 0)
    await world.reopen()
    assert await world.tables.reader.events_since(table.id, 95, 0) == recent
    after = [
        await world.tables.reader.log(table.id, observer, 200) for observer in (0, 1, SPECTATOR)
    ]
    assert after == before
    assert len(before[0]) == 100
    assert [each.seq for each in await world.tables.reader.log(table.id, 0, 3)] == [98, 99, 100]


async def test_the_newest_lines_are_told_without_playing_the_game_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await world.game(ANNA, BEN, length="long")
    await world.play(table.id, 100, Random(1))
    whole = await world.tables.reader.log(table.id, 0, 200)

    async def never(_store: Store, _table: int) -> list[EntryRow]:
        raise AssertionError("the whole log was read")

    monkeypatch.setattr(Store, "entries", never)
    assert await world.tables.reader.log(table.id, 0, 3) == whole[-3:]


async def test_memory_and_log_tell_the_same_events(world: World) -> None:
    table = await world.game(ANNA, BEN, length="long")
    events: list[Event] = []
    for seq in range(60):
        await world.play(table.id, 1, Random(seq))
        events += await world.tables.reader.events_since(table.id, seq, 1)
    assert await world.tables.reader.events_since(table.id, 0, 1) == events


async def test_legal_words_are_those_of_the_game(world: World) -> None:
    table = await world.game(ANNA, BEN)
    choices = await world.tables.reader.legal(table.id, 0, ("choose",))
    assert list(choices.each()) == ["1", "2", "3"]  # type: ignore[union-attr]
    with pytest.raises(IllegalAction):
        await world.tables.reader.legal(table.id, 0, ("take",))


async def test_what_the_rules_forbid_changes_nothing(world: World) -> None:
    table = await world.game(ANNA, BEN)
    for action in (("take", "1"), ("choose", "9"), ("choose",), (), ("@resign",), ("setup",)):
        with pytest.raises(IllegalAction):
            await world.tables.play.act(table.id, 0, action)
    assert await world.tables.reader.seq(table.id) == 0
    assert len((await whole_record(world.tables, table.id)).entries) == 1


async def test_an_answer_to_what_is_no_longer_asked_is_stale(world: World) -> None:
    table = await world.game(ANNA, BEN)
    with pytest.raises(StaleDecision):
        await world.tables.play.act(table.id, 0, ("choose", "1"), decision="c0")
    with pytest.raises(StaleDecision):
        await world.tables.play.act(table.id, 0, ("choose", "1"), decision="t1")
    assert await world.tables.reader.seq(table.id) == 0


async def test_a_seat_answers_to_its_own_person_alone(world: World) -> None:
    table = await world.game(ANNA, BEN)
    seat = await world.tables.reader.seat_of(table.id, ANNA)
    for wrong_user, wrong_seat in ((BEN, seat), (ANNA, 1 - seat), (ANNA, 2), (ANNA, -1)):
        with pytest.raises(NotYourSeat):
            await world.tables.play.act(table.id, wrong_seat, ("choose", "1"), user=wrong_user)
    await world.tables.play.act(table.id, seat, ("choose", "1"), user=ANNA)
    with pytest.raises(NotSeated):
        await world.tables.reader.seat_of(table.id, CARA)


async def test_a_game_that_ends_is_finished_and_shows_its_key(world: World) -> None:
    table = await world.game(ANNA, BEN)
    assert await world.tables.reader.key(table.id) == b""
    await world.play(table.id, 500, Random(2))
    outcome = await world.tables.reader.outcome(table.id)
    assert outcome is not None
    table = await world.tables.reader.get(table.id)
    assert table.status is Status.FINISHED
    assert await world.tables.reader.key(table.id) != b""
    with pytest.raises(TableOver) as error:
        await world.tables.play.act(table.id, 0, ("choose", "1"))
    assert error.value.facts == {"status": "finished"}
    await world.reopen()
    assert await world.tables.reader.outcome(table.id) == outcome
    assert await world.tables.reader.get(table.id) == table
    assert (await world.tables.reader.view(table.id, 0)).over


async def test_two_at_once_act_one_after_the_other(world: World) -> None:
    table = await world.game(ANNA, BEN)
    acts = [
        world.tables.play.act(table.id, seat, ("choose", "1"), decision="c1") for seat in (0, 1)
    ]
    acted = await asyncio.gather(*acts)
    assert [each.seq for each in acted] == [1, 2]


async def test_two_presses_of_one_button_act_once(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    actions = [
        world.tables.play.act(table.id, 1, ("choose", str(word)), decision="c1") for word in (1, 2)
    ]
    results = await asyncio.gather(*actions, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Acted", "StaleDecision"]


async def test_an_action_goes_on_to_its_end_when_its_caller_gives_up(world: World) -> None:
    table = await world.game(ANNA, BEN)
    changed = asyncio.Event()
    world.tables.subscribe(lambda _: changed.set())
    acting = asyncio.create_task(world.tables.play.act(table.id, 0, ("choose", "1"), delivery="x"))
    for _ in range(3):
        await asyncio.sleep(0)
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    async with asyncio.timeout(WAIT_S):
        await changed.wait()
    assert await world.tables.reader.seq(table.id) == 1
    assert (await world.tables.play.act(table.id, 0, ("choose", "1"), delivery="x")).repeated
    assert len((await whole_record(world.tables, table.id)).entries) == 2


async def test_a_database_that_is_locked_refuses_and_changes_nothing(world: World) -> None:
    world.database.lock_wait_ms = IMPATIENT_MS
    await world.reopen()
    table = await world.game(ANNA, BEN)
    before = await world.tables.reader.view(table.id, 0), await world.tables.outbox.items()
    async with world.database.locked():
        with pytest.raises(StoreUnavailable):
            await world.tables.play.act(table.id, 0, ("choose", "1"), delivery="x")
        with pytest.raises(StoreUnavailable):
            await world.tables.leaving.resign(table.id, ANNA)
        with pytest.raises(StoreUnavailable):
            await world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500)
        assert (
            await world.tables.reader.view(table.id, 0),
            await world.tables.outbox.items(),
        ) == before
        assert await world.tables.reader.get(table.id) == table
    assert not (await world.tables.play.act(table.id, 0, ("choose", "1"), delivery="x")).repeated


async def test_nobody_sees_what_is_not_yet_kept(world: World) -> None:
    table = await world.game(ANNA, BEN)
    async with world.database.locked():
        acting = asyncio.create_task(world.tables.play.act(table.id, 0, ("choose", "1")))
        for _ in range(10):
            await asyncio.sleep(0)
            assert (await world.tables.reader.view(table.id, 0)).chosen == 0
        assert not acting.done()
    await acting
    assert (await world.tables.reader.view(table.id, 0)).chosen == 1


async def test_subscribers_hear_of_each_change_and_cannot_spoil_it(world: World) -> None:
    heard: list[int] = []
    troubles: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: troubles.append(what))
    world.tables.subscribe(lambda table_id: heard.append(1 // 0))
    world.tables.subscribe(heard.append)
    table = await world.game(ANNA, BEN)
    await world.tables.play.act(table.id, 0, ("choose", "1"))
    await asyncio.sleep(0)
    assert heard == [table.id] * 4
    assert len(troubles) == 4


async def test_many_more_tables_than_fit_in_memory_go_on(world: World) -> None:
    await world.close()
    world.capacity = 2
    await world.open()
    tables = [await world.game(ANNA, BEN, length="long") for _ in range(6)]
    await asyncio.gather(*(world.play(table.id, 20, Random(table.id)) for table in tables))
    for table in tables:
        assert await world.tables.reader.seq(table.id) == 20
    assert len(world.tables._unit_of_work.cache._loaded) == 2


async def test_who_resigns_is_replaced_by_a_computer_player(world: World) -> None:
    table = await world.game(ANNA, BEN)
    seat = await world.tables.reader.seat_of(table.id, BEN)
    table = await world.tables.leaving.resign(table.id, BEN, delivery="x")
    assert table.status is Status.PLAYING
    player = table.players[seat]
    assert (player.name, player.user, player.policy) == ("Ben", None, "strong")
    assert await world.tables.leaving.resign(table.id, BEN, delivery="x") == table
    assert await world.tables.reader.events_of(table.id, 1, SPECTATOR) == [Resigned(seat=seat)]
    with pytest.raises(NotSeated):
        await world.tables.leaving.resign(table.id, BEN)
    await world.reopen()
    assert await world.tables.reader.get(table.id) == table
    await world.play(table.id, 500, Random(1))
    assert (await world.tables.reader.get(table.id)).status is Status.FINISHED


async def test_nothing_is_sent_to_who_has_resigned(world: World) -> None:
    table = await world.game(ANNA, BEN)
    seat = await world.tables.reader.seat_of(table.id, BEN)
    assert seat in {item.seat for item in await world.tables.outbox.items()}
    await world.tables.leaving.resign(table.id, BEN)
    assert seat not in {item.seat for item in await world.tables.outbox.items()}


async def test_without_people_a_game_is_abandoned(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.leaving.resign(table.id, BEN)
    table = await world.tables.leaving.resign(table.id, ANNA)
    assert table.status is Status.ABANDONED
    assert OutboxKind.END in {item.kind for item in await world.tables.outbox.items(table.id)}


async def test_who_plays_alone_can_abandon_at_once(world: World) -> None:
    table = await world.lobby(ANNA)
    await world.tables.lobby.add_computer(table.id, ANNA)
    await world.tables.lobby.start(table.id, ANNA)
    vote = await world.tables.leaving.abandon(table.id, ANNA)
    assert (vote.table.status, vote.missing) == (Status.ABANDONED, ())
    with pytest.raises(TableOver):
        await world.tables.leaving.abandon(table.id, ANNA)


async def test_all_people_must_agree_to_abandon(world: World) -> None:
    table = await world.game(ANNA, BEN, CARA)
    seats = {user: await world.tables.reader.seat_of(table.id, user) for user in (ANNA, BEN, CARA)}
    vote = await world.tables.leaving.abandon(table.id, ANNA, delivery="x")
    assert vote.agreed == (seats[ANNA],)
    assert await world.tables.leaving.abandon(table.id, ANNA, delivery="x") == vote
    await world.tables.leaving.abandon(table.id, BEN)
    await world.reopen()
    vote = await world.tables.leaving.abandon(table.id, CARA)
    assert (vote.table.status, vote.missing) == (Status.ABANDONED, ())
    with pytest.raises(TableOver):
        await world.tables.play.act(table.id, 0, ("choose", "1"))


async def test_the_last_to_disagree_can_resign_instead(world: World) -> None:
    table = await world.game(ANNA, BEN)
    await world.tables.leaving.abandon(table.id, ANNA)
    await world.tables.leaving.resign(table.id, BEN)
    await world.tables.scheduler.tick()
    assert (await world.tables.reader.get(table.id)).status is Status.ABANDONED
