"""Who may see which table: every interaction, from every place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from aiohttp.test_utils import make_mocked_request
from discord import app_commands

from bot.client import GameBot
from bot.cogs.tables_api import TablesApi
from bot.cogs.ui import reply
from bot.cogs.ui.access import may_see
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.routes import Way
from bot.local import Channel, InteractionKind, ModalOpened, NewGuild, NewPerson, Permission
from bot.local.model import Json
from bot.local.new_world import add_guilds, add_people
from bot.tables import Table
from tests.cogs.actors import Member, Result
from tests.cogs.conftest import Club, wording

MISSING = 99
"""The number of no table."""


@dataclass
class Actor:
    """A person and the channel they act in: of a server, or direct messages."""

    person: Member
    channel: Channel


class Neighbours:
    """Tables in places of every kind, and people of every relation to them."""

    def __init__(self, club: Club) -> None:
        self.club = club

    async def open(self) -> None:
        """Open the tables and place the people."""
        club = self.club
        anna, bert, _, dirk = club.people
        self.table = await club.game()
        self.lobby = await club.lobby(host=anna)
        thread = club.place(self.table)
        world = club.standin.model
        add_people(world, [NewPerson("Stranger", "red")])
        add_guilds(world, [NewGuild("Elsewhere", [("abroad", "")], people=["Stranger"])])
        await club.restart()
        stranger = club.member("Stranger")
        club.guild.outsiders.append(stranger.id)
        abroad = club.standin.channel("abroad")
        await stranger.slash(abroad, "game new", game="kogge", computers=1)
        await stranger.slash(abroad, "game start")
        hidden = club.new_channel("cellar")
        await self._begin(anna, hidden)
        self._show(hidden, anna, bert)
        room = await self._private_thread(anna)
        await self._begin(anna, room)
        await club.settle()
        secret, private = await self._newest(anna, 2)
        self.seated = Actor(anna, thread)
        self.strangers = {
            "in another server": (self.table, Actor(stranger, abroad)),
            "of another server, in direct messages": (self.table, Actor(stranger, stranger.dm)),
            "in direct messages, not seated": (self.table, Actor(dirk, dirk.dm)),
            "without the channel": (secret, Actor(dirk, club.channel)),
            "without the channel, in direct messages": (secret, Actor(dirk, dirk.dm)),
            "outside the private thread": (private, Actor(dirk, club.channel)),
            "a lobby of another server": (self.lobby, Actor(stranger, abroad)),
        }

    async def _begin(self, host: Any, place: Any) -> None:
        await host.slash(place, "game new", game="kogge", computers=1)
        await host.slash(place, "game start")

    async def _newest(self, person: Any, count: int) -> list[Table]:
        seats = await self.club.tables.reader.seats_of(person.id)
        return sorted((table for table, _seat in seats), key=lambda table: table.id)[-count:]

    async def _private_thread(self, member: Any) -> Any:
        channel = self.club.bot.get_channel(self.club.channel.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(
            name="attic", type=discord.ChannelType.private_thread, invitable=False
        )
        await thread.add_user(discord.Object(member.id))
        await self.club.settle()
        return next(each for each in self.club.threads if each.id == thread.id)

    def _show(self, channel: Channel, *people: Member) -> None:
        """Hide a channel from everyone but these people and the bot."""
        guild, seen = self.club.guild.id, str(int(Permission.VIEW_CHANNEL))
        only: list[Json] = [{"id": str(guild), "type": 0, "allow": "0", "deny": seen}]
        for each in (self.club.bot.user, *people):
            assert each is not None
            only.append({"id": str(each.id), "type": 1, "allow": seen, "deny": "0"})
        payload = {"id": str(channel.id), "type": 0, "guild_id": str(guild), "position": 1}
        payload |= {"name": channel.name, "permission_overwrites": only}
        self.club.dispatch("CHANNEL_UPDATE", payload)

    async def act(self, actor: Actor, kind: int, data: dict[str, Any]) -> Result:
        """Send an interaction of any kind. Returns the result."""
        return await actor.person.act(InteractionKind(kind), actor.channel, data)


@pytest.fixture
async def neighbours(club: Club, monkeypatch: pytest.MonkeyPatch) -> Neighbours:
    """All tables and people, without deferred answers."""
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 50.0)
    neighbours = Neighbours(club)
    await neighbours.open()
    return neighbours


def bot_of(club: Club) -> GameBot:
    bot = club.bot
    assert isinstance(bot, GameBot)
    return bot


def router(club: Club, table: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield an interaction for every verb that names a table, in each of its ways."""
    for name, verb in bot_of(club).router._routes.items():
        if verb.at_table is False:
            continue
        count = next(count for count in range(5) if count in verb.words)
        press = CustomId(
            name, table, "0" if verb.has_decision and name != "rules" else None, ("0",) * count
        )
        for way in verb.ways:
            data: dict[str, Any] = {"custom_id": press.encoded()}
            line = {"type": 18, "component": {"type": 4, "value": "0", "custom_id": "line"}}
            if way is Way.FORM:
                yield 5, data | {"components": [line, line]}
            elif way is Way.SELECT:
                yield 3, data | {"component_type": 3, "values": ["0"]}
            else:
                yield 3, data | {"component_type": 2}


def shown(result: Result) -> tuple[Any, ...]:
    """Return the text, components and number of files of every answer."""
    answers = [result.response, *result.followups]
    assert not isinstance(result.outcome, ModalOpened)
    return tuple(
        (wording(each), str(each.components), len(each.attachments))
        for each in answers
        if each is not None
    )


async def test_presses_and_forms_of_strangers_get_the_answer_for_a_missing_table(
    neighbours: Neighbours,
) -> None:
    before = await stored_tables(neighbours)
    (_table, stranger), *_ = neighbours.strangers.values()
    missing = [
        shown(await neighbours.act(stranger, kind, data))
        for kind, data in router(neighbours.club, MISSING)
    ]
    for relation, (table, actor) in neighbours.strangers.items():
        for (kind, data), expected in zip(router(neighbours.club, table.id), missing, strict=True):
            result = await neighbours.act(actor, kind, data)

            assert shown(result) == expected, (relation, data)
            assert "no longer exists" in expected[0][0], data
            assert result.is_private, (relation, data)
    # A forged form for a button is refused as well.
    for verb, (relation, (table, actor)) in product(
        ("board", "hand"), neighbours.strangers.items()
    ):
        result = await neighbours.act(
            actor, 5, {"custom_id": f"{verb}:{table.id}", "components": []}
        )
        assert "no longer works" in shown(result)[0][0], (relation, verb)
    assert await stored_tables(neighbours) == before


async def stored_tables(neighbours: Neighbours) -> dict[int, tuple[Table, int]]:
    reader, ids = (
        neighbours.club.tables.reader,
        {table.id for table, _ in neighbours.strangers.values()},
    )
    return {table: (await reader.get(table), await reader.seq(table)) for table in ids}


def commands(club: Club) -> Iterator[tuple[list[str], app_commands.Command[Any, ..., Any]]]:
    """Yield every command that takes the number of a table, with its path."""
    for command in bot_of(club).tree.walk_commands():
        if isinstance(command, app_commands.Command) and any(
            each.name == "table" for each in command.parameters
        ):
            yield command.qualified_name.split(), command


def command_data(path: list[str], options: list[dict[str, Any]]) -> dict[str, Any]:
    for depth, name in reversed(list(enumerate(path[1:]))):
        options = [{"type": 1 if depth == len(path) - 2 else 2, "name": name, "options": options}]
    return {"id": "1", "name": path[0], "type": 1, "options": options}


def required_options(
    command: app_commands.Command[Any, ..., Any], table: int
) -> list[dict[str, Any]]:
    """Return a command's required options and the table."""
    options: list[dict[str, Any]] = [
        {"type": each.type.value, "name": each.display_name, "value": "0"}
        for each in command.parameters
        if each.required
    ]
    return [*options, {"type": 4, "name": "table", "value": table}]


def typing(option: app_commands.Parameter, table: Table) -> list[dict[str, Any]]:
    """Return the options of a command while one of them is being typed."""
    focused = {"type": 3, "name": option.display_name, "value": "", "focused": True}
    return [focused, {"type": 4, "name": "table", "value": table.id}]


async def test_commands_and_their_suggestions_reveal_no_table_to_strangers(
    neighbours: Neighbours,
) -> None:
    (_table, stranger), *_ = neighbours.strangers.values()
    # All commands check access in one place, which the presses above test from everywhere.
    strangers = list(neighbours.strangers.items())[::3]
    offering = 0
    for path, command in list(commands(neighbours.club)):
        expected = shown(
            await neighbours.act(
                stranger, 2, command_data(path, required_options(command, MISSING))
            )
        )
        assert "no longer exists" in expected[0][0], path
        for relation, (table, actor) in strangers:
            result = await neighbours.act(
                actor, 2, command_data(path, required_options(command, table.id))
            )
            assert shown(result) == expected, (relation, path)
        for option in command.parameters:
            # The levels of computer players belong to no table.
            if not option.autocomplete or option.name == "policy":
                continue
            for relation, (table, actor) in strangers:
                offered = await neighbours.act(actor, 4, command_data(path, typing(option, table)))
                assert offered.choices == [], (relation, path, option.name)
            at_home = command_data(path, typing(option, neighbours.table))
            offered = await neighbours.act(neighbours.seated, 4, at_home)
            offering += bool(offered.choices)
    assert offering > 3


async def test_only_tables_that_everyone_in_a_server_may_see_are_on_the_web(
    neighbours: Neighbours,
) -> None:
    club, strangers = neighbours.club, neighbours.strangers
    api = TablesApi(club.services, club.bot.get_guild)

    async def status_of(number: int) -> int:
        match = {"number": str(number), "form": "json"}
        return (await api.show(make_mocked_request("GET", "/", match_info=match))).status

    assert await status_of(neighbours.table.id) == 404
    await club.owner().slash(club.channel, "server set", web="on")
    assert await status_of(neighbours.table.id) == 200
    for relation in ("without the channel", "outside the private thread"):
        assert await status_of(strangers[relation][0].id) == 404, relation
    assert await status_of(neighbours.lobby.id) == 404
    assert await status_of(MISSING) == 404
    # Another process, which does not know the server's channels.
    api = TablesApi(club.services, lambda _: None)
    assert await status_of(neighbours.table.id) == 404


def test_a_person_outside_all_channels_sees_no_table() -> None:
    nowhere: Any = SimpleNamespace(
        user=SimpleNamespace(id=1), channel_id=None, guild_id=None, guild=None
    )
    lobby: Any = SimpleNamespace(thread=None, channel=None, guild=None, seat_of=lambda _: None)
    assert not may_see(nowhere, lobby)
