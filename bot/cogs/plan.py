"""The buttons of plans and hints: what is tried or thought about before it is played."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.flows.hint import HintDialogue
from bot.cogs.flows.plan import PlanDialogue
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import PressRoute, Routes, Verb, Way


class PlanCog(commands.Cog, name="plan"):
    """Make a plan, have it judged, play it, keep it, delete it; ask for a hint."""

    def __init__(self, plans: PlanDialogue, hints: HintDialogue, router: Routes) -> None:
        self._plans = plans
        self._hints = hints
        self._router = router
        self._verbs: dict[str, PressRoute] = {
            "plan": Verb(self._show, decided=True),
            "plans": Verb(self._list),
            "planplay": Verb(self._play, words=(1,), decided=True),
            "plankeep": Verb(self._ask_name),
            "plankept": Verb(self._keep, (Way.FORM,)),
            "planload": Verb(self._load, words=(1,)),
            "plandrop": Verb(self._drop, words=(1,)),
            "planarm": Verb(self._arm, words=(2,)),
            "planjudge": Verb(self._judge, decided=True),
            "hint": Verb(self._hint, decided=True),
        }

    async def cog_load(self) -> None:
        """Register the buttons."""
        for name, verb in self._verbs.items():
            self._router.on(name, verb)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off(*self._verbs)

    async def _show(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.show(reply, custom_id.table, custom_id.decision)

    async def _list(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.show_kept(reply, custom_id.table)

    async def _play(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.play(reply, custom_id)

    async def _ask_name(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.ask_name(reply, custom_id.table)

    async def _keep(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        await self._plans.keep(reply, custom_id.table, only(values))

    async def _load(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.load(reply, custom_id)

    async def _drop(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.drop(reply, custom_id)

    async def _arm(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._plans.arm(reply, custom_id)

    async def _judge(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._hints.judge(reply, custom_id)

    async def _hint(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._hints.show(reply, custom_id.table, custom_id.decision)
