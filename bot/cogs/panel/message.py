"""A panel's private message while it is being put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import discord

from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Divider, Keep, Layout, Part, Pressable, Row, Text, lines_with, rows
from bot.cogs.ui.open_panels import PanelStep
from bot.game.contract import Seat
from bot.render.asked import AskedWords
from bot.text.brief import NOTHING, InBrief

_INVITING = (discord.ButtonStyle.primary, discord.ButtonStyle.success)


@dataclass
class Panel:
    """What a private message shows: what happened, open offers, the question, the choices directly
    below it, and at the foot everything else."""

    question: list[str]
    happened: InBrief = NOTHING
    untold: Pressable | None = None
    """Tells what was left out of that."""
    above: list[str] = field(default_factory=list)
    """What is said between that and the question: what was wrong, promises, plans."""
    choices: list[Row] = field(default_factory=list)
    offered: list[Part] = field(default_factory=list)
    """Open offers, each with its answers, before whatever else is asked."""
    explained: list[str] = field(default_factory=list)
    """What newcomers are told of it: beside the press that asked for it, where it is seen to come,
    and the choices stay directly below the question."""
    foot: list[Pressable] = field(default_factory=list)
    asked: AskedWords | None = None
    """What its choices mean, for the picture; None where they are not words of an action."""
    step: PanelStep | None = None
    """What is being chosen, once something has been."""
    suggested: CustomId | None = None
    """The choice that is nearly always right."""
    is_answered: bool = False
    """Whether a choice was made, and could only be made anew."""
    waits_for: tuple[tuple[Seat, str], ...] | None = None
    """Whom it says that everybody waits for, if it asks nothing itself."""
    accent: int | None = None
    """The colour of its frame."""

    def layout(self, table: Sequence[Part] = ()) -> Layout:
        """The message, with the `table` as a picture or in words directly above the question."""
        self._colour()
        below = rows(self.foot, spare=True)
        return Layout(
            [
                *lines_with(self.happened.lines, self.untold),
                *table,
                Text("\n".join(self.above), Keep.NEWEST),
                *self.offered,
                *([Divider()] if self.offered and self.question else []),
                Text("\n".join(self.question), Keep.BEGINNING),
                *self.choices,
                *([Divider()] if self.choices and below else []),
                Text("\n".join(self.explained), Keep.BEGINNING),
                *below,
            ],
            self.accent,
        )

    def _colour(self) -> None:
        """At most one choice is in a colour that says yes: what is suggested, or the only one that
        has such a colour of its own."""
        presses = [press for row in self.choices for press in row.presses]
        buttons = [
            (press.item, press.custom_id)
            for press in presses
            if isinstance(press, Pressable) and isinstance(press.item, discord.ui.Button)
        ]
        inviting = [item for item, _ in buttons if item.style in _INVITING]
        if self.suggested is None and len(inviting) <= 1 and not self.is_answered:
            return
        for item in inviting:
            item.style = discord.ButtonStyle.secondary
        for item, custom_id in buttons:
            if custom_id == self.suggested and not self.is_answered:
                item.style = discord.ButtonStyle.primary

    def offers(self) -> frozenset[str]:
        """The offers that it has buttons for."""
        shown = [part for part in (*self.choices, *self.offered) if isinstance(part, Row)]
        presses = [*(press for row in shown for press in row.presses), *self.foot]
        asked = [each.custom_id.decision for each in presses if isinstance(each, Pressable)]
        return frozenset(each for each in asked if each is not None and each.startswith("o"))

    def link(self, item: Pressable | None) -> None:
        """Add a button below, unless it is there already."""
        if item is not None and all(item.custom_id != each.custom_id for each in self.foot):
            self.foot.append(item)
