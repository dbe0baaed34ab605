"""Messages of layout components, as a game would send them."""

from __future__ import annotations

from typing import Any

import discord


class Go(discord.ui.Button[Any]):
    """A button that edits its message."""

    def __init__(self, n: int = 0) -> None:
        super().__init__(label=f"Go {n}", custom_id=f"go:{n}")
        self.n = n

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        view = board(f"pressed {self.n}", button=Go(self.n + 1))
        await interaction.response.edit_message(view=view)
        interaction.client.mark_ready(f"go:{self.n + 1}")


def board(
    text: str, *, button: discord.ui.Button[Any] | None = None, filename: str | None = None
) -> discord.ui.LayoutView:
    """Return a container with a picture, a text with a button, a separator and a small text."""
    parts: list[discord.ui.Item[Any]] = []
    if filename is not None:
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
        parts.append(gallery.add_item(media=f"attachment://{filename}", description="A board"))
    if button is None:
        parts.append(discord.ui.TextDisplay(text))
    else:
        parts.append(discord.ui.Section(text, accessory=button))
    parts += [discord.ui.Separator(), discord.ui.TextDisplay("-# small")]
    view = discord.ui.LayoutView(timeout=None)
    return view.add_item(discord.ui.Container(*parts, accent_colour=0x336699))


def full_panel(filename: str, mention: str) -> discord.ui.LayoutView:
    """Return a turn's panel with all kinds of components."""
    small: discord.ui.Thumbnail[Any] = discord.ui.Thumbnail(f"attachment://{filename}")
    gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
    events = (
        "🚢 **Bert** sailed to Lübeck, where he sells 2 salt and buys the office of the aldermen\n"
        "🎲 **Clara** draws 3\n🪙 **Dora** has 14 coins, and offers 3 of them for a cask of wine\n"
        "-# The six newest of eleven; **Everything** shows all of them."
    )
    choices = ("Ship from depot 1 → d5, +3", "Take 2 tiles", "Buy from the black depot", "c3", "c6")
    lines = [discord.SelectOption(label=f"Sail to {name}") for name in ("Visby", "Riga", "Bergen")]
    select: discord.ui.Select[Any] = discord.ui.Select(
        custom_id="more", placeholder="Everything else", options=lines
    )
    container: discord.ui.Container[Any] = discord.ui.Container(
        gallery.add_item(media=f"attachment://{filename}", description="The estate of Anna"),
        discord.ui.TextDisplay("## Round 3 · die 4 and die 6\n" + events),
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
