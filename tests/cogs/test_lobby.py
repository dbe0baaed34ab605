"""The lobby of a table: opening, joining, options, starting."""

from __future__ import annotations

from datetime import timedelta
from itertools import chain
from typing import Any

from bot.tables import Status
from tests.cogs.conftest import (
    Club,
    block_messages,
    ids,
    is_silent,
    part,
    parts,
    ping_counts,
    pings,
    wording,
)
from tests.cogs.test_notices import set_quiet_hours

THUMBNAIL = 11


async def test_a_lobby_is_one_message_that_lists_players_and_says_how_many_are_missing(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    result = await anna.slash(club.channel, "game new", game="kogge")
    (message,) = club.seen(club.channel)
    assert result.is_private
    assert "Anna" in wording(message)
    assert "You need 1 more player to start" in wording(message)
    assert part(message, "begin:1")["disabled"]
    assert ids(message) == ["join:1", "leave:1", "computer:1", "options:1", "rules:1", "begin:1"]
    assert _blue(message) == ["computer:1"]
    alone = await anna.slash(club.channel, "game start")
    assert alone.is_private
    assert "at least 2 players" in wording(alone.response)

    await bert.click(message, custom_id="join:1")
    (message,) = club.seen(club.channel)
    assert "Bert" in wording(message)
    assert "more player to start" not in wording(message)
    assert not part(message, "begin:1").get("disabled")
    assert _blue(message) == ["begin:1"]
    twice = await bert.slash(club.channel, "game join")
    assert twice.is_private
    assert "already at this table" in wording(twice.response)
    # A silent greeting shows that direct messages arrive.
    for person in (anna, bert):
        (greeting,) = club.dms(person)
        assert "table 1" in wording(greeting)
        assert is_silent(greeting)

    await bert.click(message, custom_id="leave:1")
    (message,) = club.seen(club.channel)
    assert "Bert" not in wording(message)
    assert part(message, "begin:1")["disabled"]
    await anna.slash(club.channel, "game leave")
    (message,) = club.seen(club.channel)
    assert (await club.tables.reader.get(1)).status is Status.ABANDONED
    assert not ids(message)


async def test_buttons_add_and_remove_computer_players_while_there_is_room(club: Club) -> None:
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
    assert "(computer player)" in wording(await club.lobby_message(1))

    await bert.slash(club.channel, "game new", game="kogge", computers=8)
    full = (await bert.click(await club.lobby_message(2), custom_id="options:2")).response
    adding = [each for each in ids(full) if each.startswith("add:")]
    assert len((await club.tables.reader.get(2)).players) == 4
    assert adding
    assert all(part(full, each)["disabled"] for each in adding)
    cheat = await anna.slash(club.channel, "game new", game="kogge", computers=1, level="cheat")
    assert "no such computer player" in wording(cheat.response)
    assert len(await club.tables.reader.find(club.channel.id)) == 2


async def test_all_options_are_in_one_panel_that_the_start_closes(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    assert await anna.suggestions(club.channel, "game option", "option", "") == []
    assert await anna.suggestions(club.channel, "game option", "value", "", option="goods") == []
    await club.lobby(bert)
    lobby = await club.lobby_message(1)
    panel = (await anna.click(lobby, custom_id="options:1")).response
    # Without a search pool there is no option for hints.
    first, *others = club.services.titles.games["kogge"].options
    assert _selects(panel) == [first.name, "clock"]
    panel = (await anna.choose(panel, ["d1"], custom_id="set:1::clock")).response
    assert _selects(panel) == [first.name, "clock", "weekend", "at_zero"]
    panel = (await anna.click(panel, custom_id="options:1::advanced")).response
    assert _selects(panel) == [option.name for option in others]
    lines = [option["label"] for option in part(panel, "set:1::goods")["options"]]
    assert all(line.startswith("Goods") or ":" in line for line in lines)
    panel = (await anna.choose(panel, ["hidden"], custom_id="set:1::goods")).response
    assert _selects(panel) == [option.name for option in others]
    assert "hidden" in wording(await club.lobby_message(1))
    names = await anna.suggestions(club.channel, "game option", "option", "")
    values = await anna.suggestions(club.channel, "game option", "value", "hid", option="goods")
    assert "goods" in {each["value"] for each in names}
    assert [each["value"] for each in values] == ["hidden"]

    left_open = (await bert.click(lobby, custom_id="options:1")).response
    await anna.click(lobby, custom_id="begin:1")
    before = await club.tables.reader.get(1)
    assert before.options["goods"] == "hidden"
    # The start has closed the open panels.
    shown = [each.id for person in (anna, bert) for each in club.seen(club.channel, person)]
    assert not {panel.id, left_open.id} & set(shown)
    joining = await club.people[2].slash(club.channel, "game join", table=1)
    assert joining.is_private
    assert "has started" in wording(joining.response)
    after = await club.tables.reader.get(1)
    assert (after.options, after.players) == (before.options, before.players)
    lobby = await club.lobby_message(1)
    assert f"<#{after.thread}>" in wording(lobby)
    assert ids(lobby) == ["newgame:0"]
    assert [each["url"] for each in parts(lobby) if "url" in each] == [
        f"https://discord.com/channels/{after.guild}/{after.thread}"
    ]


async def test_an_open_options_panel_updates_when_a_player_joins(club: Club) -> None:
    anna, bert = club.people[:2]
    await club.lobby(computers=2)
    lobby = await club.lobby_message(1)
    panel = (await anna.click(lobby, custom_id="options:1")).response
    assert not part(panel, "add:1::easy").get("disabled")
    await bert.click(lobby, custom_id="join:1")
    (panel,) = [each for each in club.seen(club.channel, anna) if each.id == panel.id]
    assert part(panel, "add:1::easy")["disabled"]


async def test_a_deleted_options_panel_does_not_stop_updates_of_others(club: Club) -> None:
    anna, bert, clara = club.people[:3]
    await club.lobby(computers=1)
    lobby = await club.lobby_message(1)
    await bert.click(lobby, custom_id="join:1")
    await anna.click(lobby, custom_id="options:1")
    panel = (await bert.click(lobby, custom_id="options:1")).response
    club.fail("PATCH", "/webhooks/*/*/messages/*", status=404, code=10008, times=1)
    await clara.click(lobby, custom_id="join:1")
    (panel,) = [each for each in club.seen(club.channel, bert) if each.id == panel.id]
    assert part(panel, "add:1::easy")["disabled"]


async def test_each_game_is_a_card_with_a_button(club: Club) -> None:
    anna, bert = club.people[:2]
    cards = (await anna.slash(club.channel, "game new", computers=2, level="easy")).response
    names = list(club.titles)
    every = [(f"newtable:0:{name}:2,easy", f"learn:0:{name}:") for name in names]
    assert ids(cards) == [*chain(*every), "find:0"]
    assert "2–4 players · 60–90 min" in wording(cards)
    assert len([each for each in parts(cards) if each["type"] == THUMBNAIL]) == len(names)
    opened = (await anna.click(cards, custom_id=f"newtable:0:{names[1]}:2,easy")).response
    assert (opened.id, wording(opened)) == (
        cards.id,
        "You've opened table 1 (The Castles of Burgundy).",
    )
    table = await club.tables.reader.get(1)
    assert [player.policy for player in table.players] == [None, "easy", "easy"]
    await anna.click(await club.lobby_message(1), custom_id="begin:1")
    again = (await bert.click(await club.lobby_message(1), custom_id="newgame:0")).response
    every = [(f"newtable:0:{name}:", f"learn:0:{name}:") for name in names]
    assert ids(again) == [*chain(*every), "find:0"]


async def test_the_servers_default_game_is_opened_directly(club: Club) -> None:
    await club.owner().slash(club.channel, "server set", game="flandern")
    opened = (await club.people[0].slash(club.channel, "game new")).response
    assert "Flandern 1302" in wording(opened)
    assert (await club.tables.reader.get(1)).game == "flandern"


async def test_a_level_is_understood_however_it_is_typed(club: Club) -> None:
    anna = club.people[0]
    for typed in ("easy", "Facile", "level:easy", "livello:facile"):
        await anna.slash(club.channel, "game new", game="kogge", level=typed)
        table, _ = (await club.tables.reader.seats_of(anna.id))[-1]
        assert [player.policy for player in table.players] == [None, "easy"]
        added = await anna.slash(club.channel, "game computer", level=typed, table=table.id)
        assert "has joined" in wording(added.response)
    for odd in ("cheat", "a,b:*", "x" * 100):
        refused = await anna.slash(club.channel, "game new", level=odd)
        assert "no such computer player" in wording(refused.response)


def _blue(message: Any) -> list[str]:
    return [each["custom_id"] for each in parts(message) if each.get("style") == 1]


def _selects(message: Any) -> list[str]:
    return [each.rpartition(":")[2] for each in ids(message) if each.startswith("set:")]


async def test_a_lobby_can_be_set_up_by_commands(club: Club) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "game new", game="kogge", computers=1, level="easy")
    await bert.slash(club.channel, "game join")
    for answer in ("→ hidden hands.", "Nothing changed. Hands: hidden hands."):
        changed = await anna.slash(club.channel, "game option", option="goods", value="hidden")
        assert answer in wording(changed.response)
    offered = await anna.suggestions(club.channel, "game option", "value", "on", option="taxes")
    assert offered[0]["value"] == "on"
    added = await anna.slash(club.channel, "game computer", change="add")
    removed = await anna.slash(club.channel, "game computer", change="remove")
    await bert.slash(club.channel, "game start")

    table = await club.tables.reader.get(1)
    assert table.status is Status.PLAYING
    assert {player.policy for player in table.players} == {None, "easy"}
    assert table.options["goods"] == "hidden"
    assert "Easy 1" in table.names
    assert "Normal 1" in wording(added.response)
    assert "Normal 1" in wording(removed.response)


async def test_no_one_is_asked_to_allow_messages_that_fail_for_another_reason(club: Club) -> None:
    bert = club.people[1]
    block_messages(club, bert, 50001)

    table = await club.game()
    await club.person(table, 0).click(await club.open_panel(table, 0), custom_id="act:1:0:found,4")

    assert (await club.tables.reader.get(table.id)).players[1].reachable
    posts = [*club.posts(table), *club.seen(club.channel), *club.seen(club.channel, bert)]
    assert "direct messages" not in "".join(map(wording, posts))
    assert await club.tables.outbox.items(table.id) == []


async def test_an_idle_lobby_warns_once_and_then_closes_with_the_reason(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    await clara.slash(club.channel, "me set", notices="dm")
    table = await club.lobby(bert, clara)
    await club.later(timedelta(days=13))
    first = await club.lobby_message(table.id)
    assert f"keep:{table.id}" not in ids(first)
    before = len(club.requests)

    await club.later(timedelta(days=1, minutes=1))

    assert ping_counts(club, before) == {anna.id: 1, bert.id: 1, clara.id: 1}
    warned = await club.lobby_message(table.id)
    assert warned.id > first.id
    assert first.id not in [message.id for message in club.seen(club.channel)]
    assert wording(warned).startswith(f"### Kogge · table {table.id}\n")
    for message in (warned, club.dms(clara)[-1]):
        assert "This table closes <t:" in wording(message)
        assert f"keep:{table.id}" in ids(message)
    await club.restart()

    await club.later(timedelta(days=3))

    closed = await club.lobby_message(table.id)
    assert closed.id == warned.id
    assert "Closed: nothing happened here for 17 days." in wording(closed)
    assert ids(closed) == []
    assert (await club.tables.reader.get(table.id)).status is Status.ABANDONED
    assert ping_counts(club, before) == {anna.id: 1, bert.id: 1, clara.id: 1}


async def test_the_warning_of_a_closing_lobby_waits_for_the_end_of_quiet_hours(club: Club) -> None:
    anna, bert, clara, _ = club.people
    await clara.slash(club.channel, "me set", notices="dm")
    table = await club.lobby(bert, clara)
    # Her direct messages are blocked: she is pinged at the table.
    block_messages(club, clara)
    await set_quiet_hours(club, bert, 6)
    before = len(club.requests)
    await club.later(timedelta(days=14, minutes=1))
    assert pings(club, since=before) == [anna.id, clara.id]

    await club.later(timedelta(hours=6))
    await club.later(timedelta(days=1))

    assert pings(club, since=before) == [anna.id, clara.id, bert.id]
    assert "This table closes <t:" in wording(await club.lobby_message(table.id))


async def test_a_press_or_any_visible_change_keeps_a_lobby_open(club: Club) -> None:
    table = await club.lobby(club.people[1])
    await club.later(timedelta(days=13))
    # A private change does not delay the warning.
    await club.tables.orders.give(table.id, club.people[1].id, "decline", "on")
    await club.later(timedelta(days=1, minutes=1))
    warned = await club.lobby_message(table.id)
    stranger = await club.people[3].click(warned, custom_id=f"keep:{table.id}")
    assert "aren't playing at this table" in wording(stranger.response)

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


async def test_the_lobby_shows_that_its_game_is_over_and_links_to_the_end(club: Club) -> None:
    table = await club.game()
    await club.tables.leaving.dissolve(table.id)

    await club.settle()
    table = await club.tables.reader.get(table.id)
    lobby = await club.lobby_message(table.id)
    assert "stays unfinished" in wording(lobby)
    assert f"{table.guild}/{table.thread}/{table.panel_message}" in wording(lobby)
    assert ids(lobby) == []
    assert len([m for m in club.seen(club.channel) if wording(m).startswith("### ")]) == 1
