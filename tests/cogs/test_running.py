"""Around a game: rematches, private notes, options, and which table a command means."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.tables import Status, Table, TableDamaged
from tests.cogs.conftest import Club, fill_in, ids, ping_counts, wording


async def rematch_of(club: Club, table: Table) -> Table:
    found = await club.tables.seats.rematch_of(table.id)
    assert found is not None
    return found


async def test_a_rematch_has_the_same_options_and_invites_the_others(
    club: Club,
) -> None:
    anna, bert, _, dirk = club.people
    table = await club.start_game("kogge", ("goods", "hidden"), computers=1)
    await club.give_up(table)
    table = await club.tables.reader.get(table.id)
    last = await club.panel(table.id)
    stranger = await dirk.click(last, custom_id=f"rematch:{table.id}")
    assert "aren't playing at this table" in wording(stranger.response)

    await bert.click(last, custom_id=f"rematch:{table.id}")

    again = await rematch_of(club, table)
    assert (again.status, again.options, again.host) == (Status.LOBBY, table.options, bert.id)
    assert [player.user for player in again.players] == [bert.id, None]
    lobby = await club.lobby_message(again.id)
    assert f"This is a rematch of table {table.id}, <#{table.thread}>" in wording(lobby)
    invitation = club.posts(table)[-1]
    assert f"<@{anna.id}>" in wording(invitation)
    assert f"Table {again.id} in <#{club.channel.id}> is waiting for" in wording(invitation)

    await anna.click(invitation, custom_id=f"join:{again.id}")
    assert (await club.tables.reader.get(again.id)).seat_of(anna.id) == 2


async def test_a_rematch_invites_by_direct_message_if_wanted_and_exists_only_once(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "me set", notices="dm")
    table = await club.game()
    await club.give_up(table)
    await club.later(timedelta())
    await club.later(timedelta(minutes=2))
    before = len(club.requests)

    await bert.slash(club.place(table), "table rematch")
    await club.later(timedelta())

    assert ping_counts(club, before) == {anna.id: 1}
    again = await rematch_of(club, table)
    invitation = wording(club.dms(anna)[-1])
    assert f"wants a rematch. Table {again.id} is open in <#{club.channel.id}>" in invitation

    second = await anna.slash(club.place(table), "table rematch")
    assert f"already a rematch: table {again.id}" in wording(second.response)
    assert ids(second.response) == [f"join:{again.id}"]
    assert (await rematch_of(club, table)).id == again.id
    options = await bert.slash(club.channel, "table options", table=table.id)
    assert f"The rematch is at table {again.id}" in wording(options.response)


async def test_notes_are_private_and_anyone_can_see_the_options(club: Club) -> None:
    table = await club.game()
    owner, other = club.person(table, 0), club.person(table, 1)
    await owner.slash(club.place(table), "table note", text="Riga needs fur")
    await owner.slash(club.place(table), "table note", text="Bert holds a 5")
    await club.restart()

    shown = await owner.slash(club.place(table), "game hand")
    assert shown.is_private
    assert "> Riga needs fur\n> Bert holds a 5" in wording(shown.response)
    for person in (other, club.people[3]):
        hand = await person.slash(club.place(table), "game hand")
        file = (await person.slash(club.place(table), "game export")).response.attachments[0]
        assert "Riga needs fur" not in wording(hand.response)
        assert b"Riga needs fur" not in club.bytes_of(file)

    form = await owner.click(shown.response, custom_id=f"note:{table.id}")
    noted = await fill_in(owner, form, "Only this")
    assert "> Only this" in wording(noted.response)
    form = await owner.slash(club.place(table), "table note")
    await fill_in(owner, form, "")
    hand = await owner.slash(club.place(table), "game hand")
    assert "notes" not in wording(hand.response)

    await owner.slash(club.place(table), "table note", text="Once more")
    long = await owner.slash(club.place(table), "table note", text="x" * 1500)
    assert "at most 1500 characters" in wording(long.response)
    asked = await owner.slash(club.place(table), "me forget")
    await owner.click(asked.response, custom_id="forgetme:0")
    assert await club.tables.notes.get(table.id, owner.id) == ""

    early = await club.people[0].slash(club.place(table), "table rematch", table=table.id)
    assert "isn't over yet" in wording(early.response)
    for person in (club.people[0], club.people[3]):
        result = await person.slash(club.place(table), "table options")
        assert result.is_private
        text = club.services.titles.texts[table.game]
        for name in table.options:
            words = club.services.words_for(None)
            assert text(words).option(name) in wording(result.response)
        assert "No time limit" in wording(result.response)
        assert table.key_hash in wording(result.response)


async def test_a_rematch_requested_in_direct_messages_opens_where_the_table_was(
    club: Club,
) -> None:
    anna = club.people[0]
    table = await club.game()
    thread = club.place(table)
    await anna.slash(thread, "game new", game="kogge")
    again = await club.tables.reader.get(table.id + 1)
    assert again.channel == thread.id
    await anna.slash(thread, "game abandon", table=again.id)
    guild = table.guild
    assert guild is not None
    await club.tables.servers.allow(guild, club.channel.id, allowed=True)
    answer = await anna.slash(anna.dm, "table rematch", table=again.id)
    assert "only in" not in wording(answer.response)
    assert (await rematch_of(club, again)).channel == thread.id


# Which table a command means, and who may see it


async def test_a_move_before_the_start_and_leaving_after_it_are_refused(club: Club) -> None:
    await club.lobby()

    result = await club.people[0].slash(club.channel, "kogge found", marker="4")

    assert "hasn't started" in wording(result.response)
    table = await club.game()
    result = await club.people[0].slash(club.place(table), "game leave", table=table.id)
    assert "has started" in wording(result.response)


async def test_a_spectator_can_see_a_table_of_a_public_channel(
    club: Club,
) -> None:
    table = await club.game()
    elsewhere = club.new_channel("pier")

    result = await club.people[3].slash(elsewhere, "game board", form="text", table=table.id)

    assert "**4 Riga**: " in wording(result.response)


async def test_a_damaged_table_does_not_affect_others(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = await club.game(), await club.game(club.people[2])
    break_table(club, first, monkeypatch)
    anna = club.people[0]

    listed = await anna.slash(club.channel, "game mine")
    done = await anna.slash(anna.dm, "kogge found", marker="5")

    assert f"Table {first.id}" in wording(listed.response)
    assert f"Table {second.id}" in wording(listed.response)
    assert (await club.actions(second.id))[-1] == "found 5"
    assert "Danzig" in wording(done.response)


def break_table(club: Club, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all reads of a table fail as if its log broke the rules."""
    reader = club.tables.reader
    for name in ("pending", "seen", "seen_by"):
        read = getattr(reader, name)

        def read_or_fail(table_id: int, *rest: Any, read: Any = read) -> Any:
            if table_id == table.id:
                raise TableDamaged("table_damaged", table=table_id, seq=3)
            return read(table_id, *rest)

        monkeypatch.setattr(reader, name, read_or_fail)


async def test_after_the_end_commands_of_moves_say_that_the_game_is_over(club: Club) -> None:
    table = await club.game()
    await club.give_up(table)
    for command in ("game undo", "game pause", "kogge end", "seat orders"):
        result = await club.people[0].slash(club.place(table), command)
        assert "This game is over" in wording(result.response), command
