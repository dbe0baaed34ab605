"""A whole game through the real bot, twice; what each person receives must be the same.

The second time, segment by segment, the table is replaced by one that an observer cannot
tell from it, and is put right again afterwards.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from bot.app import open_services
from bot.client import GameBot
from bot.cogs.panel.offers import answer_kinds
from bot.cogs.post import PostCog
from bot.cogs.ui.custom_id import CustomId, TooLong
from bot.cogs.ui.services import Services
from bot.game.contract import SPECTATOR, Observer, offer_of
from bot.local.model import Message
from bot.local.new_world import DEFAULT_PEOPLE
from bot.local.options import innermost
from bot.local.person import Answer, Person
from bot.local.standin import Standin
from bot.tables.core.position import Position
from bot.titles.title import Title, Titles
from bot.tools.connected import connected, offer_only
from bot.tools.noninterference.feed import Feed
from bot.tools.noninterference.game import CheckedGame, GameSetting, Leak, difference
from bot.tools.noninterference.plan import MoveSegment, PlayedMove, moves, segments
from bot.tools.noninterference.shown import Kind

CHANNEL = "the-harbour"
PLAYERS = len(DEFAULT_PEOPLE) - 1
"""At most this many can play; the last of the people watches."""
COMMANDS = ("status", "log", "replay", "board", "hand", "turn", "promises")
"""Subcommands of `/game` that anybody may ask."""
PRESSED = ("play", "hand", "board", "status", "deal")
"""Public buttons that only show something."""
LOST_S = 20.0
"""Seconds after which nothing more is expected."""

Lines = Sequence[str]


def check_bot(title: Title, setting: GameSetting, most: int | None = None) -> CheckedGame:
    """A whole game over the stand-in, or until `most` things that people received were compared.

    Raises ValueError for more than `PLAYERS` players.
    """
    plan, real = asyncio.run(_received(title, setting, most))
    _, resampled = asyncio.run(_received(title, setting, None, plan))
    checks = 0
    for segment, one, other in zip(plan, real, resampled, strict=True):
        for was, became in zip_longest(one, other, fillvalue="nothing"):
            checks += 1
            if was != became:
                where = f"{title.game.name} by the bot, {setting}"
                diff = difference(was, became)
                leak = Leak(where, segment.real.seq, segment.observer, Kind.MESSAGE, diff)
                return CheckedGame({Kind.MESSAGE: checks}, 0, leak)
    return CheckedGame({Kind.MESSAGE: checks}, 0, None)


async def _received(
    title: Title, setting: GameSetting, most: int | None, plan: Sequence[MoveSegment] | None = None
) -> tuple[Sequence[MoveSegment], list[Lines]]:
    """What was played, and what the observer of each segment received; with a plan, resampled.

    Without one, a random game is played, until `most` things have been received.
    """
    with TemporaryDirectory() as folder:
        async with running_bot(Path(folder), title, setting.seed) as (standin, services, bot):
            play = WireGame(standin, services, bot, title, setting)
            await play.begin()
            received: list[Lines] = []
            if plan is not None:
                for segment in plan:
                    received.append(await play.segment(segment, exchange=True))
                return plan, received
            played: list[MoveSegment] = []
            for segment in await play.random_game():
                played.append(segment)
                received.append(await play.segment(segment, exchange=False))
                if most is not None and sum(map(len, received)) >= most:
                    break
            return played, received


@asynccontextmanager
async def running_bot(
    folder: Path, title: Title, seed: str
) -> AsyncIterator[tuple[Standin, Services, GameBot]]:
    """The bot with this title alone; the same seed gives tables with the same draws.

    It may answer late: on a busy machine that is no leak.
    """
    keys, url = Random(seed), f"sqlite+aiosqlite:///{folder / 'tables.sqlite'}"
    async with (
        Standin(acknowledge_s=LOST_S) as standin,
        open_services(
            url,
            rng=Random(seed),
            new_key=lambda: keys.randbytes(32),
            titles=Titles((title,)),
        ) as services,
        connected(standin, services) as bot,
    ):
        yield standin, services, bot


class WireGame:
    """One game at a table of the stand-in."""

    table = 1

    def __init__(
        self, standin: Standin, services: Services, bot: GameBot, title: Title, setting: GameSetting
    ) -> None:
        self._standin = standin
        self._services = services
        self._bot = bot
        self._title = title
        self._setting = setting
        if setting.seats > PLAYERS:
            raise ValueError(f"there are {PLAYERS} people to play, not {setting.seats}")
        people = [standin.person(someone.name) for someone in DEFAULT_PEOPLE]
        self._panels: dict[int, Message | None] = {}
        self._spectator, self._players = people[-1], people[: setting.seats]

    async def begin(self) -> None:
        """All sit down, and the game starts."""
        host, *others = self._players
        await self.slash(host, "game new", game=self._title.game.name)
        for name, value in self._setting.options.items():
            await self.slash(host, "game option", option=name, value=value, table=self.table)
        for other in others:
            await self.slash(other, "game join", table=self.table)
        await self.slash(host, "game start", table=self.table)

    async def random_game(self) -> Iterator[MoveSegment]:
        """The segments of a random game from where the table stands."""
        table = await self._services.tables._unit_of_work.cache.read(self.table)
        setting = self._setting
        return segments(
            self._title, setting.seats, table.key, table.position(), Random(setting.seed)
        )

    async def random_moves(self) -> Iterator[tuple[PlayedMove, Position]]:
        """The same, action by action, each with where it leads."""
        table = await self._services.tables._unit_of_work.cache.read(self.table)
        rng = Random(self._setting.seed)
        return moves(self._title, table.key, table.position(), rng)

    async def segment(self, segment: MoveSegment, *, exchange: bool) -> Lines:
        """Plays it; returns what its observer received of it."""
        lines: Lines = ()
        if not segment.has_secret:
            for move in segment.moves:
                await self.do(move)
        else:
            if exchange:
                await self._put(segment.resampled)
            person = await self.person(segment.observer)
            with Feed(self._standin, person) as feed:
                await self._look_around(person, feed)
                for move in segment.moves:
                    await self.do(move)
                await self._press_all(person)
            lines = feed.lines
            if exchange:
                await self._put(segment.after)
        if segment.onward is not None:
            await self.do(segment.onward)
        return lines

    async def person(self, observer: Observer) -> Person:
        """Who sits there, or watches."""
        if observer == SPECTATOR:
            return self._spectator
        table = await self._services.tables.reader.get(self.table)
        return self._standin.person(table.players[observer].name)

    async def _put(self, position: Position) -> None:
        """Puts the table into this position. Only a test of it may do that."""
        cache = self._services.tables._unit_of_work.cache

        async def work() -> None:
            cache.put(replace(await cache.load(self.table), now=position))

        await cache.alone(self.table, work)

    async def _look_around(self, person: Person, feed: Feed) -> None:
        """Everything the person can ask for by commands, and the autocomplete choices."""
        for command in COMMANDS:
            await self.slash(person, f"game {command}", table=self.table)
        await self.slash(person, "game board", form="text", table=self.table)
        for path, options in _commands(self._standin, self._title.game.name):
            said: dict[str, object] = {"table": self.table}
            for name in options:
                values = {**said, name: ""}
                choices = await person.autocomplete(CHANNEL, path, focused=name, values=values)
                feed.note(f"{path} {name}: {choices}")
                if choices:
                    said[name] = choices[0]["value"]
        await self.quiet()

    async def _press_all(self, person: Person) -> None:
        """The public buttons, which show something to whoever presses them."""
        board = self._board()
        if board is None:
            # The game is over.
            return
        for verb in PRESSED:
            if (custom_id := CustomId(verb, self.table).encoded()) in board.custom_ids():
                await self.press(person, board, custom_id)

    async def do(self, move: PlayedMove) -> None:
        """Acts by the bot's buttons, with the whole action as if it had been chosen in a panel."""
        person = await self.person(move.seat)
        before = await self._services.tables.reader.seq(self.table)
        press = CustomId("do", self.table, await self._decision(move), move.action)
        try:
            custom_id = press.encoded()
        except TooLong:
            await self._services.tables.play.act(self.table, move.seat, move.action)
        else:
            panel = await self._panel(person)
            offer_only(panel, custom_id)
            answer = await self.press(person, panel, custom_id)
            self._panels[person.id] = answer.message
        await self.quiet()
        assert await self._services.tables.reader.seq(self.table) == before + 1, move

    async def _decision(self, move: PlayedMove) -> str | None:
        """What the move answers, as a button says it."""
        words = self._services.words_for(None)
        snapshot = await self._services.snapshot(self.table, move.seat, words)
        if move.action[0] not in answer_kinds(self._services, snapshot, move.seat):
            return move.decision
        answered = {offer_of(offer): offer for offer in snapshot.offers(move.seat)}
        return snapshot.pressed_as(answered[move.action[1]])

    async def _panel(self, person: Person) -> Message:
        """The private panel, opened where there is none or it has moved."""
        panel = self._panels.get(person.id)
        if panel is None or panel.id not in self._standin.model.messages[panel.channel_id]:
            play = CustomId("play", self.table).encoded()
            board = self._board()
            assert board is not None
            panel = (await self.press(person, board, play)).message
        assert panel is not None
        return panel

    def _board(self) -> Message | None:
        """The newest post that can be played from, as long as there is any."""
        play = CustomId("play", self.table).encoded()
        return max(
            (each for each in self.posts() if each.attachments and play in each.custom_ids()),
            key=lambda message: message.id,
            default=None,
        )

    def posts(self) -> Iterator[Message]:
        """All messages that everybody can see."""
        for messages in self._standin.model.messages.values():
            yield from (message for message in messages.values() if not message.is_ephemeral)

    async def slash(self, person: Person, command: str, **values: object) -> Answer:
        """What a command is answered with. A slow answer is a placeholder first; it is waited
        for, as is all that comes of it."""
        answer = await person.slash(CHANNEL, command, values)
        await self.quiet()
        return answer

    async def press(self, person: Person, message: Message, custom_id: str) -> Answer:
        """What a button is answered with, as `slash` gives it."""
        answer = await person.press(message, custom_id=custom_id)
        await self.quiet()
        return answer

    async def quiet(self) -> None:
        """Waits until everybody has been answered and no message is waiting or on its way."""
        post = self._bot.get_cog("post")
        assert isinstance(post, PostCog)
        async with asyncio.timeout(LOST_S):
            await self._bot.answers.finish(LOST_S)
            await post.quiet(self.table)


def _commands(standin: Standin, game: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a game, and which of their options propose something while typing."""
    for path, spec in innermost(standin.model):
        options = spec.get("options") or ()
        names = [option["name"] for option in options if option.get("autocomplete")]
        if path.partition(" ")[0] == game and names:
            yield path, names
