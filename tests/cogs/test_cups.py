"""Cups and leagues in the chat: `/cup`, and the message of a cup."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from bot.local import InteractionKind
from bot.local.model import Channel
from bot.tables import Status
from bot.tables.cup_rules import Cup, CupStatus, Entrant, standings
from bot.tables.cups import last_round, running
from tests.cogs.conftest import Club, id_with, ids, part, pings, press, refuse, wording
from tests.cogs.test_find import forge

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


class CupClub:
    """A club with one cup."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.owner = club.owner()

    async def new(self, **options: Any) -> Any:
        """Open a cup, and return its organiser's private message with the options."""
        values = {"name": "Harbour cup", "game": "guatemala", "rounds": 1, **options}
        return (await self.owner.slash(self.club.channel, "cup new", **values)).response

    async def open(self, **options: Any) -> Cup:
        await self.new(**options)
        return await self.now()

    async def now(self, by: timedelta = SECOND) -> Cup:
        """Do what is due, and return the newest cup after it."""
        await self.club.later(by)
        return (await self.club.tables.cups.of_server(self.club.guild.id))[0]

    def messages(self, channel: Channel | None = None) -> list[Any]:
        found = self.club.seen(channel or self.club.channel)
        return [each for each in found if any(name.startswith("cup") for name in ids(each))]

    @property
    def message(self) -> Any:
        (message,) = self.messages()
        return message

    async def all_join(self) -> Cup:
        for person in self.club.people:
            await press(person, self.message, "cupjoin:")
        return await self.now()

    async def begin(self, **options: Any) -> Cup:
        """Open a cup of all four people and start it."""
        await self.open(**options)
        await self.all_join()
        await press(self.owner, self.message, "cupstart:")
        await self.now()
        return await self.now(MINUTE)

    async def play(self, cup: Cup) -> Cup:
        for game in running(cup):
            await self.club.finish(game.table)
        await self.now()
        return await self.now(MINUTE)


@pytest.fixture
async def cups(club: Club) -> CupClub:
    await club.settle()
    return CupClub(club)


async def test_a_cup_is_one_message_from_sign_up_to_the_winner(cups: CupClub) -> None:
    club = cups.club
    private = await cups.new()
    setup = id_with(private, ",setup")
    shown = await cups.owner.choose(private, ["random"], custom_id=setup)
    cup = await cups.now()
    assert cup.key not in wording(private) + wording(shown.response)
    assert cup.options["setup"] == "random"
    text = wording(cups.message)
    for rule in (
        "Points by place: 12/0 for 2 players.",
        "Swiss: 1 round",
        "waiting list takes your place",
        "average points",
        cup.key_hash,
    ):
        assert rule in text
    assert cup.key not in text
    assert part(cups.message, id_with(cups.message, "cupstart:"))["disabled"]

    for person in club.people:
        await press(person, cups.message, "cupjoin:")
        # A press shows at once, before the task is due.
        assert person.name in wording(cups.message)
    late = await cups.owner.choose(private, ["printed"], custom_id=setup)
    assert "someone has joined" in wording(late.response)
    again = await press(club.people[0], cups.message, "cupjoin:")
    assert "already in this cup" in wording(again)
    await press(club.people[0], cups.message, "cupleave:")
    assert club.people[0].name not in wording(cups.message)
    await press(club.people[0], cups.message, "cupjoin:")
    refused = await press(club.people[1], cups.message, "cupstart:")
    assert "Only the organiser" in wording(refused)
    signed_up, asked = cups.message, len(club.requests)
    for _ in range(2):
        await press(cups.owner, signed_up, "cupstart:")
    await cups.now()
    cup = await cups.now(MINUTE)

    # A new message replaces the old one and pings no one; the tables ping their players.
    message = cups.message
    assert message.id != signed_up.id
    tables = await club.tables.cups.tables(cup)
    assert len(tables) == 2
    for table in tables.values():
        assert table.status is Status.PLAYING
        assert f"<#{table.thread}>: " in wording(message)
        assert {player.user for player in table.players} <= set(pings(club, since=asked))
    assert not pings(club, "Harbour cup")
    (attached,) = message.attachments
    assert "1. " in attached.description
    text = await press(club.people[0], message, "cup:")
    assert text.is_ephemeral
    assert "Points by place" in wording(text)
    assert "0 points" in wording(text)

    cup = await cups.play(cup)
    assert cup.status is CupStatus.OVER
    assert cups.message.id != message.id
    assert cup.key in wording(cups.message)
    best = standings(cup)[0].user
    (winner,) = (entrant.name for entrant in cup.entrants if entrant.user == best)
    assert f"🥇 **{winner}**" in wording(cups.message)
    assert [name.partition(":")[0] for name in ids(cups.message)] == ["cup"]
    sent = (await club.people[0].slash(club.channel, "cup file", cup=str(cup.id))).response
    record = json.loads(club.bytes_of(sent.attachments[0]))
    assert record["format"] == "cup 1"


async def test_a_cup_continues_after_a_restart_and_a_deleted_message(cups: CupClub) -> None:
    club = cups.club
    await cups.open()
    await cups.all_join()
    await club.restart()
    await press(cups.owner, cups.message, "cupstart:")
    await club.restart()
    cup = await cups.now()
    old = cups.message
    del club.standin.model.messages[club.channel.id][old.id]
    cup = await cups.play(cup)
    assert cup.status is CupStatus.OVER
    assert cups.message.id != old.id
    # A crash before the id of a new message is stored does not double it.
    await club.tables.cups.change(cup.id, lambda cup: replace(cup, message=None))
    await cups.now()
    assert cups.message


async def test_an_organiser_moves_a_cup_out_of_a_closed_channel(cups: CupClub) -> None:
    club = cups.club
    cup = await cups.open()
    await cups.all_join()
    refuse(club, "PATCH", f"/channels/{club.channel.id}/messages/*", 404, 10003)
    refuse(club, "POST", f"/channels/{club.channel.id}/messages", 404, 10003)
    await press(cups.owner, cups.message, "cupstart:")
    cup = await cups.now()
    # Its tables wait, as no one would find them.
    assert running(cup)
    assert not await club.tables.cups.tables(cup)
    other = club.new_channel("sports")
    listed = await club.people[0].slash(other, "cup show")
    assert "Harbour cup" in wording(listed.response)
    refused = await club.people[0].slash(other, "cup show", cup=str(cup.id))
    assert "Only the organiser" in wording(refused.response)
    await cups.owner.slash(other, "cup show", cup=str(cup.id))
    cup = await cups.now()
    assert len(cups.messages(other)) == 1
    assert not cups.messages()
    tables = await club.tables.cups.tables(cup)
    assert {table.channel for table in tables.values()} == {other.id}


async def test_a_cup_shown_again_in_its_channel_keeps_its_message_until_the_new_one(
    cups: CupClub,
) -> None:
    cup, old = await cups.open(), cups.message
    await cups.owner.slash(cups.club.channel, "cup show", cup=str(cup.id))
    assert cups.message.id == old.id
    await cups.now()
    assert cups.message.id != old.id


async def test_only_the_organiser_decides_drops_and_cancels(cups: CupClub) -> None:
    club, stranger = cups.club, cups.club.people[3]
    cup = await cups.begin(rounds=2)
    one, other = running(cup)
    users = [next(each for each in club.people if each.id == user) for user in one.users]
    for person, said in ((stranger, "Only the organiser"), (cups.owner, "Decided")):
        options = {"first": users[1].user, "table": one.table}
        answer = await person.slash(club.channel, "cup decide", options)
        assert said in wording(answer.response)
    wrong = {"first": cups.owner.user, "table": other.table}
    answer = await cups.owner.slash(club.channel, "cup decide", wrong)
    assert "people of this cup" in wording(answer.response)
    cup = await cups.now()
    table = await club.tables.reader.get(one.table)
    assert table.status is Status.ABANDONED
    assert next(game.places for game in last_round(cup) if game.table == one.table) == (2, 1)

    for person, said in ((stranger, "Only the organiser"), (cups.owner, "out of the cup")):
        answer = await person.slash(
            club.channel, "cup drop", {"player": users[0].user, "cup": str(cup.id)}
        )
        assert said in wording(answer.response)
    assert users[0].id not in {each.user for each in (await cups.now()).active}
    void = {"table": other.table}
    await cups.owner.slash(club.channel, "cup decide", void)
    await cups.now()
    cup = await cups.now()
    assert (await club.tables.reader.get(other.table)).status is Status.ABANDONED
    assert len(cup.rounds) == 2
    assert users[0].id not in {user for game in last_round(cup) for user in game.users}

    refused = await stranger.slash(club.channel, "cup cancel", cup=str(cup.id))
    assert "Only the organiser" in wording(refused.response)
    asked = await cups.owner.slash(club.channel, "cup cancel", cup=str(cup.id))
    custom_id = id_with(asked.response, "cupcancel:")
    for said in ("is cancelled", "This cup is over"):
        answer = await forge(cups.owner, club.channel, asked.response, custom_id)
        assert said in wording(answer.response)
    cup = await cups.now()
    assert "cancelled" in wording(cups.message)
    (running_table,) = (game.table for game in running(cup))
    assert (await club.tables.reader.get(running_table)).status is Status.PLAYING


async def test_the_message_of_a_cup_has_room_for_many_long_names(cups: CupClub) -> None:
    tables, cup = cups.club.tables, await cups.open(size=64)
    people = tuple(Entrant(number, f"{number:02}" + "*" * 30) for number in range(1, 129))
    await tables.cups.change(cup.id, lambda cup: replace(cup, waiting=people))
    await cups.now()
    assert "Players (64/64): 01" in wording(cups.message)
    everyone = {"entrants": people[:64], "waiting": (), "status": CupStatus.OVER, "posted": 0}
    await tables.cups.change(cup.id, lambda cup: replace(cup, **everyone))
    await cups.now()
    assert "🥇 **01" in wording(cups.message)
    assert cup.key in wording(cups.message)


async def test_strangers_and_forged_buttons_are_refused(cups: CupClub) -> None:
    club, anna = cups.club, cups.club.people[0]
    refused = await anna.slash(club.channel, "cup new", name="Mine", game="kogge")
    assert "Only the organiser" in wording(refused.response)
    private = await cups.new(name="Other cup")
    setup = id_with(private, ",setup")
    cup = await cups.now()
    data = {"custom_id": setup, "component_type": 3, "values": ["random"]}
    answer = await anna.act(InteractionKind.COMPONENT, club.channel, data, source=private)
    assert "Only the organiser" in wording(answer.response)
    for custom_id in ("cupjoin:0::4711", "cupjoin:0::x", "cup:0::4711"):
        answer = await forge(anna, club.channel, cups.message, custom_id)
        assert "no such cup" in wording(answer.response)
    for custom_id in ("cupjoin:0", setup):
        answer = await forge(anna, club.channel, cups.message, custom_id)
        assert "no longer works" in wording(answer.response)
    # Another server's managers have no rights here, and its members don't see the cup.
    listed = await anna.slash(club.channel, "cup show")
    assert "Other cup" in wording(listed.response)
    assert cup.key not in "".join(wording(each) for each in club.all_messages())


async def test_a_cup_speaks_the_servers_language_and_answers_in_the_persons(cups: CupClub) -> None:
    club, anna = cups.club, cups.club.people[0]
    await cups.owner.slash(club.channel, "server set", language="it")
    await cups.open()
    italian = wording(cups.message)
    assert "Points by place" not in italian
    await press(anna, cups.message, "cupjoin:")
    assert "Anna" in wording(cups.message)
    assert "Points by place" not in wording(cups.message)
    again = await press(anna, cups.message, "cupjoin:")
    assert "already in this cup" in wording(again)


async def test_a_league_shows_when_its_season_ends_and_lets_people_wait(cups: CupClub) -> None:
    club = cups.club
    cup = await cups.begin(format="league", weeks=3, rounds=1)
    text = wording(cups.message)
    assert "Season 1" in text
    assert f"The season ends on <t:{cup.until}:f>" in text
    waiting = await press(cups.owner, cups.message, "cupjoin:")
    assert "waiting list" in wording(waiting)
    leaving = await press(club.people[0], cups.message, "cupleave:")
    assert "You've left the cup. " in wording(leaving)
    cup = await cups.now()
    assert "Waiting list: Olga" in wording(cups.message)
    cup = await cups.play(cup)
    # The person from the list has taken the place of the one who left.
    users = {user for game in last_round(cup) for user in game.users}
    assert users == {cups.owner.id, *(each.id for each in club.people[1:])}
    assert "Season 2" in wording(cups.message)


async def test_a_cup_that_everyone_has_left_has_no_winner(cups: CupClub) -> None:
    cup = await cups.begin(rounds=2)
    for person in cups.club.people:
        leaving = await press(person, cups.message, "cupleave:")
        assert "can't rejoin" in wording(leaving)
    cup = await cups.play(cup)
    assert (cup.status, cup.active) == (CupStatus.OVER, ())
    assert cup.key in wording(cups.message)
    assert "🥇" not in wording(cups.message)


async def test_deleted_data_leaves_no_name_in_cups(cups: CupClub) -> None:
    club, anna = cups.club, cups.club.people[0]
    cup = await cups.begin()
    cup = await cups.play(cup)
    assert "Anna" in str(cup.entrants)
    asked = await anna.slash(club.channel, "me forget")
    await press(anna, asked.response, "forgetme:")
    cup = await cups.now()
    assert "Anna" not in str(cup)
    text = await press(club.people[1], cups.message, "cup:")
    assert "Former player" in wording(text)
