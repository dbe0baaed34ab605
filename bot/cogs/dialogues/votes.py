"""What a table decides together: proposals of every kind, the answers to them, and ending the
game."""

from __future__ import annotations

import discord

from bot.cogs.ui import (
    Control,
    CustomId,
    Layout,
    Places,
    Press,
    Reply,
    Services,
    TableOption,
    access,
    button,
    command,
    go_on_button,
    left_lines,
    names_of,
    place_link,
    route,
    said,
)
from bot.game.contract import Seat
from bot.tables import ABOUT_SEAT, GOING, Proposal, Rejected, Status, Table, Verdict
from bot.tables.votes import ABANDON, PAUSE, RESUME, UNDO
from bot.text import (
    Name,
    Style,
    Words,
    Written,
    absence,
    bold,
    general,
    proposals,
    server_settings,
    undo,
)


class VoteDialogue:
    """Words proposals and collects votes: buttons carry the kind and the answer."""

    def __init__(self, services: Services, places: Places) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places

    async def announce(self, reply: Reply, proposal: Proposal) -> None:
        """Tell the proposer that the others are asked, or that it is done."""
        words, row = reply.words, proposal.row
        if proposal.verdict is Verdict.PASSED:
            await reply.show(await self.message(words, proposal))
        elif row.message is None or row.place is None:
            await reply.show(words(proposals.ASKED))
        else:
            # It was proposed before: this was a vote for it.
            await reply.show(words(proposals.AGREED))
            house = await self._services.house(reply.interaction.client, proposal.table)
            asked = await self.message(house, proposal)
            await self._places.edit(proposal.table, row.place, row.message, asked)

    @route("yes", words=(2,))
    @route("no", words=(2,))
    @route("agree")
    async def answer(self, press: Press) -> None:
        """Agree to what is proposed, or refuse it."""
        # The posts of before that asked for votes to end the game did not say so in their buttons.
        kind, word = press.custom_id.words or (ABANDON, "")
        reply, agree = press.reply, press.custom_id.verb != "no"
        proposal = await self._tables.votes.answer(
            press.table_id, reply.user, kind, agree=agree, word=word, delivery=reply.delivery
        )
        if proposal.verdict is not Verdict.OPEN and proposal.row.message is not None:
            # Its post is brought up to date with the table.
            await reply.acknowledge()
            return
        house = await self._services.house(reply.interaction.client, press.table)
        await reply.change(await self.message(house, proposal))

    # Pauses

    @command("game pause", among=GOING)
    async def pause(self, reply: Reply, table: TableOption) -> None:
        """Propose a pause, or at a paused table to go on."""
        proposal = await self._tables.votes.propose(
            table.id, reply.user, PAUSE, delivery=reply.delivery
        )
        await self.announce(reply, proposal)

    @route("goon")
    @command("game resume", among=GOING)
    async def go_on(self, reply: Reply, table: TableOption) -> None:
        """Wake a sleeping table; ask the others to go on with a paused one."""
        if table.status is Status.PAUSED:
            await self.pause(reply, table)
            return
        await self._tables.seats.wake(table.id, reply.user, delivery=reply.delivery)
        await reply.say(reply.words(absence.AWAKE))

    # The end of an unfinished game

    @command("game abandon", among=(Status.LOBBY, Status.PLAYING))
    async def abandon(self, reply: Reply, table: TableOption) -> None:
        """Agree to end the game; whoever may close any table here is asked which they mean."""
        if not await access.may_close(self._services, reply.interaction, table):
            await self._propose_end(reply, table)
            return
        words, close = reply.words, CustomId("dissolve", table.id)
        choices = [button(close, words(server_settings.CLOSE), style=Style.DANGER)]
        if table.seat_of(reply.user) is not None and table.status is not Status.LOBBY:
            vote = CustomId("askend", table.id)
            choices.append(button(vote, words(server_settings.VOTE)))
        await reply.say(said(words(server_settings.CLOSE_ALONE), choices))

    @route("askend")
    async def ask_to_end(self, press: Press) -> None:
        """Ask the others to end the game unfinished."""
        await self._propose_end(press.reply, press.table)

    async def _propose_end(self, reply: Reply, table: Table) -> None:
        proposal = await self._tables.leaving.abandon(table.id, reply.user, delivery=reply.delivery)
        if proposal.verdict is Verdict.PASSED:
            await reply.say(reply.words(general.ABANDONED))
        else:
            await self.announce(reply, proposal)

    @route("dissolve")
    async def dissolve(self, press: Press) -> None:
        """End the game without asking. Raises Rejected where the server does not let them."""
        reply = press.reply
        if not await access.may_close(self._services, reply.interaction, press.table):
            raise Rejected("not_owner")
        await self._tables.leaving.dissolve(press.table_id, delivery=reply.delivery)
        await reply.show(reply.words(general.ABANDONED))

    # In words

    async def message(self, words: Words, proposal: Proposal) -> Layout:
        """Where a proposal stands, and the buttons to answer it while it is open."""
        table, row, items = proposal.table, proposal.row, list[Control]()
        other, names = _about(words, proposal), names_of(words, table)
        name = None if proposal.by is None else names[proposal.by]
        if proposal.verdict is Verdict.PASSED:
            lines = [proposals.of_kind(words, proposals.PASSED, row.kind, name, other)]
        elif proposal.verdict is not Verdict.OPEN:
            refused_by = None if proposal.refused_by is None else names[proposal.refused_by]
            lines = [proposals.ended(words, row.kind, proposal.verdict, other, refused_by)]
        else:
            if row.kind == UNDO:
                count = await self._tables.undo.count(table.id, int(row.word))
                what = undo.proposed(words, name or Written(""), count)
            else:
                what = proposals.of_kind(words, proposals.PROPOSED, row.kind, name, other)
            content = proposals.proposed(
                words,
                what,
                discord.utils.format_dt(row.until, "f"),
                [bold(names[seat]) for seat in proposal.agreed],
                [f"<@{table.players[seat].user}>" for seat in proposal.missing],
            )
            left = [] if row.kind in ABOUT_SEAT else left_lines(self._services, words, table)
            lines, yes = [content, *left], agree_id(proposal)
            items = [
                button(yes, words(proposals.AGREE), style=Style.SUCCESS),
                button(yes._replace(verb="no"), words(proposals.REFUSE), style=Style.DANGER),
            ]
        return said("\n".join([*lines, *self._named(words, table)]), items)

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
        return [] if table.thread is not None else [f"-# {self._services.heading(words, table)}"]


async def awaited_lines(services: Services, words: Words, table: Table, seat: Seat) -> list[str]:
    """A line for each open proposal that awaits the seat's vote, with a link to its post."""
    lines = []
    for proposal in await services.tables.votes.missing_of(table.id, seat):
        row = proposal.row
        url = None if row.place is None else place_link(table, row.place, row.message)
        lines.append(proposals.awaited(words, row.kind, _about(words, proposal), url))
    return lines


def _about(words: Words, proposal: Proposal) -> Name | None:
    """The player whom a proposal is about."""
    if proposal.row.kind not in ABOUT_SEAT:
        return None
    return names_of(words, proposal.table)[int(proposal.row.word)]


def agree_id(proposal: Proposal) -> CustomId:
    """What the button carries by which a player agrees."""
    return CustomId("yes", proposal.table.id, None, (proposal.row.kind, proposal.row.word))
