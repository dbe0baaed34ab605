"""Proposals of every kind: how a table shows them, and how people vote on them."""

from __future__ import annotations

import discord

from bot.cogs.flows.seating import Seating
from bot.cogs.ui import who
from bot.cogs.ui.components import Pressable, button
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.layout import Layout, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.status_lines import left_lines
from bot.tables.seats.seats import AUTOPILOT, REPLACE
from bot.tables.votes.proposals import Proposal, Verdict
from bot.tables.votes.undo_votes import UNDO
from bot.text import proposals, undo
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.user_text import Name, Written
from bot.text.words import Message, Words


class Votes:
    """Announces proposals and collects votes: buttons carry the kind and the answer."""

    def __init__(self, services: Services, seating: Seating) -> None:
        self._services = services
        self._tables = services.tables
        self._seating = seating

    async def announce(
        self, reply: Reply, proposal: Proposal, note: Message = proposals.ASKED
    ) -> None:
        """Tell the proposer that the others are asked, and ask them; or that it is done."""
        reader = self._services.reader(reply.interaction)
        house = await self._services.house(reply.interaction.client, proposal.table)
        if proposal.verdict is Verdict.PASSED:
            await reply.show(await self.message(reader, proposal))
            return
        await reply.show(reader(note))
        asked = await self.message(house, proposal)
        await self._seating.announce(reply, proposal.table, asked)

    async def voice(self, reply: Reply, custom_id: CustomId, *, agree: bool) -> None:
        """One player's vote on what is proposed."""
        table = await self._tables.reader.get(custom_id.table)
        kind, word = only(custom_id.words[:1]), only(custom_id.words[1:])
        proposal = await self._tables.proposals.answer(
            table.id, reply.user, kind, agree=agree, word=word, delivery=reply.delivery
        )
        house = await self._services.house(reply.interaction.client, table)
        voice = who.own_name(house, table, reply.interaction.user)
        await reply.change(await self.message(house, proposal, voice))

    async def message(self, words: Words, proposal: Proposal, voice: Name | None = None) -> Layout:
        """Where a proposal stands, and the buttons to answer it; `voice` voted last."""
        return said(*await self.in_words(words, proposal, voice))

    async def in_words(
        self, words: Words, proposal: Proposal, voice: Name | None = None
    ) -> tuple[str, list[Pressable]]:
        """The text and the buttons of the same."""
        table, kind = proposal.table, proposal.kind
        if proposal.verdict is Verdict.REFUSED:
            return words(proposals.REFUSED, who=bold(voice or "")), []
        names = who.names(words, table)
        name = names[proposal.by] if proposal.by >= 0 else None
        passed = proposal.verdict is Verdict.PASSED
        if kind == UNDO:
            asker = name or Written("")
            if passed:
                what = words(undo.PASSED, name=bold(asker))
            else:
                count = await self._tables.undo_votes.count(table.id, int(proposal.word))
                what = undo.proposed(words, asker, count)
        else:
            other = names[int(proposal.word)] if proposal.word else None
            messages = proposals.PASSED if passed else proposals.PROPOSED
            what = proposals.of_kind(words, messages, kind, name, other)
        if passed:
            return what, []
        content = proposals.proposed(
            words,
            what,
            discord.utils.format_dt(proposal.until, "f"),
            [bold(names[seat]) for seat in proposal.agreed],
            [f"<@{table.players[seat].user}>" for seat in proposal.missing],
        )
        buttons = (
            ("yes", proposals.AGREE, Style.SUCCESS),
            ("no", proposals.REFUSE, Style.DANGER),
        )
        if kind not in (AUTOPILOT, REPLACE):
            content = "\n".join([content, *left_lines(self._services, words, table)])
        return (
            content,
            [
                button(
                    CustomId(verb, table.id, None, (kind, proposal.word)), words(label), style=style
                )
                for verb, label, style in buttons
            ],
        )
