"""A panel's private message while it is being put together."""

from __future__ import annotations

from dataclasses import dataclass, field

import discord

from bot.cogs.ui.components import PER_ROW, Pressable, panel
from bot.render.asked import AskedWords

MAX_ROWS = 5


@dataclass
class Panel:
    """What a private message shows: its text, the choices, and everything else below them."""

    content: str
    choices: list[Pressable] = field(default_factory=list)
    foot: list[Pressable] = field(default_factory=list)
    asked: AskedWords | None = None
    """What its choices mean, for the picture; None where they are not words of an action."""

    @property
    def rows(self) -> int:
        """How many rows the choices fill."""
        return max((each.item.row or 0 for each in self.choices), default=-1) + 1

    def view(self) -> discord.ui.View:
        """The message's components, the foot in rows of its own."""
        below = self.rows
        foot = self.foot[: (MAX_ROWS - below) * PER_ROW]
        for place, each in enumerate(foot):
            each.item.row = below + place // PER_ROW
        return panel([*self.choices, *foot])

    def offers(self) -> frozenset[str]:
        """The offers that it has buttons for."""
        asked = (item.custom_id.decision or "" for item in (*self.choices, *self.foot))
        return frozenset(each for each in asked if each.startswith("o"))

    def link(self, item: Pressable | None) -> None:
        """Add a button below, unless it is there already."""
        if item is not None and all(item.custom_id != each.custom_id for each in self.foot):
            self.foot.append(item)
