"""Undo through the bot: alone up to a barrier, by everybody's consent past it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cogs.ui.services import Services
from bot.tables import Table
from tests.cogs.conftest import Club, ids, press, rings, wording


async def guild_master_moved(club: Club) -> tuple[Table, int]:
    table = await club.game()
    seat = await club.play_until(table.id, "advance")
    await club.open_panel(table, seat)
    await club.play((seat, "advance 1"))
    return table, seat


def verbs(message: Any) -> set[str]:
    return {each.partition(":")[0] for each in ids(message)}


async def test_undo_tells_first_what_it_takes_back_then_does_it(club: Club) -> None:
    table, seat = await guild_master_moved(club)
    person = club.person(table, seat)
    before = await club.tables.reader.seq(table.id)
    asked = (await person.slash(club.place(table), "game undo")).response
    assert "guild master" in wording(asked)
    assert await club.tables.reader.seq(table.id) == before
    await press(person, asked, "undoit:")
    assert (await club.tables.reader.pending(table.id))[0].kind == "advance"
    assert (await club.actions(table.id))[-1].startswith("@undo")
    await club.env.settle()
    content = "\n".join(wording(post) for post in club.posts(table))
    assert f"**{table.names[seat]}** takes an action back" in content
    seat = await club.play_until(table.id, "end")
    await club.tables.play.act(table.id, seat, ("end",))
    asked = (await club.person(table, seat).slash(club.place(table), "game undo")).response
    assert f"**{table.names[seat]}**: " in wording(asked)


async def test_after_it_the_panel_shows_the_table_as_it_is_then(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nowhere(*_: Any) -> None:
        """A question that lies nowhere on the board leaves the picture of the whole table."""

    monkeypatch.setattr(Services, "asked_picture", nowhere)
    table, seat = await guild_master_moved(club)
    panel = await club.open_panel(table, seat)
    before = [each.id for each in panel.attachments]
    after = await press(club.person(table, seat), panel, "backstep:")
    assert len(after.attachments) == len(before) == 1
    assert [each.id for each in after.attachments] != before


async def test_who_acted_last_takes_an_action_back_by_one_press_and_then_the_turn(
    club: Club,
) -> None:
    table, seat = await guild_master_moved(club)
    action = ["sail"]
    while words := await club.words(table.id, seat, *action):
        action.append(words[0])
    await club.tables.play.act(table.id, seat, tuple(action))
    await club.env.settle()
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    assert {"backstep", "backturn"} <= verbs(panel)
    assert not {"backstep", "backturn"} & verbs(await club.open_panel(table, 1 - seat))
    after = await press(person, panel, "backstep:")
    assert (await club.actions(table.id))[-1].startswith("@undo")
    assert (await club.tables.reader.pending(table.id))[0].kind == "move"
    assert "Taken back" in wording(after or panel)
    await press(person, await club.open_panel(table, seat), "backturn:")
    assert (await club.tables.reader.pending(table.id))[0].kind == "advance"
    assert (await club.actions(table.id))[-1].startswith("@undo")


async def test_what_somebody_else_did_is_taken_back_when_all_agree_and_by_nobody_else(
    club: Club,
) -> None:
    table, seat = await guild_master_moved(club)
    asker, other = club.person(table, 1 - seat), club.person(table, seat)
    before, reader = await club.tables.reader.seq(table.id), club.tables.reader
    for back, answer in (("round", "no"), ("step", "yes")):
        asked = (await asker.slash(club.place(table), "game undo", back=back)).response
        assert "undoit" not in verbs(asked)
        rung = len(rings(club))
        await press(asker, asked, "undoall:")
        proposal = club.posts(table)[-1]
        assert f"<@{other.id}>" in wording(proposal)
        assert rings(club)[rung:] == [other.id]
        stranger = await press(club.people[3], proposal, "yes:")
        assert "not playing at this table" in wording(stranger)
        assert await reader.seq(table.id) == before
        await press(other, proposal, f"{answer}:")
        assert await club.tables.proposals.open(table.id) == []
        (decided,) = [post for post in club.posts(table) if post.id == proposal.id]
        assert not ids(decided)
        assert (await reader.pending(table.id))[0].kind == ("move" if answer == "no" else "advance")
