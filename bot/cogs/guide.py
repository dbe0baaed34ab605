"""The buttons of a table in play: the turn, the private panel, hand, board, status."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.panel.turn import TurnGuide
from bot.cogs.panel.views import TableViews
from bot.cogs.ui.component_router import ComponentRouter, Verb, Way
from bot.cogs.ui.custom_id import CustomId, only
from bot.cogs.ui.reply import Reply
from bot.tables import Terms

SOME = range(20)
BEGUN = SOME[1:]
"""Words of an action that names at least its kind."""


class GuideCog(commands.Cog, name="guide"):
    """Hears the presses on public and private panels, for whatever game."""

    def __init__(self, guide: TurnGuide, looking: TableViews, router: ComponentRouter) -> None:
        self._guide = guide
        self._looking = looking
        self._router = router
        self._verbs: dict[str, Verb] = {
            "play": Verb(self._start),
            "start": Verb(self._restart),
            "act": Verb(self._act, words=BEGUN, decided=True),
            "do": Verb(self._do, words=BEGUN, decided=True),
            "pick": Verb(self._pick, (Way.SELECT,), words=SOME, decided=True),
            "pieces": Verb(self._pieces, (Way.SELECT,), words=SOME, decided=True),
            "back": Verb(self._back, words=SOME, decided=True),
            "promise": Verb(self._promise, words=BEGUN, decided=True),
            "promised": Verb(self._promised, (Way.FORM,), words=BEGUN, decided=True),
            "type": Verb(self._type, words=SOME, decided=True),
            "typed": Verb(self._typed, (Way.FORM,), words=SOME, decided=True),
            "deal": Verb(self._deal),
            "offer": Verb(self._offer, decided=True),
            "hand": Verb(self._hand),
            "board": Verb(self._board),
            "text": Verb(self._text, words=(0, 1)),
            "seat": Verb(self._seat, words=(0, 1)),
            "part": Verb(self._part, (Way.SELECT,)),
            "parttext": Verb(self._part_in_words, (Way.SELECT,)),
            "status": Verb(self._status),
            "explain": Verb(self._explain, words=(1,)),
        }

    async def cog_load(self) -> None:
        """Sign up for the verbs of the panels."""
        for name, verb in self._verbs.items():
            self._router.on(name, verb)

    async def cog_unload(self) -> None:
        """Sign off."""
        self._router.off(*self._verbs)

    async def _start(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.start(reply, press.table)

    async def _restart(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.start(reply, press.table, fresh=False)

    async def _act(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.go_on(reply, press)

    async def _do(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.go_on(reply, press, sure=True)

    async def _pick(self, reply: Reply, press: CustomId, values: Sequence[str]) -> None:
        await self._guide.go_on(reply, press.then(only(values)))

    async def _pieces(self, reply: Reply, press: CustomId, values: Sequence[str]) -> None:
        await self._guide.pieces(reply, press, values)

    async def _back(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.back(reply, press)

    async def _type(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.form(reply, press)

    async def _typed(self, reply: Reply, press: CustomId, values: Sequence[str]) -> None:
        await self._guide.typed(reply, press, only(values))

    async def _promise(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.promise_form(reply, press)

    async def _promised(self, reply: Reply, press: CustomId, values: Sequence[str]) -> None:
        terms = Terms(only(values[:1]).strip(), only(values[1:]).strip())
        await self._guide.promised(reply, press, terms)

    async def _deal(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.deal(reply, press.table)

    async def _offer(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._guide.offer(reply, press)

    async def _hand(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._looking.hand(reply, press.table)

    async def _board(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._looking.board(reply, press.table)

    async def _text(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._looking.board(reply, press.table, as_text=True, part=_part_of(press))

    async def _seat(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._looking.turn_to(reply, press.table, _part_of(press))

    async def _part(self, reply: Reply, press: CustomId, values: Sequence[str]) -> None:
        await self._looking.turn_to(reply, press.table, only(values))

    async def _part_in_words(self, reply: Reply, press: CustomId, values: Sequence[str]) -> None:
        await self._looking.turn_to(reply, press.table, only(values), as_text=True)

    async def _status(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        await self._looking.status(reply, press.table)

    async def _explain(self, reply: Reply, press: CustomId, _values: Sequence[str]) -> None:
        wanted = only(press.words, among=("on", "off")) == "on"
        await self._guide.explain(reply, press.table, wanted=wanted)


def _part_of(press: CustomId) -> str | None:
    """The part that is to be seen alone, a seat's by its number; None for the whole table."""
    return only(press.words) if press.words else None
