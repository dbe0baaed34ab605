"""Who may join, and the tools of hosts and referees, as people see them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from msgspec.structs import replace

from bot.store import ResultRow, WriteBatch
from bot.tables import Status, Table
from bot.tables.core import TableChange
from tests.cogs.conftest import Club, ids, part, press, wording
from tests.cogs.test_absence import last_vote, posted_text, votes
from tests.cogs.test_notices import found_office

DAY = timedelta(days=1)


async def give_results(club: Club, person: Any, *finished: bool) -> None:
    """Give a person a result for each of these games, finished or not."""
    batch, opened = WriteBatch(), club.tables.lobby.open
    for each in finished:
        table = await opened("kogge", person.id, person.name, club.guild.id, club.channel.id)
        await club.tables.leaving.dissolve(table.id)
        score, at = 10 if each else None, club.clock.now()
        batch.insert(
            ResultRow(table.id, person.id, 0, "", club.guild.id, "kogge", 2, 1, score, 8, 60, at)
        )
        batch.count_late(table.id, person.id, 1)
    await club.tables._unit_of_work.store.commit(batch)
    await club.settle()


async def give_to_cup(club: Club, table: Table, organiser: Any) -> None:
    """Make the table one of a cup."""
    cup = await club.tables.cups.open(
        game="kogge",
        options={},
        guild=club.guild.id,
        channel=club.channel.id,
        organiser=organiser.id,
        name="Harbour cup",
        pace="day",
        format="swiss",
        size=8,
        seats=2,
        games=2,
        weeks=2,
        absent="drop",
    )

    async def work(change: TableChange) -> None:
        change.after = change.after.with_table(replace(change.table, cup=cup.id))

    await club.tables._unit_of_work.carry_out(table.id, None, work)


def selects(panel: Any) -> list[str]:
    return [each for each in ids(panel) if each.startswith("set:")]


async def say(club: Club, person: Any, table: Table, command: str, **options: str) -> str:
    """Return the answer to a command at the table."""
    return wording((await person.slash(club.place(table), command, **options)).response)


async def test_the_lobby_shows_records_only_if_the_table_asks_for_them(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    await give_results(club, anna, True, True, True, True)
    await give_results(club, bert, True, True, False)
    await clara.slash(club.channel, "me set", statistics="off")
    await bert.slash(club.channel, "me set", language="it")
    table = await club.lobby(host=anna)
    lobby = await club.lobby_message(table.id)
    assert "Who may join" not in wording(lobby)
    assert "finished" not in wording(lobby)
    panel = (await anna.click(lobby, custom_id=f"options:{table.id}")).response
    assert not {f"set:{table.id}::players", f"set:{table.id}::load"} & {*selects(panel)}

    panel = await press(anna, panel, "joining")
    assert selects(panel) == [f"set:{table.id}::players", f"set:{table.id}::load"]
    panel = (await anna.choose(panel, ["reliable"], custom_id=f"set:{table.id}::players")).response
    chosen = part(panel, f"set:{table.id}::players")["options"]
    assert [each["value"] for each in chosen if each.get("default")] == ["reliable"]

    lobby = await club.lobby_message(table.id)
    assert "**Anna** (host, finishes 100% of games, 87% of turns on time)" in wording(lobby)
    assert "Who may join: only players who finish at least 80% of their games." in wording(lobby)
    refused = [
        wording((await person.click(lobby, custom_id=f"join:{table.id}")).response)
        for person in (bert, clara)
    ]
    assert "66" in refused[0]
    assert "80" in refused[0]
    assert "your statistics are off" in refused[1]
    await dirk.click(lobby, custom_id=f"join:{table.id}")
    assert "**Dirk** (few games so far)" in wording(await club.lobby_message(table.id))
    await club.begin(table, anna)
    assert "finishes 100%" not in posted_text(club, await club.tables.reader.get(table.id))


async def test_the_host_or_a_moderator_extends_the_time_of_others(club: Club) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "vote"))
    anna, bert, clara, _ = club.people
    host, owner = anna, club.owner()
    await club.later(DAY)
    assert len(votes(club, table)) == 2
    strangers = {
        (bert, "Anna"): "Only the host of this table or a moderator",
        (clara, "Bert"): "Only the host of this table or a moderator",
        (host, "Anna"): "can't extend your own time",
        (host, "Zoe"): "The players are",
    }
    for (person, player), reason in strangers.items():
        assert reason in await say(club, person, table, "seat extend", player=player)

    answer = await say(club, host, table, "seat extend", player="Bert")
    assert "**Bert** has more time for this turn." in answer
    assert "**Bert** has more time now, so this vote is over" in posted_text(club, table)
    assert len(votes(club, table)) == 1
    await say(club, owner, table, "seat extend", player="Anna")
    assert not votes(club, table)

    await give_to_cup(club, table, clara)
    assert "**Bert** has more time" in await say(club, clara, table, "seat extend", player="Bert")
    assert "⏳ **Anna** has more time for this turn." in posted_text(club, table)
    assert (await club.actions(table.id)).count("@extend") == 3
    await club.restart()
    await club.later(DAY - timedelta(minutes=1))
    assert not votes(club, table)
    await club.later(timedelta(minutes=1))
    assert len(votes(club, table)) == 1
    await club.later(DAY)
    assert len(votes(club, table)) == 2


async def test_the_host_hands_over_the_table_and_its_rights(club: Club) -> None:
    anna, bert, clara, _ = club.people
    owner = club.owner()
    await owner.slash(club.channel, "server set", end="host")
    table = await club.lobby(bert, clara)
    assert "Only the host" in await say(club, bert, table, "table host", player="Bert")
    assert "**Bert** is the host" in await say(club, anna, table, "table host", player="Bert")
    assert "**Bert** (host)" in wording(await club.lobby_message(table.id))
    assert "**Anna** (host)" not in wording(await club.lobby_message(table.id))
    await bert.click(await club.lobby_message(table.id), custom_id=f"computer:{table.id}")
    table = await club.begin(table, anna)
    named = table.players[next(p.seat for p in table.players if p.user is None)].name
    refused = await say(club, bert, table, "table host", player=named)
    assert "is a computer player. Choose a person" in refused

    await say(club, owner, table, "table host", player="Clara")

    assert "👑 **Clara** is the host of this table now." in posted_text(club, table)
    assert "won't be asked" not in await say(club, bert, table, "game abandon")
    asked = (await clara.slash(club.place(table), "game abandon")).response
    assert "The others won't be asked" in wording(asked)
    await press(clara, asked, "dissolve:")
    assert (await club.tables.reader.get(table.id)).status is Status.ABANDONED


async def test_the_others_agree_that_a_computer_player_plays_one_turn(club: Club) -> None:
    table = await club.start_game("kogge", seats=3)
    for seat in (0, 1):
        await found_office(club, table, seat)
    absent, first, second = [club.person(table, seat) for seat in (2, 0, 1)]
    early = await say(club, first, table, "seat act", player=absent.name)
    assert "48 hours" in early
    await club.later(2 * DAY)
    not_theirs = await say(club, absent, table, "seat act", player=first.name)
    assert f"It isn't {first.name}'s turn" in not_theirs
    for person, language in ((second, "it"), (first, "en")):
        await person.slash(club.channel, "me set", language=language)
    await say(club, first, table, "seat act", player=absent.name)
    vote = last_vote(club, table)
    assert f"play this one turn for **{absent.name}**" in wording(vote)
    assert wording(vote).count("<@") == 1

    await press(second, vote, "yes:")
    await club.rest(table.id)
    await club.settle()

    assert (await club.tables.reader.get(table.id)).players[2].is_human
    lines = await club.actions(table.id)
    assert [line for line in lines if line.startswith("@")] == ["@act", "@manual"]
    posted = posted_text(club, table)
    assert f"a computer player plays this turn for **{absent.name}**" in posted
    assert f"**{absent.name}** has their seat back" in posted
    await club.restart()
    assert (await club.tables.reader.get(table.id)).players[2].is_human
