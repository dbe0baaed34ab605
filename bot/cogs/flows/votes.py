"""Proposals of every kind: how a table shows them, and how people vote on them."""

from __future__ import annotations

import discord

from bot.cogs.ui import who
from bot.cogs.ui.channels import Places
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import Control, Layout, button, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.waiting import go_on_button, left_lines, place_link
from bot.game.contract import Seat
from bot.tables import Table
from bot.tables.votes import ABOUT_SEAT, RESUME, UNDO, Proposal, Verdict
from bot.text import general, proposals, undo
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.user_text import Name, Written
from bot.text.words import Words


class Votes:
    """Words proposals and collects votes: buttons carry the kind and the answer."""

    def __init__(self, services: Services, places: Places) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places

    async def announce(self, reply: Reply, proposal: Proposal) -> None:
        """Tell the proposer that the others are asked, or that it is done."""
        reader = reply.words
        if proposal.verdict is Verdict.PASSED:
            await reply.show(await self.message(reader, proposal))
        elif proposal.row.message is None or proposal.row.place is None:
            await reply.show(reader(proposals.ASKED))
        else:
            # It was proposed before: this was a vote for it.
            await reply.show(reader(proposals.AGREED))
            table = proposal.table
            house = await self._services.house(reply.interaction.client, table)
            asked = await self.message(house, proposal)
            await self._places.edit(table, proposal.row.place, proposal.row.message, asked)

    async def voice(self, reply: Reply, custom_id: CustomId, *, agree: bool) -> None:
        """One player's vote on what is proposed."""
        table = await self._tables.reader.get(custom_id.table)
        kind, word = only(custom_id.words[:1]), only(custom_id.words[1:])
        proposal = await self._tables.votes.answer(
            table.id, reply.user, kind, agree=agree, word=word, delivery=reply.delivery
        )
        if proposal.verdict is not Verdict.OPEN and proposal.row.message is not None:
            # Its post is brought up to date with the table.
            await reply.acknowledge()
            return
        house = await self._services.house(reply.interaction.client, table)
        await reply.change(await self.message(house, proposal))

    async def message(self, words: Words, proposal: Proposal) -> Layout:
        """Where a proposal stands, and the buttons to answer it while it is open."""
        table, kind = proposal.table, proposal.row.kind
        other, names = _about(words, proposal), who.names(words, table)
        name = None if proposal.by is None else names[proposal.by]
        if proposal.verdict is Verdict.PASSED:
            passed = proposals.of_kind(words, proposals.PASSED, kind, name, other)
            return said("\n".join([passed, *self._named(words, table)]))
        if proposal.verdict is not Verdict.OPEN:
            refused_by = None if proposal.refused_by is None else names[proposal.refused_by]
            ended = proposals.ended(words, kind, proposal.verdict, other, refused_by)
            return said("\n".join([ended, *self._named(words, table)]))
        if kind == UNDO:
            count = await self._tables.undo.count(table.id, int(proposal.row.word))
            what = undo.proposed(words, name or Written(""), count)
        else:
            what = proposals.of_kind(words, proposals.PROPOSED, kind, name, other)
        content = proposals.proposed(
            words,
            what,
            discord.utils.format_dt(proposal.row.until, "f"),
            [bold(names[seat]) for seat in proposal.agreed],
            [f"<@{table.players[seat].user}>" for seat in proposal.missing],
        )
        lines = [content]
        if kind not in ABOUT_SEAT:
            lines += left_lines(self._services, words, table)
        return said("\n".join([*lines, *self._named(words, table)]), _buttons(words, proposal))

    def afterwards(self, words: Words, proposal: Proposal) -> Layout | None:
        """What the table is to know where a vote has come to nothing; None where nothing follows
        from that."""
        message = proposals.AFTERWARDS.get(proposal.row.kind)
        if message is None or proposal.verdict not in (Verdict.REFUSED, Verdict.LAPSED):
            return None
        text, table = words(message, other=bold(_about(words, proposal) or "")), proposal.table
        content = "\n".join([text, *self._named(words, table)])
        return said(content, [go_on_button(words, table.id)] if proposal.row.kind == RESUME else [])

    def _named(self, words: Words, table: Table) -> list[str]:
        """The table's name, where there are others in its channel."""
        if table.thread is not None:
            return []
        game = self._services.title(words, table.game)
        return [f"-# {words(general.BOARD_TITLE, game=game, table=table.id)}"]


async def awaited_lines(services: Services, words: Words, table: Table, seat: Seat) -> list[str]:
    """A line for each open proposal that awaits the seat's vote, with a link to its post."""
    lines = []
    for proposal in await services.tables.votes.missing_of(table.id, seat):
        place = proposal.row.place
        url = None if place is None else place_link(table, place, proposal.row.message)
        lines.append(proposals.awaited(words, proposal.row.kind, _about(words, proposal), url))
    return lines


def _about(words: Words, proposal: Proposal) -> Name | None:
    """The player whom a proposal is about."""
    if proposal.row.kind not in ABOUT_SEAT:
        return None
    return who.names(words, proposal.table)[int(proposal.row.word)]


def agree_id(proposal: Proposal) -> CustomId:
    """What the button carries by which a player agrees."""
    return CustomId("yes", proposal.table.id, None, (proposal.row.kind, proposal.row.word))


def _buttons(words: Words, proposal: Proposal) -> list[Control]:
    yes = agree_id(proposal)
    return [
        button(yes, words(proposals.AGREE), style=Style.SUCCESS),
        button(yes._replace(verb="no"), words(proposals.REFUSE), style=Style.DANGER),
    ]
