"""Messages of layout components, with the real discord.py."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.local import Channel, Person, Standin
from tests.local.bots import SampleBot, picture
from tests.local.panels import board


class Forgetful(discord.ui.Button[Any]):
    """A button that edits its message without listing its file."""

    def __init__(self) -> None:
        super().__init__(label="Forget", custom_id="forget")

    async def callback(self, interaction: discord.Interaction) -> None:
        with pytest.raises(discord.HTTPException, match=r"The referenced attachment 'board.png'"):
            await interaction.response.edit_message(view=board("Round 2", filename="board.png"))
        await interaction.response.edit_message(view=board("Round 2"))


async def test_a_gallery_shows_its_file_and_an_edit_keeps_it_by_id_and_filename(
    bot: SampleBot, anna: Person, harbour: Channel, standin: Standin
) -> None:
    view = board("Round 1", filename="one.png")
    posted = await bot.place(harbour.id).send(view=view, file=picture("one.png", size=(60, 40)))
    assert posted.flags.components_v2
    assert (posted.content, posted.attachments) == ("", [])
    [container] = posted.components
    assert isinstance(container, discord.Container)
    gallery = container.children[0]
    assert isinstance(gallery, discord.MediaGalleryComponent)
    media = gallery.items[0].media
    assert media.url.startswith(standin.url)
    assert media.proxy_url == media.url
    assert (media.width, media.height, media.content_type) == (60, 40, "image/png")
    [seen] = anna.sees(harbour)
    assert media.attachment_id == seen.attachments[0].id
    assert seen.text == "Round 1\n-# small"
    # An edit replaces the file together with the layout.
    await posted.edit(view=board("Round 2", filename="two.png"), attachments=[picture("two.png")])
    assert [a.filename for a in seen.attachments] == ["two.png"]
    with pytest.raises(discord.HTTPException, match=r"The referenced attachment 'one.png'"):
        await posted.edit(view=board("Round 3", filename="one.png"))
    assert seen.text.startswith("Round 2")

    async def edit(**listed: object) -> None:
        route = discord.http.Route("PATCH", f"/channels/{harbour.id}/messages/{posted.id}")
        view: Any = board("Round 3", filename="two.png")
        body = {"components": view.to_components(), "attachments": [listed]}
        await bot.http.request(route, json=body)

    file_id = seen.attachments[0].id
    with pytest.raises(discord.HTTPException, match=r"referenced attachment 'two.png'"):
        await edit(id=file_id)
    await edit(id=file_id, filename="two.png")
    assert seen.text.startswith("Round 3")


async def test_a_classic_message_becomes_a_layout_and_never_goes_back(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    posted = await bot.place(harbour.id).send("Round 1")
    with pytest.raises(discord.HTTPException, match="'content' field cannot be used"):
        await posted.edit(view=board("Round 2"))
    changed = await posted.edit(content=None, view=board("Round 2"))
    assert changed.flags.components_v2
    [seen] = anna.sees(harbour)
    assert (seen.content, seen.text) == ("", "Round 2\n-# small")
    with pytest.raises(discord.HTTPException, match="'content' field cannot be used"):
        await changed.edit(content="Round 3")
    path = f"/channels/{harbour.id}/messages/{seen.id}"
    edit = discord.http.Route("PATCH", path)
    with pytest.raises(discord.HTTPException, match="cannot be removed"):
        await bot.http.request(edit, json={"components": [], "flags": 0})
    assert seen.text == "Round 2\n-# small"


async def test_an_update_by_a_button_drops_the_files_that_it_does_not_list(
    bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    view = board("Round 1", filename="board.png", button=Forgetful())
    await bot.place(harbour.id).send(view=view, file=picture())
    [seen] = anna.sees(harbour)
    await anna.press(seen, label="Forget")
    assert (seen.text, seen.attachments) == ("Round 2\n-# small", [])
