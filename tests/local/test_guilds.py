"""Several servers with their own channels, members, owners and commands."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio

from bot.local import CannotDoError, Channel, NewGuild, Permission, Person, Standin, guilds_on_each
from bot.local.model import Snowflakes
from tests.local.bots import PATIENCE_S, SampleBot

GUILDS = (
    NewGuild("Home"),
    NewGuild("Away", channels=[("the-harbour", ""), ("the-inn", "")], people=["Bert", "Clara"]),
)


@pytest_asyncio.fixture(loop_scope="session")
async def standin() -> AsyncIterator[Standin]:
    """With a second server, without Anna and owned by Bert."""
    async with Standin(guilds=GUILDS, acknowledge_s=PATIENCE_S) as standin:
        yield standin


@pytest.fixture
def inn(standin: Standin) -> Channel:
    return standin.channel("the-inn")


async def test_a_server_speaks_the_language_of_its_owner(
    bot: SampleBot, standin: Standin, inn: Channel
) -> None:
    owner = standin.model.users[standin.model.guilds[inn.guild_id or 0].owner_id]
    standin.model.change_user(owner, locale="it")
    guild = bot.place(inn.id).guild
    await bot.until(lambda: guild.preferred_locale is discord.Locale.italian)
    assert guild.channels


async def test_permissions_and_commands_differ_between_servers(
    bot: SampleBot, standin: Standin, bert: Person, harbour: Channel, inn: Channel
) -> None:
    standin.deny(inn, Permission.SEND_MESSAGES)
    with pytest.raises(discord.Forbidden):
        await bot.place(inn.id).send("x")
    await bot.place(standin.channel("the-harbour", "Away").id).send("x")
    # A server's commands do not exist on other servers.
    away = standin.model.guild_named("Away")
    owner_command = {"name": "shut", "description": "x", "default_member_permissions": str(1 << 5)}
    game = {"name": "game", "description": "global"}
    standin.model.set_commands(None, [game, {**owner_command, "contexts": [0]}])
    standin.model.set_commands(away.id, [{"name": "inn", "description": "x"}])
    # Bert owns one of the servers.
    assert bert.commands(inn) == ["game", "shut", "inn"]
    assert bert.commands(harbour) == bert.commands(bert.dm) == ["game"]
    with pytest.raises(CannotDoError, match="there is no command /inn"):
        await bert.slash(harbour, "inn")


def test_a_server_can_be_created_for_a_shard() -> None:
    for count in (1, 2, 3, 40):
        flakes = Snowflakes()
        for shard in range(count):
            ids = [flakes.next(), flakes.next_on(shard, count), flakes.next()]
            assert (ids[1] >> 22) % count == shard
            flakes.skip_past(ids[-1] + (10**6 << 22))
        ids.append(flakes.next())
        assert ids == sorted(set(ids))
        with pytest.raises(ValueError, match=f"no shard {count} of {count}"):
            flakes.next_on(count, count)
    guilds = [(guild.name, guild.shard) for guild in guilds_on_each(2)]
    assert guilds == [("Guild 0", (0, 2)), ("Guild 1", (1, 2))]
