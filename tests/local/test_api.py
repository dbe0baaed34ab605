"""Messages, threads, DMs and emoji, as the bot uses them through discord.py."""

from __future__ import annotations

import io
from pathlib import Path

import aiohttp
import discord
import pytest
from PIL import Image

from bot.local import CannotDoError, Channel, Permission, Person, Standin
from bot.local.api_routes import MAX_EMOJI_BYTES
from bot.local.errors import MAX_EMOJIS
from bot.local.model import AppEmoji
from tests.local.bots import SampleBot, picture, refused, running
from tests.local.panels import board


def sign(colour: str = "red") -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(file, "PNG")
    return file.getvalue()


async def test_an_edit_keeps_only_the_files_in_its_attachments_array(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    posted = await bot.place(harbour.id).send("v1", file=picture("one.png"))
    both = await posted.edit(attachments=[*posted.attachments, picture("two.png")])
    assert [a.filename for a in both.attachments] == ["one.png", "two.png"]
    second = await both.edit(content="v2", attachments=[both.attachments[1]])
    assert [a.filename for a in second.attachments] == ["two.png"]
    untouched = await second.edit(content="v3")
    assert [a.filename for a in untouched.attachments] == ["two.png"]
    [seen] = anna.sees(harbour)
    assert [a.filename for a in seen.attachments] == ["two.png"]


async def test_a_mention_pings_only_allowed_users(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel
) -> None:
    both, place = f"{anna.mention} {bert.mention}", bot.place(harbour.id)
    await place.send(both, allowed_mentions=discord.AllowedMentions.none())
    assert anna.unread(harbour) == (1, 0)
    only_bert = discord.AllowedMentions(users=[discord.Object(bert.id)])
    await place.send(view=board(both), allowed_mentions=only_bert)
    assert (anna.unread(harbour), bert.unread(harbour)) == ((2, 0), (2, 1))
    anna.say(harbour, f"hello {bert.mention}")
    # Posting marks the channel as read.
    assert (anna.unread(harbour), bert.unread(harbour)) == ((0, 0), (3, 2))
    bert.read(harbour)
    assert bert.unread(harbour) == (0, 0)


async def test_refusals_have_discords_error_codes(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel, standin: Standin
) -> None:
    place = bot.place(harbour.id)

    posted = await place.send("a table")
    for denied, code in (
        (Permission.VIEW_CHANNEL, 50001),
        (Permission.SEND_MESSAGES, 50013),
        (Permission.ATTACH_FILES, 50013),
    ):
        standin.deny(harbour, denied)
        await refused(code, place.send("x", file=picture()))
        standin.allow(harbour, denied)
    standin.deny(harbour, Permission.CREATE_PUBLIC_THREADS)
    await refused(50013, posted.create_thread(name="no"))
    await anna.slash(harbour, "paint", colour="red")
    for permissions in (bot.seen[-1].app_permissions, place.permissions_for(place.guild.me)):
        assert not permissions.create_public_threads
        assert permissions.send_messages
    standin.allow(harbour, Permission.CREATE_PUBLIC_THREADS)

    thread = await posted.create_thread(name="Kogge 7")
    await refused(160004, posted.create_thread(name="twice"))
    board = await thread.send("board")
    await thread.edit(archived=True)
    await refused(50083, board.edit(content="new board"))
    # A message unarchives the thread, unless it is locked.
    await thread.send("revived")
    await board.edit(content="new board")
    await thread.edit(archived=True, locked=True)
    await refused(50083, thread.send("hello?"))
    with pytest.raises(CannotDoError, match="locked"):
        anna.say("Kogge 7", "hello?")
    await thread.edit(archived=False)
    await thread.send("open again")

    direct = await bot.create_dm(discord.Object(anna.id))
    assert direct.id == anna.dm.id != bert.dm.id
    standin.model.change_user(anna.user, blocks_dms=True)
    await refused(50007, direct.send("your hand"))
    standin.model.change_user(anna.user, blocks_dms=False)
    await direct.send("again")
    assert [m.content for m in anna.sees(anna.dm)] == ["again"]
    with pytest.raises(CannotDoError, match="cannot look into"):
        bert.sees(anna.dm)

    await refused(50006, place.send(""))
    with pytest.raises(discord.HTTPException, match=r"content: Must be 2000 or fewer"):
        await place.send("x" * 2001)
    foreign = await place.fetch_message(anna.say(harbour, "mine").id)
    await refused(50005, foreign.edit(content="yours"))
    await refused(10004, bot.fetch_guild(1))
    await refused(10007, place.guild.fetch_member(1))
    await refused(10013, bot.create_dm(discord.Object(1)))
    unknown = discord.Webhook.partial(standin.model.bot.id, "unknown", client=bot)
    await refused(10015, unknown.send("an answer"))
    await posted.delete()
    await refused(10008, posted.edit(content="too late"))
    standin.model.delete_channel(harbour)
    await refused(10003, place.send("hello?"))
    await refused(10003, bot.seen[-1].followup.send("too late", ephemeral=True))


async def test_an_emoji_is_uploaded_and_listed(bot: SampleBot) -> None:
    made = await bot.create_application_emoji(name="salt", image=sign())
    assert str(made) == f"<:salt:{made.id}>"
    assert await bot.fetch_application_emojis() == [made]
    with pytest.raises(discord.HTTPException, match="already taken"):
        await bot.create_application_emoji(name="salt", image=sign("blue"))


async def test_emoji_have_limits(bot: SampleBot, standin: Standin) -> None:
    for name in ("s", "s" * 33, "sea salt", "salt-1"):
        with pytest.raises(discord.HTTPException, match="In name"):
            await bot.create_application_emoji(name=name, image=sign())
    small = sign()
    await bot.create_application_emoji(name="large", image=small.ljust(MAX_EMOJI_BYTES, b"\0"))
    with pytest.raises(discord.HTTPException, match=r"larger than 256\.0 kb"):
        await bot.create_application_emoji(
            name="larger", image=small.ljust(MAX_EMOJI_BYTES + 1, b"\0")
        )
    for number in range(1, MAX_EMOJIS):
        emoji = AppEmoji(id=number, name=f"sign_{number}", content_type="image/png", data=b"")
        standin.model.emojis[number] = emoji
    with pytest.raises(discord.HTTPException, match=r"Maximum number of emojis reached \(2000\)"):
        await bot.create_application_emoji(name="salt", image=sign())


async def test_a_button_or_option_needs_an_existing_emoji(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    emoji = await bot.create_application_emoji(name="salt", image=sign())
    options = [discord.SelectOption(label="Sell", emoji=emoji)]
    select: discord.ui.Select[discord.ui.View] = discord.ui.Select(options=options)
    button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="Sell", emoji=emoji)
    views = [discord.ui.View().add_item(item) for item in (button, select)]
    for view in views:
        await bot.place(harbour.id).send("known", view=view)
    standin.model.emojis.clear()
    for view in views:
        with pytest.raises(discord.HTTPException, match="Invalid emoji"):
            await bot.place(harbour.id).send("unknown", view=view)
    [shown_button, shown_select] = [message.parts[0] for message in anna.sees(harbour)]
    ids = [part["emoji"]["id"] for part in (shown_button, shown_select["options"][0])]
    # As text, since JavaScript would round the number.
    assert ids == [str(emoji.id)] * 2


async def test_the_picture_of_an_emoji_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin, running(SampleBot(), standin) as bot:
        emoji = await bot.create_application_emoji(name="salt", image=sign())
    async with Standin(store_path=path) as standin, aiohttp.ClientSession() as session:
        assert [*standin.model.emojis] == [emoji.id]
        async with session.get(f"{standin.url}/emojis/{emoji.id}.png") as reply:
            assert (reply.content_type, await reply.read()) == ("image/png", sign())
        async with session.get(f"{standin.url}/emojis/1.png") as reply:
            assert reply.status == 404
