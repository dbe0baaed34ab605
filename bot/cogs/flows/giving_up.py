"""Giving up: somebody alone, who leaves their seat to a computer player, or all by agreement."""

from __future__ import annotations

from bot.cogs.flows.votes import Votes
from bot.cogs.ui import access, who
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import button, said
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.tables import Rejected, Status, Table
from bot.tables.votes import Verdict
from bot.text import general
from bot.text import server_settings as server_text
from bot.text.contract import Style
from bot.text.markup import bold


class GivingUp:
    """Asks before anything ends, and tells the others at the table what somebody wants."""

    def __init__(self, services: Services, votes: Votes) -> None:
        self._services = services
        self._tables = services.tables
        self._votes = votes

    async def ask(self, reply: Reply, table: Table) -> None:
        """Ask whether the person really wants to leave their seat. Raises Rejected where they
        have none."""
        await self._tables.reader.seat_of(table.id, reply.user)
        words = reply.words
        sure = button(CustomId("resign", table.id), words(general.CONFIRM), style=Style.DANGER)
        question = words("Resign and leave your seat to a computer player?")
        await reply.say(said(question, [sure]))

    async def resign(self, reply: Reply, table_id: int) -> None:
        """Leave the person's seat to a computer player."""
        table = await self._tables.reader.get(table_id)
        await self._tables.leaving.resign(table.id, reply.user, delivery=reply.delivery)
        words = reply.words
        name = who.own_name(words, table, reply.interaction.user)
        await reply.show(words(general.RESIGNED, name=bold(name)))

    async def abandon(self, reply: Reply, table: Table) -> None:
        """Agree to end the game; whoever may close any table here is asked which they mean."""
        if not await access.may_close(self._services, reply.interaction, table):
            await self._vote(reply, table)
            return
        words = reply.words
        choices = [
            button(CustomId("dissolve", table.id), words(server_text.CLOSE), style=Style.DANGER)
        ]
        if table.seat_of(reply.user) is not None and table.status is not Status.LOBBY:
            choices.append(button(CustomId("askend", table.id), words(server_text.VOTE)))
        await reply.say(said(words(server_text.CLOSE_ALONE), choices))

    async def propose(self, reply: Reply, table_id: int) -> None:
        """Ask the others to end the game unfinished."""
        await self._vote(reply, await self._tables.reader.get(table_id))

    async def dissolve(self, reply: Reply, table_id: int) -> None:
        """End the game without asking. Raises Rejected where the server does not let them."""
        table = await self._tables.reader.get(table_id)
        if not await access.may_close(self._services, reply.interaction, table):
            raise Rejected("not_owner")
        await self._tables.leaving.dissolve(table.id, delivery=reply.delivery)
        await reply.show(reply.words(general.ABANDONED))

    async def _vote(self, reply: Reply, table: Table) -> None:
        proposal = await self._tables.leaving.abandon(table.id, reply.user, delivery=reply.delivery)
        if proposal.verdict is Verdict.PASSED:
            await reply.say(reply.words(general.ABANDONED))
        else:
            await self._votes.announce(reply, proposal)
