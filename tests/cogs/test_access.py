"""Who may see which table: every way in, from every place where somebody may stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.client import GameBot
from bot.cogs.ui import reply
from bot.cogs.ui.access import may_see
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.routes import Way
from bot.local import Channel, InteractionKind, ModalOpened, NewGuild, Permission, Someone
from bot.local.model import Json
from bot.local.new_world import found_guilds, seat_people
from bot.tables import Table
from tests.cogs.actors import Member, Result
from tests.cogs.conftest import Club, wording

NOBODYS = 99
"""A table that there is not."""


@dataclass
class Stand:
    """Somebody, and where they act: in a server, or else in direct messages."""

    person: Member
    channel: Channel


class Neighbours:
    """A table in a channel, and those who stand to it in every way there is."""

    def __init__(self, club: Club) -> None:
        self.club = club

    async def open(self) -> None:
        """A game in a channel that all of its server may read, and the people."""
        club = self.club
        anna, bert, _, dirk = club.people
        self.table = await club.game()
        self.lobby = await club.lobby(host=anna)
        thread = club.place(self.table)
        world = club.standin.model
        seat_people(world, [Someone("Stranger", "red")])
        found_guilds(world, [NewGuild("Elsewhere", [("abroad", "")], people=["Stranger"])])
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
        self.seated = Stand(anna, thread)
        self.strangers = {
            "in another server": (self.table, Stand(stranger, abroad)),
            "of another server, in direct messages": (self.table, Stand(stranger, stranger.dm)),
            "in direct messages, not seated": (self.table, Stand(dirk, dirk.dm)),
            "without the channel": (secret, Stand(dirk, club.channel)),
            "without the channel, in direct messages": (secret, Stand(dirk, dirk.dm)),
            "outside the private thread": (private, Stand(dirk, club.channel)),
            "a lobby of another server": (self.lobby, Stand(stranger, abroad)),
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
        made = await channel.create_thread(
            name="attic", type=discord.ChannelType.private_thread, invitable=False
        )
        await made.add_user(discord.Object(member.id))
        await self.club.settle()
        return next(each for each in self.club.threads if each.id == made.id)

    def _show(self, channel: Channel, *people: Member) -> None:
        """From now on a channel is there for these people alone, and the bot."""
        guild, seen = self.club.guild.id, str(int(Permission.VIEW_CHANNEL))
        only: list[Json] = [{"id": str(guild), "type": 0, "allow": "0", "deny": seen}]
        for each in (self.club.bot.user, *people):
            assert each is not None
            only.append({"id": str(each.id), "type": 1, "allow": seen, "deny": "0"})
        told = {"id": str(channel.id), "type": 0, "guild_id": str(guild), "position": 1}
        told |= {"name": channel.name, "permission_overwrites": only}
        self.club.tell("CHANNEL_UPDATE", told)

    async def act(self, stand: Stand, kind: int, data: dict[str, Any]) -> Result:
        """What somebody is answered to a press, a form, a command or an autocompletion."""
        return await stand.person.act(InteractionKind(kind), stand.channel, data)


@pytest.fixture
async def place(club: Club, monkeypatch: pytest.MonkeyPatch) -> Neighbours:
    """Tables of every kind of place, and people of every kind; answers may take their time."""
    monkeypatch.setattr(reply, "DEFER_AFTER_S", 50.0)
    made = Neighbours(club)
    await made.open()
    return made


def bot_of(club: Club) -> GameBot:
    bot = club.bot
    assert isinstance(bot, GameBot)
    return bot


def router(club: Club, table: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every verb that names a table, in each of its ways."""
    for name, verb in bot_of(club).router._routes.items():
        if verb.at_table is False:
            continue
        count = next(count for count in range(4) if count in verb.words)
        press = CustomId(
            name, table, "0" if verb.decided and name != "rules" else None, ("0",) * count
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


def said(result: Result) -> tuple[Any, ...]:
    """All that somebody is shown, without the table's number."""
    answers = [result.response, *result.followups]
    assert not isinstance(result.outcome, ModalOpened)
    return tuple(
        (wording(each), str(each.components), len(each.attachments))
        for each in answers
        if each is not None
    )


async def test_presses_and_forms_of_strangers_are_answered_as_if_there_were_no_such_table(
    place: Neighbours,
) -> None:
    before = await everything(place)
    (_table, anybody), *_ = place.strangers.values()
    nowhere = [
        said(await place.act(anybody, kind, data)) for kind, data in router(place.club, NOBODYS)
    ]
    for who, (table, stand) in place.strangers.items():
        for (kind, data), wanted in zip(router(place.club, table.id), nowhere, strict=True):
            there = await place.act(stand, kind, data)

            assert said(there) == wanted, (who, data)
            assert "no longer exists" in wanted[0][0], data
            assert there.is_private, (who, data)
    # Nor does a form that is made up for a button.
    for verb, (who, (table, stand)) in product(("board", "hand"), place.strangers.items()):
        there = await place.act(stand, 5, {"custom_id": f"{verb}:{table.id}", "components": []})
        assert "no longer works" in said(there)[0][0], (who, verb)
    assert await everything(place) == before


async def everything(place: Neighbours) -> dict[int, tuple[Table, int]]:
    reader, known = place.club.tables.reader, {table.id for table, _ in place.strangers.values()}
    return {table: (await reader.get(table), await reader.seq(table)) for table in known}


def commands(club: Club) -> Iterator[tuple[list[str], app_commands.Command[Any, ..., Any]]]:
    """Every command that takes the number of a table, with its path."""
    for command in bot_of(club).tree.walk_commands():
        if isinstance(command, app_commands.Command) and any(
            each.name == "table" for each in command.parameters
        ):
            yield command.qualified_name.split(), command


def typed(path: list[str], options: list[dict[str, Any]]) -> dict[str, Any]:
    for depth, name in reversed(list(enumerate(path[1:]))):
        options = [{"type": 1 if depth == len(path) - 2 else 2, "name": name, "options": options}]
    return {"id": "1", "name": path[0], "type": 1, "options": options}


def filled(command: app_commands.Command[Any, ..., Any], table: int) -> list[dict[str, Any]]:
    """Options that a command cannot do without, and the table."""
    options: list[dict[str, Any]] = [
        {"type": each.type.value, "name": each.display_name, "value": "0"}
        for each in command.parameters
        if each.required
    ]
    return [*options, {"type": 4, "name": "table", "value": table}]


def typing(option: app_commands.Parameter, table: Table) -> list[dict[str, Any]]:
    """The options of a command in one of which somebody has just begun to type."""
    focused = {"type": 3, "name": option.display_name, "value": "", "focused": True}
    return [focused, {"type": 4, "name": "table", "value": table.id}]


async def test_commands_and_what_they_offer_tell_strangers_of_no_table(place: Neighbours) -> None:
    (_table, anybody), *_ = place.strangers.values()
    # They all go one way, which the presses above go from everywhere.
    strangers = list(place.strangers.items())[::3]
    offering = 0
    for path, command in list(commands(place.club)):
        wanted = said(await place.act(anybody, 2, typed(path, filled(command, NOBODYS))))
        assert "no longer exists" in wanted[0][0], path
        for who, (table, stand) in strangers:
            there = await place.act(stand, 2, typed(path, filled(command, table.id)))
            assert said(there) == wanted, (who, path)
        for option in command.parameters:
            # How a computer player plays is no secret of any table.
            if not option.autocomplete or option.name == "policy":
                continue
            for who, (table, stand) in strangers:
                offered = await place.act(stand, 4, typed(path, typing(option, table)))
                assert offered.choices == [], (who, path, option.name)
            at_home = typed(path, typing(option, place.table))
            offered = await place.act(place.seated, 4, at_home)
            offering += bool(offered.choices)
    assert offering > 3


def test_who_acts_nowhere_is_at_no_table() -> None:
    nowhere: Any = SimpleNamespace(
        user=SimpleNamespace(id=1), channel_id=None, guild_id=None, guild=None
    )
    lobby: Any = SimpleNamespace(thread=None, channel=None, guild=None, seat_of=lambda _: None)
    assert not may_see(nowhere, lobby)
