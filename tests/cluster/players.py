"""People who play on through whatever happens, in the thread of their table or by direct message.

They note what they pressed and what they were told, for the judge (`tests/cluster/judge.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from random import Random
from typing import NamedTuple

from bot.local import Answer, CannotDoError, Channel, Message, NoAnswerError, Person, Standin
from bot.local.model import Json
from bot.text.errors import ERRORS
from tests.robot import leading
from tests.wire.hands import HARBOUR, Hands, answered, ids
from tests.wire.witness import decision

PATIENCE_S = 15.0
"""How long somebody waits for a panel that was promised before they open another."""
SITS_DOWN_S = 60.0
"""How long people wait for answers, and for the lobby, until their game has begun."""
IDLE_S = 1.0
"""How long somebody waits for a new post after a turn in which nothing was asked of them."""
TURN_S = 240.0
"""No turn of others takes that long, nor until one is called after it."""
_REFUSED = (
    "store_unavailable",
    "maybe_saved",
    "unfinished",
    "conflict",
    "stale",
    "stale_decision",
    "too_slow",
    "old_button",
)
_NOT_ASKED = ("nothing_asked", "foreign", "table_over")
REFUSALS = tuple(ERRORS[code] for code in (*_REFUSED, *_NOT_ASKED))
"""Answers that do not say that something was done."""


class Press(NamedTuple):
    """An answered press, and whether the answer says that an action was carried out."""

    delivery: str
    is_done: bool
    text: str


class Player(Hands):
    """One person at one table of any title; with `by_dm` they play in direct messages."""

    def __init__(
        self,
        standin: Standin,
        person: Person,
        table: int,
        *,
        seed: int = 1,
        home: Channel,
        by_dm: bool = False,
    ) -> None:
        super().__init__(standin, person, Random(f"{person.name} {seed}"), table=table)
        self.channel = home
        self.by_dm = by_dm
        self.presses: list[Press] = []
        self.unanswered: list[str] = []
        # Who waits longer for an answer waits as long for what it promises.
        self.patience_s = max(PATIENCE_S, standin.interactions.acknowledge_s)
        self._in_doubt = False

    @property
    def place(self) -> Channel:
        for channel in reversed(self._standin.model.channels.values()):
            if channel.kind.is_thread and channel.name.endswith(f"· table {self.table}"):
                return channel
        return self.channel

    @property
    def is_over(self) -> bool:
        return any(f"log:{self.table}" in ids(post) for post in self.posts[-1:])

    async def open(self) -> Message:
        if not self.by_dm:
            return await super().open()
        answer = await self.person.slash(self.person.dm, "game turn", table=self.table)
        panel = answer.message
        assert panel is not None
        await self._come(answer)
        self.panel = panel
        return panel

    async def choose(self, part: Json) -> Answer:
        in_doubt, self._in_doubt = self._in_doubt, True
        answer = await super().choose(part)
        # It is still so after an answer that never came, which raises.
        self._in_doubt = False
        asked, choices, text = decision(part), self.choices(), answer.text
        refused = any(each in text for each in REFUSALS)
        goes_on = self.panel is None or any(decision(other) == asked for other in choices)
        is_done = ERRORS["saved"] in text or not (goes_on or in_doubt or refused)
        self.presses.append(Press(str(answer.interaction.id), is_done, text))
        return answer

    async def play(self, until: Callable[[], bool] = lambda: False) -> None:
        while True:
            await self.person.wait_for(
                lambda: self.is_over or until() or self.is_called, timeout=TURN_S
            )
            if self.is_over or until():
                return
            seen, count = self._post(), len(self.presses)
            try:
                await self.turn()
            except (NoAnswerError, TimeoutError) as error:
                self.unanswered.append(str(error))
                self._in_doubt = True
            except CannotDoError:
                # What they were about to press has been taken away.
                self._in_doubt = True
            if len(self.presses) == count:
                await self._anything_new(seen)

    def _look_for_panel(self) -> None:
        """The same where the panel is, which need not be where the posts are."""
        old = self.panel
        there = self._standin.model.messages
        if old is None or old.id in there.get(old.channel_id, {}):
            return
        seen = list(self.person.sees(self._standin.model.channels[old.channel_id]))
        own = [m for m in seen if m.id > old.id and m.is_ephemeral and leading(m.parts)]
        self.panel = own[-1] if own else None

    async def sees_more_posts(self, count: int = 1, timeout: float = 60.0) -> None:  # noqa: ASYNC109
        wanted = len(self.posts) + count
        await self.person.wait_for(
            lambda: self.is_over or len(self.posts) >= wanted, timeout=timeout
        )

    async def _anything_new(self, seen: tuple[int, str | None]) -> None:
        try:
            await self.person.wait_for(lambda: self._post() != seen, timeout=IDLE_S)
        except TimeoutError:
            self._in_doubt = True

    def _post(self) -> tuple[int, str | None]:
        posts = self.posts
        return (posts[-1].id, posts[-1].edited_at) if posts else (0, None)


@asynccontextmanager
async def at_play(players: Sequence[Player]) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        for each in players:
            group.create_task(each.play())
        yield


def harbour(standin: Standin, shard: int) -> Channel:
    return standin.channel(HARBOUR, f"Guild {shard}")


async def sit_down(
    standin: Standin,
    game: str,
    *people: Person,
    home: Channel,
    computers: int = 0,
    options: Sequence[tuple[str, str]] = (),
) -> int:
    """The first opens a table, the others join by the button, options are set, it begins.

    Returns the number of the table. Nobody is at play yet, so all wait as long as it takes.
    """
    answers = standin.interactions
    before, answers.acknowledge_s = answers.acknowledge_s, SITS_DOWN_S
    try:
        return await _sit_down(
            standin, game, *people, home=home, computers=computers, options=options
        )
    finally:
        answers.acknowledge_s = before


async def _sit_down(
    standin: Standin,
    game: str,
    *people: Person,
    home: Channel,
    computers: int,
    options: Sequence[tuple[str, str]],
) -> int:
    host, *others = people
    before = {m.id for m in host.sees(home)}
    opened = {"game": game, **({"computers": computers} if computers else {})}
    await host.slash(home, "game new", opened)

    def is_lobby(message: Message) -> bool:
        return message.id not in before and any(i.startswith("join:") for i in ids(message))

    lobby = await host.wait_for_message(home, is_lobby, timeout=SITS_DOWN_S)
    table = int(next(i for i in ids(lobby) if i.startswith("join:")).partition(":")[2])
    for name, value in options:
        chosen = {"option": name, "value": value, "table": table}
        # It may be promised first, and the game must not begin before.
        await answered(standin, host, await host.slash(home, "game option", chosen))
    for other in others:
        await other.press(lobby, custom_id=f"join:{table}")
    begin = f"begin:{table}"
    await host.wait_for(lambda: begin in lobby.custom_ids(), timeout=SITS_DOWN_S)
    names = [each.name for each in people]
    await host.wait_for(lambda: all(name in lobby.text for name in names), timeout=SITS_DOWN_S)
    await host.press(lobby, custom_id=begin)
    return table
