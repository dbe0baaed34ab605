"""Messages of layout components, as a game would send them."""

from __future__ import annotations

from typing import Any

import discord


class Go(discord.ui.Button[Any]):
    """A button that changes its own message into another layout."""

    def __init__(self, n: int = 0) -> None:
        super().__init__(label=f"Go {n}", custom_id=f"go:{n}")
        self.n = n

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        view = board(f"pressed {self.n}", beside=Go(self.n + 1))
        await interaction.response.edit_message(view=view)
        interaction.client.knows(f"go:{self.n + 1}")


def board(
    text: str, *, beside: discord.ui.Button[Any] | None = None, shown: str | None = None
) -> discord.ui.LayoutView:
    """A container: a picture, a text with a button beside it, a line, a small text."""
    parts: list[discord.ui.Item[Any]] = []
    if shown is not None:
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
        parts.append(gallery.add_item(media=f"attachment://{shown}", description="A board"))
    if beside is None:
        parts.append(discord.ui.TextDisplay(text))
    else:
        parts.append(discord.ui.Section(text, accessory=beside))
    parts += [discord.ui.Separator(), discord.ui.TextDisplay("-# small")]
    view = discord.ui.LayoutView(timeout=None)
    return view.add_item(discord.ui.Container(*parts, accent_colour=0x336699))


def whole_panel(shown: str, mention: str) -> discord.ui.LayoutView:
    """A turn's panel with all that a layout can hold; its picture is the file `shown`."""
    small: discord.ui.Thumbnail[Any] = discord.ui.Thumbnail(f"attachment://{shown}")
    gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
    happened = (
        "🚢 **Bert** sailed to Lübeck, where he sells 2 salt and buys the office of the aldermen\n"
        "🎲 **Clara** draws 3\n🪙 **Dora** has 14 coins, and goes on to ask what is to be asked\n"
        "-# The six newest of eleven; **Everything** shows all of them."
    )
    choices = ("Ship from depot 1 → d5, +3", "Take 2 tiles", "Buy from the black depot", "c3", "c6")
    lines = [discord.SelectOption(label=f"Sail to {name}") for name in ("Visby", "Riga", "Bergen")]
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id="more", placeholder="Everything else", options=lines
    )
    container: discord.ui.Container[Any] = discord.ui.Container(
        gallery.add_item(media=f"attachment://{shown}", description="The estate of Anna"),
        discord.ui.TextDisplay("## Round 3 · die 4 and die 6\n" + happened),
        discord.ui.Separator(),
        discord.ui.Section(
            f"{mention}, it's your turn: **what do you do with die 4?**", accessory=Go()
        ),
        discord.ui.ActionRow(
            *(
                discord.ui.Button(label=each, custom_id=each, style=discord.ButtonStyle.primary)
                for each in choices
            )
        ),
        discord.ui.ActionRow(select),
        discord.ui.Separator(spacing=discord.SeparatorSpacing.large),
        discord.ui.Section("-# Fairness check (hash): `a6f0…19`", accessory=small),
        discord.ui.ActionRow(
            *(
                discord.ui.Button(label=each, custom_id=each, emoji=sign)
                for each, sign in (("Undo", "↩️"), ("Plan", "🧭"), ("My hand", "🃏"))
            )
        ),
        accent_colour=0xE5B567,
    )
    return discord.ui.LayoutView(timeout=None).add_item(container)
