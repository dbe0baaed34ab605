"""How a panel is put before a person: in the message they pressed, with the picture it needs."""

from __future__ import annotations

from collections.abc import Iterable

from bot.cogs.panel.message import Panel
from bot.cogs.ui.layout import Image
from bot.cogs.ui.open_panels import OpenPanel, OpenPanels
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import QUESTION, Snapshot
from bot.text.brief import NOTHING, BriefLine, InBrief


class PanelShowing:
    """Shows panels, and notes which one a person has."""

    def __init__(self, services: Services, shown: OpenPanels) -> None:
        self._services = services
        self._shown = shown

    def found(self, table: int, user: int) -> OpenPanel | None:
        """The person's panel at the table."""
        return self._shown.find(table, user)

    async def show(self, reply: Reply, snapshot: Snapshot, made: Panel) -> None:
        await self.in_place(reply, snapshot, made)
        await self.note(reply, snapshot, made)

    async def in_place(self, reply: Reply, snapshot: Snapshot, made: Panel) -> None:
        """Another question in the same panel: its own picture is attached, that of another question
        removed, and that of the whole table kept.
        """
        table, picture = self.kept(reply, snapshot), None
        if not await self._services.wants_words(snapshot):
            if made.asked is not None:
                picture = await self._services.asked_picture(snapshot, made.asked)
            has_other = reply.shown is not None and all(each.name == QUESTION for each in table)
            if picture is None and has_other:
                picture = await self._services.own_picture(snapshot)
        await reply.show(made.layout(table if picture is None else [picture.image()]))

    async def note(
        self, reply: Reply, snapshot: Snapshot, made: Panel, told: InBrief = NOTHING
    ) -> None:
        # An answer in direct messages about a table elsewhere is in nobody's way.
        if reply.interaction.guild_id is not None or snapshot.table.guild is None:
            await self._shown.note(
                reply,
                snapshot.table.id,
                seq=snapshot.seq,
                told=told,
                offers=made.offers(),
                step=made.step,
                plan=snapshot.plan,
                asked=snapshot.main_id(snapshot.observer) if snapshot.plan is None else None,
                waits_for=made.waits_for,
                is_over=snapshot.table.is_over,
            )

    def kept(self, reply: Reply, snapshot: Snapshot) -> list[Image]:
        """The picture that stays in the panel that was pressed: one of the same moment."""
        shown = self._shown.find(snapshot.table.id, reply.user)
        pressed, picture = reply.interaction.message, reply.shown
        if shown is None or pressed is None or shown.message != pressed.id:
            return []
        if picture is None or picture.attached is None:
            # Only what can be named stays at an edited message.
            return []
        return [picture] if (shown.seq, shown.plan) == (snapshot.seq, snapshot.plan) else []


def noted(lines: Iterable[str]) -> InBrief:
    return InBrief([BriefLine(line) for line in lines])
