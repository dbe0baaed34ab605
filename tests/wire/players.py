"""A person on the stand-in who plays by random buttons and selects of their panels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random

from bot.local import (
    Answer,
    Channel,
    Message,
    ModalOpened,
    NoAnswerError,
    Person,
    Standin,
)
from bot.local.model import Json
from tests import robot
from tests.robot import BUTTON, leading, picked

PLACE = "Kogge · table {}"
HARBOUR = "the-harbour"
TIMEOUT_S = 60.0
"""Timeout of waits."""


def ids(message: Message) -> list[str]:
    return [str(part["custom_id"]) for part in message.parts if "custom_id" in part]


def has_board(message: Message) -> bool:
    return any(each.filename == "board.png" for each in message.attachments)


class RandomPlayer:
    """A person at a table that was opened in the channel `home`.

    Deferred answers must arrive within `patience_s`.
    """

    def __init__(
        self,
        standin: Standin,
        person: Person,
        rng: Random,
        *,
        table: int = 1,
        home: Channel | str = HARBOUR,
    ) -> None:
        self.person = person
        self.table = table
        self.home = home
        self.panel: Message | None = None
        self.patience_s = TIMEOUT_S
        self._standin = standin
        self._rng = rng

    @property
    def place(self) -> Channel:
        try:
            return self._standin.channel(PLACE.format(self.table))
        except KeyError:
            home = self.home
            return self._standin.channel(home) if isinstance(home, str) else home

    @property
    def posts(self) -> list[Message]:
        messages = self._standin.model.messages[self.place.id].values()
        return [m for m in messages if has_board(m) and not m.is_ephemeral]

    @property
    def other_files(self) -> list[str]:
        """The names of the files in public messages without a board, oldest first."""
        messages = self._standin.model.messages[self.place.id].values()
        posts = [m for m in messages if not m.is_ephemeral and not has_board(m)]
        return [file.filename for message in posts for file in message.attachments]

    def board(self) -> Message | None:
        last = self.posts[-1:]
        return last[0] if last and f"play:{self.table}" in ids(last[0]) else None

    async def shown_board(self) -> Message:
        board = await self.person.wait_for(self.board, timeout=self.patience_s)
        assert board is not None
        return board

    @property
    def is_pinged(self) -> bool:
        board = self.board()
        return board is not None and self.person.mention in board.text.splitlines()[-1]

    async def open(self) -> Message:
        board = await self.shown_board()
        answer = await self.person.press(board, custom_id=f"play:{self.table}")
        panel = answer.message
        assert answer.is_private
        assert panel is not None
        await self._until_answered(answer)
        self.panel = panel
        return panel

    def choices(self) -> list[Json]:
        self._update_panel()
        return [] if self.panel is None else leading(self.panel.parts)

    async def shown(self) -> list[Json]:
        """Return `choices()`; the robot also plays in a browser."""
        return self.choices()

    async def choose(self, part: Json) -> Answer:
        panel = self.panel
        assert panel is not None
        if part["type"] == BUTTON:
            answer = await self.person.press(panel, custom_id=part["custom_id"])
        else:
            answer = await self.person.select(panel, part["custom_id"], picked(part, self._rng))
        assert not isinstance(answer.outcome, ModalOpened)
        assert answer.is_private
        await self._until_answered(answer)
        # If the panel has been deleted, the answer is another message.
        self.panel = answer.message or panel
        return answer

    async def _until_answered(self, answer: Answer) -> None:
        """Wait for the answer itself, which a busy machine defers.

        A change of the panel is no proof of an answer: actions of others also refresh or move it.
        """
        await self.person.wait_for(lambda: answer.is_answered, timeout=self.patience_s)

    def _update_panel(self) -> None:
        """Find the panel again if it has moved below a new post."""
        old, model = self.panel, self._standin.model
        if old is None or old.id in model.messages.get(old.channel_id, {}):
            return
        seen = [m for m in self.person.sees(model.channels[old.channel_id]) if m.id > old.id]
        own = [m for m in seen if m.is_ephemeral and leading(m.parts)]
        self.panel = own[-1] if own else None

    async def turn(self) -> None:
        await self.open()
        await robot.turn(self, self._rng.choice)


async def sit_down(
    standin: Standin,
    *people: Person,
    game: str = "kogge",
    table: int = 1,
    home: Channel | str = HARBOUR,
    options: Mapping[str, str] | None = None,
) -> None:
    host, *others = people
    await host.slash(home, "game new", game=game)
    lobby = await host.wait_for_message(
        home, lambda m: f"join:{table}" in ids(m), timeout=TIMEOUT_S
    )
    for name, value in (options or {}).items():
        values = {"option": name, "value": value, "table": table}
        await answered(standin, host, await host.slash(home, "game option", values))
    for other in others:
        await answered(standin, other, await other.press(lobby, custom_id=f"join:{table}"))
    await begin(host, lobby, table)


async def begin(host: Person, lobby: Message, table: int = 1) -> Answer:
    custom_id = f"begin:{table}"
    await host.wait_for(lambda: custom_id in lobby.custom_ids(), timeout=TIMEOUT_S)
    return await host.press(lobby, custom_id=custom_id)


async def answered(standin: Standin, person: Person, answer: Answer) -> None:
    """Wait until a deferred answer has replaced or deleted its placeholder."""
    message = answer.message
    if message is not None:
        messages = standin.model.messages[message.channel_id]
        await person.wait_for(
            lambda: message.id not in messages or not message.is_loading, timeout=TIMEOUT_S
        )


async def play_on(
    players: Sequence[RandomPlayer],
    *,
    until: Callable[[], bool] = lambda: False,
    before: Callable[[], object] = lambda: None,
) -> None:
    """Play until the game is over or `until()` is true; call `before()` before each turn.

    A player without an answer to a button tries again.
    """
    first = players[0]

    def ready() -> RandomPlayer | bool:
        if until() or any(f"log:{first.table}" in ids(post) for post in first.posts[-1:]):
            return True
        pinged = [each for each in players if each.is_pinged]
        return rng.choice(pinged) if pinged else False

    rng = Random(1)
    while True:
        player = await first.person.wait_for(ready, timeout=TIMEOUT_S)
        if isinstance(player, bool):
            return
        before()
        with suppress(NoAnswerError):
            await player.turn()
