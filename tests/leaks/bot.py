"""Games by the real bot, each played twice: people must receive the same messages both times.

The second game has other secrets. Either the state is replaced for some actions by one that an
observer cannot tell from it (`check_bot`), or a player does more in secret (`check_runs`).
"""

from __future__ import annotations

import asyncio
import math
import re
import signal
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp

import msgspec
from msgspec.structs import replace

from bot.cogs.dialogues.films import FilmDialogue
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.ui.custom_id import CustomId, TooLong
from bot.game.chance import RecordedChance
from bot.game.contract import SPECTATOR, IllegalAction, Observer, Seat, offer_of, parse_action
from bot.local.changes import Change, MessageCreated, MessageDeleted, MessageEdited
from bot.local.model import Message
from bot.local.new_world import DEFAULT_PEOPLE
from bot.local.options import innermost
from bot.local.person import Answer, Person
from bot.local.standin import Standin
from bot.policy.random import random_action
from bot.tables import Status
from bot.tables.core.position import Position, act
from bot.text.game_data import Lesson, lessons
from bot.titles.title import Title, Titles
from tests.leaks.game import Found, Kind, Leak, Move, Setting, any_move, difference, is_on_opening
from tests.render.compare import contents
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.players import HARBOUR, sit_down
from tools.connected import offer_only

PLAYERS = len(DEFAULT_PEOPLE) - 1
"""The largest number of players; the last person is the spectator."""
COMMANDS = ("status", "log", "replay", "board", "hand", "turn", "promises")
"""Subcommands of `/game` that anyone may use."""
PRESSED = ("play", "hand", "board", "status", "deal")
"""Public buttons that only show something."""
SWITCH_BACK = 0.2
"""Probability of returning to the real state before an action."""
MAX_DULL = 8
"""A game ends after this many replaced states in a row without a secret."""

MOVES = 24
"""Actions of a game with additional secrets; more if no choice has been sealed by then."""
MAX_MOVES = 200
MAX_CHANGES = 3
TRIES = 30
"""Random choices tried, to find some after which the choice stays open."""
LOOK_EVERY = 6
"""After this many actions the others use commands and propose an undo."""
LOOK_COMMANDS = ("log", "replay", "status", "board")
"""Subcommands of `/game`."""

_ID = re.compile(r"\b\d{15,}\b")
_TIME = re.compile(r"<t:\d+")
_HASH = re.compile(r"[0-9a-f]{64}")

Channel = tuple[int, int, bool]
"""A channel's kind and id, and whether what arrives there is for the person alone."""
NO_CHANNEL = (0, 0, False)


class Feed:
    """Records everything that a person receives from now on, with the pixels of pictures.

    Ids differ between two runs: `lines` numbers them in order of appearance. The order is only
    reliable within one channel: a post in the thread and a private answer are sent concurrently.
    """

    def __init__(self, standin: Standin, person: Person) -> None:
        self._standin = standin
        self._person = person
        self._lines: dict[Channel, list[str]] = defaultdict(list)
        self._loading: set[int] = set()
        self._pictures: dict[str, bytes] = {}
        standin.model.subscribe(self._on_change)

    def record(self, line: str) -> None:
        """Record something else that the person got, such as autocomplete choices."""
        self._lines[NO_CHANNEL].append(line)

    @property
    def lines(self) -> list[str]:
        """Everything received, one line each, by channel."""
        numbers: dict[str, str] = {}

        def number(match: re.Match[str]) -> str:
            return numbers.setdefault(match[0], f"#{len(numbers)}")

        # Channels of one kind are sorted alike in both runs. Whether a direct message channel or
        # a thread is created first varies: it happens concurrently.
        lines = [line for place in sorted(self._lines) for line in self._lines[place]]
        return [_ID.sub(number, _TIME.sub("<t:", line)) for line in lines]

    def pictures(self, line: str) -> list[bytes]:
        """Return the files of one of the lines."""
        return [self._pictures[each] for each in _HASH.findall(line) if each in self._pictures]

    def _on_change(self, change: Change) -> None:
        if not isinstance(change, MessageCreated | MessageEdited | MessageDeleted):
            return
        message, world, user = change.message, self._standin.model, self._person.id
        place = world.channels.get(message.channel_id)
        if place is None or not world.can_see(user, place) or not world.visible(message, user):
            return
        lines = self._lines[place.kind, message.channel_id, message.is_ephemeral]
        if message.is_loading:
            # A slow answer starts as a placeholder. Its timing reveals nothing.
            self._loading.add(message.id)
        elif isinstance(change, MessageDeleted):
            lines.append(f"deleted {message.id}")
        elif isinstance(change, MessageCreated) or message.id in self._loading:
            self._loading.discard(message.id)
            lines.append(f"new {self._plain(message)}")
        else:
            lines.append(f"edited {self._plain(message)}")

    def _plain(self, message: Message) -> str:
        files = [
            (each.filename, each.description, self._hashed(self._standin.model.files[each.id]))
            for each in message.attachments
        ]
        parts = (
            *(message.channel_id, message.id, message.author_id, message.visible_to),
            *(message.nonce, message.flags, message.mentions),
            *(message.content, message.components, files),
        )
        return msgspec.json.encode(parts).decode()

    def _hashed(self, file: bytes) -> str:
        """Return a hash of a file; of a picture's pixels, whatever its compression."""
        try:
            data = contents(file)
        except ValueError:
            data = file
        digest = sha256(data).hexdigest()
        self._pictures[digest] = file
        return digest


def _save_pictures(real: Sequence[bytes], twin: Sequence[bytes]) -> Path:
    """Save the pictures of both games for inspection. Returns the folder."""
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
        self._spectator, self._seated = people[-1], people[: setting.seats]

    async def begin(self) -> Position:
        """All sit down, and the game starts."""
        game, options = self.title.game.name, self.setting.options
        await sit_down(self.standin, *self._seated, game=game, options=options)
        await self._wire.quiet(self.table)
        return await self._begun()

    async def play_on(self) -> Position:
        """All abandon the game, and play on from its last turn at another table."""
        for person in self._seated:
            await self.slash(person, "game abandon")
        first, *others = self._seated
        shown = (await self.slash(first, "game replay")).message
        for verb in ("step4:", "playfrom:", "playlater:"):
            assert shown is not None
            shown = (await self.press(first, shown, shown.custom_ids(verb)[0])).message
        self.table += 1
        await self._wire.quiet(self.table)
        for seat, person in enumerate(others, 1):
            await self._press_post(person, CustomId("claim", self.table, words=(str(seat),)))
        await self._press_post(first, CustomId("goon", self.table))
        for person in others:
            await self._press_post(person, CustomId("yes", self.table, words=("resume", "")))
        self._panels.clear()
        return await self._begun()

    async def learn(self, lesson: Lesson) -> Position:
        """Let the first person start a lesson."""
        learner, name = self._seated[0], self.title.game.name
        shown = (await learner.slash(HARBOUR, "learn", game=name)).message
        assert shown is not None
        await learner.select(shown, f"lesson:0:{name}:", [lesson.name])
        self.table += 1
        await self._wire.quiet(self.table)
        self._seated = [learner] * lesson.seats
        table = await self._services.tables._unit_of_work.cache.read(self.table)
        assert table.table.lesson == lesson.name
        self._key = table.key
        return table.position()

    async def open_panel(self, person: Person) -> None:
        """Open the private panel by a command."""
        self._panels[person.id] = (await self.slash(person, "game turn")).message

    async def _press_post(self, person: Person, pressed: CustomId) -> None:
        post = max(
            (each for each in self.posts() if pressed.encoded() in each.custom_ids()),
            key=lambda message: message.id,
        )
        await self.press(person, post, pressed.encoded())

    async def _begun(self) -> Position:
        table = await self._services.tables._unit_of_work.cache.read(self.table)
        assert table.table.status is Status.PLAYING
        self._seated = [self.standin.person(player.name) for player in table.table.players]
        self._key = table.key
        return table.position()

    def next(self, position: Position, rng: Random) -> tuple[Move, Position]:
        """Return a random next move and the position after it."""
        move = any_move(self.title, position.state, self.setting.seats, rng)
        return move, self.step(position, move)

    def step(self, position: Position, move: Move) -> Position:
        """Return the position after a move, with the same draws as at the table."""
        return act(self.title.game, position, self._key, move.seat, move.action, datetime.now(UTC))

    def person(self, observer: Observer) -> Person:
        """Return the person at a seat, or the spectator."""
        return self._spectator if observer == SPECTATOR else self._seated[observer]

    async def put(self, position: Position) -> None:
        """Replace the table's cached position."""
        cache = self._services.tables._unit_of_work.cache

        async def work() -> None:
            cache.put(replace(await cache.load(self.table), now=position))

        await cache.run_locked(self.table, work)

    async def do(self, move: Move) -> None:
        """Act by a button of the bot, as if the whole action had been chosen in a panel."""
        person = self.person(move.seat)
        before = await self._services.tables.reader.seq(self.table)
        press = CustomId("do", self.table, await self._decision(move), move.action)
        try:
            custom_id = press.encoded()
        except TooLong:
            await self._services.tables.play.act(self.table, move.seat, move.action)
            await self._wire.quiet(self.table)
        else:
            panel = await self._panel(person)
            if await self._services.tables.reader.seq(self.table) == before:
                # Otherwise opening the panel has done the action.
                offer_only(panel, custom_id)
                answer = await self.press(person, panel, custom_id)
                self._panels[person.id] = answer.message
        assert await self._services.tables.reader.seq(self.table) == before + 1, move

    async def _decision(self, move: Move) -> str | None:
        """Return the id of the decision that a move answers, as in a button's id."""
        words = self._services.words_for(None)
        table_view = await self._services.table_view(self.table, move.seat, words)
        if move.action[0] not in OpenMoves(self._services, table_view, move.seat).answers:
            return move.decision
        answered = {offer_of(offer): offer for offer in table_view.offers(move.seat)}
        return table_view.button_id(answered[move.action[1]])

    async def _panel(self, person: Person) -> Message:
        """Return the private panel. Opens it if there is none or it has moved."""
        panel = self._panels.get(person.id)
        if panel is None or panel.id not in self.standin.model.messages[panel.channel_id]:
            board = self._board()
            assert board is not None
            play = CustomId("play", self.table).encoded()
            panel = (await self.press(person, board, play)).message
        assert panel is not None
        return panel

    def _board(self) -> Message | None:
        """Return the newest post with a play button; None after the end."""
        play = CustomId("play", self.table).encoded()
        return max(
            (each for each in self.posts() if each.attachments and play in each.custom_ids()),
            key=lambda message: message.id,
            default=None,
        )

    def posts(self) -> Iterator[Message]:
        """Yield all public messages."""
        for messages in self.standin.model.messages.values():
            yield from (message for message in messages.values() if not message.is_ephemeral)

    async def slash(self, person: Person, command: str, **values: object) -> Answer:
        """Use a command and wait until all its effects are posted. Returns the answer."""
        answer = await person.slash(HARBOUR, command, {"table": self.table, **values})
        await self._wire.quiet(self.table)
        return answer

    async def press(self, person: Person, message: Message, custom_id: str) -> Answer:
        """Press a button and wait like `slash`. Returns the answer."""
        answer = await person.press(message, custom_id=custom_id)
        await self._wire.quiet(self.table)
        return answer

    async def _is_busy(self, observer: Observer) -> bool:
        """Check whether opening the panel would be an action of the observer."""
        pending = await self._services.tables.reader.pending(self.table)
        return any(
            each.seat == observer and is_on_opening(self.title.game, each) for each in pending
        )

    async def look_around(self, observer: Observer, feed: Feed) -> None:
        """Use every command of the observer, and record the autocomplete choices."""
        if await self._is_busy(observer):
            return
        person = self.person(observer)
        for command in COMMANDS:
            await self.slash(person, f"game {command}")
        await self.slash(person, "game board", form="text")
        turns = await self._services.tables.history.turns(self.table, SPECTATOR)
        rounds = {"first": turns[-1].round} if turns[-1].round else {}
        await self.slash(person, "table film", **rounds)
        (films,) = (each for each in self._wire.bot.dialogues if isinstance(each, FilmDialogue))
        await films._tasks.finish()
        await self.slash(self._spectator, "table predict", winner="0", by=3)
        await self.slash(person, "table predict")
        commands = self.standin.model.commands.values()
        of_game = [each for each in commands if each.spec["name"] == self.title.game.name]
        for parts in (parts for each in of_game for parts in innermost(each.spec)):
            path = " ".join(part["name"] for part in parts)
            options = [o for o in parts[-1].get("options") or () if o.get("autocomplete")]
            values: dict[str, object] = {"table": self.table}
            for name in (option["name"] for option in options):
                typed = {**values, name: ""}
                choices = await person.autocomplete(HARBOUR, path, focused=name, values=typed)
                feed.record(f"{path} {name}: {choices}")
                if choices:
                    values[name] = choices[0]["value"]
        await self._wire.quiet(self.table)

    async def press_all(self, observer: Observer) -> None:
        """Press the public buttons that show something."""
        board = self._board()
        # There is none when the game is over.
        if board is None or await self._is_busy(observer):
            return
        for verb in PRESSED:
            if (custom_id := CustomId(verb, self.table).encoded()) in board.custom_ids():
                await self.press(self.person(observer), board, custom_id)


def init_worker(folder: str) -> None:
    """Leave Ctrl+C and temporary files to the main process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder


Feeds = dict[Observer, Feed]
Script = Callable[[BotGame, Position, bool], Awaitable[Feeds]]
"""Plays on from a position, with other secrets if wanted. Returns what each observer received."""


def _play_twice(title: Title, setting: Setting, script: Script, how: str) -> Found:
    """Play a script twice with the same draws and compare what each observer received."""

    async def played(is_twin: bool) -> Feeds:
        with TemporaryDirectory() as folder:
            async with on_the_wire(Path(folder), Titles((title,)), setting.seed) as wire:
                game = BotGame(wire, title, setting)
                return await script(game, await game.begin(), is_twin)

    real, twin = asyncio.run(played(False)), asyncio.run(played(True))
    found = Found()
    for observer, feed in real.items():
        for one, other in zip_longest(feed.lines, twin[observer].lines, fillvalue="nothing"):
            found.counts[Kind.MESSAGE] += 1
            if one != other:
                diff = difference(one, other)
                if _HASH.sub("", one) == _HASH.sub("", other):
                    folder = _save_pictures(feed.pictures(one), twin[observer].pictures(other))
                    diff += f"\nonly pictures differ; they are saved in {folder}"
                where = f"{title} by the bot, {how}, {setting}"
                number = found.counts[Kind.MESSAGE]
                found.leak = Leak(where, number, observer, Kind.MESSAGE, diff)
                return found
    return found


# The state replaced by one that an observer cannot tell from it


def check_bot(
    title: Title,
    setting: Setting,
    observer: Observer,
    limit: float = math.inf,
    skipped: int = 0,
    *,
    plays_on: bool = False,
) -> Found:
    """Check a game by the bot until its end or until the observer has received `limit` messages.

    The first `skipped` actions are not compared. If it `plays_on`, the others are at a new table
    that begins with the position after them. There is one observer per game: others may notice
    the replaced state, and still see it later.
    """

    async def script(game: BotGame, position: Position, is_twin: bool) -> Feeds:
        rng = Random(setting.seed)
        for _ in range(skipped):
            if position.outcome is None:
                move, position = game.next(position, rng)
                await game.do(move)
        if plays_on and position.outcome is None:
            position = await game.play_on()
        feed, dull = Feed(game.standin, game.person(observer)), 0
        while position.outcome is None and len(feed.lines) < limit and dull < MAX_DULL:
            state = title.game.resample(position.state, observer, rng)
            other = replace(
                position,
                state=state,
                blob=title.game.encode(state),
                pending=title.game.pending(state),
            )
            is_secret = other.blob != position.blob
            dull = 0 if is_secret else dull + 1
            if is_twin:
                await game.put(other)
            if is_secret:
                await game.look_around(observer, feed)
            last_move: tuple[Move, Position] | None = None
            while last_move is None and position.outcome is None:
                move, real = game.next(position, rng)
                after = _unnoticed(game, other, move, real, observer)
                if after is None or rng.random() < SWITCH_BACK:
                    last_move = move, real
                else:
                    await game.do(move)
                    position, other = real, after
            if is_secret:
                await game.press_all(observer)
            if is_twin:
                await game.put(position)
            if last_move is not None:
                # Done in the real position: the observer might notice a difference.
                await game.do(last_move[0])
                position = last_move[1]
        return {observer: feed}

    return _play_twice(title, setting, script, "with a replaced state")


def _unnoticed(
    game: BotGame, other: Position, move: Move, real: Position, observer: Observer
) -> Position | None:
    """Return the other position after the same move; None if the observer would notice."""
    try:
        after = game.step(other, move)
    except IllegalAction:
        return None
    view = game.title.game.view
    same = (
        (real.pending, real.outcome) == (after.pending, after.outcome)
        and real.entry.drawn == after.entry.drawn
        and real.entry.visible_to(observer) == after.entry.visible_to(observer)
        and view(real.state, observer) == view(after.state, observer)
    )
    return after if same else None


# Lessons


def check_lessons(title: Title, setting: Setting) -> Found:
    """Check what a learner receives in all lessons of a title."""

    async def script(game: BotGame, _position: Position, is_twin: bool) -> Feeds:
        rng, feed = Random(setting.seed), Feed(game.standin, game.person(0))
        for lesson in lessons(title.game.name):
            position, seat = await game.learn(lesson), lesson.seat
            state = title.game.resample(position.state, seat, rng)
            other: Position | None = replace(
                position,
                state=state,
                blob=title.game.encode(state),
                pending=title.game.pending(state),
            )
            if is_twin and other is not None:
                await game.put(other)
            await game.look_around(seat, feed)
            await game.open_panel(game.person(seat))
            for line in lesson.solution:
                decision = next(each.id for each in position.pending if each.seat == seat)
                move = Move(seat, parse_action(line), decision)
                real = game.step(position, move)
                other = other and _unnoticed(game, other, move, real, seat)
                if is_twin and other is None:
                    await game.put(position)
                await game.do(move)
                position = real
            await game.look_around(seat, feed)
        return {0: feed}

    return _play_twice(title, setting, script, "in lessons")


# Additional secret actions


def check_runs(title: Title, setting: Setting) -> Found:
    """Compare two games with the same actions.

    In the second, one seat, the first to make a sealed choice, changes each of its sealed choices
    a few times and back, and looks at its hand and standing orders. The others use commands and
    propose undos now and then. They must receive the same in both, with every edit, button, file
    name and nonce.
    """
    changed = 0

    async def script(game: BotGame, position: Position, is_twin: bool) -> Feeds:
        nonlocal changed
        feeds = {
            seat: Feed(game.standin, game.person(seat))
            for seat in (SPECTATOR, *range(setting.seats))
        }
        rng, chosen, is_open = Random(setting.seed), None, False
        for number in range(1, MAX_MOVES):
            if position.outcome is not None or (chosen is not None and number > MOVES):
                break
            was_open = is_open
            move, position = game.next(position, rng)
            await game.do(move)
            if chosen is None and _can_change(position, move.seat):
                del feeds[move.seat]
            if move.seat not in feeds and move.decision is not None:
                chosen = move
            is_open = chosen is not None and _can_change(position, chosen.seat)
            if chosen is not None and is_open:
                changes = _changes(title, position, chosen, rng)
                changed += len(changes)
                # Finally the seat makes its original choice again.
                for change in (*changes, chosen) if is_twin else ():
                    await game.do(change)
                for command in ("game hand", "seat orders") if is_twin else ():
                    await game.slash(game.person(chosen.seat), command)
            if number % LOOK_EVERY == 0 or is_open or was_open:
                await _look_around(game, [*feeds])
        return feeds

    found = _play_twice(title, setting, script, "with additional secret actions")
    found.counts["histories"] = setting.seats if changed else 0
    return found


def _can_change(then: Position, seat: Seat) -> bool:
    return any(each.seat == seat and each.sealed and each.optional for each in then.pending)


def _changes(title: Title, then: Position, chosen: Move, rng: Random) -> list[Move]:
    """Return other choices of that kind that leave the sealed choice open."""
    game, seat = title.game, chosen.seat

    def stays_open(move: Move) -> bool:
        state = game.decode(game.encode(then.state))
        game.apply(state, seat, move.action, RecordedChance(()))
        return any(each.seat == seat and each.sealed for each in game.pending(state))

    legal = partial(game.legal, then.state, seat)
    tried = (
        chosen._replace(action=random_action(chosen.action[:1], legal, rng)) for _ in range(TRIES)
    )
    return list(islice(filter(stays_open, tried), MAX_CHANGES))


async def _look_around(game: BotGame, observers: Sequence[Observer]) -> None:
    """Let the observers use commands; then one proposes an undo and another refuses."""
    for observer in observers:
        for command in LOOK_COMMANDS:
            await game.slash(game.person(observer), f"game {command}")
    asker, other, *_ = (game.person(seat) for seat in observers if seat != SPECTATOR)
    asked = (await game.slash(asker, "game undo")).message
    if asked is not None and (buttons := asked.custom_ids("undoall:")):
        await game.press(asker, asked, buttons[0])
    for post in [post for post in game.posts() if post.custom_ids("no:")]:
        await game.press(other, post, post.custom_ids("no:")[0])
