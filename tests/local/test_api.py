"""Messages, threads, direct conversations and emoji, as the bot uses them through discord.py."""

from __future__ import annotations

import io
from pathlib import Path

import aiohttp
import discord
import pytest
from PIL import Image

from bot.local import CannotDoError, Channel, Permission, Person, Standin
from bot.local.api_emojis import MAX_BYTES, MAX_EMOJIS
from bot.local.model import AppEmoji
from tests.local.bots import Panel, SampleBot, picture, running

PUBLIC = discord.ChannelType.public_thread


def sign(colour: str = "red", side: int = 8, kind: str = "PNG") -> bytes:
    """A small picture."""
    file = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(file, kind)
    return file.getvalue()


# Messages


async def test_a_posted_picture_can_be_fetched(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    posted = await bot.place(harbour.id).send("a board", file=picture(size=(60, 40)))
    [attachment] = posted.attachments
    assert (attachment.width, attachment.height) == (60, 40)
    assert attachment.description == "A blue board"
    data = await attachment.read()
    assert data.startswith(b"\x89PNG")
    [seen] = anna.sees(harbour)
    assert standin.file(seen.attachments[0].id) == data


async def test_an_edit_replaces_or_keeps_files_as_the_array_says(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    posted = await bot.place(harbour.id).send("v1", file=picture("one.png"))
    both = await posted.edit(attachments=[*posted.attachments, picture("two.png")])
    assert [a.filename for a in both.attachments] == ["one.png", "two.png"]
    second = await both.edit(content="v2", attachments=[both.attachments[1]])
    assert [a.filename for a in second.attachments] == ["two.png"]
    assert second.edited_at is not None
    untouched = await second.edit(content="v3")
    assert [a.filename for a in untouched.attachments] == ["two.png"]
    # A new file without the array takes the place of all others.
    edit = discord.http.Route("PATCH", f"/channels/{harbour.id}/messages/{posted.id}")
    file = picture("three.png")
    form = [{"name": "files[0]", "value": file.fp, "filename": file.filename}]
    await bot.http.request(edit, form=[{"name": "payload_json", "value": "{}"}, *form])
    [seen] = anna.sees(harbour)
    assert [a.filename for a in seen.attachments] == ["three.png"]


async def test_a_nonce_makes_one_message_only(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    nonces = ("table-7-1", "table-7-1", "table-7-2")
    first, second, other = [
        await bot.place(harbour.id).send(nonce, nonce=nonce) for nonce in nonces
    ]
    assert first.id == second.id != other.id
    assert [m.content for m in anna.sees(harbour)] == ["table-7-1", "table-7-2"]


async def test_a_mention_calls_only_when_it_may(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel
) -> None:
    both, place = f"{anna.mention} {bert.mention}", bot.place(harbour.id)
    await place.send(both, allowed_mentions=discord.AllowedMentions.none())
    assert anna.unread(harbour) == (1, 0)
    only_bert = discord.AllowedMentions(users=[discord.Object(bert.id)])
    await place.send(both, allowed_mentions=only_bert)
    assert (anna.unread(harbour), bert.unread(harbour)) == ((2, 0), (2, 1))
    anna.say(harbour, f"hello {bert.mention}")
    # Own words are read.
    assert (anna.unread(harbour), bert.unread(harbour)) == ((0, 0), (3, 2))
    bert.read(harbour)
    assert bert.unread(harbour) == (0, 0)


async def test_history_pages_and_single_messages_are_read(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    for number in range(5):
        anna.say(harbour, str(number))
    private = (await anna.slash(harbour, "paint", colour="red")).message
    assert private is not None
    place = bot.place(harbour.id)
    newest = [m async for m in place.history(limit=2)]
    assert [m.content for m in newest] == ["4", "3"]
    older = [m async for m in place.history(limit=None, before=newest[-1])]
    assert [m.content for m in older] == ["2", "1", "0"]
    later = [m async for m in place.history(after=older[0], oldest_first=True)]
    assert [m.id for m in later] == [m.id for m in reversed(newest)]
    foreign = await place.fetch_message(newest[0].id)
    assert foreign.author.name == "anna"
    with pytest.raises(discord.Forbidden) as refused:
        await foreign.edit(content="yours")
    assert refused.value.code == 50005
    with pytest.raises(discord.NotFound):
        await place.fetch_message(private.id)


async def test_deleted_messages_and_channels_are_unknown(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    place = bot.place(harbour.id)
    posted = await place.send("gone soon")
    await posted.delete()
    with pytest.raises(discord.NotFound) as message:
        await posted.edit(content="too late")
    assert message.value.code == 10008
    await anna.slash(harbour, "paint", colour="red")
    standin.model.delete_channel(harbour)
    with pytest.raises(discord.NotFound) as gone:
        await place.send("anybody?")
    assert gone.value.code == 10003
    with pytest.raises(discord.NotFound) as late:
        await bot.seen[-1].followup.send("too late", ephemeral=True)
    assert late.value.code == 10003


async def test_a_missing_permission_is_told(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    async def post() -> discord.Message:
        embed = discord.Embed(title="x")
        return await bot.place(harbour.id).send("x", embed=embed, file=picture())

    for denied, code in (
        (Permission.VIEW_CHANNEL, 50001),
        (Permission.SEND_MESSAGES, 50013),
        (Permission.EMBED_LINKS, 50013),
        (Permission.ATTACH_FILES, 50013),
    ):
        standin.deny(harbour, denied)
        with pytest.raises(discord.Forbidden) as refused:
            await post()
        assert refused.value.code == code, denied
        standin.allow(harbour, denied)
        posted = await post()
    standin.deny(harbour, Permission.CREATE_PUBLIC_THREADS)
    with pytest.raises(discord.Forbidden):
        await posted.create_thread(name="no")
    await anna.slash(harbour, "paint", colour="red")
    place = bot.place(harbour.id)
    for known in (bot.seen[-1].app_permissions, place.permissions_for(place.guild.me)):
        assert not known.create_public_threads
        assert known.send_messages


async def test_limits_are_held_with_the_field_named(bot: SampleBot, harbour: Channel) -> None:
    place = bot.place(harbour.id)
    with pytest.raises(discord.HTTPException, match=r"content: Must be 2000 or fewer") as refused:
        await place.send("x" * 2001)
    assert refused.value.code == 50035
    with pytest.raises(discord.HTTPException) as empty:
        await place.send("")
    assert empty.value.code == 50006
    big = discord.File(io.BytesIO(b"x" * (10 * 1024 * 1024 + 1)), "big.bin")
    with pytest.raises(discord.HTTPException) as large:
        await place.send(file=big)
    assert (large.value.status, large.value.code) == (413, 40005)
    await place.send(view=Panel())


# Threads and direct conversations


async def test_a_thread_grows_out_of_a_message_or_leaves_a_notice(
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
    other = await bot.place(harbour.id).create_thread(name="Kogge 8", type=PUBLIC)
    await bot.until(lambda: bot.place(harbour.id).get_thread(other.id) is not None)
    assert anna.sees(harbour)[-1].content == "Kogge 8"


async def test_a_message_revives_an_archived_thread_but_an_edit_does_not(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    thread = await bot.place(harbour.id).create_thread(name="Kogge 9", type=PUBLIC)
    posted = await thread.send("board")
    assert (await thread.edit(archived=True)).archived
    with pytest.raises(discord.HTTPException) as refused:
        await posted.edit(content="new board")
    assert refused.value.code == 50083
    await thread.send("revived")
    state = standin.channel("Kogge 9").thread
    assert state is not None
    assert not state.archived
    # One that is locked as well stays shut until it is opened.
    await thread.edit(archived=True, locked=True)
    with pytest.raises(discord.HTTPException) as shut:
        await thread.send("hello?")
    assert shut.value.code == 50083
    with pytest.raises(CannotDoError, match="locked"):
        anna.say("Kogge 9", "hello?")
    await thread.edit(archived=False)
    await thread.send("open again")


async def test_a_direct_conversation_is_opened_once_and_may_be_refused(
    bot: SampleBot, anna: Person, bert: Person, standin: Standin
) -> None:
    user = await bot.fetch_user(anna.id)
    first, second = await user.create_dm(), await bot.create_dm(discord.Object(anna.id))
    assert first.id == second.id == anna.dm.id != bert.dm.id
    with pytest.raises(CannotDoError, match="cannot look into"):
        bert.sees(anna.dm)
    await user.send("your hand")
    assert [m.content for m in anna.inbox] == ["your hand"]
    assert anna.unread(anna.dm) == (1, 1)
    standin.faults.block_dms(anna.id)
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("your hand")
    assert refused.value.code == 50007
    standin.faults.block_dms(anna.id, blocked=False)
    await user.send("once more")
    assert len(anna.inbox) == 2


# The application's own emoji


async def test_an_emoji_is_uploaded_listed_renamed_and_deleted(bot: SampleBot) -> None:
    made = await bot.create_application_emoji(name="salt", image=sign())
    assert str(made) == f"<:salt:{made.id}>"
    moving = await bot.create_application_emoji(name="ore", image=sign(kind="GIF"))
    assert str(moving) == f"<a:ore:{moving.id}>"
    assert await bot.fetch_application_emojis() == [made, moving]
    with pytest.raises(discord.HTTPException, match="already taken"):
        await bot.create_application_emoji(name="salt", image=sign("blue"))
    await made.edit(name="salt_2")
    assert (await bot.fetch_application_emoji(made.id)).name == "salt_2"
    await made.delete()
    assert await bot.fetch_application_emojis() == [moving]
    with pytest.raises(discord.NotFound, match="Unknown Emoji"):
        await bot.fetch_application_emoji(made.id)


async def test_emoji_are_held_to_their_limits(bot: SampleBot, standin: Standin) -> None:
    for name in ("s", "s" * 33, "sea salt", "sält", "salt-1"):
        with pytest.raises(discord.HTTPException, match="In name"):
            await bot.create_application_emoji(name=name, image=sign())
    fits = sign()
    await bot.create_application_emoji(name="large", image=fits.ljust(MAX_BYTES, b"\0"))
    with pytest.raises(discord.HTTPException, match=r"larger than 256\.0 kb"):
        await bot.create_application_emoji(name="larger", image=fits.ljust(MAX_BYTES + 1, b"\0"))
    with pytest.raises(discord.HTTPException, match="Invalid image data"):
        await bot.create_application_emoji(name="torn", image=fits[:20])
    for number in range(1, MAX_EMOJIS):
        emoji = AppEmoji(id=number, name=f"sign_{number}", content_type="image/png", data=b"")
        standin.model.emojis[number] = emoji
    with pytest.raises(discord.HTTPException, match=r"Maximum number of emojis reached \(2000\)"):
        await bot.create_application_emoji(name="salt", image=sign())


async def test_a_button_and_an_option_take_known_emoji_alone(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    made = await bot.create_application_emoji(name="salt", image=sign())
    options = [discord.SelectOption(label="Sell", emoji=made)]
    select: discord.ui.Select[discord.ui.View] = discord.ui.Select(options=options)
    button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="Sell", emoji=made)
    views = [discord.ui.View().add_item(item) for item in (button, select)]
    for view in views:
        await bot.place(harbour.id).send("known", view=view)
    await made.delete()
    for view in views:
        with pytest.raises(discord.HTTPException, match="Invalid emoji"):
            await bot.place(harbour.id).send("unknown", view=view)
    [pressed, chosen] = [message.parts[0] for message in anna.sees(harbour)]
    # As text: a page would round the number.
    assert pressed["emoji"]["id"] == chosen["options"][0]["emoji"]["id"] == str(made.id)


async def test_its_picture_is_served_and_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin, running(SampleBot(), standin) as bot:
        kept = await bot.create_application_emoji(name="salt", image=sign())
        gone = await bot.create_application_emoji(name="gone", image=sign())
        await gone.delete()
    async with Standin(store_path=path) as standin, aiohttp.ClientSession() as session:
        assert [*standin.model.emojis] == [kept.id]
        async with session.get(f"{standin.url}/emojis/{kept.id}.png") as reply:
            assert (reply.content_type, await reply.read()) == ("image/png", sign())
        async with session.get(f"{standin.url}/emojis/{gone.id}.png") as reply:
            assert reply.status == 404
