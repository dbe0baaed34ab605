"""The buttons of a game in play: giving up, promises, undo."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.flows.giving_up import GivingUp
from bot.cogs.flows.promises import Promises
from bot.cogs.flows.undo import Undo
from bot.cogs.flows.votes import Votes
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import PressRoute, Routes, Verb
from bot.tables import PromiseStanding
from bot.tables.votes import ABANDON


class PlayingCog(commands.Cog, name="playing"):
    """Resign, abandon, mark a promise, undo: what the commands of `/game` have asked about."""

    def __init__(
        self,
        giving_up: GivingUp,
        votes: Votes,
        promises: Promises,
        undo: Undo,
        router: Routes,
    ) -> None:
        self._giving_up = giving_up
        self._votes = votes
        self._promises = promises
        self._undo = undo
        self._router = router
        self._verbs: dict[str, PressRoute] = {
            "resign": Verb(self._resign),
            "askend": Verb(self._ask_end),
            # Under posts of before, which asked for votes to end the game.
            "agree": Verb(self._agree),
            "dissolve": Verb(self._dissolve),
            "promises": Verb(self._list),
            "kept": Verb(self._mark_kept, words=(1,)),
            "broken": Verb(self._mark_broken, words=(1,)),
            "undo": Verb(self._ask_back),
            "backstep": Verb(self._step_back, decided=True),
            "backturn": Verb(self._start_again, decided=True),
            "undoit": Verb(self._take_back, words=(1, 2)),
            "undoall": Verb(self._propose_back, words=(1,)),
        }

    async def cog_load(self) -> None:
        """Register the verbs of a game in play."""
        for name, verb in self._verbs.items():
            self._router.on(name, verb)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off(*self._verbs)

    async def _resign(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._giving_up.resign(reply, custom_id.table)

    async def _ask_end(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._giving_up.propose(reply, custom_id.table)

    async def _agree(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        voice = custom_id._replace(words=(ABANDON, ""))
        await self._votes.voice(reply, voice, agree=True)

    async def _dissolve(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._giving_up.dissolve(reply, custom_id.table)

    async def _list(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._promises.show(reply, custom_id.table)

    async def _mark_kept(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._promises.mark(reply, custom_id, PromiseStanding.KEPT)

    async def _mark_broken(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._promises.mark(reply, custom_id, PromiseStanding.BROKEN)

    async def _ask_back(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._undo.ask(reply, custom_id.table)

    async def _step_back(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._undo.at_once(reply, custom_id)

    async def _start_again(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._undo.at_once(reply, custom_id, whole_turn=True)

    async def _take_back(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._undo.alone(reply, custom_id)

    async def _propose_back(
        self, reply: Reply, custom_id: CustomId, _values: Sequence[str]
    ) -> None:
        await self._undo.propose(reply, custom_id)
