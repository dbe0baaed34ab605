"""Votes: proposals, the votes on them, and ending a game unfinished."""

from __future__ import annotations

import discord

from bot.cogs.ui import (
    Control,
    CustomId,
    Dialogue,
    Layout,
    Press,
    Reply,
    Services,
    TableOption,
    access,
    button,
    command,
    left_lines,
    names_of,
    place_link,
    resume_button,
    route,
    text_layout,
)
from bot.game.contract import Seat
from bot.tables import ABOUT_SEAT, IN_PROGRESS, Proposal, Rejected, Status, Table, Verdict
from bot.tables.votes import ABANDON, PAUSE, RESUME, UNDO
from bot.text import Name, Style, Words, bold, general, msg

SUBJECT = {
    "pause": msg("Vote to pause the game"),
    "resume": msg("Vote to resume the game"),
    "undo": msg("Vote to go back"),
    "abandon": msg("Vote to end the game unfinished"),
    "autopilot": msg("Vote for a computer player to play for {other}"),
    "replace": msg("Vote to free {other}'s seat"),
    "act": msg("Vote for a computer player to play one turn for {other}"),
}
PROPOSED = {
    "pause": msg("⏸️ {name} wants to pause the game."),
    "resume": msg("▶️ {name} wants to resume the game."),
    "abandon": msg("🏳️ {name} wants to end the game unfinished."),
    "autopilot": msg("🤖 {name} wants a computer player to play for {other} until they're back."),
    "act": msg("🤖 {name} wants a computer player to play this one turn for {other}."),
    "replace": msg(
        "🤖 {name} wants to give {other}'s seat to a computer player. Anyone may then take it over."
    ),
}
PASSED = {
    "pause": msg("⏸️ Everyone agreed: the game is paused."),
    "resume": msg("▶️ Everyone agreed: the game continues."),
    "undo": msg("↩️ Everyone agreed: we go back."),
    "abandon": msg("🏳️ Everyone agreed: the game ends unfinished."),
    "autopilot": msg("🤖 Everyone agreed: a computer player plays for {other}."),
    "replace": msg("🤖 Everyone agreed: a computer player takes {other}'s seat for now."),
    "act": msg("🤖 Everyone agreed: a computer player plays this turn for {other}."),
}
ENDED = {
    "refused": msg("{who} declined, so nothing changes."),
    "lapsed": msg("Not everyone answered in time, so nothing changes."),
    "acted": msg("{other} is no longer keeping you waiting, so this vote is over."),
    "extended": msg("{other} has more time now, so this vote is over."),
    "handed over": msg("Someone else plays that seat now, so this vote is over."),
    "left": msg("The player who started this vote has left the game, so it's over."),
    "undone": msg("The game has already gone back, so this vote is over."),
    "resting": msg("The game has stopped, so this vote is over."),
    "over": msg("The game is over, so this vote is too."),
}
"""Why a vote ended without result."""
STILL_WAITING = msg(
    "⏳ The game is still waiting for {other}. `/seat autopilot` or `/seat replace` asks "
    "everyone again."
)
FOLLOW_UPS = {
    "resume": msg("⏸️ The game is still paused. **Resume** asks everyone again."),
    "autopilot": STILL_WAITING,
    "act": STILL_WAITING,
    "replace": msg(
        "⏳ {other} still has the seat. `/seat autopilot` or `/seat replace` asks everyone again."
    ),
}
"""Posted after a vote that was refused or lapsed."""
ASKED = msg("I've asked the others.")


class VoteDialogue(Dialogue):
    """Proposals and the votes on them; buttons carry the kind and the answer."""

    async def announce(self, reply: Reply, proposal: Proposal) -> None:
        """Tell the proposer that the others were asked, or that the proposal has passed."""
        words, row = reply.words, proposal.row
        if proposal.verdict is Verdict.PASSED:
            await reply.show(await self.message(words, proposal))
        elif row.message is None or row.place is None:
            await reply.show(words(ASKED))
        else:
            # It was already proposed, so this counts as a vote for it.
            await reply.show(words("You agreed. The others have already been asked."))
            public_words = await self._services.server_words(
                reply.interaction.client, proposal.table.guild
            )
            layout = await self.message(public_words, proposal)
            await self._sender.edit(proposal.table, row.place, row.message, layout)

    @route("yes", words=(2,))
    @route("no", words=(2,))
    @route("agree")
    async def answer(self, press: Press) -> None:
        """Vote for or against a proposal."""
        # Older posts for votes to end the game have buttons without a kind.
        kind, word = press.custom_id.words or (ABANDON, "")
        reply, agree = press.reply, press.custom_id.verb != "no"
        proposal = await self._tables.votes.answer(
            press.table_id, reply.user, kind, agree=agree, word=word, delivery=reply.delivery
        )
        if proposal.verdict is not Verdict.OPEN and proposal.row.message is not None:
            # The post is edited when the table's changes are posted.
            await reply.acknowledge()
            return
        public_words = await self._services.server_words(
            reply.interaction.client, press.table.guild
        )
        await reply.change(await self.message(public_words, proposal))

    # Pauses

    @command("game pause", among=IN_PROGRESS)
    async def pause(self, reply: Reply, table: TableOption) -> None:
        """Propose a pause, or at a paused table to resume."""
        proposal = await self._tables.votes.propose(
            table.id, reply.user, PAUSE, delivery=reply.delivery
        )
        await self.announce(reply, proposal)

    @route("goon")
    @command("game resume", among=IN_PROGRESS)
    async def resume(self, reply: Reply, table: TableOption) -> None:
        """Wake a sleeping table, or propose to resume a paused one."""
        if table.status is Status.PAUSED:
            await self.pause(reply, table)
            return
        await self._tables.seats.wake(table.id, reply.user, delivery=reply.delivery)
        await reply.say(reply.words("The game continues."))

    # The end of an unfinished game

    @command("game abandon", among=(Status.LOBBY, Status.PLAYING))
    async def abandon(self, reply: Reply, table: TableOption) -> None:
        """Propose or agree to end the game; someone who may close the table gets a choice."""
        if not await access.may_close(self._services, reply.interaction, table):
            if table.watch_pace is not None and not table.is_over:
                raise Rejected("not_referee")
            await self._propose_end(reply, table)
            return
        words, close = reply.words, CustomId("dissolve", table.id)
        choices = [button(close, words("End it"), style=Style.DANGER)]
        if table.seat_of(reply.user) is not None and table.status is not Status.LOBBY:
            vote = CustomId("askend", table.id)
            choices.append(button(vote, words("Ask the others")))
        question = words("End this game for everyone, unfinished? The others won't be asked.")
        await reply.say(text_layout(question, choices))

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
        """End the game without asking the others. Raise Rejected if the user may not."""
        reply = press.reply
        if not await access.may_close(self._services, reply.interaction, press.table):
            raise Rejected("not_owner")
        await self._tables.leaving.dissolve(press.table_id, delivery=reply.delivery)
        await reply.show(reply.words(general.ABANDONED))

    # Texts

    async def message(self, words: Words, proposal: Proposal) -> Layout:
        """Return the state of a proposal, with the buttons to answer it while it is open."""
        table, row, items = proposal.table, proposal.row, list[Control]()
        other, names = bold(_about(words, proposal) or ""), names_of(words, table)
        if proposal.verdict is Verdict.PASSED:
            lines = [words(PASSED[row.kind], other=other)]
        elif proposal.verdict is not Verdict.OPEN:
            refused_by = "" if proposal.refused_by is None else bold(names[proposal.refused_by])
            subject = words(SUBJECT[row.kind], other=other)
            how = words(ENDED[proposal.verdict], who=refused_by, other=other)
            lines = [f"🗳️ {subject}. {how}"]
        else:
            proposed = await self._proposed(words, proposal)
            until = discord.utils.format_dt(row.until, "f")
            rule = words("Everyone must agree by {until}. One “no” ends the vote.", until=until)
            agreed = words.listing([bold(names[seat]) for seat in proposal.agreed])
            others = [f"<@{table.players[seat].user}>" for seat in proposal.missing]
            missing = words("Still to answer: {others}.", others=words.listing(others))
            if agreed:
                missing = words(
                    "Agreed: {who}. Still to answer: {others}.",
                    who=agreed,
                    others=words.listing(others),
                )
            left = [] if row.kind in ABOUT_SEAT else left_lines(self._services, words, table)
            lines, yes = [f"{proposed} {rule}", missing, *left], agree_id(proposal)
            items = [
                button(yes, words("Accept"), style=Style.SUCCESS),
                button(yes._replace(verb="no"), words("Decline"), style=Style.DANGER),
            ]
        return text_layout("\n".join([*lines, *self._named(words, table)]), items)

    async def _proposed(self, words: Words, proposal: Proposal) -> str:
        table, row = proposal.table, proposal.row
        other = bold(_about(words, proposal) or "")
        name = "" if proposal.by is None else bold(names_of(words, table)[proposal.by])
        if row.kind == UNDO:
            return words.plural(
                "↩️ {name} wants to undo one action.",
                "↩️ {name} wants to undo {count} actions.",
                await self._tables.undo.count(table.id, int(row.word)),
                name=name,
            )
        if proposal.by is None:
            # The table itself proposed it, under its term for players who run out of time.
            return words(
                "⏳ {other} is out of time. Should a computer player take over until they're back?",
                other=other,
            )
        return words(PROPOSED[row.kind], name=name, other=other)

    def follow_up(self, words: Words, proposal: Proposal) -> Layout | None:
        """Return a post about the consequences of a failed vote; None if there are none."""
        message = FOLLOW_UPS.get(proposal.row.kind)
        if message is None or proposal.verdict not in (Verdict.REFUSED, Verdict.LAPSED):
            return None
        text, table = words(message, other=bold(_about(words, proposal) or "")), proposal.table
        content = "\n".join([text, *self._named(words, table)])
        return text_layout(
            content, [resume_button(words, table.id)] if proposal.row.kind == RESUME else []
        )

    def _named(self, words: Words, table: Table) -> list[str]:
        """Return the table's name if it has no thread, as the channel may have other tables."""
        return [] if table.thread is not None else [f"-# {self._services.heading(words, table)}"]


async def to_act_lines(services: Services, words: Words, table: Table, seat: Seat) -> list[str]:
    """Return a line for each open proposal that needs the seat's vote, with a link to its post."""
    lines = []
    for proposal in await services.tables.votes.missing_of(table.id, seat):
        row = proposal.row
        url = None if row.place is None else place_link(table, row.place, row.message)
        about = _about(words, proposal)
        subject = words(SUBJECT[row.kind], other="" if about is None else about.plain)
        vote = subject if url is None else f"[{subject}]({url})"
        lines.append(words("🗳️ A vote needs your answer: {vote}", vote=vote))
    return lines


def _about(words: Words, proposal: Proposal) -> Name | None:
    """Return the name of the player that a proposal is about; None if it is about none."""
    if proposal.row.kind not in ABOUT_SEAT:
        return None
    return names_of(words, proposal.table)[int(proposal.row.word)]


def agree_id(proposal: Proposal) -> CustomId:
    """Return the custom id of the button for agreeing."""
    return CustomId("yes", proposal.table.id, None, (proposal.row.kind, proposal.row.word))
