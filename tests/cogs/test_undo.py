"""Undo through the bot: alone up to a barrier, by everybody's consent past it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from bot.tables import Table
from tests.cogs.conftest import Club, ids


async def guild_master_moved(club: Club) -> tuple[Table, int]:
    """A game in which somebody has just moved the guild master, and sails next; the seat."""
    table = await club.game()
    seat = await club.play_until(table.id, "advance")
    await club.open_panel(table, seat)
    await club.shell.tables.act(table.id, seat, ("advance", "1"))
    await club.env.settle()
    return table, seat


async def pressed(club: Club, message: Any, person: Any, verb: str) -> Any:
    """Press the button of that verb, whatever it carries."""
    (wanted,) = [each for each in ids(message) if each.startswith(f"{verb}:")]
    return await person.click(message, custom_id=wanted)


async def test_undo_tells_first_what_it_takes_back_then_does_it(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    person = club.person(table, seat)
    before = await club.shell.tables.seq(table.id)

    asked = (await person.slash(club.place(table), "game undo")).response
    assert "guild master" in asked.content
    assert await club.shell.tables.seq(table.id) == before

    await pressed(club, asked, person, "undoit")
    assert (await club.shell.tables.pending(table.id))[0].kind == "advance"
    assert (await club.actions(table.id))[-1].startswith("@undo")
    await club.env.settle()
    told = "\n".join(post.content for post in club.posts(table))
    assert f"**{table.names[seat]}** takes an action back" in told


async def test_the_panel_has_undo_for_who_acted_last_alone(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    own = await club.open_panel(table, seat)
    other = await club.open_panel(table, 1 - seat)
    assert any(each.startswith("undo:") for each in ids(own))
    assert not any(each.startswith("undo:") for each in ids(other))


async def test_what_somebody_else_did_is_taken_back_when_all_agree(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    asker, other = club.person(table, 1 - seat), club.person(table, seat)
    asked = (await asker.slash(club.place(table), "game undo")).response
    assert not any(each.startswith("undoit") for each in ids(asked))

    await pressed(club, asked, asker, "undoall")
    proposal = club.posts(table)[-1]
    assert f"<@{other.id}>" in proposal.content
    await pressed(club, proposal, other, "yes")

    assert (await club.shell.tables.pending(table.id))[0].kind == "advance"
    (decided,) = [post for post in club.posts(table) if post.id == proposal.id]
    assert not ids(decided)


async def test_one_refusal_ends_it_and_a_stranger_has_no_voice(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    asker, other = club.person(table, 1 - seat), club.person(table, seat)
    before = await club.shell.tables.seq(table.id)
    asked = (await asker.slash(club.place(table), "game undo", back="round")).response
    await pressed(club, asked, asker, "undoall")
    proposal = club.posts(table)[-1]

    stranger = await pressed(club, proposal, club.people[3], "yes")
    assert "do not sit" in stranger.response.content
    await pressed(club, proposal, other, "no")

    assert await club.shell.tables.seq(table.id) == before
    assert await club.shell.tables.proposals.open(table.id) == []


async def test_a_proposal_nobody_answered_is_over_at_its_time(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    asker, other = club.person(table, 1 - seat), club.person(table, seat)
    asked = (await asker.slash(club.place(table), "game undo")).response
    await pressed(club, asked, asker, "undoall")
    proposal = club.posts(table)[-1]
    club.clock.move(timedelta(days=3))
    await club.shell.tables.due.tick()

    late = await pressed(club, proposal, other, "yes")

    assert "not proposed any more" in late.response.content
