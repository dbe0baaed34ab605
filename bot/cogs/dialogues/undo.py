"""Undo: one's own last step at once, anything further when all players agree."""

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
from bot.tables import GOING, Verdict, seated
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
"""Why nobody may undo that alone."""
DONE = msg("↩️ Undone.")
ROOM = 1400
"""Characters for what would be taken back."""


class UndoDialogue:
    """Says first what an undo takes back; then carries it out, or asks the others."""

    def __init__(self, services: Services, votes: VoteDialogue, guide: TurnGuide) -> None:
        self._services = services
        self._tables = services.tables
        self._votes = votes
        self._guide = guide

    @route("undo")
    @command("game undo", among=GOING)
    @app_commands.choices(back=fixed_choices("back"))
    async def undo(
        self, reply: Reply, back: app_commands.Choice[str] | None = None, *, table: TableOption
    ) -> None:
        """Show what would be taken back, the last step or the whole round, with a button to do so
        or to ask the others."""
        how_far = HowFar.ROUND if back is not None and back.value == "round" else HowFar.STEP
        ahead = await self._tables.undo.preview(table.id, reply.user, how_far)
        seat, words = seated(table, reply.user), reply.words
        table_view = await self._services.table_view(table.id, seat, words)
        events = [event for each in ahead.happened for event in each.events]
        # The seat's own actions where nothing was said of them.
        name, quoted = bold(table_view.names[seat]), table_view.text.named(table_view.quoted)
        told = table_view.story(events) or [
            words("{seat}: {action}", seat=name, action=quoted.action(action))
            for action in ahead.actions
        ]
        lines = [
            words.plural(
                "This would be undone:", "These {count} actions would be undone:", ahead.count
            ),
            newest(told, ROOM) or words("The others' secret choices."),
        ]
        if ahead.why and not (how_far is HowFar.ROUND and ahead.why == "other"):
            lines.append(words(WHY_NOT[ahead.why]))
        verb, label = ("undoall", msg("Ask everyone")) if ahead.why else ("undoit", msg("Go back"))
        numbers = (
            (ahead.step,) if ahead.why or ahead.step == ahead.last else (ahead.step, ahead.last)
        )
        custom_id = CustomId(verb, table.id, words=tuple(map(str, numbers)))
        buttons = [button(custom_id, words(label), style=Style.PRIMARY)]
        if reply.in_place:
            buttons.append(button(CustomId("start", table.id), words(general.BACK)))
        await reply.show(text_layout("\n".join(lines), buttons))

    @route("backstep", decided=True)
    @route("backturn", decided=True)
    async def take_back_at_once(self, press: Press) -> None:
        """Take the person's own last action back, or all of their turn that they may alone; where
        that is nothing, ask as the command does."""
        how_far = HowFar.STEP if press.custom_id.verb == "backstep" else HowFar.TURN
        pending = await self._tables.reader.pending(press.table_id)
        if press.custom_id.decision != (pending[0].id if pending else None):
            await self._guide.ask(press.reply, press.table_id)
            return
        back = await self._tables.undo.preview(press.table_id, press.user, how_far)
        if back.why:
            await self.undo(press.reply, table=press.table)
        else:
            await self._take_back(press, back.step, back.last)

    @route("undoit", words=(1, 2))
    async def take_back(self, press: Press) -> None:
        """Take back what the person has been asked about."""
        numbers = [integer((word,)) for word in press.custom_id.words]
        await self._take_back(press, numbers[0], numbers[-1])

    async def _take_back(self, press: Press, step: int, last: int) -> None:
        reply = press.reply
        await self._tables.undo.alone(
            press.table_id, reply.user, step, last, delivery=reply.delivery
        )
        await self._guide.ask(reply, press.table_id, reply.words(DONE))

    @route("undoall", words=(1,))
    async def propose(self, press: Press) -> None:
        """Ask the others to go back as well."""
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
