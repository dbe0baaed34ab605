"""The buttons of a table in play: the turn, the private panel, hand, board, status."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.panel.turn import TurnGuide
from bot.cogs.panel.views import TableViews
from bot.cogs.ui.browsing import OPEN, Focus, read_place
from bot.cogs.ui.custom_id import CustomId, integer, only
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import PressRoute, Routes, Verb, Way
from bot.tables import Terms

SOME = range(51)
"""As many words as an id has room for: a voyage is one press."""
BEGUN = SOME[1:]
"""Words of an action that names at least its kind."""


class GuideCog(commands.Cog, name="guide"):
    """Handles presses on public and private panels, for any game."""

    def __init__(self, guide: TurnGuide, table_views: TableViews, router: Routes) -> None:
        self._guide = guide
        self._table_views = table_views
        self._router = router
        self._verbs: dict[str, PressRoute] = {
            "play": Verb(self._start),
            "start": Verb(self._restart),
            "act": Verb(self._act, words=BEGUN, decided=True),
            "do": Verb(self._do, words=BEGUN, decided=True),
            "whole": Verb(self._whole, (Way.SELECT,), decided=True),
            "open": Verb(self._open, words=BEGUN, decided=True),
            "amount": Verb(self._amount, words=BEGUN, decided=True),
            "pick": Verb(self._pick, (Way.SELECT,), words=SOME, decided=True),
            "pieces": Verb(self._pieces, (Way.SELECT,), words=SOME, decided=True),
            "back": Verb(self._back, words=SOME, decided=True),
            "promise": Verb(self._promise, words=BEGUN, decided=True),
            "promised": Verb(self._promised, (Way.FORM,), words=BEGUN, decided=True),
            "type": Verb(self._type, words=SOME, decided=True),
            "typed": Verb(self._typed, (Way.FORM,), words=SOME, decided=True),
            "typeat": Verb(self._type_at, words=BEGUN, decided=True),
            "typedat": Verb(self._typed_at, (Way.FORM,), words=BEGUN, decided=True),
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
        """Register the verbs of the panels."""
        for name, verb in self._verbs.items():
            self._router.on(name, verb)

    async def cog_unload(self) -> None:
        """Remove them."""
        self._router.off(*self._verbs)

    async def _start(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.open(reply, custom_id.table)

    async def _restart(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.start(reply, custom_id.table, fresh=False)

    async def _act(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.go_on(reply, custom_id)

    async def _do(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.go_on(reply, custom_id, sure=True)

    async def _whole(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        await self._guide.whole(reply, custom_id, only(values))

    async def _open(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.browse(reply, *_focused(custom_id))

    async def _amount(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        *before, number = custom_id.words
        here = custom_id._replace(words=tuple(before), page=0)
        await self._guide.browse(reply, here, Focus(number=integer((number,))))

    async def _pick(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        value = only(values)
        if value.startswith(OPEN):
            place = read_place(value.removeprefix(OPEN))
            await self._guide.browse(reply, custom_id._replace(page=0), Focus(place))
        else:
            await self._guide.go_on(reply, custom_id.then(value))

    async def _pieces(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        await self._guide.pieces(reply, custom_id, values)

    async def _back(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.back(reply, custom_id)

    async def _type(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.form(reply, custom_id)

    async def _typed(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        await self._guide.typed(reply, custom_id, only(values))

    async def _type_at(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.form(reply, *_focused(custom_id))

    async def _typed_at(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        here, focus = _focused(custom_id)
        await self._guide.typed(reply, here, only(values), focus)

    async def _promise(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.promise_form(reply, custom_id)

    async def _promised(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        terms = Terms(only(values[:1]).strip(), only(values[1:]).strip())
        await self._guide.promised(reply, custom_id, terms)

    async def _deal(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.deal(reply, custom_id.table)

    async def _offer(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._guide.offer(reply, custom_id)

    async def _hand(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._table_views.hand(reply, custom_id.table)

    async def _board(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._table_views.board(reply, custom_id.table)

    async def _text(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._table_views.board(
            reply, custom_id.table, as_text=True, part=_part_of(custom_id)
        )

    async def _seat(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._table_views.turn_to(reply, custom_id.table, _part_of(custom_id))

    async def _part(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        await self._table_views.turn_to(reply, custom_id.table, only(values))

    async def _part_in_words(
        self, reply: Reply, custom_id: CustomId, values: Sequence[str]
    ) -> None:
        await self._table_views.turn_to(reply, custom_id.table, only(values), as_text=True)

    async def _status(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        await self._table_views.status(reply, custom_id.table)

    async def _explain(self, reply: Reply, custom_id: CustomId, _values: Sequence[str]) -> None:
        wanted = only(custom_id.words, among=("on", "off")) == "on"
        await self._guide.explain(reply, custom_id.table, wanted=wanted)


def _part_of(custom_id: CustomId) -> str | None:
    """The part to be shown alone, a seat by its number; None for the whole table."""
    return only(custom_id.words) if custom_id.words else None


def _focused(custom_id: CustomId) -> tuple[CustomId, Focus]:
    """The id without its last word, and the part of the domain that this word and the page mean."""
    *before, place = custom_id.words
    here = custom_id._replace(words=tuple(before), page=0)
    return here, Focus(read_place(place), custom_id.page)
