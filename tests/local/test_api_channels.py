"""Threads and direct conversations through discord.py."""

from __future__ import annotations

import discord
import pytest

from bot.local import CannotDoError, Channel, Permission, Person, Standin
from tests.local.bots import SampleBot


async def test_a_thread_grows_out_of_a_message(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    posted = await bot.place(harbour.id).send("a table")
    thread = await posted.create_thread(name="Kogge 7")
    assert thread.id == posted.id
    await thread.send("welcome")
    assert anna.sees("Kogge 7")[-1].content == "welcome"
    assert standin.channel("Kogge 7").parent_id == harbour.id
    with pytest.raises(discord.HTTPException) as again:
        await posted.create_thread(name="twice")
    assert again.value.code == 160004


async def test_a_thread_without_a_message_leaves_a_notice(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    kind = discord.ChannelType.public_thread
    thread = await bot.place(harbour.id).create_thread(name="Kogge 8", type=kind)
    await bot.until(lambda: bot.place(harbour.id).get_thread(thread.id) is not None)
    assert anna.sees(harbour)[-1].content == "Kogge 8"


async def test_a_message_revives_an_archived_thread_but_an_edit_does_not(
    bot: SampleBot, harbour: Channel, standin: Standin
) -> None:
    kind = discord.ChannelType.public_thread
    thread = await bot.place(harbour.id).create_thread(name="Kogge 9", type=kind)
    posted = await thread.send("board")
    archived = await thread.edit(archived=True)
    assert archived.archived
    with pytest.raises(discord.HTTPException) as refused:
        await posted.edit(content="new board")
    assert refused.value.code == 50083
    await thread.send("revived")
    state = standin.channel("Kogge 9").thread
    assert state is not None
    assert not state.archived


async def test_a_locked_and_archived_thread_stays_shut_until_it_is_opened(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    kind = discord.ChannelType.public_thread
    thread = await bot.place(harbour.id).create_thread(name="Kogge 10", type=kind)
    await thread.edit(archived=True, locked=True)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.send("hello?")
    assert refused.value.code == 50083
    with pytest.raises(CannotDoError, match="locked"):
        anna.say("Kogge 10", "hello?")
    found = [t async for t in bot.place(harbour.id).archived_threads()]
    assert [t.name for t in found] == ["Kogge 10"]
    await thread.edit(archived=False)
    await thread.send("open again")


async def test_a_private_thread_is_for_its_members(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel
) -> None:
    kind = discord.ChannelType.private_thread
    thread = await bot.place(harbour.id).create_thread(name="Cabin", type=kind)
    await thread.add_user(discord.Object(anna.id))
    await thread.send("psst")
    assert anna.sees("Cabin")[-1].content == "psst"
    with pytest.raises(CannotDoError, match="cannot look into"):
        bert.sees("Cabin")
    await thread.send(f"come in, {bert.mention}")
    assert len(bert.sees("Cabin")) == 2
    assert {m.id for m in await thread.fetch_members()} >= {anna.id, bert.id}


async def test_threads_need_their_permission(
    bot: SampleBot, harbour: Channel, standin: Standin
) -> None:
    standin.deny(harbour, Permission.CREATE_PUBLIC_THREADS)
    with pytest.raises(discord.Forbidden) as refused:
        await (await bot.place(harbour.id).send("x")).create_thread(name="no")
    assert refused.value.code == 50013


async def test_a_direct_conversation_is_opened_once(
    bot: SampleBot, anna: Person, bert: Person
) -> None:
    user = await bot.fetch_user(anna.id)
    first, second = await user.create_dm(), await bot.create_dm(discord.Object(anna.id))
    assert first.id == second.id == anna.dm.id != bert.dm.id
    with pytest.raises(CannotDoError, match="cannot look into"):
        bert.sees(anna.dm)


async def test_members_and_roles_are_read(bot: SampleBot, anna: Person, standin: Standin) -> None:
    guild = bot.get_guild(standin.model.guild.id)
    assert guild is not None
    assert (await guild.fetch_member(anna.id)).display_name == "Anna"
    names = {member.name async for member in guild.fetch_members()}
    assert names == {"Kontor", "anna", "bert", "clara", "dirk", "vera"}
    assert guild.me.guild_permissions.manage_threads
    assert (await guild.query_members("Cl"))[0].name == "clara"
    with pytest.raises(discord.NotFound) as unknown:
        await guild.fetch_member(1)
    assert unknown.value.code == 10007
