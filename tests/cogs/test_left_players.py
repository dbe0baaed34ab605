"""Who has left the server is neither asked nor pinged, and the others learn what they can do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.tables.core.server_members import ASKED_AGAIN
from tests.cogs.conftest import Club, rings, wording
from tests.cogs.test_absence import pressed, said
from tests.cogs.test_notices import bid, bidding

LEFT = "has left the server"


def leave(club: Club, person: Any) -> None:
    """The person leaves the server; without the intent for it no event tells the bot."""
    club.env.backend.remove_member(club.guild.id, person.id)


@pytest.mark.parametrize("command", ["pause", "abandon", "replace"])
async def test_who_has_left_is_not_asked_to_agree_to_anything(club: Club, command: str) -> None:
    anna, bert, clara, dirk = club.people
    table = await club.game(bert, clara, dirk)
    leave(club, clara)
    leave(club, dirk)
    if command == "replace":
        # Nobody has to wait two days for somebody who is not there anymore.
        await anna.slash(club.place(table), "seat replace", player="Clara")
    else:
        await anna.slash(club.place(table), f"game {command}")
    post = club.posts(table)[-1]
    assert f"<@{bert.id}>" in wording(post)
    assert f"<@{clara.id}>" not in wording(post)
    if command != "replace":
        assert "**Clara**" in wording(post)
        assert LEFT in wording(post) or "have left" in wording(post)
        assert "/seat replace" in wording(post)
    await pressed(club, post, bert, "yes")
    (passed,) = [each for each in club.posts(table) if each.id == post.id]
    assert "Everybody agreed" in wording(passed)


async def test_a_reminder_tells_the_others_instead_of_pinging_who_has_left(club: Club) -> None:
    table = await club.game()
    (seat, *_) = await club.asked(table.id)
    gone = club.person(table, seat)
    before, letters = said(club, table), len(club.dms(gone))
    leave(club, gone)

    await club.later(timedelta(days=2))

    new = said(club, table).removeprefix(before)
    assert f"**{gone.name}** {LEFT}" in new
    assert "/seat replace" in new
    assert len(club.dms(gone)) == letters
    for post in club.posts(table)[-1:]:
        assert gone.id not in [each.id for each in post.mentions]


async def test_who_has_left_is_noticed_when_it_becomes_their_turn(club: Club) -> None:
    table, _first, gone = await bidding(club)
    await gone.slash(club.channel, "me set", notices="dm")
    leave(club, gone)
    club.clock.move(ASKED_AGAIN)
    notified, letters = len(rings(club)), len(club.dms(gone))

    await bid(club, table)

    assert f"**{gone.name}** {LEFT}" in wording(await club.panel(table.id))
    assert gone.id not in rings(club)[notified:]
    assert len(club.dms(gone)) == letters


async def test_who_plays_is_not_looked_for_at_each_turn(club: Club) -> None:
    table, _first, second = await bidding(club)
    await second.slash(club.channel, "game mine")
    before = len(club.env.http_requests)
    await bid(club, table)
    asked = [each.path for each in club.env.http_requests[before:] if each.method == "GET"]
    assert not [path for path in asked if "/members/" in path]


async def test_what_discord_does_not_answer_is_no_leave_and_who_acts_is_back(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    members = club.services.tables.server_members
    club.env.inject_error("GET", f"/guilds/{club.guild.id}/members/*", status=403, code=50001)
    await members.find(table)
    assert not members.has_left(table, bert.id)

    leave(club, bert)
    club.clock.move(ASKED_AGAIN)
    await members.find(table)
    assert members.has_left(table, bert.id)
    club.env.backend.add_member(club.guild.id, bert.id)
    await bert.slash(club.channel, "game mine")
    assert not members.has_left(table, bert.id)
    await anna.slash(club.place(table), "game abandon")
    assert f"<@{bert.id}>" in wording(club.posts(table)[-1])
