"""The posts that ask a table for its votes, and say in the end what came of them."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.cogs.flows.votes import Votes, agree_id
from bot.cogs.posting.work_queue import apart
from bot.cogs.ui.channels import Nowhere, Places, is_refusal
from bot.cogs.ui.services import Services
from bot.tables import OutboxItem, Table
from bot.tables.votes import ABOUT_SEAT, Proposal, Verdict
from bot.text.words import Words

log = logging.getLogger(__name__)


class VotePosts:
    """Delivers them: one post for each proposal, edited once that has ended."""

    def __init__(self, services: Services, places: Places, votes: Votes) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._votes = votes

    async def deliver(self, words: Words, table: Table, items: Sequence[OutboxItem]) -> None:
        """Asks for the votes on what is new, says how others have ended, and acknowledges the
        items.

        Raises Closed where the channel cannot be written to.
        """
        proposals = await self._tables.votes.to_tell(table.id)
        try:
            await apart(self._show(words, proposal) for proposal in proposals)
        except Nowhere:
            log.warning("table=%s has no place to be asked anything", table.id)
        await self._tables.outbox.acknowledge(items)

    async def _show(self, words: Words, proposal: Proposal) -> None:
        if proposal.verdict is not Verdict.OPEN:
            await self._end(words, proposal)
        elif proposal.row.message is None:
            players = proposal.table.players
            users = (players[seat].user for seat in proposal.missing)
            sent = await self._places.send(
                proposal.table,
                f"vote.{_subject(proposal)}",
                await self._votes.message(words, proposal),
                mark=agree_id(proposal).encoded(),
                pinged=[user for user in users if user is not None],
            )
            await self._tables.votes.posted(proposal, sent)
        else:
            await self._edit(words, proposal)

    async def _end(self, words: Words, proposal: Proposal) -> None:
        follows = self._votes.afterwards(words, proposal)
        sent = []
        if follows is not None:
            what = f"after.{_subject(proposal)}"
            sent.append(await self._places.send(proposal.table, what, follows))
        await self._edit(words, proposal)
        await self._tables.votes.told(proposal, sent)

    async def _edit(self, words: Words, proposal: Proposal) -> None:
        table, place, message = proposal.table, proposal.row.place, proposal.row.message
        if place is None or message is None:
            return
        shown = await self._votes.message(words, proposal)
        try:
            await self._places.edit(table, place, message, shown)
        except discord.HTTPException as error:
            if not is_refusal(error):
                raise
            log.info("table=%s message=%s not edited: code %s", table.id, message, error.code)


def _subject(proposal: Proposal) -> str:
    """What tells the messages about one thing from those about others."""
    return proposal.row.kind + (proposal.row.word if proposal.row.kind in ABOUT_SEAT else "")
