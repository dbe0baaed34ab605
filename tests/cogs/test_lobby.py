"""Around a table that has not begun: opening, sitting down, options, starting."""

from __future__ import annotations

from datetime import timedelta

from bot.tables import Status
from bot.tables.core.terms import HINTS, TERMS
from tests.cogs.conftest import Club, block_messages, ids, part, rings, rung, wording
from tests.cogs.test_notices import quiet


async def test_a_table_is_one_message_that_says_who_sits_there_and_what_is_needed(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    result = await anna.slash(club.channel, "game new")
    (message,) = club.channel.history()
    assert result.ephemeral
    assert "Anna" in wording(message)
    assert "Start waits for 1 more player" in wording(message)
    assert part(message, "begin:1")["disabled"]
    assert ids(message) == ["join:1", "leave:1", "computer:1", "options:1", "rules:1", "begin:1"]
    alone = await anna.slash(club.channel, "game start")
    assert alone.ephemeral
    assert "at least 2 players" in wording(alone.response)

    await bert.click(message, custom_id="join:1")
    (message,) = club.channel.history()
    assert "Bert" in wording(message)
    assert "Start waits" not in wording(message)
    assert not part(message, "begin:1").get("disabled")
    twice = await bert.slash(club.channel, "game join")
    assert twice.ephemeral
    assert "already sit" in wording(twice.response)
    # Messages are then known to arrive.
    for person in (anna, bert):
        (greeting,) = club.dms(person)
        assert "table 1" in wording(greeting)
        assert greeting.flags.suppress_notifications

    await bert.click(message, custom_id="leave:1")
    (message,) = club.channel.history()
    assert "Bert" not in wording(message)
    assert part(message, "begin:1")["disabled"]
    await anna.slash(club.channel, "game leave")
    (message,) = club.channel.history()
    assert (await club.tables.reader.get(1)).status is Status.ABANDONED
    assert not ids(message)


async def test_computers_come_and_go_by_buttons_as_long_as_there_is_room(club: Club) -> None:
    await club.lobby()
    anna, bert = club.people[:2]

    async def policies() -> list[str | None]:
        return [each.policy for each in (await club.tables.reader.get(1)).players]

    await anna.click(await club.lobby_message(1), custom_id="computer:1")
    assert not part(await club.lobby_message(1), "begin:1").get("disabled")
    panel = (await anna.click(await club.lobby_message(1), custom_id="options:1")).response
    await anna.click(panel, custom_id="add:1::easy")
    assert await policies() == [None, "normal", "easy"]
    await anna.click(panel, custom_id="remove:1")
    assert await policies() == [None, "normal"]
    assert "(normal)" in wording(await club.lobby_message(1))

    await bert.slash(club.channel, "game new", computers=8)
    full = (await bert.click(await club.lobby_message(2), custom_id="options:2")).response
    adding = [each for each in ids(full) if each.startswith("add:")]
    assert len((await club.tables.reader.get(2)).players) == 4
    assert adding
    assert all(part(full, each)["disabled"] for each in adding)
    cheat = await anna.slash(club.channel, "game new", computers=1, level="cheat")
    assert "no such computer player" in wording(cheat.response)
    assert len(await club.tables.reader.find(club.channel.id)) == 2


async def test_all_options_stand_in_one_message_are_chosen_in_words_and_closed_by_the_start(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    assert await anna.autocomplete(club.channel, "game option", "option", "") == []
    assert await anna.autocomplete(club.channel, "game option", "value", "", option="goods") == []
    await club.lobby(bert)
    lobby = await club.lobby_message(1)
    panel = (await anna.click(lobby, custom_id="options:1")).response
    # Nobody can think in this club, so that there are no hints to agree on.
    terms = [each for each in TERMS if each.name != HINTS]
    known = (*club.services.titles.games["kogge"].options, *terms)
    assert [each for each in ids(panel) if each.startswith("set")] == [
        f"set:1::{option.name}" for option in known
    ]
    assert len(known) > 5
    lines = [option["label"] for option in part(panel, "set:1::goods")["options"]]
    assert all(line.startswith("Goods") or ":" in line for line in lines)
    await anna.select(panel, ["hidden"], custom_id="set:1::goods")
    assert "hidden" in wording(await club.lobby_message(1))
    names = await anna.autocomplete(club.channel, "game option", "option", "")
    values = await anna.autocomplete(club.channel, "game option", "value", "hid", option="goods")
    assert "goods" in {each["value"] for each in names}
    assert [each["value"] for each in values] == ["hidden"]

    left_open = (await bert.click(lobby, custom_id="options:1")).response
    await anna.click(lobby, custom_id="begin:1")
    before = await club.tables.reader.get(1)
    assert before.options["goods"] == "hidden"
    late = await anna.select(panel, ["open"], custom_id="set:1::goods")
    assert "has started" in wording(late.response)
    assert (late.response.id, ids(late.response)) == (panel.id, [])
    adding = next(each for each in ids(left_open) if each.startswith("add"))
    assert "has started" in wording((await bert.click(left_open, custom_id=adding)).response)
    joining = await club.people[2].slash(club.channel, "game join", table=1)
    assert joining.ephemeral
    assert "has started" in wording(joining.response)
    after = await club.tables.reader.get(1)
    assert (after.options, after.players) == (before.options, before.players)
    lobby = await club.lobby_message(1)
    assert f"<#{after.thread}>" in wording(lobby)
    assert not ids(lobby)


async def test_the_same_can_be_done_by_commands(club: Club) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "game new", computers=1, level="easy")
    await bert.slash(club.channel, "game join")
    await anna.slash(club.channel, "game option", option="goods", value="hidden")
    added = await anna.slash(club.channel, "game computer", change="add")
    gone = await anna.slash(club.channel, "game computer", change="remove")
    await bert.slash(club.channel, "game start")

    table = await club.tables.reader.get(1)
    assert table.status is Status.PLAYING
    assert {player.policy for player in table.players} == {None, "easy"}
    assert table.options["goods"] == "hidden"
    assert "Easy computer 1" in table.names
    assert "Computer 1" in wording(added.response)
    assert "Computer 1" in wording(gone.response)


async def test_nobody_is_told_to_open_messages_that_fail_for_another_reason(club: Club) -> None:
    bert = club.people[1]
    block_messages(club, bert, 50001)

    table = await club.game()
    await club.person(table, 0).click(await club.open_panel(table, 0), custom_id="act:1:0:found,4")

    assert (await club.tables.reader.get(table.id)).players[1].reachable
    said = [*club.posts(table), *club.channel.history(), *club.channel.history(viewer=bert)]
    assert "direct messages" not in "".join(map(wording, said))
    assert await club.tables.outbox.items(table.id) == []


async def test_a_dead_lobby_rings_once_that_it_will_close_and_then_says_why_it_has(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    await clara.slash(club.channel, "me set", notices="dm")
    table = await club.lobby(bert, clara)
    await club.later(timedelta(days=13))
    first = await club.lobby_message(table.id)
    assert f"keep:{table.id}" not in ids(first)
    before = len(club.env.http_requests)

    await club.later(timedelta(days=1, minutes=1))

    assert rung(club, before) == {anna.id: 1, bert.id: 1, clara.id: 1}
    warned = await club.lobby_message(table.id)
    assert warned.id > first.id
    assert first.id not in [message.id for message in club.channel.history()]
    assert wording(warned).startswith(f"### Kogge · table {table.id}\n")
    for message in (warned, club.dms(clara)[-1]):
        assert "This table closes <t:" in wording(message)
        assert f"keep:{table.id}" in ids(message)
    await club.restart()

    await club.later(timedelta(days=3))

    closed = await club.lobby_message(table.id)
    assert closed.id == warned.id
    assert "Closed: nobody did anything here for 17 days." in wording(closed)
    assert ids(closed) == []
    assert (await club.tables.reader.get(table.id)).status is Status.ABANDONED
    assert rung(club, before) == {anna.id: 1, bert.id: 1, clara.id: 1}


async def test_who_sleeps_hears_when_they_wake_that_a_lobby_will_close(club: Club) -> None:
    anna, bert, clara, _ = club.people
    await clara.slash(club.channel, "me set", notices="dm")
    table = await club.lobby(bert, clara)
    # Her messages turn out to be closed: she is called where the table is.
    block_messages(club, clara)
    await quiet(club, bert, 6)
    before = len(club.env.http_requests)
    await club.later(timedelta(days=14, minutes=1))
    assert rings(club, since=before) == [anna.id, clara.id]

    await club.later(timedelta(hours=6))
    await club.later(timedelta(days=1))

    assert rings(club, since=before) == [anna.id, clara.id, bert.id]
    assert "This table closes <t:" in wording(await club.lobby_message(table.id))


async def test_one_press_or_anything_done_keeps_a_lobby_open(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.later(timedelta(days=13))
    # What nobody else can see puts no warning off.
    await club.tables.orders.give(table.id, club.people[1].id, "decline", "on")
    await club.later(timedelta(days=1, minutes=1))
    warned = await club.lobby_message(table.id)
    stranger = await club.people[3].click(warned, custom_id=f"keep:{table.id}")
    assert "not playing at this table" in wording(stranger.response)

    await club.people[1].click(warned, custom_id=f"keep:{table.id}")
    assert f"keep:{table.id}" not in ids(await club.lobby_message(table.id))
    await club.later(timedelta(days=4))
    assert (await club.tables.reader.get(table.id)).status is Status.LOBBY

    await club.later(timedelta(days=11))
    assert f"keep:{table.id}" in ids(await club.lobby_message(table.id))
    await club.people[2].click(await club.lobby_message(table.id), custom_id=f"join:{table.id}")
    assert f"keep:{table.id}" not in ids(await club.lobby_message(table.id))
    await club.later(timedelta(days=4))
    await club.people[0].click(await club.lobby_message(table.id), custom_id=f"begin:{table.id}")
    await club.later(timedelta(days=15))
    assert (await club.tables.reader.get(table.id)).status is Status.PLAYING


async def test_the_lobby_says_when_its_game_is_over_and_where_it_ended(club: Club) -> None:
    table = await club.game()
    await club.tables.leaving.dissolve(table.id)

    await club.all_posted(table.id)
    table = await club.tables.reader.get(table.id)
    lobby = await club.lobby_message(table.id)
    assert "stays unfinished" in wording(lobby)
    assert f"{table.guild}/{table.thread}/{table.panel_message}" in wording(lobby)
    assert ids(lobby) == []
    assert len([m for m in club.channel.history() if wording(m).startswith("### ")]) == 1
