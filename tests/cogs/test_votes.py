"""Votes: who is pinged, how long they are open, what they are about, and how they end."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from bot.game.contract import IllegalAction, Refusal
from bot.tables import Status, Table
from bot.tables.core.errors import NothingToUndo
from tests.cogs.conftest import (
    Club,
    emit,
    id_with,
    ids,
    ping_counts,
    pings,
    press,
    refuse,
    wording,
)
from tests.cogs.test_absence import last_vote, posted_text, votes
from tests.cogs.test_notices import audible_dms, found_office, set_quiet_hours

HALF = timedelta(days=2, hours=12)


def post(club: Club, table: Table, number: int) -> Any:
    (found,) = [each for each in club.posts(table) if each.id == number]
    return found


async def late_press(club: Club, table: Table, vote: Any, person: Any) -> str:
    emit(club, person, vote, id_with(vote, "yes:"))
    await club.settle()
    return wording(club.private(table, person)[-1])


async def test_a_vote_pings_only_players_who_must_answer(club: Club) -> None:
    anna, bert, clara, _ = club.people
    table = await club.game(bert, clara)
    votes: list[tuple[str, dict[str, str], str, list[Any]]] = [
        ("game pause", {}, "yes", [bert, clara]),
        ("game resume", {}, "yes", [bert, clara]),
        ("game abandon", {}, "no", [bert, clara]),
        ("seat replace", {"player": "Clara"}, "no", [bert]),
        ("seat autopilot", {"player": "Clara"}, "no", [bert]),
    ]
    for command, options, answer, voters in votes:
        if command == "seat replace":
            await club.later(timedelta(days=2))
        before = len(pings(club))
        await anna.slash(club.place(table), command, **options)
        assert sorted(pings(club)[before:]) == [person.id for person in voters], command
        vote = last_vote(club, table)
        assert all(f"<@{person.id}>" in wording(vote) for person in voters)
        for person in voters[: None if answer == "yes" else 1]:
            await press(person, vote, f"{answer}:")


async def test_a_vote_in_quiet_hours_pings_when_they_end_and_reminds_once(club: Club) -> None:
    anna, bert, clara, _ = club.people
    table = await club.game(bert, clara)
    for person, notices in ((bert, "channel"), (clara, "dm")):
        await person.slash(club.channel, "me set", reminder="0")
        await set_quiet_hours(club, person, 6, notices)

    since, notified = len(club.requests), len(pings(club))

    def counts() -> list[int]:
        return [ping_counts(club, since)[person.id] for person in (bert, clara)]

    await anna.slash(club.place(table), "game pause")
    vote = last_vote(club, table)
    await club.later(timedelta(hours=5))
    assert counts() == [0, 0]
    await club.restart()
    await club.later(timedelta(hours=1))
    assert counts() == [1, 1]
    for held in (wording(club.posts(table)[-1]), wording(audible_dms(club, clara)[-1])):
        assert "A vote needs your answer: [Vote to pause the game](" in held
        assert f"/{vote.channel_id}/{vote.id})" in held
    await club.later(HALF - timedelta(hours=7))
    assert counts() == [1, 1]
    await club.later(timedelta(hours=1))
    assert counts() == [2, 2]
    await club.later(timedelta(days=2))
    assert counts() == [2, 2]
    assert clara.id not in pings(club)[notified:]


async def test_each_seat_out_of_time_has_a_vote_which_its_action_ends(
    club: Club,
) -> None:
    table = await club.start_game("kogge", ("clock", "d1"), ("at_zero", "vote"), seats=4)
    await found_office(club, table, 3)
    await club.later(timedelta(days=1))
    open_posts = votes(club, table)
    assert len(open_posts) == 3
    active, *others = (club.person(table, seat) for seat in (0, 1, 2))
    (vote_on_active,) = [
        each for each in open_posts if f"**{active.name}** is out of time" in wording(each)
    ]

    await found_office(club, table, 0)

    ended = post(club, table, vote_on_active.id)
    assert f"**{active.name}** is no longer keeping you waiting, so this vote is over" in wording(
        ended
    )
    assert not ids(ended)
    assert len(votes(club, table)) == 2
    assert "vote is over" in await late_press(club, table, vote_on_active, others[0])
    # The other votes are decided separately.
    for person in (club.person(table, 0), club.person(table, 3), others[1]):
        (vote,) = [
            each for each in votes(club, table) if f"**{others[0].name}** is out" in wording(each)
        ]
        await press(person, vote, "yes:")
    table = await club.tables.reader.get(table.id)
    assert [player.is_autopiloted for player in table.players] == [False, True, False, False]
    assert "a computer player plays for" in wording(post(club, table, vote.id))

    # There is only one vote about a seat.
    await club.later(timedelta(days=1))
    refused = await club.person(table, 3).slash(
        club.place(table), "seat replace", player=others[1].name
    )
    assert "There's already a vote about this" in wording(refused.response)
    assert len(votes(club, table)) == 1


async def test_a_lapsed_vote_to_resume_says_how_to_ask_again(club: Club) -> None:
    table = await club.game()
    anna, bert = club.people[:2]
    await anna.slash(club.place(table), "game pause")
    paused = last_vote(club, table)
    await press(bert, paused, "yes:")
    assert "Everyone agreed" in wording(post(club, table, paused.id))
    assert not ids(post(club, table, paused.id))
    await anna.slash(club.place(table), "game resume")
    vote = last_vote(club, table)
    await club.later(HALF)
    await club.restart()
    await club.later(HALF)
    assert "Not everyone answered in time" in wording(post(club, table, vote.id))
    assert not ids(post(club, table, vote.id))
    last = club.posts(table)[-1]
    assert "still paused" in wording(last)
    assert "vote is over" in await late_press(club, table, vote, bert)
    await press(bert, last, "goon:")
    await press(anna, last_vote(club, table), "yes:")
    assert (await club.tables.reader.get(table.id)).status is Status.PLAYING

    # A vote whose post can't be edited ends too.
    await anna.slash(club.place(table), "game pause")
    await press(bert, last_vote(club, table), "yes:")
    await anna.slash(club.place(table), "game resume")
    refuse(club, "PATCH", "/channels/*/messages/*", 400, 30046)
    await club.later(2 * HALF)
    assert posted_text(club, table).count("still paused") == 2
    assert await club.tables.votes.to_post(table.id) == []


async def test_a_pointless_vote_ends_and_says_why(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    table = await club.game(bert, clara, dirk)
    leaving, place = club.tables.leaving, club.place(table)

    async def vote_on(command: str, person: Any = anna, **options: str) -> Any:
        await person.slash(place, command, **options)
        return last_vote(club, table)

    async def ends_with(vote: Any, why: str) -> None:
        await club.settle()
        assert why in wording(post(club, table, vote.id))

    await club.later(timedelta(days=2))
    about_clara = await vote_on("seat replace", player="Clara")
    for command in ("game pause", "game resume"):
        await vote_on(command)
        for other in (bert, clara, dirk):
            await press(other, last_vote(club, table), "yes:")
        await ends_with(about_clara, "The game has stopped")
    await club.later(timedelta(days=2))
    about_clara = await vote_on("seat replace", player="Clara")
    await leaving.resign(table.id, clara.id)
    await ends_with(about_clara, "Someone else plays that seat")
    of_dirk = await vote_on("game pause", dirk)
    await leaving.resign(table.id, dirk.id)
    await ends_with(of_dirk, "who started this vote has left")
    last = await vote_on("game pause")
    await leaving.dissolve(table.id)
    await ends_with(last, "The game is over, so this vote is too")
    assert not votes(club, table)


async def test_a_vote_in_a_channel_names_its_table_and_finally_who_declined(
    club: Club,
) -> None:
    refuse(club, "POST", "/channels/*/threads", 403, 50013)
    table = await club.game()
    anna, bert = club.people[:2]
    for answer, end in (("no", "Vote to pause the game"), ("yes", "Everyone agreed")):
        await anna.slash(club.place(table), "game pause", table=table.id)
        vote = last_vote(club, table)
        assert "-# Kogge · table 1" in wording(vote)
        await press(bert, vote, f"{answer}:")
        ended = wording(post(club, table, vote.id))
        assert end in ended
        assert ("**Bert** declined" in ended) is (answer == "no")
        assert "-# Kogge · table 1" in ended
        assert not votes(club, table)


@pytest.mark.parametrize(
    "error", [NothingToUndo("nothing_to_undo"), IllegalAction(Refusal("nothing_asked", ""))]
)
async def test_a_passed_vote_that_can_no_longer_be_carried_out_lapses(
    club: Club, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    anna, bert, clara, _ = club.people
    table = await club.game(bert, clara)

    async def perform(*_: Any) -> Any:
        raise error

    monkeypatch.setattr(club.tables.votes, "_pass", perform)
    await anna.slash(club.place(table), "game pause")
    vote = last_vote(club, table)
    await press(bert, vote, "yes:")
    await club.tables.leaving.resign(table.id, clara.id)
    await club.later(timedelta(days=6))
    assert "nothing changes" in wording(post(club, table, vote.id))
    assert not votes(club, table)
    assert await club.tables.votes.to_post(table.id) == []


async def test_autopilot_does_not_end_a_vote_to_replace_a_player(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    table = await club.game(bert, clara)
    await club.later(timedelta(days=2))
    await anna.slash(club.place(table), "seat replace", player="Clara")
    vote = last_vote(club, table)
    await clara.slash(club.place(table), "seat autopilot")
    refused = await anna.slash(club.place(table), "seat autopilot", player="Clara")
    assert "A computer player already plays for Clara" in wording(refused.response)
    assert [each.id for each in votes(club, table)] == [vote.id]
    await press(bert, vote, "yes:")
    assert "a computer player takes **Clara**'s seat" in wording(post(club, table, vote.id))
    table = await club.tables.reader.get(table.id)
    assert [player.name for player in table.players if player.vacant] == ["Clara"]


@pytest.mark.slow
async def test_a_vote_proposed_again_before_its_end_is_posted_reuses_the_post(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    anna, bert = club.people[:2]
    tables = club.tables
    await anna.slash(club.place(table), "game pause")
    vote = last_vote(club, table)
    first, before = wording(vote), pings(club).count(bert.id)
    to_post, started = tables.votes.to_post, asyncio.Event()

    async def delayed(table_id: int) -> Any:
        await started.wait()
        return await to_post(table_id)

    monkeypatch.setattr(tables.votes, "to_post", delayed)
    await tables.votes.answer(table.id, bert.id, "pause", agree=False)
    club.clock.move(timedelta(hours=1))
    await tables.votes.propose(table.id, anna.id, "pause")
    started.set()
    await club.settle()

    assert [each.id for each in votes(club, table)] == [vote.id]
    assert wording(post(club, table, vote.id)) != first
    assert pings(club).count(bert.id) == before + 1
    await press(bert, post(club, table, vote.id), "yes:")
    assert (await tables.reader.get(table.id)).status is Status.PAUSED
    assert "Everyone agreed" in wording(post(club, table, vote.id))
