"""The private panels of players: the content of each, and the newest one per player and table.

A private message can be edited only with the token of the interaction that it answered, and the
token expires after 15 minutes. So panels are tracked in memory only. A panel from before a restart
stays in the chat, and its buttons still work.
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
from bot.tables.core.cache import remember
from bot.text import NOTHING, Summary

log = logging.getLogger(__name__)

TOKEN_S = 14 * 60.0
"""Seconds for which an interaction's replies can be edited, with a margin."""
MAX_PANELS = 512
"""Panels tracked; the oldest is evicted first."""
UNREACHABLE = frozenset({10008, 10015, 50027})
"""Discord's error codes for a deleted message and an expired token."""
_INVITING = (discord.ButtonStyle.primary, discord.ButtonStyle.success)


@dataclass
class Panel:
    """The content of a private message: recent events, open offers, the question, its choices, and
    at the foot all other buttons."""

    table_view: TableView
    question: list[str] = field(default_factory=list)
    heading: list[Part] = field(default_factory=list)
    """Shown above the events."""
    summary: Summary = NOTHING
    above: list[str] = field(default_factory=list)
    """Lines between the events and the question: errors, promises, plans."""
    shown_once: Summary = NOTHING
    """Events and notes to show once: only a panel moved below a post repeats them."""
    choices: list[Row] = field(default_factory=list)
    offered: list[Part] = field(default_factory=list)
    """Open offers and their answers, above the question."""
    explained: list[str] = field(default_factory=list)
    """Explanations for newcomers, below the choices."""
    foot: list[Control] = field(default_factory=list)
    asked: AskedWords | None = None
    """The choices, for the picture to highlight; None if they are not words of an action."""
    step: PanelStep | None = None
    """The step shown; None at the start of an action."""
    suggested: CustomId | None = None
    """The best choice in nearly all cases."""
    is_answered: bool = False
    """Whether the player has chosen and can only change the choice."""
    seats_to_act: tuple[tuple[Seat, str], ...] | None = None
    """The seats to act that it names, if it has no question itself."""
    accent: int | None = None
    """The colour of its frame."""

    def layout(self, table: Sequence[Part] = ()) -> Layout:
        """Return the message, with the `table` as a picture or text directly above the question."""
        self._colour()
        table_id, count = self.table_view.table.id, self.summary.hidden_count
        hidden_count = (
            hidden_events_button(self.table_view.words, table_id, count) if count else None
        )
        below = rows(self.foot, optional=True)
        return Layout(
            [
                *self.heading,
                *lines_with(self.summary.lines, hidden_count),
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
        """Highlight at most one choice: the suggested one, or the only highlighted one."""
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
        """Return the ids of the offers that it has buttons for."""
        return frozenset(
            decision
            for part in (*self.choices, *self.offered, Row(self.foot))
            if isinstance(part, Row)
            for press in part.controls
            if press.custom_id
            and (decision := parse(press.custom_id).decision or "").startswith("o")
        )

    def link(self, item: Control | None) -> None:
        """Add a button at the foot, unless it has it already."""
        if item is not None and all(item.custom_id != each.custom_id for each in self.foot):
            self.foot.append(item)


@dataclass
class OpenPanel:
    """A panel in a private message, and the interaction whose token can edit it."""

    interaction: discord.Interaction[Any]
    message: int
    is_original: bool
    """Whether it is the interaction's first answer, not a follow-up."""
    used: float
    """Clock time in seconds when it was last pressed or posted."""
    seq: int = -1
    """The last log entry of the view that it shows."""
    plan: str | None = None
    """The step of a plan that it shows; None for the table."""
    asked: str | None = None
    """Id of the player's main decision, if any."""
    is_over: bool = False
    """Whether it shows that the game is over."""
    shown_once: Summary = NOTHING
    offers: frozenset[str] = frozenset()
    step: PanelStep | None = None
    seats_to_act: tuple[tuple[Seat, str], ...] | None = None
    has_form: bool = False
    """Whether a form may be open over it; replacing the panel would lose the form's answer."""

    def update(self, panel: Panel) -> None:
        """Record the content that it shows now."""
        table_view = panel.table_view
        self.seq, self.plan, self.is_over = (
            table_view.seq,
            table_view.plan,
            table_view.table.is_over,
        )
        self.asked = table_view.main_id(table_view.observer) if table_view.plan is None else None
        self.shown_once, self.offers = panel.shown_once, panel.offers()
        self.step, self.seats_to_act = panel.step, panel.seats_to_act

    async def edit(self, **parts: Any) -> None:
        """Edit the message. Raise Discord's errors."""
        if self.is_original:
            await self.interaction.edit_original_response(**parts)
        else:
            await self.interaction.followup.edit_message(self.message, **parts)

    async def delete(self) -> bool:
        """Delete the message. Return whether it no longer exists."""
        try:
            if self.is_original:
                await self.interaction.delete_original_response()
            else:
                await self.interaction.followup.delete_message(self.message)
        except discord.HTTPException as error:
            log.info("panel not deleted message=%s code=%s", self.message, error.code)
            return error.status == 404 or error.code in UNREACHABLE
        except (aiohttp.ClientError, OSError) as error:
            log.info("panel not deleted message=%s error=%s", self.message, type(error).__name__)
            return False
        return True


class OpenPanels:
    """The newest private panel of each player at each table. `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._panels: OrderedDict[tuple[int, int], OpenPanel] = OrderedDict()

    def find(self, table: int, user: int) -> OpenPanel | None:
        """Return the user's panel at the table if it can still be edited."""
        shown = self._panels.get((table, user))
        if shown is None or self._clock() - shown.used > TOKEN_S:
            return None
        return shown

    def pressed(self, reply: Reply, table: int) -> OpenPanel | None:
        """Return the user's panel if the reply answers a press on it."""
        shown, message = self.find(table, reply.user), reply.interaction.message
        is_pressed = shown is not None and message is not None and shown.message == message.id
        return shown if is_pressed else None

    def has_any(self, table: int) -> bool:
        """Return whether any panel at the table is tracked."""
        return any(at == table for at, _user in self._panels)

    def focus(self, table: int, user: int, step: PanelStep) -> Focus:
        """Return the focus of the user's panel if it shows that step; else the step's own."""
        shown = self.find(table, user)
        if shown is None or shown.step is None or shown.step[:2] != step[:2]:
            return step.focus
        return shown.step.focus

    def age(self, shown: OpenPanel) -> float:
        """Return the seconds since a panel was used."""
        return self._clock() - shown.used

    def current_picture(self, reply: Reply, table_view: TableView) -> list[Image]:
        """Return the picture of the pressed panel if it shows the same moment; else []."""
        shown, picture = self.pressed(reply, table_view.table.id), reply.shown
        if shown is None or picture is None or picture.attached is None:
            # An edit can keep only an attachment that it names.
            return []
        return [picture] if (shown.seq, shown.plan) == (table_view.seq, table_view.plan) else []

    async def track(self, reply: Reply, panel: Panel) -> None:
        """Track the reply just sent as the user's panel at the table, and delete the old panel."""
        table = panel.table_view.table
        # A reply in direct messages leaves the panel in the server alone.
        is_elsewhere = reply.interaction.guild_id is None and table.guild is not None
        if reply.message is None or is_elsewhere:
            return
        shown = OpenPanel(reply.interaction, reply.message, reply.is_original, self._clock())
        shown.update(panel)
        await self.put(table.id, shown)

    async def put(self, table: int, shown: OpenPanel) -> None:
        """Track the user's panel at the table, and delete the old panel."""
        key = table, shown.interaction.user.id
        old = self.find(*key)
        remember(self._panels, key, shown, MAX_PANELS)
        if old is not None and old.message != shown.message:
            await old.delete()

    def form_opened(self, table: int, user: int) -> None:
        """Note that a form is open over the user's panel."""
        shown = self.find(table, user)
        if shown is not None:
            shown.has_form = True

    async def take(self, table: int, shown: OpenPanel) -> bool:
        """Delete a panel. Return whether a new one may replace it."""
        key = table, shown.interaction.user.id
        if self._panels.get(key) is not shown or not await shown.delete():
            return False
        now = self._panels.get(key)
        if now is not None and now.message != shown.message:
            # The player has opened another panel during the deletion.
            return False
        self._panels.pop(key, None)
        return True
