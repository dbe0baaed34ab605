"""Undo: a player's own last step immediately, anything else if all players agree."""

from __future__ import annotations

from discord import app_commands

from bot.cogs.dialogues.votes import ASKED, VoteDialogue
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui import (
    CustomId,
    Press,
    Reply,
    Services,
    TableOption,
    button,
    command,
    fixed_choices,
    integer,
    route,
    text_layout,
)
from bot.tables import IN_PROGRESS, Verdict, seated
from bot.tables.undo import HowFar
from bot.text import Style, bold, general, msg, newest

WHY_NOT = {
    "other": msg("Someone else has moved since, so everyone at the table must agree."),
    "draw": msg(
        "Something was drawn, so everyone at the table must agree. "
        "If you draw again, the result will be the same."
    ),
    "sealed": msg(
        "That was a secret choice. While others are still choosing, just choose again. "
        "After that, everyone at the table must agree."
    ),
    "choosing": msg(
        "Others are still choosing in secret and may have changed their choice, so everyone "
        "at the table must agree."
    ),
    "seen": msg("Someone may have learned something from it, so everyone at the table must agree."),
}
"""Why a player may not undo it alone."""
DONE = msg("↩️ Undone.")
ROOM = 1400
"""Characters for the actions to undo."""


class UndoDialogue:
    """Undo with a preview, alone or with a vote."""

    def __init__(self, services: Services, votes: VoteDialogue, guide: TurnGuide) -> None:
        self._services = services
        self._tables = services.tables
        self._votes = votes
        self._guide = guide

    @route("undo")
    @command("game undo", among=IN_PROGRESS)
    @app_commands.choices(back=fixed_choices("back"))
    async def undo(
        self, reply: Reply, back: app_commands.Choice[str] | None = None, *, table: TableOption
    ) -> None:
        """Show what would be undone, the last step or the whole round, with a button to do so or
        to ask the others."""
        how_far = HowFar.ROUND if back is not None and back.value == "round" else HowFar.STEP
        preview = await self._tables.undo.preview(table.id, reply.user, how_far)
        seat, words = seated(table, reply.user), reply.words
        table_view = await self._services.table_view(table.id, seat, words)
        events = [event for each in preview.entries for event in each.events]
        # Actions without visible events are listed themselves.
        name, quoted = bold(table_view.names[seat]), table_view.text.named(table_view.quoted)
        undone = table_view.story(events) or [
            words("{seat}: {action}", seat=name, action=quoted.action(action))
            for action in preview.actions
        ]
        lines = [
            words.plural(
                "This would be undone:", "These {count} actions would be undone:", preview.count
            ),
            newest(undone, ROOM) or words("The others' secret choices."),
        ]
        if preview.why and not (how_far is HowFar.ROUND and preview.why == "other"):
            lines.append(words(WHY_NOT[preview.why]))
        verb, label = (
            ("undoall", msg("Ask everyone")) if preview.why else ("undoit", msg("Go back"))
        )
        numbers = (
            (preview.step,)
            if preview.why or preview.step == preview.last
            else (preview.step, preview.last)
        )
        custom_id = CustomId(verb, table.id, words=tuple(map(str, numbers)))
        buttons = [button(custom_id, words(label), style=Style.PRIMARY)]
        if reply.in_place:
            buttons.append(button(CustomId("start", table.id), words(general.BACK)))
        await reply.show(text_layout("\n".join(lines), buttons))

    @route("backstep", has_decision=True)
    @route("backturn", has_decision=True)
    async def undo_directly(self, press: Press) -> None:
        """Undo the user's last action, or as much of their turn as they may undo alone.

        If they may not undo anything alone, answer as the command does.
        """
        how_far = HowFar.STEP if press.custom_id.verb == "backstep" else HowFar.TURN
        pending = await self._tables.reader.pending(press.table_id)
        if press.custom_id.decision != (pending[0].id if pending else None):
            await self._guide.ask(press.reply, press.table_id)
            return
        preview = await self._tables.undo.preview(press.table_id, press.user, how_far)
        if preview.why:
            await self.undo(press.reply, table=press.table)
        else:
            await self._undo(press, preview.step, preview.last)

    @route("undoit", words=(1, 2))
    async def confirm(self, press: Press) -> None:
        """Undo the actions shown to the user."""
        numbers = [integer((word,)) for word in press.custom_id.words]
        await self._undo(press, numbers[0], numbers[-1])

    async def _undo(self, press: Press, step: int, last: int) -> None:
        reply = press.reply
        await self._tables.undo.alone(
            press.table_id, reply.user, step, last, delivery=reply.delivery
        )
        await self._guide.ask(reply, press.table_id, reply.words(DONE))

    @route("undoall", words=(1,))
    async def propose(self, press: Press) -> None:
        """Ask the others to agree to the undo."""
        reply = press.reply
        proposal = await self._tables.undo.propose(
            press.table_id, reply.user, integer(press.custom_id.words), delivery=reply.delivery
        )
        has_passed = proposal.verdict is Verdict.PASSED
        if not has_passed and proposal.row.message is not None:
            await self._votes.announce(reply, proposal)
            return
        note = reply.words(DONE if has_passed else ASKED)
        await self._guide.ask(reply, press.table_id, note)
