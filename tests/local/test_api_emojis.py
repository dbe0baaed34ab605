"""The application's own emoji, through discord.py."""

from __future__ import annotations

import io
from pathlib import Path

import aiohttp
import discord
import pytest
from PIL import Image

from bot.local import Channel, Person, Standin
from bot.local.api_emojis import MAX_BYTES, MAX_EMOJIS
from bot.local.model import AppEmoji
from tests.local.bots import SampleBot, running


def sign(colour: str = "red", side: int = 8, kind: str = "PNG") -> bytes:
    """A small picture."""
    file = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(file, kind)
    return file.getvalue()


async def test_an_emoji_is_uploaded_listed_renamed_and_deleted(bot: SampleBot) -> None:
    made = await bot.create_application_emoji(name="salt", image=sign())
    assert str(made) == f"<:salt:{made.id}>"
    moving = await bot.create_application_emoji(name="ore", image=sign(kind="GIF"))
    assert str(moving) == f"<a:ore:{moving.id}>"
    assert await bot.fetch_application_emojis() == [made, moving]
    await made.edit(name="salt_2")
    assert (await bot.fetch_application_emoji(made.id)).name == "salt_2"
    await made.delete()
    assert await bot.fetch_application_emojis() == [moving]
    with pytest.raises(discord.NotFound, match="Unknown Emoji"):
        await bot.fetch_application_emoji(made.id)


@pytest.mark.parametrize("name", ["s", "s" * 33, "sea salt", "sält", "salt-1"])
async def test_a_name_is_held_to_its_form(bot: SampleBot, name: str) -> None:
    with pytest.raises(discord.HTTPException, match="In name"):
        await bot.create_application_emoji(name=name, image=sign())


async def test_a_name_is_given_once(bot: SampleBot) -> None:
    made = await bot.create_application_emoji(name="salt", image=sign())
    with pytest.raises(discord.HTTPException, match="already taken"):
        await bot.create_application_emoji(name="salt", image=sign("blue"))
    await made.edit(name="salt")


async def test_a_picture_is_held_to_its_size_and_form(bot: SampleBot) -> None:
    fits = sign()
    await bot.create_application_emoji(name="large", image=fits.ljust(MAX_BYTES, b"\0"))
    with pytest.raises(discord.HTTPException, match=r"larger than 256\.0 kb"):
        await bot.create_application_emoji(name="larger", image=fits.ljust(MAX_BYTES + 1, b"\0"))
    with pytest.raises(discord.HTTPException, match="Invalid image data"):
        await bot.create_application_emoji(name="torn", image=fits[:20])


async def test_there_are_at_most_two_thousand(bot: SampleBot, standin: Standin) -> None:
    for number in range(MAX_EMOJIS):
        emoji = AppEmoji(id=number, name=f"sign_{number}", content_type="image/png", data=b"")
        standin.model.emojis[number] = emoji
    with pytest.raises(discord.HTTPException, match=r"Maximum number of emojis reached \(2000\)"):
        await bot.create_application_emoji(name="salt", image=sign())


async def test_a_button_and_an_option_take_known_emoji_alone(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    made = await bot.create_application_emoji(name="salt", image=sign())
    view = discord.ui.View().add_item(discord.ui.Button(label="Sell", emoji=made))
    await bot.place(harbour.id).send("known", view=view)
    options = [discord.SelectOption(label="Sell", emoji=made)]
    select: discord.ui.Select[discord.ui.View] = discord.ui.Select(options=options)
    await bot.place(harbour.id).send("known", view=discord.ui.View().add_item(select))
    await made.delete()
    for unknown in (view, discord.ui.View().add_item(select)):
        with pytest.raises(discord.HTTPException, match="Invalid emoji"):
            await bot.place(harbour.id).send("unknown", view=unknown)
    [button, select_] = [message.parts[0] for message in anna.sees(harbour)]
    # As text: a page would round the number.
    assert button["emoji"]["id"] == select_["options"][0]["emoji"]["id"] == str(made.id)


async def test_its_picture_is_served_and_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "chat.sqlite"
    async with Standin(store_path=path) as standin, running(SampleBot(), standin) as bot:
        kept = await bot.create_application_emoji(name="salt", image=sign())
        gone = await bot.create_application_emoji(name="gone", image=sign())
        await gone.delete()
    async with Standin(store_path=path) as standin:
        async with running(SampleBot(), standin) as bot:
            assert [emoji.id for emoji in await bot.fetch_application_emojis()] == [kept.id]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{standin.url}/emojis/{kept.id}.png") as reply:
                assert (reply.content_type, await reply.read()) == ("image/png", sign())
            async with session.get(f"{standin.url}/emojis/{gone.id}.png") as reply:
                assert reply.status == 404
