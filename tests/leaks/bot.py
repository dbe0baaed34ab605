"""Games by the real bot, each played twice; what people receive must be the same both times.

The second time something else is secret: either the table is replaced, for some actions, by one
that an observer cannot tell from it (`check_bot`), or somebody does more in secret (`check_runs`).
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

from bot.cogs.panel.open_moves import OpenMoves
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
from bot.tables.core.position import Position, act
from bot.titles.title import Title, Titles
from tests.leaks.game import Found, Kind, Leak, Move, Setting, any_move, difference, is_on_opening
from tests.render.compare import contents
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.hands import HARBOUR, sit_down
from tools.connected import offer_only

PLAYERS = len(DEFAULT_PEOPLE) - 1
"""At most this many can play; the last of the people watches."""
COMMANDS = ("status", "log", "replay", "board", "hand", "turn", "promises")
"""Subcommands of `/game` that anybody may ask."""
PRESSED = ("play", "hand", "board", "status", "deal")
"""Public buttons that only show something."""
LEFT = 0.2
"""How often another table is left again after an action."""
DULL = 8
"""A game is left after so many tables in a row in which nothing was hidden."""

MOVES = 24
"""This many actions are taken in a game in which more is done in secret, or more until a choice is
sealed."""
MAX_MOVES = 200
MAX_CHANGES = 3
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
    """Notes whatever reaches a person from now on, to the last colour of a picture.

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
        standin.model.subscribe(self._on_change)

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
            *(message.content, message.components, files),
        )
        return msgspec.json.encode(parts).decode()

    def _hashed(self, file: bytes) -> str:
        """Of a picture, whatever its compression has made of it."""
        try:
            said = contents(file)
        except ValueError:
            said = file
        found = sha256(said).hexdigest()
        self._pictures[found] = file
        return found


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
        self._spectator, self._seated = people[-1], people[: setting.seats]

    async def begin(self) -> Position:
        """All sit down, and the game starts."""
        game, options = self.title.game.name, self.setting.options
        await sit_down(self.standin, *self._seated, game=game, options=options)
        await self._wire.quiet()
        table = await self._services.tables._unit_of_work.cache.read(self.table)
        players = (await self._services.tables.reader.get(self.table)).players
        self._seated = [self.standin.person(player.name) for player in players]
        self._key = table.key
        return table.position()

    def next(self, position: Position, rng: Random) -> tuple[Move, Position]:
        """What somebody might do next, and what comes of it."""
        move = any_move(self.title, position.state, self.setting.seats, rng)
        return move, self.step(position, move)

    def step(self, position: Position, move: Move) -> Position:
        """What is drawn here will be drawn at the table."""
        return act(self.title.game, position, self._key, move.seat, move.action, datetime.now(UTC))

    def person(self, observer: Observer) -> Person:
        """Who sits there, or watches."""
        return self._spectator if observer == SPECTATOR else self._seated[observer]

    async def put(self, position: Position) -> None:
        """Puts the table into this position. Only a test of it may do that."""
        cache = self._services.tables._unit_of_work.cache

        async def work() -> None:
            cache.put(replace(await cache.load(self.table), now=position))

        await cache.run_locked(self.table, work)

    async def do(self, move: Move) -> None:
        """Acts by the bot's buttons, with the whole action as if it had been chosen in a panel."""
        person = self.person(move.seat)
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
        table_view = await self._services.table_view(self.table, move.seat, words)
        if move.action[0] not in OpenMoves(self._services, table_view, move.seat).answers:
            return move.decision
        answered = {offer_of(offer): offer for offer in table_view.offers(move.seat)}
        return table_view.button_id(answered[move.action[1]])

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

    async def _is_busy(self, observer: Observer) -> bool:
        """Whether opening the panel would already be an action of the observer."""
        pending = await self._services.tables.reader.pending(self.table)
        return any(
            each.seat == observer and is_on_opening(self.title.game, each) for each in pending
        )

    async def look_around(self, observer: Observer, feed: Feed) -> None:
        """Everything the observer can ask for by commands, and the autocomplete choices."""
        if await self._is_busy(observer):
            return
        person = self.person(observer)
        for command in COMMANDS:
            await self.slash(person, f"game {command}")
        await self.slash(person, "game board", form="text")
        commands = self.standin.model.commands.values()
        of_game = [each for each in commands if each.spec["name"] == self.title.game.name]
        for parts in (parts for each in of_game for parts in innermost(each.spec)):
            path = " ".join(part["name"] for part in parts)
            options = [o for o in parts[-1].get("options") or () if o.get("autocomplete")]
            said: dict[str, object] = {"table": self.table}
            for name in (option["name"] for option in options):
                values = {**said, name: ""}
                choices = await person.autocomplete(HARBOUR, path, focused=name, values=values)
                feed.note(f"{path} {name}: {choices}")
                if choices:
                    said[name] = choices[0]["value"]
        await self._wire.quiet()

    async def press_all(self, observer: Observer) -> None:
        """The public buttons, which show something to whoever presses them."""
        board = self._board()
        # There is none when the game is over.
        if board is None or await self._is_busy(observer):
            return
        for verb in PRESSED:
            if (custom_id := CustomId(verb, self.table).encoded()) in board.custom_ids():
                await self.press(self.person(observer), board, custom_id)


def begin_worker(folder: str) -> None:
    """Whoever stops the search stops its workers, and clears up after them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder


Feeds = dict[Observer, Feed]
Script = Callable[[BotGame, Position, bool], Awaitable[Feeds]]
"""Plays a game from there, in which something else is secret if so wanted; what was received."""


def _played_twice(title: Title, setting: Setting, script: Script, how: str) -> Found:
    """Compares what reached each observer; the same seed gives tables with the same draws."""

    async def played(is_twin: bool) -> Feeds:
        with TemporaryDirectory() as folder:
            async with on_the_wire(Path(folder), Titles((title,)), setting.seed) as wire:
                game = BotGame(wire, title, setting)
                return await script(game, await game.begin(), is_twin)

    real, twin = asyncio.run(played(False)), asyncio.run(played(True))
    found = Found()
    for observer, feed in real.items():
        for was, became in zip_longest(feed.lines, twin[observer].lines, fillvalue="nothing"):
            found.counts[Kind.MESSAGE] += 1
            if was != became:
                diff = difference(was, became)
                if _HASH.sub("", was) == _HASH.sub("", became):
                    folder = _kept(feed.pictures(was), twin[observer].pictures(became))
                    diff += f"\nnothing but pictures differs, which are kept in {folder}"
                where = f"{title} by the bot, {how}, {setting}"
                number = found.counts[Kind.MESSAGE]
                found.leak = Leak(where, number, observer, Kind.MESSAGE, diff)
                return found
    return found


# The table replaced by one that an observer cannot tell from it


def check_bot(
    title: Title, setting: Setting, observer: Observer, most: float = math.inf, unseen: int = 0
) -> Found:
    """A game over the stand-in, to its end or until `most` things have reached the observer; nobody
    looks at the first actions, as many as are `unseen`.

    It is one observer in all of the game: what happens in a table that they cannot tell from the
    real one may be untrue, and seen for long, for somebody else.
    """

    async def script(game: BotGame, position: Position, is_twin: bool) -> Feeds:
        rng = Random(setting.seed)
        for _ in range(unseen):
            if position.outcome is None:
                move, position = game.next(position, rng)
                await game.do(move)
        feed, dull = Feed(game.standin, game.person(observer)), 0
        while position.outcome is None and len(feed.lines) < most and dull < DULL:
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
            onward: tuple[Move, Position] | None = None
            while onward is None and position.outcome is None:
                move, real = game.next(position, rng)
                then = _unnoticed(game, other, move, real, observer)
                if then is None or rng.random() < LEFT:
                    onward = move, real
                else:
                    await game.do(move)
                    position, other = real, then
            if is_secret:
                await game.press_all(observer)
            if is_twin:
                await game.put(position)
            if onward is not None:
                # It is done in the real position, as it might tell the two apart.
                await game.do(onward[0])
                position = onward[1]
        return {observer: feed}

    return _played_twice(title, setting, script, "at another table")


def _unnoticed(
    game: BotGame, other: Position, move: Move, real: Position, observer: Observer
) -> Position | None:
    """Where the same move leads in the other position; None where the observer would notice."""
    try:
        then = game.step(other, move)
    except IllegalAction:
        return None
    view = game.title.game.view
    same = (
        (real.pending, real.outcome) == (then.pending, then.outcome)
        and real.entry.drawn == then.entry.drawn
        and real.entry.visible_to(observer) == then.entry.visible_to(observer)
        and view(real.state, observer) == view(then.state, observer)
    )
    return then if same else None


# More done in secret


def check_runs(title: Title, setting: Setting) -> Found:
    """Two games with the same actions. In the second the secretive seat, the first to choose under
    a seal, changes each of its sealed choices a few times and back again, and looks at its hand and
    its standing orders. Everybody else looks around and asks to go back now and then. All that ever
    came to each of them must be the same, with every edit, button, file name and nonce.
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
            if chosen is None and _may_choose_anew(position, move.seat):
                del feeds[move.seat]
            if move.seat not in feeds and move.decision is not None:
                chosen = move
            is_open = chosen is not None and _may_choose_anew(position, chosen.seat)
            if chosen is not None and is_open:
                changes = _changes(title, position, chosen, rng)
                changed += len(changes)
                # In the end the seat chooses what it had chosen.
                for anew in (*changes, chosen) if is_twin else ():
                    await game.do(anew)
                for command in ("game hand", "seat orders") if is_twin else ():
                    await game.slash(game.person(chosen.seat), command)
            if number % ASKED_EVERY == 0 or is_open or was_open:
                await _look_around(game, [*feeds])
        return feeds

    found = _played_twice(title, setting, script, "with more done in secret")
    found.counts["histories"] = setting.seats if changed else 0
    return found


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
    return list(islice(filter(stays_open, tried), MAX_CHANGES))


async def _look_around(game: BotGame, observers: Sequence[Observer]) -> None:
    """Everybody but the secretive one looks; then one of them asks to go back, others refuse."""
    for observer in observers:
        for command in LOOKED_AT:
            await game.slash(game.person(observer), f"game {command}")
    asker, other, *_ = (game.person(seat) for seat in observers if seat != SPECTATOR)
    asked = (await game.slash(asker, "game undo")).message
    if asked is not None and (buttons := asked.custom_ids("undoall:")):
        await game.press(asker, asked, buttons[0])
    for post in [post for post in game.posts() if post.custom_ids("no:")]:
        await game.press(other, post, post.custom_ids("no:")[0])
