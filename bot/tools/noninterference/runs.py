"""The same game by the bot twice, the second time with more done in secret.

The secretive seat, the first to choose under a seal, changes each of its sealed choices a few times
and back again, and looks at its hand and its standing orders. Everybody else plays the same in both
games, looks around, and asks to go back now and then. Each of them remembers all that ever came:
the two memories must be the same, line by line, with every edit, button, file name and nonce.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp

from bot.game.chance import RecordedChance
from bot.game.contract import SPECTATOR, Action, AnyGame, Decision, Observer, Seat
from bot.local.person import Person
from bot.policy.random import random_action
from bot.tables.core.position import Position
from bot.titles.title import Title
from bot.tools.noninterference.feed import Feed, but_for_files
from bot.tools.noninterference.game import GameSetting, Leak, difference
from bot.tools.noninterference.histories import Compared
from bot.tools.noninterference.plan import PlayedMove
from bot.tools.noninterference.shown import Kind
from bot.tools.noninterference.wire import WireGame, running_bot

MOVES = 24
"""This many actions are taken in each of the two games, or more until a choice is sealed."""
MOST_MOVES = 200
MOST_CHANGES = 3
TRIES = 30
"""So many choices at most are looked at for some that settle nothing."""
ASKED_EVERY = 6
"""Each time this many actions have been taken, somebody looks around and asks to go back."""
PICTURES_ALONE = "nothing but pictures differs, which are kept in"
"""How a leak ends of which nothing else tells."""
LOOKED_AT = ("log", "replay", "status", "board")
"""Subcommands of `/game`."""

Memory = dict[Observer, Feed]


def compare_runs(title: Title, setting: GameSetting) -> Compared:
    """Two games over the stand-in, and what each of the others remembers of both."""
    plain, changes = asyncio.run(_remembered(title, setting, busy=False))
    busy, _ = asyncio.run(_remembered(title, setting, busy=True))
    moments = 0
    for observer, one in plain.items():
        other = busy[observer]
        for was, became in zip_longest(one.lines, other.lines, fillvalue="nothing"):
            moments += 1
            if was != became:
                where = (
                    f"{title.game.name} by the bot, {setting}, after {changes} changes in secret"
                )
                diff = difference(was, became)
                if but_for_files(was) == but_for_files(became):
                    folder = _kept(one.pictures(was), other.pictures(became))
                    diff += f"\n{PICTURES_ALONE} {folder}"
                leak = Leak(where, moments, observer, Kind.HISTORY, diff)
                return Compared(len(plain), moments, leak)
    return Compared(len(plain) if changes else 0, moments, None)


async def _remembered(title: Title, setting: GameSetting, *, busy: bool) -> tuple[Memory, int]:
    """What each of the others has received of a game, and how often a choice could be changed.

    The choices are changed only where the secretive seat is `busy`.
    """
    with TemporaryDirectory() as folder:
        async with running_bot(Path(folder), title, setting.seed) as (standin, services, bot):
            play = WireGame(standin, services, bot, title, setting)
            await play.begin()
            plan, secretive = _planned(await play.random_moves())
            if secretive is None:
                return {}, 0
            others = [seat for seat in (SPECTATOR, *range(setting.seats)) if seat != secretive]
            people = {observer: await play.person(observer) for observer in others}
            with ExitStack() as stack:
                feeds = {
                    observer: stack.enter_context(Feed(standin, person))
                    for observer, person in people.items()
                }
                rng = Random(setting.seed)
                secrets = _Secrets(play, title.game, secretive, rng, busy=busy)
                for number, (move, then) in enumerate(plan, start=1):
                    await play.do(move)
                    was_open, secrets.open = secrets.open, _sealed(then, secretive) is not None
                    if secrets.open:
                        await secrets.change(move, then)
                    if number % ASKED_EVERY == 0 or secrets.open or was_open:
                        await _look_around(play, people)
                return feeds, secrets.changes


def _kept(real: Sequence[bytes], twin: Sequence[bytes]) -> Path:
    """A folder with the pictures of both games: what differs is seen only by looking at them."""
    folder = Path(mkdtemp(prefix="leak-"))
    for name, pictures in (("real", real), ("twin", twin)):
        for number, picture in enumerate(pictures):
            (folder / f"{name}-{number}.png").write_bytes(picture)
    return folder


def _planned(
    moves: Iterable[tuple[PlayedMove, Position]],
) -> tuple[list[tuple[PlayedMove, Position]], Seat | None]:
    """The actions to take, and the secretive seat, if there is one."""
    plan, secretive = list[tuple[PlayedMove, Position]](), None
    for move, then in islice(moves, MOST_MOVES):
        plan.append((move, then))
        if secretive is None and _sealed(then, move.seat):
            secretive = move.seat
        if secretive is not None and len(plan) >= MOVES:
            break
    return plan, secretive


def _sealed(then: Position, seat: Seat) -> Decision | None:
    """What the seat has chosen in secret and may choose anew."""
    return next((d for d in then.pending if d.seat == seat and d.sealed and d.optional), None)


class _Secrets:
    """What the secretive seat does, or only counts where it is not `busy`."""

    def __init__(
        self, play: WireGame, game: AnyGame, seat: Seat, rng: Random, *, busy: bool
    ) -> None:
        self._play = play
        self._game = game
        self._seat = seat
        self._rng = rng
        self._busy = busy
        self._chosen: PlayedMove | None = None
        self.changes = 0
        self.open = False

    async def change(self, move: PlayedMove, then: Position) -> None:
        """The seat chooses anew some times, and in the end what it had chosen."""
        if move.seat == self._seat and move.decision is not None:
            self._chosen = move
        assert self._chosen is not None
        legal = partial(self._game.legal, then.state, self._seat)
        kind = self._chosen.action[:1]
        tried = (random_action(kind, legal, self._rng) for _ in range(TRIES))
        suits = partial(self._stays_open, then)
        actions = list(islice(filter(suits, tried), MOST_CHANGES))
        self.changes += len(actions)
        if not self._busy:
            return
        for action in (*actions, self._chosen.action):
            await self._play.do(self._chosen._replace(action=action))
        person = await self._play.person(self._seat)
        for command in ("game hand", "seat orders"):
            await self._play.slash(person, command, table=self._play.table)

    def _stays_open(self, then: Position, action: Action) -> bool:
        """Whether the choice may still be made anew after that one: it settles nothing."""
        state = self._game.decode(self._game.encode(then.state))
        self._game.apply(state, self._seat, action, RecordedChance(()))
        return any(each.seat == self._seat and each.sealed for each in self._game.pending(state))


async def _look_around(play: WireGame, people: dict[Observer, Person]) -> None:
    """Everybody but the secretive one looks; then one of them asks to go back, others refuse."""
    for person in people.values():
        for command in LOOKED_AT:
            await play.slash(person, f"game {command}", table=play.table)
    asker, *others = (people[seat] for seat in people if seat != SPECTATOR)
    asked = (await play.slash(asker, "game undo", table=play.table)).message
    if asked is not None and (buttons := asked.custom_ids("undoall:")):
        await play.press(asker, asked, buttons[0])
    for post in [post for post in play.posts() if post.custom_ids("no:")]:
        await play.press(others[0], post, post.custom_ids("no:")[0])
