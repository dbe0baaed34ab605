"""Lessons: each at a table of the learner's own, which leaves no trace elsewhere."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot import resources
from bot.cogs.dialogues import learning
from bot.cogs.panel import lessons
from bot.cogs.ui.budgets import Budget, BudgetRates, Budgets, Rate
from bot.game.contract import parse_action
from bot.local import InteractionKind
from bot.tables import StoreUnavailable
from bot.text import game_data
from bot.titles import TITLES
from tests.cogs.actors import stored
from tests.cogs.conftest import Club, emit, id_with, ids, parts, press, verbs, wording
from tests.cogs.test_reply import late_press
from tests.games import pebbles_titles

LESSONS = Path(__file__).parents[1] / "games" / "pebbles_data"


@pytest.fixture(autouse=True)
def pebbles_lessons(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give Pebbles three lessons."""
    monkeypatch.setitem(resources._REGISTERED, "pebbles", LESSONS)
    game_data.lessons.cache_clear()
    yield
    game_data.lessons.cache_clear()


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    """A club that also plays Pebbles."""
    async with Club(tmp_path, pebbles_titles.BEFORE) as club:
        yield club


async def overview(club: Club, person: Any, game: str = "pebbles") -> Any:
    answer = await person.slash(club.channel, "learn", game=game)
    assert answer.is_private
    return answer.response


async def begin(club: Club, person: Any, name: str = "take", game: str = "pebbles") -> Any:
    """Start a lesson from the overview. Returns the panel."""
    shown = await overview(club, person, game)
    return (await person.choose(shown, [name], custom_id=f"lesson:0:{game}:")).response


async def do(person: Any, panel: Any, *actions: str) -> Any:
    """Do actions such as `take 2` with the panel. Returns the panel."""
    for action in actions:
        panel = await press(person, panel, action.replace(" ", ","))
    return panel


async def lesson_tables(club: Club, person: Any) -> list[int]:
    return [table.id for table in await club.tables.lessons.of_user(person.id)]


async def done(club: Club, person: Any) -> tuple[str, ...]:
    return tuple((await club.tables.people.get(person.id)).lessons.get("pebbles", ()))


async def forged(club: Club, person: Any, custom_id: str) -> Any:
    """Press a button that the bot did not make."""
    message = (await person.slash(club.channel, "me show")).response
    place = club.standin.model.channels[message.channel_id]
    data = {"custom_id": custom_id, "component_type": 2}
    return await person.act(InteractionKind.COMPONENT, place, data, source=message)


async def test_a_learner_takes_all_lessons_of_a_game_and_is_offered_an_easy_game(
    club: Club,
) -> None:
    anna = club.people[0]
    games = (await anna.slash(club.channel, "learn")).response
    assert "**Pebbles** · 0 of 3 lessons done" in wording(games)
    shown = await press(anna, games, "learn:0:pebbles")
    assert "▫️ 1. Take two pebbles\n▫️ 2. Seal a three" in wording(shown)

    panel = await press(anna, shown, "lesson:0:pebbles:take")
    assert panel.id == shown.id
    assert panel.attachments
    assert "### 🎓 Take two pebbles\n-# Lesson 1 of 3\nYour number came up." in wording(panel)
    assert "take? (the old rules)" in wording(panel)
    assert verbs(panel).isdisjoint({"hint", "plan", "explain", "lesson"})
    panel = await do(anna, panel, "take 2")
    assert "took [('count', 2), ('seat', 0)]" in wording(panel)
    assert wording(panel).endswith("✅ Two pebbles at once.")
    assert panel.attachments
    assert ids(panel) == ["lesson:0:pebbles:seal", "learn:0:pebbles:"]

    panel = await do(anna, await press(anna, panel, "lesson:"), "choose 3")
    assert "✅ No one else knows it." in wording(panel)
    panel = await press(anna, panel, "lesson:0:pebbles:turn")
    panel = await do(anna, panel, "take 2")
    assert "✅ That was a whole turn." in wording(panel)
    assert await done(club, anna) == ("take", "seal", "turn")

    shown = await press(anna, panel, "learn:0:pebbles")
    assert "✅ 3. Play a whole turn\nYou've done them all." in wording(shown)
    opened = await press(anna, shown, "newtable:0:pebbles:1,easy")
    assert "You've opened table" in wording(opened)
    (table, _seat), *others = await club.tables.reader.seats_of(anna.id)
    assert [player.policy for player in table.players] == [None, "easy"]
    assert not others


async def test_the_last_lesson_of_each_game_ends_with_an_offer_to_play(club: Club) -> None:
    anna = club.people[0]
    for game in TITLES:
        lesson = game_data.lessons(game)[-1]
        panel = await begin(club, anna, lesson.name, game)
        assert panel.attachments
        assert lesson.title in wording(panel)
        (table,) = await lesson_tables(club, anna)
        for action in map(parse_action, lesson.solution):
            halfway = (await anna.slash(club.channel, "game turn", table=table)).response
            assert "✅" not in wording(halfway)
            await club.tables.play.act(table, lesson.seat, action, user=anna.id)
        ended = (await anna.slash(club.channel, "game turn", table=table)).response
        assert f"✅ {lesson.right}" in wording(ended)
        assert verbs(ended) == {"newtable", "learn"}
    games = (await anna.slash(club.channel, "learn")).response
    assert wording(games).count("· 1 of") == len(TITLES)


async def test_a_missed_goal_offers_another_try_and_shows_the_solution(club: Club) -> None:
    anna = club.people[0]
    panel = await do(anna, await begin(club, anna, "seal"), "choose 2")
    assert wording(panel).endswith("❌ That was another number.")
    (table,) = await lesson_tables(club, anna)
    assert verbs(panel) == {"lesson", "solution", "learn", "backstep", "backturn"}
    told = await press(anna, panel, "solution:")
    assert "**One way to do it:**\n1. choose 3" in wording(told)
    assert ids(told) == ids(panel)
    assert not await done(club, anna)

    again = await press(anna, told, "lesson:")
    assert "choose? (the old rules)" in wording(again)
    assert await lesson_tables(club, anna) == [table + 1]
    stale = await forged(club, anna, f"solution:{table}")
    assert "That table or lesson no longer exists" in wording(stale.response)


async def test_undo_goes_back_to_the_position_and_no_further(club: Club) -> None:
    anna = club.people[0]
    panel = await begin(club, anna)
    assert "backstep" not in verbs(panel)
    panel = await do(anna, panel, "take 1")
    assert wording(panel).endswith("❌ You took too few.")
    panel = await press(anna, panel, "backstep:")
    assert "take? (the old rules)" in wording(panel)
    assert "backstep" not in verbs(panel)
    (table,) = await lesson_tables(club, anna)
    await do(anna, panel, "take 1")
    asked = await anna.slash(club.channel, "game undo", table=table, back="round")
    assert "took [('count', 1), ('seat', 0)]" in wording(asked.response)
    panel = (await anna.slash(club.channel, "game turn", table=table)).response
    panel = await press(anna, panel, "backstep:")
    for back in ("step", "round"):
        refused = await anna.slash(club.channel, "game undo", table=table, back=back)
        assert wording(refused.response) == "There's nothing to undo."
    # An undone action does not count.
    panel = await do(anna, panel, "take 2")
    assert "✅" in wording(panel)


async def test_illegal_actions_are_refused_by_the_rules(club: Club) -> None:
    anna = club.people[0]
    panel = await begin(club, anna)
    (table,) = await lesson_tables(club, anna)
    moves = {"count": "7", "table": table}
    refused = (await anna.slash(club.channel, "pebbles take", **moves)).response
    assert "by the old rules" in wording(refused)
    shown = (await anna.slash(club.channel, "pebbles take", **moves | {"count": "2"})).response
    assert "✅ Two pebbles at once." in wording(shown)
    assert await done(club, anna) == ("take",)
    # The new panel has replaced the old one.
    assert panel.id not in {each.id for each in club.all_messages()}


async def test_a_lesson_is_private_and_counts_nowhere(club: Club) -> None:
    anna, bert = club.people[:2]
    before = len(club.all_messages())
    await do(anna, await begin(club, anna), "take 2")
    assert len(club.all_messages()) == before + 1
    assert not club.seen(club.channel)
    (table,) = await lesson_tables(club, anna)

    for press_or_command in (
        await bert.slash(club.channel, "game board", table=table),
        await bert.slash(bert.dm, "game turn", table=table),
        await forged(club, bert, f"start:{table}"),
    ):
        assert "no longer exists" in wording(press_or_command.response)
    mine = (await anna.slash(club.channel, "game mine")).response
    assert "lesson" not in wording(mine)
    assert str(table) not in wording(mine)
    assert not await club.tables.notifications.of_user(anna.id)
    assert not (await club.tables.reader.census()).tables
    assert await club.tables._unit_of_work.store.is_first_turn(99, "pebbles", anna.id, "end")
    await club.tables.servers.check_room(club.services.limits, None, anna.id)

    for command, values in (
        ("game resign", {}),
        ("game export", {}),
        ("game status", {}),
        ("game hint", {}),
        ("game abandon", {}),
        ("table note", {"text": "mine"}),
        ("table whispers", {}),
        ("table options", {}),
        ("seat orders", {}),
    ):
        refused = (await anna.slash(club.channel, command, table=table, **values)).response
        assert "can't do that in a lesson" in wording(refused), command
    for command in ("turn", "hand", "board", "log", "replay"):
        shown = (await anna.slash(club.channel, f"game {command}", table=table)).response
        assert "lesson" not in wording(shown) or command in ("turn", "log"), command
        assert "file" not in wording(shown), command


async def test_a_learner_gets_no_message_that_their_turn_is_next(club: Club) -> None:
    anna = club.people[0]
    await club.tables.people.change(anna.id, told_next=True)
    lesson = game_data.lessons("guatemala")[-1]
    await begin(club, anna, lesson.name, "guatemala")
    (table,) = await lesson_tables(club, anna)
    for action in map(parse_action, lesson.solution):
        await club.tables.play.act(table, lesson.seat, action, user=anna.id)
    await club.settle()
    assert not club.dms(anna)


async def test_lessons_work_in_direct_messages_and_after_a_restart(club: Club) -> None:
    anna = club.people[0]
    shown = (await anna.slash(anna.dm, "learn", game="pebbles")).response
    panel = await press(anna, shown, "lesson:0:pebbles:take")
    await club.restart()
    panel = await do(anna, panel, "take 2")
    assert "✅ Two pebbles at once." in wording(panel)
    await club.restart(timedelta(hours=1))
    panel = await press(anna, panel, "lesson:")
    assert "Seal the number 3." in wording(panel)
    assert await done(club, anna) == ("take",)
    assert len(await lesson_tables(club, anna)) == 1


async def test_presses_at_the_same_time_start_one_lesson(club: Club) -> None:
    anna = club.people[0]
    shown = await overview(club, anna)
    for custom_id in ("lesson:0:pebbles:take", "lesson:0:pebbles:seal"):
        first, again = (emit(club, anna, shown, custom_id) for _ in range(2))
        await club.settle()
        club.standin.interactions.deliver(first)
        await club.settle()
        assert len(await lesson_tables(club, anna)) == 1
    assert again.original is not None
    panel = stored(club.standin, shown)
    assert "Seal the number 3." in wording(panel)
    emit(club, anna, panel, id_with(panel, "choose,3"))
    await late_press(club, anna, panel, id_with(panel, "choose,3"))
    assert "✅" in wording(stored(club.standin, shown))
    assert await done(club, anna) == ("seal",)


async def test_nothing_is_lost_when_the_bot_stops_between_two_writes(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = club.people[0]
    panel = await begin(club, anna)
    with monkeypatch.context() as broken:
        broken.setattr(type(club.tables.people), "learned", refused)
        answer = await anna.click(panel, custom_id=id_with(panel, "take,2"))
        assert "It's saved" in wording(answer.response)
    assert not await done(club, anna)
    await club.restart()
    assert "✅ 1. Take two pebbles" in wording(await overview(club, anna))

    with monkeypatch.context() as broken:
        broken.setattr(type(club.tables._unit_of_work), "delete_table", refused)
        await begin(club, anna, "seal")
    assert len(await lesson_tables(club, anna)) == 2
    await club.restart()
    panel = await begin(club, anna, "seal")
    assert len(await lesson_tables(club, anna)) == 1
    assert "✅" in wording(await do(anna, panel, "choose 3"))


async def refused(*_: Any, **__: Any) -> Any:
    raise StoreUnavailable("store_unavailable")


async def test_a_lesson_ends_after_a_day_or_when_the_learner_is_forgotten(club: Club) -> None:
    anna, bert = club.people[:2]
    panel = await begin(club, anna)
    await club.later(timedelta(hours=23))
    panel = await do(anna, panel, "take 1")
    await club.later(timedelta(hours=2))
    assert not await lesson_tables(club, anna)
    answer = await anna.click(panel, custom_id=id_with(panel, "solution:"))
    assert "choose a lesson with `/learn`" in wording(answer.response or answer.followups[-1])

    await do(bert, await begin(club, bert), "take 2")
    (file,) = (await bert.slash(bert.dm, "me export")).response.attachments
    data = json.loads(club.bytes_of(file))
    assert data["settings"]["lessons"] == {"pebbles": ["take"]}
    await press(bert, (await bert.slash(bert.dm, "me forget")).response, "forgetme")
    assert not await lesson_tables(club, bert)
    assert not await done(club, bert)
    await club.later(timedelta(days=2))


async def test_a_lesson_that_has_changed_is_offered_again(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = club.people[0]
    take, *others = game_data.lessons("pebbles")
    panel = await begin(club, anna)
    shown = await overview(club, anna)
    for now in (others, [replace(take, moves="1 choose 1"), *others]):
        for module in (lessons, learning):
            monkeypatch.setattr(module, "lessons", lambda _game, now=now: tuple(now))
        table = (await lesson_tables(club, anna))[0]
        answer = (await anna.slash(club.channel, "game turn", table=table)).response
        assert "This lesson has changed" in wording(answer)
        assert "### 🎓" not in wording(answer)
        assert ids(answer)[-1] == "learn:0:pebbles:"
    # Its table is not taken for one at the new position.
    assert "choose?" in wording(await begin(club, anna))
    assert await lesson_tables(club, anna) == [table + 1]
    for module in (lessons, learning):
        monkeypatch.setattr(module, "lessons", lambda _game: tuple(others))
    gone = await press(anna, shown, "lesson:0:pebbles:take")
    assert wording(gone).startswith("This lesson has changed")
    assert "1. Seal a three" in wording(gone)
    assert panel.id != gone.id


async def test_starting_lessons_has_its_own_limit(tmp_path: Path) -> None:
    rates = {Budget.LESSONS: BudgetRates(Rate(1, 60), Rate(9, 60))}
    async with Club(tmp_path, pebbles_titles.BEFORE, budgets=Budgets(rates)) as club:
        anna = club.people[0]
        panel = await do(anna, await begin(club, anna), "take 2")
        again = await anna.click(panel, custom_id=id_with(panel, "lesson:"))
        assert "started too many lessons" in wording(again.response)


async def test_the_choice_of_games_has_a_button_for_lessons_and_replies_are_in_the_users_language(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    cards = (await anna.slash(club.channel, "game new")).response
    assert "learn:0:pebbles:" in ids(cards)
    shown = await press(anna, cards, "learn:0:pebbles")
    assert "Lessons: Pebbles" in wording(shown)
    assert not shown.attachments
    none = await anna.slash(club.channel, "learn", game="unheard-of")
    assert "don't know that game" in wording(none.response)

    await bert.slash(club.channel, "me set", language="it")
    panel = await begin(club, bert)
    assert wording(panel).startswith("### 🎓 Take two pebbles\n-# Lezione 1 di 3")
    labels = [each["label"] for each in parts(await do(bert, panel, "take 2")) if "label" in each]
    assert labels == ["Prossima lezione", "Tutte le lezioni"]
