"""Looking for players: the panel, the channel's message, tables that open, and alerts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.local import InteractionKind, Permission
from bot.tables import Status, Table
from tests.cogs.conftest import (
    Club,
    block_messages,
    emit,
    id_with,
    ids,
    part,
    ping_counts,
    pings,
    press,
    wording,
)
from tests.cogs.test_notices import set_quiet_hours

SOON = timedelta(seconds=1)
HOUR = timedelta(hours=1)


async def look(person: Any, club: Club, *changes: tuple[int, list[str]], **options: Any) -> Any:
    """Look for players with these choices of the panel's selects; return the answer."""
    panel = (await person.slash(club.channel, "find", **options)).response
    for page, values in changes:
        select = id_with(panel, f"find{page}:")
        panel = (await person.choose(panel, values, custom_id=select)).response
    return await press(person, panel, "look:")


async def name_channel(club: Club, **options: Any) -> Any:
    """Name a channel for searches, as the server's owner."""
    channel = club.new_channel("players")
    await club.owner().slash(club.channel, "server find", {"channel": channel, **options})
    await club.later(SOON)
    return channel


def role_pings(club: Club, since: int) -> list[int]:
    """Return the roles pinged by posts."""
    bodies: list[Any] = [each.body for each in club.requests[since:] if each.method == "POST"]
    mentions = [body.get("allowed_mentions") or {} for body in bodies if isinstance(body, dict)]
    return [int(role) for each in mentions for role in each.get("roles", ())]


async def forge(person: Any, place: Any, message: Any, custom_id: str) -> Any:
    """Press a button that the message does not have."""
    data = {"custom_id": custom_id, "component_type": 2}
    return await person.act(InteractionKind.COMPONENT, place, data, source=message)


async def left(_server: int, _user: int) -> bool:
    return True


async def tables_of(club: Club, person: Any) -> list[Table]:
    return [table for table, _ in await club.tables.reader.seats_of(person.id)]


async def test_two_people_who_look_for_the_same_get_a_table_and_one_ping_each(club: Club) -> None:
    anna, bert, *_ = club.people
    answer = await look(anna, club, game="burgundy", pace="day", players=2)
    assert "You're looking for players for **The Castles of Burgundy**" in wording(answer)
    assert await tables_of(club, anna) == []
    before = len(club.requests)

    answer = await look(bert, club, game="burgundy", pace="day")

    (table,) = await tables_of(club, bert)
    opened = f"Table {table.id} (**The Castles of Burgundy**) is open in <#{club.channel.id}>"
    assert opened in wording(answer)
    assert (table.host, table.status, table.terms["clock"]) == (bert.id, Status.LOBBY, "d1")
    assert {player.user for player in table.players} == {anna.id, bert.id}
    assert ping_counts(club, before) == {anna.id: 1, bert.id: 1}
    lobby = wording(await club.lobby_message(table.id))
    assert "🔎 You've found each other! Press **Start**" in lobby
    assert "1 day" in lobby


async def test_the_panel_keeps_its_choices_in_its_ids_and_shows_who_looks(club: Club) -> None:
    anna, bert, *_ = club.people
    cards = (await anna.slash(club.channel, "game new")).response
    panel = (await anna.click(cards, custom_id="find:0")).response
    assert "No one is looking right now." in wording(panel)
    for page, values in ((1, ["flandern"]), (3, ["4"]), (4, ["new-same"]), (5, ["de", "it"])):
        select = id_with(panel, f"find{page}:")
        panel = (await anna.choose(panel, values, custom_id=select)).response
    assert id_with(panel, "look:") == "look:0::flandern,live,4,new-same,de+it"
    answer = await press(anna, panel, "look:")
    assert "stopfind:" in id_with(answer, "stopfind")

    await club.restart()
    shown = (await bert.slash(club.channel, "find", game="flandern", players=3)).response
    line = (
        "**Anna** · Flandern 1302 · live tonight, 15 minutes a turn · 4 players · new to the game"
    )
    assert f"{line}, only with others" in wording(shown)
    assert "German and Italian · until <t:" in wording(shown)
    # "I'm in" is a search for the same.
    answer = await press(bert, shown, "imin:")
    rows = await club.tables.searches.of_server(club.guild.id)
    assert [(each.user, each.seats, each.level) for each in rows] == [
        (anna.id, [4], "new"),
        (bert.id, [4], "new"),
    ]
    gone = await bert.click(answer, custom_id=id_with(answer, "stopfind"))
    assert "You've stopped looking." in wording(gone.response)
    own = (await anna.slash(club.channel, "find")).response
    assert not any(each.startswith("imin") for each in ids(own))
    # A game may not be for the number of players that was chosen for another.
    other = await forge(anna, club.channel, own, "find:0::kogge,live,5,some,en")
    assert id_with(other.response, "look:") == "look:0::kogge,live,any,some,en"
    for forged in (
        "look:0::kogge,live,any,god,en",
        "imin:0::1,kogge.2",
        f"imin:0::{club.guild.id}",
        "look:0::kogge,live+day,any,some,en",
        "look:0::kogge,live,any,new+some,en",
        "look:0::kogge,live,5,some,en",
        "look:0::kogge,live,any,some,en+xx",
        "look:0::x,live,any,some,en",
    ):
        answer = await forge(anna, club.channel, own, forged)
        assert not answer.followups
    rows = await club.tables.searches.of_server(club.guild.id)
    assert [each.user for each in rows] == [anna.id]


async def test_the_named_channel_has_one_message_with_all_searches(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    role = club.guild.bot_role_id
    channel = await name_channel(club, role=role, zone="Europe/Rome")
    shown = await club.owner().slash(club.channel, "server show")
    assert f"Channel for finding players: <#{channel.id}>" in wording(shown.response)
    assert f"8:00–22:00 (Europe/Rome): <@&{role}>" in wording(shown.response)
    refused = await club.owner().slash(club.channel, "server find", zone="Mars")
    assert "Mars" in wording(refused.response)
    (first,) = club.seen(channel)
    assert ids(first) == ["find:0"]
    hour = club.clock.now().hour
    # Noon in Rome.
    await club.later(timedelta(hours=(10 - hour) % 24))
    before = len(club.requests)

    await look(anna, club, game="kogge", pace="day", players=3)
    await club.later(SOON)

    (post,) = club.seen(channel)
    assert post.id > first.id
    assert f"🔔 <@&{role}>" in wording(post)
    assert role_pings(club, before) == [role]
    # Another search is posted again but does not ping the role again so soon.
    await look(bert, club, game="kogge", pace="days", players=2)
    before = len(club.requests)
    await club.restart()
    await club.later(SOON)
    (newer,) = club.seen(channel)
    assert newer.id > post.id
    assert wording(newer).count("Kogge") == 2
    assert role_pings(club, before) == []
    before = len(club.requests)
    await club.later(HOUR)
    await look(clara, club, game="burgundy", pace="days", players=2)
    await club.later(SOON)
    assert role_pings(club, before) == [role]
    (newer,) = club.seen(channel)

    own = await anna.choose(newer, [f"kogge.day.{anna.id}"], custom_id=id_with(newer, "imin"))
    assert "You're looking for players for **Kogge**" in wording(own.response)
    chosen = await clara.choose(newer, [f"kogge.day.{anna.id}"], custom_id=id_with(newer, "imin"))
    assert chosen.is_private
    # An answer to a message that is out of date.
    done = await dirk.choose(newer, [f"kogge.day.{anna.id}"], custom_id=id_with(newer, "imin"))
    (table,) = await tables_of(club, dirk)
    assert (table.channel, len(table.players)) == (channel.id, 3)
    assert f"open in <#{channel.id}>" in wording(done.response)
    late = await bert.choose(newer, [f"kogge.day.{anna.id}"], custom_id=id_with(newer, "imin"))
    assert "They aren't looking anymore." in wording(late.response)
    await club.later(SOON)
    lobby, edited = sorted(club.seen(channel), key=lambda each: each.id != table.lobby_message)
    assert (edited.id, wording(edited).count("Kogge")) == (newer.id, 1)
    assert pings(club, "You've found each other", before) == [anna.id, clara.id, dirk.id]
    assert f"join:{table.id}" in ids(lobby)
    # Late in the evening.
    await club.later(timedelta(hours=11))
    before = len(club.requests)
    await look(dirk, club, game="flandern", pace="days", players=2)
    await club.later(SOON)
    assert role_pings(club, before) == []
    # Searches end by themselves.
    await club.later(timedelta(days=14))
    assert any("No one is looking right now." in wording(each) for each in club.seen(channel))


async def test_a_deleted_channel_or_message_loses_no_search(club: Club) -> None:
    anna, bert, *_ = club.people
    channel = await name_channel(club)
    (post,) = club.seen(channel)
    del club.standin.model.messages[channel.id][post.id]
    await look(anna, club, game="kogge", pace="day")
    club.fail("POST", f"/channels/{channel.id}/messages", 503, 0)
    await club.later(SOON)
    club.faults.seen.clear()
    await club.later(timedelta(minutes=3))
    (again,) = club.seen(channel)
    assert "**Anna**" in wording(again)
    # Another channel: the message moves.
    other = await name_channel(club)
    assert club.seen(channel) == []
    assert "**Anna**" in wording(club.seen(other)[0])
    await club.owner().slash(club.channel, "server find")
    await club.later(SOON)
    assert club.seen(other) == []
    closed = club.new_channel("closed", denied=1 << 11)
    refused = await club.owner().slash(club.channel, "server find", {"channel": closed})
    assert "I can't post there." in wording(refused.response)
    await look(bert, club, game="kogge", pace="day")
    (table,) = await tables_of(club, anna)
    assert table.channel == club.channel.id


async def test_people_in_quiet_hours_are_pinged_when_these_end(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    await set_quiet_hours(club, anna, 6)
    await set_quiet_hours(club, bert, 6, "dm")
    await clara.slash(club.channel, "me set", notices="dm")
    for person in (anna, bert, clara):
        await look(person, club, game="kogge", pace="days", players=4)
    before = len(club.requests)
    await look(dirk, club, game="kogge", pace="days")
    assert ping_counts(club, before) == {clara.id: 1, dirk.id: 1}
    assert "🔎 You've found each other" in wording(club.dms(clara)[-1])

    await club.restart()
    await club.later(6 * HOUR)
    await club.later(6 * HOUR)

    assert ping_counts(club, before) == {each.id: 1 for each in club.people}
    (table,) = await tables_of(club, anna)
    lobbies = [each for each in club.seen(club.channel) if f"join:{table.id}" in ids(each)]
    assert len(lobbies) == 1


async def test_a_double_press_opens_one_table_and_starts_no_other_search(club: Club) -> None:
    anna, bert, *_ = club.people
    await look(anna, club, game="kogge", pace="live", players=2)
    panel = (await bert.slash(club.channel, "find", game="kogge", pace="live")).response
    presses = [emit(club, bert, panel, id_with(panel, "look:")) for _ in range(2)]
    await club.settle()
    assert all(each.outcome.done() for each in presses)
    assert len(await tables_of(club, bert)) == 1
    assert await club.tables.searches.of_server(club.guild.id) == []


async def test_alerts_are_messages_that_one_can_answer(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    refused = await bert.slash(bert.dm, "me alerts")
    assert "only works in a server" in wording(refused.response)
    panel = (await bert.slash(club.channel, "me alerts")).response
    panel = (await bert.choose(panel, ["kogge"], custom_id="alerts:0::day")).response
    shown = (await bert.slash(club.channel, "me alerts")).response
    for each in (panel, shown):
        options = part(each, "alerts:0::day")["options"]
        assert [line["label"] for line in options if line["default"]] == ["Kogge, a move a day"]
        assert not any(line["default"] for line in part(each, "alerts:0::live")["options"])
    shown = (await clara.slash(club.channel, "me alerts")).response
    await clara.choose(shown, ["-"], custom_id="alerts:0::-")
    shown = (await dirk.slash(club.channel, "me alerts")).response
    shown = (await dirk.choose(shown, ["-", "kogge"], custom_id="alerts:0::-")).response
    await dirk.choose(shown, [], custom_id="alerts:0::-")
    block_messages(club, clara)
    before = len(club.requests)

    await look(anna, club, game="kogge", pace="day", players=2)
    await club.later(SOON)

    assert ping_counts(club, before)[bert.id] == 1
    assert ping_counts(club, before)[dirk.id] == 0
    (message,) = club.dms(bert)
    assert "**Anna** · Kogge · a move a day · 2 players" in wording(message)
    # Someone without alerts of the server cannot forge such a button.
    answer = await forge(dirk, dirk.dm, message, id_with(message, "imin"))
    assert "only works in a server" in wording(answer.response)
    # Nor does it work for someone who has left it.
    members = club.tables.server_members
    ask, members.ask = members.ask, left
    await club.later(timedelta(minutes=11))
    refused = await bert.click(message, custom_id=id_with(message, "imin"))
    assert "only works in a server" in wording(refused.response)
    (message,), members.ask = club.dms(bert)[-1:], ask
    await club.later(timedelta(minutes=11))
    done = await bert.click(message, custom_id=id_with(message, "imin"))
    (table,) = await tables_of(club, bert)
    assert f"Table {table.id} (**Kogge**) is open" in wording(done.response)
    assert {player.user for player in table.players} == {anna.id, bert.id}
    # The answer has replaced the message, so it has no button to press again.
    (answered,) = club.dms(bert)[:1]
    assert (answered.id, ids(answered)) == (message.id, [])
    # Clara's alerts stay; everything goes with her data.
    assert len(await club.tables.searches.alerts(clara.id)) == 1
    asked = await clara.slash(club.channel, "me forget")
    await clara.click(asked.response, custom_id="forgetme:0")
    assert await club.tables.searches.alerts(clara.id) == []


async def test_each_reader_gets_their_language(club: Club) -> None:
    anna, bert, *_ = club.people
    await anna.slash(club.channel, "me set", language="it")
    panel = (await anna.slash(club.channel, "find", game="kogge")).response
    assert part(panel, id_with(panel, "find5:"))["options"][1]["label"] == "Italiano"
    assert part(panel, id_with(panel, "find5:"))["options"][1]["default"]
    await press(anna, panel, "look:")
    shown = (await bert.slash(club.channel, "find")).response
    assert "· Italian ·" in wording(shown)
    # No common language, no table.
    await look(bert, club, game="kogge")
    assert await tables_of(club, bert) == []


def change_channel(club: Club, event: str, channel: Any, *overwrites: dict[str, object]) -> None:
    """Send the bot an event about a channel."""
    about = {"id": str(channel.id), "type": 0, "guild_id": str(club.guild.id), "position": 1}
    payload = {**about, "name": channel.name, "permission_overwrites": list(overwrites)}
    club.dispatch(event, payload)


async def test_a_table_opens_only_where_all_of_its_people_can_see_it(club: Club) -> None:
    anna, bert, *_ = club.people
    view = str(int(Permission.VIEW_CHANNEL))
    hidden = {"id": str(club.guild.id), "type": 0, "allow": "0", "deny": view}
    shown = {"id": str(club.guild.bot_role_id), "type": 0, "allow": view, "deny": "0"}
    change_channel(club, "CHANNEL_UPDATE", club.channel, hidden, shown)
    await club.settle()
    refused = await look(anna, club, game="kogge", pace="day")
    assert "Not everyone in this server can see this channel" in wording(refused)
    assert await club.tables.searches.of_server(club.guild.id) == []

    channel = await name_channel(club)
    for person in (anna, bert):
        await look(person, club, game="kogge", pace="day")
    (table,) = await tables_of(club, anna)
    assert table.channel == channel.id


async def test_without_the_named_channel_a_table_opens_where_the_server_allows_it(
    club: Club,
) -> None:
    anna, bert, *_ = club.people
    channel, other = await name_channel(club), club.new_channel("other")
    await club.owner().slash(club.channel, "server channel", {"channel": other})
    await look(anna, club, game="kogge", pace="day")
    change_channel(club, "CHANNEL_DELETE", channel)
    await club.settle()
    refused = await look(bert, club, game="kogge", pace="day")
    assert f"<#{other.id}>" in wording(refused)
    await club.owner().slash(club.channel, "server channel", {"channel": club.channel})
    await look(bert, club, game="kogge", pace="day")
    (table,) = await tables_of(club, anna)
    assert table.channel == club.channel.id
