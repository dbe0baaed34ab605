"""Posting, editing, deleting and reading messages through discord.py."""

from __future__ import annotations

import io

import discord
import pytest

from bot.local import Channel, Permission, Person, Standin
from tests.local.bots import Panel, SampleBot, picture


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
    bot: SampleBot, harbour: Channel
) -> None:
    posted = await bot.place(harbour.id).send("v1", file=picture("one.png"))
    both = await posted.edit(attachments=[*posted.attachments, picture("two.png")])
    assert [a.filename for a in both.attachments] == ["one.png", "two.png"]
    second = await both.edit(content="v2", attachments=[both.attachments[1]])
    assert [a.filename for a in second.attachments] == ["two.png"]
    assert second.edited_at is not None
    untouched = await second.edit(content="v3")
    assert [a.filename for a in untouched.attachments] == ["two.png"]


async def test_a_new_file_without_the_array_takes_the_place_of_all_others(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    posted = await bot.place(harbour.id).send("v1", file=picture("one.png"))
    edit = discord.http.Route("PATCH", f"/channels/{harbour.id}/messages/{posted.id}")
    file = picture("two.png")
    form = [{"name": "files[0]", "value": file.fp, "filename": file.filename}]
    await bot.http.request(edit, form=[{"name": "payload_json", "value": "{}"}, *form])
    [seen] = anna.sees(harbour)
    assert [a.filename for a in seen.attachments] == ["two.png"]


async def test_a_file_shown_by_an_embed_is_not_listed_again(
    bot: SampleBot, harbour: Channel, standin: Standin
) -> None:
    embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
    posted = await bot.place(harbour.id).send(embed=embed, file=picture())
    assert posted.attachments == []
    assert posted.embeds[0].image.url is not None
    assert posted.embeds[0].image.url.startswith(standin.url)
    # The embed comes back with the address it was given, and still shows the file.
    again = await posted.edit(embed=posted.embeds[0].set_footer(text="round 2"))
    assert again.embeds[0].image.url == posted.embeds[0].image.url


async def test_a_nonce_makes_one_message_only(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    first = await bot.place(harbour.id).send("turn 1", nonce="table-7-1")
    second = await bot.place(harbour.id).send("turn 1", nonce="table-7-1")
    other = await bot.place(harbour.id).send("turn 2", nonce="table-7-2")
    assert first.id == second.id != other.id
    assert [m.content for m in anna.sees(harbour)] == ["turn 1", "turn 2"]


async def test_a_mention_calls_only_when_it_may(
    bot: SampleBot, anna: Person, bert: Person, harbour: Channel
) -> None:
    channel = bot.place(harbour.id)
    await channel.send(
        f"{anna.mention} {bert.mention}", allowed_mentions=discord.AllowedMentions.none()
    )
    assert anna.unread(harbour) == (1, 0)
    only_bert = discord.AllowedMentions(users=[discord.Object(bert.id)])
    await channel.send(f"{anna.mention} {bert.mention}", allowed_mentions=only_bert)
    assert (anna.unread(harbour), bert.unread(harbour)) == ((2, 0), (2, 1))
    bert.read(harbour)
    assert bert.unread(harbour) == (0, 0)


async def test_a_blocked_person_cannot_be_written_to(
    bot: SampleBot, anna: Person, standin: Standin
) -> None:
    user = await bot.fetch_user(anna.id)
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


async def test_history_pages_and_single_messages_are_read(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    for number in range(5):
        anna.say(harbour, str(number))
    channel = bot.place(harbour.id)
    newest = [m async for m in channel.history(limit=2)]
    assert len(newest) == 2
    older = [m async for m in channel.history(limit=None, before=newest[-1])]
    assert [m.id for m in reversed(older)] == [m.id for m in anna.sees(harbour)[:3]]
    later = [m async for m in channel.history(after=older[0], oldest_first=True)]
    assert [m.id for m in later] == [m.id for m in reversed(newest)]
    assert (await channel.fetch_message(newest[0].id)).author.name == "anna"


async def test_deleted_messages_and_channels_are_unknown(
    bot: SampleBot, harbour: Channel, standin: Standin
) -> None:
    channel = bot.place(harbour.id)
    posted = await channel.send("gone soon")
    await posted.delete()
    with pytest.raises(discord.NotFound) as message:
        await posted.edit(content="too late")
    assert message.value.code == 10008
    standin.model.delete_channel(harbour)
    with pytest.raises(discord.NotFound) as place:
        await channel.send("anybody?")
    assert place.value.code == 10003


async def test_an_answer_to_a_deleted_channel_finds_no_channel(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    await anna.slash(harbour, "paint", colour="red")
    standin.model.delete_channel(harbour)
    with pytest.raises(discord.NotFound) as place:
        await bot.seen[-1].followup.send("too late", ephemeral=True)
    assert place.value.code == 10003


async def test_private_answers_are_out_of_reach_of_the_channel_routes(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    answer = await anna.slash(harbour, "paint", colour="red")
    assert answer.message is not None
    with pytest.raises(discord.NotFound):
        await bot.place(harbour.id).fetch_message(answer.message.id)
    assert [m async for m in bot.place(harbour.id).history()] == []


async def test_only_own_messages_can_be_edited(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    said = anna.say(harbour, "mine")
    foreign = await bot.place(harbour.id).fetch_message(said.id)
    with pytest.raises(discord.Forbidden) as refused:
        await foreign.edit(content="yours")
    assert refused.value.code == 50005


@pytest.mark.parametrize(
    ("denied", "code"),
    [
        (Permission.VIEW_CHANNEL, 50001),
        (Permission.SEND_MESSAGES, 50013),
        (Permission.EMBED_LINKS, 50013),
        (Permission.ATTACH_FILES, 50013),
    ],
)
async def test_a_missing_permission_is_told(
    bot: SampleBot, harbour: Channel, standin: Standin, denied: Permission, code: int
) -> None:
    standin.deny(harbour, denied)
    with pytest.raises(discord.Forbidden) as refused:
        await bot.place(harbour.id).send("x", embed=discord.Embed(title="x"), file=picture())
    assert refused.value.code == code
    standin.allow(harbour, denied)
    await bot.place(harbour.id).send("x", embed=discord.Embed(title="x"), file=picture())


async def test_the_bot_knows_what_it_may_not_do(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    standin.deny(harbour, Permission.CREATE_PUBLIC_THREADS)
    await anna.slash(harbour, "paint", colour="red")
    assert not bot.seen[-1].app_permissions.create_public_threads
    assert bot.seen[-1].app_permissions.send_messages
    channel = bot.place(harbour.id)
    assert not channel.permissions_for(channel.guild.me).create_public_threads


async def test_pins_are_kept_and_noted(bot: SampleBot, anna: Person, harbour: Channel) -> None:
    posted = await bot.place(harbour.id).send("rules")
    await posted.pin()
    assert [m.content async for m in bot.place(harbour.id).pins()] == ["rules"]
    await posted.unpin()
    assert [m async for m in bot.place(harbour.id).pins()] == []
    assert len(anna.sees(harbour)) == 2


async def test_limits_are_held_with_the_field_named(bot: SampleBot, harbour: Channel) -> None:
    channel = bot.place(harbour.id)
    with pytest.raises(discord.HTTPException, match=r"content: Must be 2000 or fewer") as refused:
        await channel.send("x" * 2001)
    assert refused.value.code == 50035
    with pytest.raises(discord.HTTPException) as empty:
        await channel.send("")
    assert empty.value.code == 50006
    big = discord.File(io.BytesIO(b"x" * (10 * 1024 * 1024 + 1)), "big.bin")
    with pytest.raises(discord.HTTPException) as large:
        await channel.send(file=big)
    assert (large.value.status, large.value.code) == (413, 40005)
    await channel.send(view=Panel())
