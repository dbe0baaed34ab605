"""The private panel that a person has at a table: what it shows, and that they never have two.

A private message can be reached only by the token of the interaction that it answered, and only for
a quarter of an hour. So this is held in memory alone: after a restart, or too late, a panel stays
where it is, and its buttons are answered as usual.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord

from bot.cogs.panel.browsing import Focus, PanelStep
from bot.cogs.ui import (
    Control,
    CustomId,
    Divider,
    Image,
    Keep,
    Layout,
    Part,
    Reply,
    Row,
    TableView,
    Text,
    hidden_events_button,
    lines_with,
    rows,
)
from bot.cogs.ui.custom_id import parse
from bot.game.contract import Seat
from bot.render.asked import AskedWords
from bot.text import NOTHING, Summary

log = logging.getLogger(__name__)

TOKEN_S = 14 * 60.0
"""Seconds for which an interaction's answers can be changed, with some to spare."""
REMEMBERED = 512
"""Panels that are remembered; those used least recently go first."""
GONE = frozenset({10008, 10015, 50027})
"""Discord's errors for a message that was deleted, or whose token has expired."""
_INVITING = (discord.ButtonStyle.primary, discord.ButtonStyle.success)


@dataclass
class Panel:
    """What a private message shows: what happened, open offers, the question, the choices directly
    below it, and at the foot everything else."""

    table_view: TableView
    question: list[str] = field(default_factory=list)
    happened: Summary = NOTHING
    above: list[str] = field(default_factory=list)
    """What is said between that and the question: what was wrong, promises, plans."""
    told: Summary = NOTHING
    """What the person is told only once: what happened, and notes."""
    choices: list[Row] = field(default_factory=list)
    offered: list[Part] = field(default_factory=list)
    """Open offers, each with its answers, before whatever else is asked."""
    explained: list[str] = field(default_factory=list)
    """What newcomers are told of it: beside the press that asked for it, where it is seen to come,
    and the choices stay directly below the question."""
    foot: list[Control] = field(default_factory=list)
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
        table_id, count = self.table_view.table.id, self.happened.hidden_count
        hidden_count = (
            hidden_events_button(self.table_view.words, table_id, count) if count else None
        )
        below = rows(self.foot, optional=True)
        return Layout(
            [
                *lines_with(self.happened.lines, hidden_count),
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
        buttons = [
            press
            for row in self.choices
            for press in row.controls
            if isinstance(press, discord.ui.Button)
        ]
        inviting = [press for press in buttons if press.style in _INVITING]
        if self.suggested is None and len(inviting) <= 1 and not self.is_answered:
            return
        for press in inviting:
            press.style = discord.ButtonStyle.secondary
        suggested = None if self.suggested is None else self.suggested.encoded()
        for press in buttons:
            if suggested == press.custom_id is not None and not self.is_answered:
                press.style = discord.ButtonStyle.primary

    def offers(self) -> frozenset[str]:
        """The offers that it has buttons for."""
        return frozenset(
            decision
            for part in (*self.choices, *self.offered, Row(self.foot))
            if isinstance(part, Row)
            for press in part.controls
            if press.custom_id
            and (decision := parse(press.custom_id).decision or "").startswith("o")
        )

    def link(self, item: Control | None) -> None:
        """Add a button below, unless it is there already."""
        if item is not None and all(item.custom_id != each.custom_id for each in self.foot):
            self.foot.append(item)


@dataclass
class OpenPanel:
    """A panel in a private message: the interaction whose token reaches it, and the message."""

    interaction: discord.Interaction[Any]
    message: int
    is_original: bool
    """Whether it is the interaction's first answer, not a follow-up."""
    used: float
    """When it was pressed or posted last, in seconds of the clock."""
    seq: int = -1
    """The log entry after which it shows the table."""
    plan: str | None = None
    """The step of a plan that it shows; None for the table."""
    asked: str | None = None
    """The decision that everybody waits for, or that may still be changed, if it asks for one."""
    is_over: bool = False
    """Whether it shows that the game is over."""
    told: Summary = NOTHING
    offers: frozenset[str] = frozenset()
    step: PanelStep | None = None
    waits_for: tuple[tuple[Seat, str], ...] | None = None
    has_form: bool = False
    """Whether a form may be open over it, whose answer would no longer find it."""

    def shows(self, made: Panel) -> None:
        """Note what it shows from now on."""
        table_view = made.table_view
        self.seq, self.plan, self.is_over = (
            table_view.seq,
            table_view.plan,
            table_view.table.is_over,
        )
        self.asked = table_view.main_id(table_view.observer) if table_view.plan is None else None
        self.told, self.offers = made.told, made.offers()
        self.step, self.waits_for = made.step, made.waits_for

    async def edit(self, **parts: Any) -> None:
        """Show something else in its place. Raises what Discord answers."""
        if self.is_original:
            await self.interaction.edit_original_response(**parts)
        else:
            await self.interaction.followup.edit_message(self.message, **parts)

    async def delete(self) -> bool:
        """Delete it; returns whether it is gone."""
        try:
            if self.is_original:
                await self.interaction.delete_original_response()
            else:
                await self.interaction.followup.delete_message(self.message)
        except discord.HTTPException as error:
            log.info("panel not deleted message=%s code=%s", self.message, error.code)
            return error.status == 404 or error.code in GONE
        except (aiohttp.ClientError, OSError) as error:
            log.info("panel not deleted message=%s error=%s", self.message, type(error).__name__)
            return False
        return True


class OpenPanels:
    """The newest private panel of each person at each table. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._panels: OrderedDict[tuple[int, int], OpenPanel] = OrderedDict()

    def find(self, table: int, user: int) -> OpenPanel | None:
        """The person's panel at the table, as long as it can be reached."""
        shown = self._panels.get((table, user))
        if shown is None or self._clock() - shown.used > TOKEN_S:
            return None
        return shown

    def pressed(self, reply: Reply, table: int) -> OpenPanel | None:
        """The same, if it is what they pressed."""
        shown, message = self.find(table, reply.user), reply.interaction.message
        is_pressed = shown is not None and message is not None and shown.message == message.id
        return shown if is_pressed else None

    def are_at(self, table: int) -> bool:
        """Whether anybody has a panel at the table, as far as is remembered."""
        return any(at == table for at, _user in self._panels)

    def focus(self, table: int, user: int, step: PanelStep) -> Focus:
        """The part of the domain that the person's panel shows, if it is at that step; else the
        step's own."""
        shown = self.find(table, user)
        if shown is None or shown.step is None or shown.step[:2] != step[:2]:
            return step.focus
        return shown.step.focus

    def age(self, shown: OpenPanel) -> float:
        """Seconds since a panel was used."""
        return self._clock() - shown.used

    def kept_picture(self, reply: Reply, table_view: TableView) -> list[Image]:
        """The picture that stays in the panel that was pressed: one of the same moment."""
        shown, picture = self.pressed(reply, table_view.table.id), reply.shown
        if shown is None or picture is None or picture.attached is None:
            # Only what can be named stays at an edited message.
            return []
        return [picture] if (shown.seq, shown.plan) == (table_view.seq, table_view.plan) else []

    async def note(self, reply: Reply, made: Panel) -> None:
        """The answer just given is the person's panel at the table; an older one is deleted."""
        table = made.table_view.table
        # An answer in direct messages about a table elsewhere is in nobody's way.
        is_elsewhere = reply.interaction.guild_id is None and table.guild is not None
        if reply.message is None or is_elsewhere:
            return
        shown = OpenPanel(reply.interaction, reply.message, reply.is_original, self._clock())
        shown.shows(made)
        await self.put(table.id, shown)

    async def put(self, table: int, shown: OpenPanel) -> None:
        """From now on this is the person's panel at the table; an older one is deleted."""
        key = table, shown.interaction.user.id
        old = self.find(*key)
        self._panels[key] = shown
        self._panels.move_to_end(key)
        if len(self._panels) > REMEMBERED:
            self._panels.popitem(last=False)
        if old is not None and old.message != shown.message:
            await old.delete()

    def form_opened(self, table: int, user: int) -> None:
        """A form is being filled in over the person's panel."""
        shown = self.find(table, user)
        if shown is not None:
            shown.has_form = True

    async def take(self, table: int, shown: OpenPanel) -> bool:
        """Deletes a panel so that another may take its place; False where none should."""
        key = table, shown.interaction.user.id
        if self._panels.get(key) is not shown or not await shown.delete():
            return False
        now = self._panels.get(key)
        if now is not None and now.message != shown.message:
            # They have called for another one meanwhile.
            return False
        self._panels.pop(key, None)
        return True
