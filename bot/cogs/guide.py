"""The buttons of a table in play: the turn, the private panel, hand, board, status."""

from __future__ import annotations

from collections.abc import Sequence

from discord.ext import commands

from bot.cogs.common.guide import Guide
from bot.cogs.common.looking import Looking
from bot.cogs.common.press import Press
from bot.cogs.common.presses import Handler, Presses
from bot.cogs.common.reply import Reply
from bot.game.contract import Seat
from bot.tables import Terms


class GuideCog(commands.Cog, name="guide"):
    """Hears the presses on public and private panels, for whatever game."""

    def __init__(self, guide: Guide, looking: Looking, presses: Presses) -> None:
        self._guide = guide
        self._looking = looking
        self._presses = presses
        self._verbs: dict[str, Handler] = {
            "play": self._start,
            "start": self._restart,
            "act": self._act,
            "do": self._do,
            "pick": self._pick,
            "pieces": self._pieces,
            "back": self._back,
            "promise": self._promise,
            "promised": self._promised,
            "type": self._type,
            "typed": self._typed,
            "deal": self._deal,
            "offer": self._offer,
            "hand": self._hand,
            "board": self._board,
            "text": self._text,
            "seat": self._seat,
            "status": self._status,
            "explain": self._explain,
        }

    async def cog_load(self) -> None:
        """Sign up for the verbs of the panels."""
        for verb, handler in self._verbs.items():
            self._presses.on(verb, handler)

    async def cog_unload(self) -> None:
        """Sign off."""
        self._presses.off(*self._verbs)

    async def _start(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.start(reply, press.table)

    async def _restart(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.start(reply, press.table, fresh=False)

    async def _act(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.go_on(reply, press)

    async def _do(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.go_on(reply, press, sure=True)

    async def _pick(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._guide.go_on(reply, press.then(*values[:1]))

    async def _pieces(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._guide.pieces(reply, press, values)

    async def _back(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.back(reply, press)

    async def _type(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.form(reply, press)

    async def _typed(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._guide.typed(reply, press, values[0] if values else "")

    async def _promise(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.promise_form(reply, press)

    async def _promised(self, reply: Reply, press: Press, values: Sequence[str]) -> None:
        await self._guide.promised(reply, press, Terms(*(words.strip() for words in values)))

    async def _deal(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.deal(reply, press.table)

    async def _offer(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.offer(reply, press)

    async def _hand(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._looking.hand(reply, press.table)

    async def _board(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._looking.board(reply, press.table)

    async def _text(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._looking.board(reply, press.table, as_text=True, seat=_seat_of(press))

    async def _seat(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._looking.turn_to(reply, press.table, _seat_of(press))

    async def _status(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._looking.status(reply, press.table)

    async def _explain(self, reply: Reply, press: Press, _values: Sequence[str]) -> None:
        await self._guide.explain(reply, press.table, wanted=press.words == ("on",))


def _seat_of(press: Press) -> Seat | None:
    """The seat that is to be seen alone; None for the whole table."""
    return int(press.words[0]) if press.words else None
