"""Around a table that has not begun: opening, sitting down, options, starting."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from bot.tables import Status
from bot.tables.core.terms import HINTS, TERMS
from tests.cogs.conftest import Club, block_messages, ids, part, rings, rung, wording


async def test_a_new_table_shows_one_message_that_says_what_is_needed(club: Club) -> None:
    result = await club.people[0].slash(club.channel, "game new")

    (message,) = club.channel.history()
    assert result.ephemeral
    assert "Anna" in wording(message)
    assert "Start waits for 1 more player" in wording(message)
    assert part(message, "begin:1")["disabled"]
    assert ids(message) == ["join:1", "leave:1", "computer:1", "options:1", "rules:1", "begin:1"]


async def test_those_who_press_join_appear_in_the_same_message(club: Club) -> None:
    table = await club.lobby(club.people[1], club.people[2])

    (message,) = club.channel.history()
    assert [player.name for player in table.players] == ["Anna", "Bert", "Clara"]
    assert "Bert" in wording(message)
    assert "Clara" in wording(message)


async def test_leaving_frees_the_seat(club: Club) -> None:
    table = await club.lobby(club.people[1])

    await club.people[1].click(await club.lobby_message(table.id), custom_id="leave:1")

    assert "Bert" not in wording(await club.lobby_message(table.id))


async def test_the_last_one_to_leave_closes_the_table(club: Club) -> None:
    await club.lobby()

    await club.people[0].slash(club.channel, "game leave")

    (message,) = club.channel.history()
    assert (await club.services.tables.reader.get(1)).status is Status.ABANDONED
    assert not ids(message)


async def test_joining_twice_is_answered_kindly_and_changes_nothing(club: Club) -> None:
    await club.lobby(club.people[1])

    result = await club.people[1].slash(club.channel, "game join")

    assert result.ephemeral
    assert "already sit" in wording(result.response)
    assert len((await club.services.tables.reader.get(1)).players) == 2


async def test_a_game_cannot_begin_alone_and_the_host_learns_why(club: Club) -> None:
    await club.lobby()

    result = await club.people[0].slash(club.channel, "game start")

    assert result.ephemeral
    assert "at least 2 players" in wording(result.response)
    assert (await club.services.tables.reader.get(1)).status is Status.LOBBY


async def test_computers_are_added_and_removed_by_buttons(club: Club) -> None:
    await club.lobby()
    anna = club.people[0]

    await anna.click(await club.lobby_message(1), custom_id="computer:1")
    shown = await anna.click(await club.lobby_message(1), custom_id="options:1")
    await anna.click(shown.response, custom_id="add:1::easy")
    assert [p.policy for p in (await club.services.tables.reader.get(1)).players] == [
        None,
        "normal",
        "easy",
    ]

    await anna.click(shown.response, custom_id="remove:1")
    assert len((await club.services.tables.reader.get(1)).players) == 2
    assert "(normal)" in wording(await club.lobby_message(1))


@pytest.mark.parametrize("second", ["join", "computer"])
async def test_start_follows_every_change_of_seats(club: Club, second: str) -> None:
    await club.lobby()
    anna, bert = club.people[:2]
    who = bert if second == "join" else anna

    await who.click(await club.lobby_message(1), custom_id=f"{second}:1")
    ready = await club.lobby_message(1)
    startable = not part(ready, "begin:1").get("disabled")
    said = wording(ready)
    if second == "join":
        await bert.click(ready, custom_id="leave:1")
    else:
        await anna.slash(club.channel, "game computer", change="remove")
    alone = await club.lobby_message(1)

    assert startable
    assert "Start waits" not in said
    assert part(alone, "begin:1")["disabled"]
    assert "Start waits for 1 more player" in wording(alone)


async def test_all_options_of_a_table_stand_in_one_message(club: Club) -> None:
    await club.lobby()

    shown = await club.people[0].click(await club.lobby_message(1), custom_id="options:1")

    # Nobody can think in this club, so that there are no hints to agree on.
    terms = [each for each in TERMS if each.name != HINTS]
    known = (*club.services.titles.games["kogge"].options, *terms)
    assert [each for each in ids(shown.response) if each.startswith("set")] == [
        f"set:1::{option.name}" for option in known
    ]
    assert len(known) > 5


async def test_options_are_chosen_in_words_and_shown_to_all(club: Club) -> None:
    await club.lobby()
    anna = club.people[0]

    shown = await anna.click(await club.lobby_message(1), custom_id="options:1")
    picker = next(each for each in ids(shown.response) if each.endswith("::goods"))
    lines = [option["label"] for option in part(shown.response, picker)["options"]]
    await anna.select(shown.response, ["hidden"], custom_id=picker)

    assert all(line.startswith("Goods") or ":" in line for line in lines)
    assert (await club.services.tables.reader.get(1)).options["goods"] == "hidden"
    assert "hidden" in wording(await club.lobby_message(1))


async def test_the_same_can_be_done_by_commands(club: Club) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "game new", computers=1, level="easy")
    await bert.slash(club.channel, "game join")
    await anna.slash(club.channel, "game option", option="goods", value="hidden")
    added = await anna.slash(club.channel, "game computer", change="add")
    gone = await anna.slash(club.channel, "game computer", change="remove")
    await bert.slash(club.channel, "game start")

    table = await club.services.tables.reader.get(1)
    assert table.status is Status.PLAYING
    assert {player.policy for player in table.players} == {None, "easy"}
    assert table.options["goods"] == "hidden"
    assert "Easy computer 1" in table.names
    assert "Computer 1" in wording(added.response)
    assert "Computer 1" in wording(gone.response)


async def test_options_are_offered_while_typing(club: Club) -> None:
    await club.lobby()
    anna = club.people[0]

    names = await anna.autocomplete(club.channel, "game option", "option", "")
    values = await anna.autocomplete(club.channel, "game option", "value", "hid", option="goods")

    assert "goods" in {each["value"] for each in names}
    assert [each["value"] for each in values] == ["hidden"]


async def test_a_blocked_direct_message_is_told_to_the_table_at_join(club: Club) -> None:
    block_messages(club, club.people[1])

    table = await club.lobby(club.people[1])

    assert not table.players[1].reachable

    async def told() -> bool:
        return "Bert" in wording(await club.lobby_message(table.id)).splitlines()[-1]

    await club.until(told)
    message = await club.lobby_message(table.id)
    assert "My hand" in wording(message).splitlines()[-1]


async def test_whoever_blocks_messages_learns_how_to_open_them(club: Club) -> None:
    await club.lobby()
    block_messages(club, club.people[1])

    result = await club.people[1].slash(club.channel, "game join")

    assert any("My hand" in wording(each) for each in result.followups)
    assert all(each.ephemeral for each in result.followups)


@pytest.mark.parametrize("code", [20026, 50001])
async def test_nobody_is_told_to_open_messages_that_fail_for_another_reason(
    club: Club, code: int
) -> None:
    bert = club.people[1]
    block_messages(club, bert, code)

    table = await club.game()
    await club.person(table, 0).click(await club.open_panel(table, 0), custom_id="act:1:0:found,4")

    assert (await club.services.tables.reader.get(table.id)).players[1].reachable
    said = [*club.posts(table), *club.channel.history(), *club.channel.history(viewer=bert)]
    assert "direct messages" not in "".join(map(wording, said))
    assert await club.services.tables.outbox.items(table.id) == []


async def test_joining_sends_a_greeting_so_that_messages_are_known_to_arrive(club: Club) -> None:
    await club.lobby(club.people[1])

    for person in club.people[:2]:
        (greeting,) = club.dms(person)
        assert "table 1" in wording(greeting)
        assert greeting.flags.suppress_notifications


async def test_the_lobby_of_a_begun_game_points_to_its_thread(club: Club) -> None:
    table = await club.game()

    message = await club.lobby_message(table.id)
    assert f"<#{table.thread}>" in wording(message)
    assert not ids(message)


async def test_a_late_comer_is_told_that_the_game_has_begun(club: Club) -> None:
    table = await club.game()

    result = await club.people[2].slash(club.channel, "game join", table=table.id)

    assert result.ephemeral
    assert "has started" in wording(result.response)


async def test_without_a_table_no_option_is_offered_and_nothing_fails(
    club: Club, caplog: pytest.LogCaptureFixture
) -> None:
    anna = club.people[0]

    assert await anna.autocomplete(club.channel, "game option", "option", "") == []
    assert await anna.autocomplete(club.channel, "game option", "value", "", option="goods") == []
    assert "Ignoring exception" not in caplog.text


async def test_the_rules_can_be_read_chapter_by_chapter_by_anybody(club: Club) -> None:
    table = await club.lobby()

    opened = await club.people[2].click(await club.lobby_message(table.id), custom_id="rules:1")
    assert opened.ephemeral
    assert wording(opened.response).startswith("### Kogge · Overview\n")
    chapters = ids(opened.response)[0]
    result = await club.people[2].select(opened.response, ["raid"], custom_id=chapters)

    assert wording(result.response).startswith("### Kogge · Raids\n")


async def test_no_computer_can_be_added_to_a_full_table(club: Club) -> None:
    table = await club.lobby(*club.people[1:4])

    shown = await club.people[0].click(await club.lobby_message(table.id), custom_id="options:1")

    adding = [each for each in ids(shown.response) if each.startswith("add:")]
    assert adding
    assert all(part(shown.response, each)["disabled"] for each in adding)


async def test_more_computers_than_seats_fill_the_table(club: Club) -> None:
    result = await club.people[0].slash(club.channel, "game new", computers=8)

    assert result.response is not None
    assert "opens a table" in wording(result.response)
    assert len((await club.services.tables.reader.get(1)).players) == 4


async def test_for_an_unknown_computer_no_table_is_opened(club: Club) -> None:
    result = await club.people[0].slash(club.channel, "game new", computers=1, level="cheat")

    assert result.response is not None
    assert "no such computer player" in wording(result.response)
    assert await club.services.tables.reader.find(club.channel.id) == []


async def test_an_options_panel_left_open_says_after_the_start_that_it_is_too_late(
    club: Club,
) -> None:
    table = await club.lobby(club.people[1])
    host, lobby = club.people[0], await club.lobby_message(table.id)
    panel = (await host.click(lobby, custom_id="options:1")).response
    select = next(each for each in ids(panel) if each.startswith("set"))
    await host.click(lobby, custom_id="begin:1")
    before = (await club.services.tables.reader.get(1)).options
    values = [option["value"] for option in part(panel, select)["options"]]

    result = await host.select(panel, [values[-1]], custom_id=select)

    assert "has started" in wording(result.response)
    assert result.response.id == panel.id
    assert ids(result.response) == []
    assert (await club.services.tables.reader.get(1)).options == before


async def test_a_computer_is_not_added_from_an_options_panel_after_the_start(club: Club) -> None:
    table = await club.lobby(club.people[1])
    host, lobby = club.people[0], await club.lobby_message(table.id)
    panel = (await host.click(lobby, custom_id="options:1")).response
    add = next(each for each in ids(panel) if each.startswith("add"))
    await host.click(lobby, custom_id="begin:1")

    result = await host.click(panel, custom_id=add)

    assert "has started" in wording(result.response)
    assert len((await club.services.tables.reader.get(1)).players) == 2


@pytest.mark.parametrize("is_played", [True, False])
async def test_the_lobby_says_when_its_game_is_over_and_where_it_ended(
    club: Club, is_played: bool
) -> None:
    table = await club.game()
    rng = Random(1)
    while is_played and await club.asked(table.id):
        await club.act(table.id, rng)
    if not is_played:
        await club.services.tables.leaving.dissolve(table.id)

    async def outbox_is_empty() -> bool:
        return not await club.services.tables.outbox.items(table.id)

    await club.until(outbox_is_empty)
    table = await club.services.tables.reader.get(table.id)
    lobby = await club.lobby_message(table.id)
    assert ("The game is over" if is_played else "stays unfinished") in wording(lobby)
    assert f"{table.guild}/{table.thread}/{table.panel_message}" in wording(lobby)
    assert ids(lobby) == []
    assert len([m for m in club.channel.history() if wording(m).startswith("### ")]) == 1


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
    assert (await club.services.tables.reader.get(table.id)).status is Status.ABANDONED
    assert rung(club, before) == {anna.id: 1, bert.id: 1, clara.id: 1}


async def test_who_sleeps_hears_when_they_wake_that_a_lobby_will_close(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.lobby(bert)
    now = club.clock.now()
    hours = {"from": f"{now:%H:%M}", "to": f"{now + timedelta(hours=6):%H:%M}", "zone": "UTC"}
    await bert.slash(club.channel, "me quiet", **hours)
    before = len(club.env.http_requests)
    await club.later(timedelta(days=14, minutes=1))
    assert rung(club, before) == {anna.id: 1}

    await club.later(timedelta(hours=6))
    assert rung(club, before) == {anna.id: 1, bert.id: 1}
    await club.later(timedelta(days=1))

    assert rung(club, before) == {anna.id: 1, bert.id: 1}
    assert "This table closes <t:" in wording(await club.lobby_message(table.id))


async def test_a_lobby_calls_those_whose_messages_turn_out_to_be_closed(club: Club) -> None:
    anna, bert = club.people[:2]
    await bert.slash(club.channel, "me set", notices="dm")
    table = await club.lobby(bert)
    block_messages(club, bert)
    before = len(club.env.http_requests)

    await club.later(timedelta(days=14, minutes=1))

    assert rings(club, since=before) == [anna.id, bert.id]
    await club.later(timedelta(days=3))
    assert (await club.services.tables.reader.get(table.id)).status is Status.ABANDONED


async def test_one_press_or_anything_done_keeps_a_lobby_open(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.later(timedelta(days=13))
    # What nobody else can see puts no warning off.
    await club.services.tables.orders.give(table.id, club.people[1].id, "decline", "on")
    await club.later(timedelta(days=1, minutes=1))
    warned = await club.lobby_message(table.id)
    stranger = await club.people[3].click(warned, custom_id=f"keep:{table.id}")
    assert "not playing at this table" in wording(stranger.response)

    await club.people[1].click(warned, custom_id=f"keep:{table.id}")
    assert f"keep:{table.id}" not in ids(await club.lobby_message(table.id))
    await club.later(timedelta(days=4))
    assert (await club.services.tables.reader.get(table.id)).status is Status.LOBBY

    await club.later(timedelta(days=11))
    assert f"keep:{table.id}" in ids(await club.lobby_message(table.id))
    await club.people[2].click(await club.lobby_message(table.id), custom_id=f"join:{table.id}")
    assert f"keep:{table.id}" not in ids(await club.lobby_message(table.id))
    await club.later(timedelta(days=4))
    await club.people[0].click(await club.lobby_message(table.id), custom_id=f"begin:{table.id}")
    await club.later(timedelta(days=15))
    assert (await club.services.tables.reader.get(table.id)).status is Status.PLAYING
