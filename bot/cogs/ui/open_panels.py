"""Which private panel a person has at a table, so that they never have two.

A private message can be reached only by the token of the interaction that it answered, and only for
a quarter of an hour. So this is held in memory alone: after a restart, or too late, a panel stays
where it is, and its buttons are answered as usual.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import aiohttp
import discord

from bot.cogs.ui.browsing import Focus
from bot.cogs.ui.reply import Reply
from bot.game.contract import Action, Seat
from bot.text.brief import NOTHING, InBrief

log = logging.getLogger(__name__)

TOKEN_S = 14 * 60.0
"""Seconds for which an interaction's answers can be changed, with some to spare."""
REMEMBERED = 512
"""Panels that are remembered; those used least recently go first."""
GONE = frozenset({10008, 10015, 50027})
"""Discord's errors for a message that was deleted, or whose token has expired."""


class PanelStep(NamedTuple):
    """What a person is choosing: the next word after `action`, in answer to the decision, or
    whether they are sure of it and of the `rest` joined to it."""

    action: Action
    decision: str | None
    focus: Focus
    rest: tuple[Action, ...] = ()


@dataclass
class OpenPanel:
    """A private panel: the interaction whose token reaches it, and the message."""

    interaction: discord.Interaction[Any]
    message: int
    is_original: bool
    """Whether it is the interaction's first answer, not a follow-up."""
    used: float
    """When it was pressed or posted last, in seconds of the clock."""
    seq: int = -1
    """The log entry after which it shows the table."""
    told: InBrief = NOTHING
    """What it said above its question."""
    offers: frozenset[str] = frozenset()
    """The offers that it has buttons for."""
    step: PanelStep | None = None
    """What is being chosen in it, once something has been."""
    plan: str | None = None
    """The step of a plan that it shows; None for the table."""
    asked: str | None = None
    """The decision that everybody waits for, or that may still be changed, if it asks for one."""
    waits_for: tuple[tuple[Seat, str], ...] | None = None
    """Whom it says that everybody waits for, if it asks nothing itself."""
    is_over: bool = False
    """Whether it shows that the game is over."""
    has_form: bool = False
    """Whether a form may be open over it, whose answer would no longer find it."""

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
            log.info("panel=%s not deleted: code %s", self.message, error.code)
            return error.status == 404 or error.code in GONE
        except (aiohttp.ClientError, OSError) as error:
            log.info("panel=%s not deleted: %s", self.message, type(error).__name__)
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

    async def note(
        self,
        reply: Reply,
        table: int,
        *,
        seq: int = -1,
        told: InBrief = NOTHING,
        offers: frozenset[str] = frozenset(),
        step: PanelStep | None = None,
        plan: str | None = None,
        asked: str | None = None,
        waits_for: tuple[tuple[Seat, str], ...] | None = None,
        is_over: bool = False,
    ) -> None:
        """The answer just given is the person's panel at the table; an older one is deleted."""
        if reply.message is None:
            return
        shown = OpenPanel(
            interaction=reply.interaction,
            message=reply.message,
            is_original=reply.is_original,
            used=self._clock(),
            seq=seq,
            told=told,
            offers=offers,
            step=step,
            plan=plan,
            asked=asked,
            waits_for=waits_for,
            is_over=is_over,
        )
        await self.put(table, shown)

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
