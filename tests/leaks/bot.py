"""Games by the real bot, each played twice; what people receive must be the same both times.

The second time something else is secret: either the table is replaced, for some actions, by one
that an observer cannot tell from it (`check_bot`), or somebody does more in secret (`check_runs`).
"""

from __future__ import annotations

import asyncio
import re
import signal
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from types import TracebackType
from typing import NamedTuple, Self

import msgspec
from msgspec.structs import replace

from bot.cogs.panel.offers import answer_kinds
from bot.cogs.ui.custom_id import CustomId, TooLong
from bot.game.chance import RecordedChance
from bot.game.contract import SPECTATOR, IllegalAction, Observer, Seat, offer_of
from bot.local.changes import Change, MessageCreated, MessageDeleted, MessageEdited
from bot.local.model import Message
from bot.local.new_world import DEFAULT_PEOPLE
from bot.local.options import innermost
from bot.local.person import Answer, Person
from bot.local.standin import Standin
from bot.policy.random import random_action
from bot.render import png
from bot.tables.core.position import Position, Step, act
from bot.titles.title import Title, Titles
from bot.tools.connected import offer_only
from tests.leaks.game import Found, Kind, Leak, Move, Setting, any_move, difference, is_on_opening
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.hands import HARBOUR, sit_down

PLAYERS = len(DEFAULT_PEOPLE) - 1
"""At most this many can play; the last of the people watches."""
COMMANDS = ("status", "log", "replay", "board", "hand", "turn", "promises")
"""Subcommands of `/game` that anybody may ask."""
PRESSED = ("play", "hand", "board", "status", "deal")
"""Public buttons that only show something."""
ACTIONS = 4
"""At most this many actions are taken in one segment."""
DULL = 8
"""A game is left after so many segments in a row in which nothing was hidden."""

MOVES = 24
"""This many actions are taken in a game in which more is done in secret, or more until a choice is
sealed."""
MOST_MOVES = 200
MOST_CHANGES = 3
TRIES = 30
"""So many choices at most are looked at for some that settle nothing."""
ASKED_EVERY = 6
"""Each time this many actions have been taken, somebody looks around and asks to go back."""
LOOKED_AT = ("log", "replay", "status", "board")
"""Subcommands of `/game`."""

_ID = re.compile(r"\b\d{15,}\b")
_TIME = re.compile(r"<t:\d+")
_HASH = re.compile(r"[0-9a-f]{64}")

Channel = tuple[int, int, bool]
"""A channel's kind and id, and whether what arrives there is for the person alone."""
NO_CHANNEL = (0, 0, False)


class Feed:
    """A context in which whatever reaches a person is noted, to the last colour of a picture.

    Ids are Discord's and differ between two runs: `lines` names them in the order in which they
    appear. What comes to one place keeps its order; a post in the thread and a private answer are
    sent concurrently, and which of them is faster is chance.
    """

    def __init__(self, standin: Standin, person: Person) -> None:
        self._standin = standin
        self._person = person
        self._noted: dict[Channel, list[str]] = defaultdict(list)
        self._loading: set[int] = set()
        self._pictures: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        self._stop = self._standin.model.subscribe(self._on_change)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def note(self, line: str) -> None:
        """Record something else that the person got, such as autocomplete choices."""
        self._noted[NO_CHANNEL].append(line)

    @property
    def lines(self) -> list[str]:
        """Everything received, a line each, place by place."""
        known: dict[str, str] = {}

        def plain(found: re.Match[str]) -> str:
            return known.setdefault(found[0], f"#{len(known)}")

        # Ids of one kind grow in the same order in any two runs. Whether a direct conversation or
        # a thread comes first is chance: they are made concurrently.
        said = [line for place in sorted(self._noted) for line in self._noted[place]]
        return [_ID.sub(plain, _TIME.sub("<t:", line)) for line in said]

    def pictures(self, line: str) -> list[bytes]:
        """The files that came with one of the lines."""
        return [self._pictures[each] for each in _HASH.findall(line) if each in self._pictures]

    def _on_change(self, change: Change) -> None:
        if not isinstance(change, MessageCreated | MessageEdited | MessageDeleted):
            return
        message, world, user = change.message, self._standin.model, self._person.id
        place = world.channels.get(message.channel_id)
        if place is None or not world.can_see(user, place) or not world.visible(message, user):
            return
        noted = self._noted[place.kind, message.channel_id, message.is_ephemeral]
        if message.is_loading:
            # A slow answer first has a placeholder; how slow it was says nothing.
            self._loading.add(message.id)
        elif isinstance(change, MessageDeleted):
            noted.append(f"deleted {message.id}")
        elif isinstance(change, MessageCreated) or message.id in self._loading:
            self._loading.discard(message.id)
            noted.append(f"came {self._plain(message)}")
        else:
            noted.append(f"edited {self._plain(message)}")

    def _plain(self, message: Message) -> str:
        files = [
            (each.filename, each.description, self._hashed(self._standin.file(each.id)))
            for each in message.attachments
        ]
        parts = (
            *(message.channel_id, message.id, message.author_id, message.visible_to),
            *(message.nonce, message.flags, message.mentions),
            *(message.content, message.embeds, message.components, files),
        )
        return msgspec.json.encode(parts).decode()

    def _hashed(self, file: bytes) -> str:
        """Of a picture, whatever its compression has made of it."""
        try:
            said = png.contents(file)
        except ValueError:
            said = file
        found = sha256(said).hexdigest()
        self._pictures[found] = file
        return found


def compared(
    found: Found, where: str, step: int, observer: Observer, real: Feed, twin: Feed
) -> bool:
    """Compares what one person received; whether it is the same."""
    for was, became in zip_longest(real.lines, twin.lines, fillvalue="nothing"):
        found.checks[Kind.MESSAGE] += 1
        if was != became:
            diff = difference(was, became)
            if _HASH.sub("", was) == _HASH.sub("", became):
                folder = _kept(real.pictures(was), twin.pictures(became))
                diff += f"\nnothing but pictures differs, which are kept in {folder}"
            found.leak = Leak(where, step, observer, Kind.MESSAGE, diff)
            return False
    return True


def _kept(real: Sequence[bytes], twin: Sequence[bytes]) -> Path:
    """A folder with the pictures of both games: what differs is seen only by looking at them."""
    folder = Path(mkdtemp(prefix="leak-"))
    for name, pictures in (("real", real), ("twin", twin)):
        for number, picture in enumerate(pictures):
            (folder / f"{name}-{number}.png").write_bytes(picture)
    return folder


class BotGame:
    """One game at a table of the stand-in."""

    table = 1

    def __init__(self, wire: Wire, title: Title, setting: Setting) -> None:
        if setting.seats > PLAYERS:
            raise ValueError(f"there are {PLAYERS} people to play, not {setting.seats}")
        self.standin = wire.standin
        self.title = title
        self.setting = setting
        self._wire = wire
        self._services = wire.services
        self._panels: dict[int, Message | None] = {}
        people = [wire.standin.person(someone.name) for someone in DEFAULT_PEOPLE]
        self._spectator, self._players = people[-1], people[: setting.seats]

    async def begin(self) -> tuple[bytes, Position]:
        """All sit down, and the game starts: the key of its draws, and where it stands."""
        game, options = self.title.game.name, self.setting.options
        await sit_down(self.standin, *self._players, game=game, options=options)
        await self._wire.quiet()
        table = await self._services.tables._unit_of_work.cache.read(self.table)
        return table.key, table.position()

    async def person(self, observer: Observer) -> Person:
        """Who sits there, or watches."""
        if observer == SPECTATOR:
            return self._spectator
        table = await self._services.tables.reader.get(self.table)
        return self.standin.person(table.players[observer].name)

    async def put(self, position: Position) -> None:
        """Puts the table into this position. Only a test of it may do that."""
        cache = self._services.tables._unit_of_work.cache

        async def work() -> None:
            cache.put(replace(await cache.load(self.table), now=position))

        await cache.alone(self.table, work)

    async def do(self, move: Move) -> None:
        """Acts by the bot's buttons, with the whole action as if it had been chosen in a panel."""
        person = await self.person(move.seat)
        before = await self._services.tables.reader.seq(self.table)
        press = CustomId("do", self.table, await self._decision(move), move.action)
        try:
            custom_id = press.encoded()
        except TooLong:
            await self._services.tables.play.act(self.table, move.seat, move.action)
            await self._wire.quiet()
        else:
            panel = await self._panel(person)
            if await self._services.tables.reader.seq(self.table) == before:
                # Else it was done when the panel was opened.
                offer_only(panel, custom_id)
                answer = await self.press(person, panel, custom_id)
                self._panels[person.id] = answer.message
        assert await self._services.tables.reader.seq(self.table) == before + 1, move

    async def _decision(self, move: Move) -> str | None:
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
        if panel is None or panel.id not in self.standin.model.messages[panel.channel_id]:
            board = self._board()
            assert board is not None
            play = CustomId("play", self.table).encoded()
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
        for messages in self.standin.model.messages.values():
            yield from (message for message in messages.values() if not message.is_ephemeral)

    async def slash(self, person: Person, command: str, **values: object) -> Answer:
        """What a command is answered with. A slow answer is a placeholder first; it is waited
        for, as is all that comes of it."""
        answer = await person.slash(HARBOUR, command, {"table": self.table, **values})
        await self._wire.quiet()
        return answer

    async def press(self, person: Person, message: Message, custom_id: str) -> Answer:
        """What a button is answered with, as `slash` gives it."""
        answer = await person.press(message, custom_id=custom_id)
        await self._wire.quiet()
        return answer

    async def looks_on(self, observer: Observer) -> bool:
        """Whether the observer can look at everything without doing anything by it."""
        pending = await self._services.tables.reader.pending(self.table)
        return not any(
            each.seat == observer and is_on_opening(self.title.game, each) for each in pending
        )

    async def look_around(self, person: Person, feed: Feed) -> None:
        """Everything the person can ask for by commands, and the autocomplete choices."""
        for command in COMMANDS:
            await self.slash(person, f"game {command}")
        await self.slash(person, "game board", form="text")
        for path, spec in innermost(self.standin.model):
            options = [each for each in spec.get("options") or () if each.get("autocomplete")]
            if path.partition(" ")[0] != self.title.game.name:
                continue
            said: dict[str, object] = {"table": self.table}
            for name in (option["name"] for option in options):
                values = {**said, name: ""}
                choices = await person.autocomplete(HARBOUR, path, focused=name, values=values)
                feed.note(f"{path} {name}: {choices}")
                if choices:
                    said[name] = choices[0]["value"]
        await self._wire.quiet()

    async def press_all(self, person: Person) -> None:
        """The public buttons, which show something to whoever presses them."""
        board = self._board()
        # There is none when the game is over.
        for verb in PRESSED if board else ():
            assert board is not None
            if (custom_id := CustomId(verb, self.table).encoded()) in board.custom_ids():
                await self.press(person, board, custom_id)


def begin_worker(folder: str) -> None:
    """Whoever stops the search stops its workers, and clears up after them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder


@asynccontextmanager
async def bot_game(title: Title, setting: Setting) -> AsyncIterator[BotGame]:
    """A table of a bot with this title alone; the same seed gives the same draws."""
    with TemporaryDirectory() as folder:
        async with on_the_wire(Path(folder), Titles((title,)), setting.seed) as wire:
            yield BotGame(wire, title, setting)


# The table replaced by one that an observer cannot tell from it


class Segment(NamedTuple):
    """Actions by which an observer cannot tell `real` from `resampled`; `after` is where they lead.

    `onward` is then done in the real position, as it would tell the two apart; None at the end.
    """

    real: Position
    resampled: Position
    moves: Sequence[Move]
    after: Position
    onward: Move | None


def check_bot(
    title: Title, setting: Setting, observer: Observer, most: int | None = None, unseen: int = 0
) -> Found:
    """A game over the stand-in, to its end or until `most` things that the observer received were
    compared; nobody looks at the first actions, as many as are `unseen`.

    Raises ValueError for more than `PLAYERS` players.
    """
    found = Found()
    plan, real = asyncio.run(_received(title, setting, observer, unseen, most))
    _, twin = asyncio.run(_received(title, setting, observer, unseen, None, plan))
    where = f"{title.game.name} by the bot, {setting}"
    for segment, one, other in zip(plan, real, twin, strict=True):
        if one and other and not compared(found, where, segment.real.seq, observer, one, other):
            break
    return found


async def _received(
    title: Title,
    setting: Setting,
    observer: Observer,
    unseen: int,
    most: int | None,
    plan: Sequence[Segment] | None = None,
) -> tuple[Sequence[Segment], Sequence[Feed | None]]:
    """What was played, and what the observer received of it; with a plan, resampled."""
    played: list[Segment] = []
    received: list[Feed | None] = []
    lines = 0
    async with bot_game(title, setting) as game:
        key, now = await game.begin()
        rng = Random(setting.seed)
        for move, then in islice(moves(title, setting, key, now, rng), unseen):
            await game.do(move)
            now = then
        for segment in plan or segments(title, setting, observer, key, now, rng):
            feed = await _play_segment(game, observer, segment, resampled=plan is not None)
            played.append(segment)
            received.append(feed)
            lines += len(feed.lines) if feed else 0
            is_dull = not any(received[-DULL:]) and len(received) >= DULL
            if most is not None and (lines >= most or is_dull):
                break
    return played, received


async def _play_segment(
    game: BotGame, observer: Observer, segment: Segment, *, resampled: bool
) -> Feed | None:
    """What the observer receives of it; None where nothing is hidden from them."""
    feed = None
    if segment.real.blob == segment.resampled.blob:
        for move in segment.moves:
            await game.do(move)
    else:
        if resampled:
            await game.put(segment.resampled)
        person = await game.person(observer)
        with Feed(game.standin, person) as feed:
            if await game.looks_on(observer):
                await game.look_around(person, feed)
            for move in segment.moves:
                await game.do(move)
            if await game.looks_on(observer):
                await game.press_all(person)
        if resampled:
            await game.put(segment.after)
    if segment.onward is not None:
        await game.do(segment.onward)
    return feed


def moves(
    title: Title, setting: Setting, key: bytes, position: Position, rng: Random
) -> Iterator[tuple[Move, Position]]:
    """A random game from there to its end: each action, and where it leads. The `key` is the
    table's, so that what is drawn here will be drawn at the table."""
    while position.outcome is None:
        move = any_move(title, position.state, setting.seats, rng)
        position = _step(title, key, position, move).position
        yield move, position


def segments(
    title: Title,
    setting: Setting,
    observer: Observer,
    key: bytes,
    position: Position,
    rng: Random,
) -> Iterator[Segment]:
    """The same, in parts of which the observer would notice nothing.

    It is one observer in all of the game: what a part of it brings somebody else may be untrue in
    the real game, and be seen by them for long.
    """
    game = title.game
    while position.outcome is None:
        state = game.resample(position.state, observer, rng)
        resampled = replace(
            position, state=state, blob=game.encode(state), pending=game.pending(state)
        )
        real, after, other = position, position, resampled
        taken: list[Move] = []
        onward: Move | None = None
        while onward is None and position.outcome is None:
            move = any_move(title, position.state, setting.seats, rng)
            step = _step(title, key, position, move)
            then = _unnoticed(title, key, other, move, step, observer)
            if then is None or len(taken) == ACTIONS:
                onward = move
            else:
                taken.append(move)
                after, other = step.position, then
            position = step.position
        yield Segment(real, resampled, taken, after, onward)


def _step(title: Title, key: bytes, position: Position, move: Move) -> Step:
    return act(title.game, position, key, move.seat, move.action, datetime.now(UTC))


def _unnoticed(
    title: Title, key: bytes, other: Position, move: Move, step: Step, observer: Observer
) -> Position | None:
    """Where the same move leads in the resampled state; None where the observer would notice."""
    try:
        resampled = _step(title, key, other, move)
    except IllegalAction:
        return None
    real, then, game = step.position, resampled.position, title.game
    same = (
        (step.drawn, real.pending, real.outcome) == (resampled.drawn, then.pending, then.outcome)
        and step.happened.heard_by(observer) == resampled.happened.heard_by(observer)
        and game.view(real.state, observer) == game.view(then.state, observer)
    )
    return then if same else None


# More done in secret


def check_runs(title: Title, setting: Setting) -> Found:
    """Two games with the same actions. In the second the secretive seat, the first to choose under
    a seal, changes each of its sealed choices a few times and back again, and looks at its hand and
    its standing orders. Everybody else looks around and asks to go back now and then. All that ever
    came to each of them must be the same, with every edit, button, file name and nonce.
    """
    plain, changes = asyncio.run(_remembered(title, setting, busy=False))
    busy, _ = asyncio.run(_remembered(title, setting, busy=True))
    found = Found(histories=len(plain) if changes else 0)
    where = f"{title.game.name} by the bot, {setting}, after {changes} changes in secret"
    for observer, one in plain.items():
        step = found.checks.total()
        if not compared(found, where, step, observer, one, busy[observer]):
            break
    return found


async def _remembered(
    title: Title, setting: Setting, *, busy: bool
) -> tuple[dict[Observer, Feed], int]:
    """What each of the others has received of a game, and how often a choice could be changed.

    The choices are changed only where the secretive seat is `busy`.
    """
    async with bot_game(title, setting) as game:
        key, position = await game.begin()
        plan, secretive = _planned(moves(title, setting, key, position, Random(setting.seed)))
        if secretive is None:
            return {}, 0
        others = [seat for seat in (SPECTATOR, *range(setting.seats)) if seat != secretive]
        people = {observer: await game.person(observer) for observer in others}
        rng, count = Random(setting.seed), 0
        chosen: Move | None = None
        is_open = False
        with ExitStack() as stack:
            feeds = {
                observer: stack.enter_context(Feed(game.standin, person))
                for observer, person in people.items()
            }
            for number, (move, then) in enumerate(plan, start=1):
                await game.do(move)
                was_open, is_open = is_open, _may_choose_anew(then, secretive)
                if move.seat == secretive and move.decision is not None:
                    chosen = move
                if is_open:
                    assert chosen is not None
                    changes = _changes(title, then, chosen, rng)
                    count += len(changes)
                    if busy:
                        await _change(game, changes, chosen)
                if number % ASKED_EVERY == 0 or is_open or was_open:
                    await _look_around(game, people)
        return feeds, count


def _planned(
    moves: Iterator[tuple[Move, Position]],
) -> tuple[list[tuple[Move, Position]], Seat | None]:
    """The actions to take, and the secretive seat, if there is one."""
    plan, secretive = list[tuple[Move, Position]](), None
    for move, then in islice(moves, MOST_MOVES):
        plan.append((move, then))
        if secretive is None and _may_choose_anew(then, move.seat):
            secretive = move.seat
        if secretive is not None and len(plan) >= MOVES:
            break
    return plan, secretive


def _may_choose_anew(then: Position, seat: Seat) -> bool:
    return any(each.seat == seat and each.sealed and each.optional for each in then.pending)


def _changes(title: Title, then: Position, chosen: Move, rng: Random) -> list[Move]:
    """Other choices of that kind which settle nothing: the seat may still choose anew."""
    game, seat = title.game, chosen.seat

    def stays_open(move: Move) -> bool:
        state = game.decode(game.encode(then.state))
        game.apply(state, seat, move.action, RecordedChance(()))
        return any(each.seat == seat and each.sealed for each in game.pending(state))

    legal = partial(game.legal, then.state, seat)
    tried = (
        chosen._replace(action=random_action(chosen.action[:1], legal, rng)) for _ in range(TRIES)
    )
    return list(islice(filter(stays_open, tried), MOST_CHANGES))


async def _change(game: BotGame, changes: Sequence[Move], chosen: Move) -> None:
    """The seat chooses anew some times, and in the end what it had chosen."""
    for move in (*changes, chosen):
        await game.do(move)
    person = await game.person(chosen.seat)
    for command in ("game hand", "seat orders"):
        await game.slash(person, command)


async def _look_around(game: BotGame, people: dict[Observer, Person]) -> None:
    """Everybody but the secretive one looks; then one of them asks to go back, others refuse."""
    for person in people.values():
        for command in LOOKED_AT:
            await game.slash(person, f"game {command}")
    asker, *others = (people[seat] for seat in people if seat != SPECTATOR)
    asked = (await game.slash(asker, "game undo")).message
    if asked is not None and (buttons := asked.custom_ids("undoall:")):
        await game.press(asker, asked, buttons[0])
    for post in [post for post in game.posts() if post.custom_ids("no:")]:
        await game.press(others[0], post, post.custom_ids("no:")[0])
