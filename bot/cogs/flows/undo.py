"""Undo: one's own last step at once, anything further when all players agree."""

from __future__ import annotations

from bot.cogs.flows.votes import Votes
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui.custom_id import CustomId, integer
from bot.cogs.ui.layout import Control, button, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.tables import Table
from bot.tables.undo import HowFar, TakenBack
from bot.tables.votes import Verdict
from bot.text import general, proposals
from bot.text import undo as text
from bot.text.contract import Style
from bot.text.markup import newest
from bot.text.words import Words

ROOM = 1400
"""Characters for what would be taken back."""


class Undo:
    """Says first what an undo takes back; then carries it out, or asks the others."""

    def __init__(self, services: Services, votes: Votes, guide: TurnGuide) -> None:
        self._services = services
        self._tables = services.tables
        self._votes = votes
        self._guide = guide

    async def ask(self, reply: Reply, table_id: int, *, whole_round: bool = False) -> None:
        """Show what would be taken back, with a button to do so or to ask the others."""
        table = await self._table(reply, table_id)
        how_far = HowFar.ROUND if whole_round else HowFar.STEP
        back = await self._tables.undo.ahead(table_id, reply.user, how_far)
        seat = await self._tables.reader.seat_of(table_id, reply.user)
        words = reply.words
        snapshot = await self._services.snapshot(table_id, seat, words)
        story = newest(self._told(snapshot, back), ROOM)
        lines = [text.would_undo(words, back.count, [story] if story else [])]
        if back.why and not (whole_round and back.why == "other"):
            lines.append(words(text.WHY_NOT[back.why]))
        buttons = [_go(words, table, back)]
        if reply.in_place:
            buttons.append(button(CustomId("start", table_id), words(general.BACK)))
        await reply.show(said("\n".join(lines), buttons))

    def _told(self, snapshot: Snapshot, back: TakenBack) -> list[str]:
        """What would be taken back, in lines; the seat's own actions where nothing was said of
        them."""
        events = [event for each in back.happened for event in each.events]
        story = snapshot.story(events)
        if story or not back.actions:
            return story
        said = [
            snapshot.text.action(snapshot.words, action, snapshot.view, snapshot.quoted)
            for action in back.actions
        ]
        return [text.own(snapshot.words, snapshot.names[snapshot.observer], each) for each in said]

    async def at_once(self, reply: Reply, custom_id: CustomId, *, whole_turn: bool = False) -> None:
        """Take the person's own last action back, or all of their turn that they may alone; where
        that is nothing, ask as `ask` does."""
        table = custom_id.table
        pending = await self._tables.reader.pending(table)
        if custom_id.decision != (pending[0].id if pending else None):
            await self._guide.ask(reply, table)
            return
        how_far = HowFar.TURN if whole_turn else HowFar.STEP
        back = await self._tables.undo.ahead(table, reply.user, how_far)
        if back.why:
            await self.ask(reply, table)
            return
        await self._back(reply, table, back.step, back.last)

    async def alone(self, reply: Reply, custom_id: CustomId) -> None:
        """Take back what the person has been asked about."""
        numbers = [integer((word,)) for word in custom_id.words]
        await self._back(reply, custom_id.table, numbers[0], numbers[-1])

    async def _back(self, reply: Reply, table: int, step: int, last: int) -> None:
        await self._tables.undo.alone(table, reply.user, step, last, delivery=reply.delivery)
        note = reply.words(text.DONE)
        await self._guide.ask(reply, table, note)

    async def propose(self, reply: Reply, custom_id: CustomId) -> None:
        """Ask the others to go back as well."""
        table = await self._table(reply, custom_id.table)
        proposal = await self._tables.undo.propose(
            table.id, reply.user, integer(custom_id.words), delivery=reply.delivery
        )
        if proposal.verdict is not Verdict.PASSED and proposal.row.message is not None:
            await self._votes.announce(reply, proposal)
            return
        note = text.DONE if proposal.verdict is Verdict.PASSED else proposals.ASKED
        words = reply.words
        await self._guide.ask(reply, table.id, words(note))

    async def _table(self, reply: Reply, table_id: int) -> Table:
        return await self._tables.reader.get(table_id)


def _go(words: Words, table: Table, back: TakenBack) -> Control:
    verb, label = ("undoall", text.ASK_ALL) if back.why else ("undoit", text.TAKE_BACK)
    numbers = (back.step,) if back.why or back.step == back.last else (back.step, back.last)
    custom_id = CustomId(verb, table.id, words=tuple(map(str, numbers)))
    return button(custom_id, words(label), style=Style.PRIMARY)
