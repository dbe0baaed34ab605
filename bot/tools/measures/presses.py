"""How many presses a turn takes: whole games as the usual computer player would play them.

A robot asks that player what to do, and reaches it as a person would: by what the private panel
shows, with the fewest presses. The bot is the real one over the stand-in; only its pictures are
blank. Trade is left out: it is nobody's turn, and takes two.
"""

from __future__ import annotations

import asyncio
import io
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PIL import Image

from bot.app import KEY_BYTES, open_services
from bot.cogs.ui import action_builder
from bot.cogs.ui.browsing import OPEN, Focus, Gone, level, read_place
from bot.cogs.ui.custom_id import CustomId, Forged, parse, read
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.chance import RandomChance
from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action, Decision, joined
from bot.local.model import Channel, ComponentKind, Json, Message
from bot.local.options import CannotDoError
from bot.local.outcomes import ModalOpened
from bot.local.person import Person
from bot.local.standin import Standin
from bot.render.contract import nowhere
from bot.tables import Table
from bot.tables.core import position
from bot.text.words import words_for
from bot.titles.title import Title, Titles
from bot.tools.connected import connected
from bot.tools.measures.turns import CHANNEL, LOST_S, PEOPLE

POLL_S = 0.01
FOLLOWS_S = 2.0
"""Seconds to wait for a panel to come below a new post."""
SEEDS = (1, 2)
"""One game each."""
MOST_TURNS = 1000
"""After so many in all no more are played."""
MOST_PRESSES = 30
"""What takes more for one decision is never reached."""
MOST_AHEAD = 6
"""Actions of one player, one after the other, that are thought of at once."""
MOST_TALK = 50
"""How often the player is asked again who wants to trade."""


@dataclass
class Presses:
    """What was counted: by turn, and by the kind of what was decided."""

    turns: Counter[tuple[int, int, int]] = field(default_factory=Counter)
    """By game, seat and round; the opening of the panel included."""
    kinds: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    reopened: int = 0
    """Presses on "Take your turn" after the first of a turn: the panel should have come back."""

    def breakdown(self) -> str:
        """Each kind of action: how often it was taken, and with how many presses on average."""
        return ", ".join(
            f"{kind} {len(found)} x {mean(found):.2f}"
            for kind, found in sorted(self.kinds.items(), key=lambda each: -sum(each[1]))
        )


async def presses(title: Title) -> Mapping[str, float | str]:
    """The median and the mean of the presses that a player needs in one round, and for what."""
    found = await counted(title, SEEDS)
    return {
        "presses_per_turn": median(found.turns.values()),
        "presses_per_turn_mean": mean(found.turns.values()),
        "presses_reopening": found.reopened,
        "presses_by_kind": found.breakdown(),
    }


async def counted(title: Title, seeds: Sequence[int]) -> Presses:
    """All presses of some games."""
    found = Presses()
    for seed in seeds:
        async with _bot(title, seed) as (standin, services):
            await _game(title, standin, services, seed, found)
    return found


@asynccontextmanager
async def _bot(title: Title, seed: int) -> AsyncIterator[tuple[Standin, Services]]:
    """The bot for that title alone, with blank pictures, and draws that a seed decides."""
    blank = replace(title, draw=_blank, close_ups=None, part_asked=nowhere)
    with TemporaryDirectory() as folder:
        async with (
            Standin() as standin,
            open_services(
                f"sqlite+aiosqlite:///{Path(folder) / 'bench.db'}",
                rng=Random(seed),
                new_key=lambda: _key(seed),
                titles=Titles([blank]),
            ) as services,
            connected(standin, services),
        ):
            yield standin, services


def _blank(*_: Any, **__: Any) -> bytes:
    png = io.BytesIO()
    Image.new("RGB", (4, 4)).save(png, "PNG")
    return png.getvalue()


async def _game(
    title: Title, standin: Standin, services: Services, seed: int, found: Presses
) -> None:
    reader, rng = services.tables.reader, Random(seed)
    table, place = await _table(title, standin, services)
    hands = [_Hands(standin.person(player.name), place, table.id) for player in table.players]
    copy, _order = position.begin(title.game, table, _key(seed), table.created)
    now = copy.position
    while True:
        pending = [each for each in now.pending if not each.optional]
        if not pending or len(found.turns) >= MOST_TURNS:
            return
        decision = pending[0]
        hand = hands[decision.seat]
        snapshot = await services.snapshot(
            table.id, decision.seat, words_for(None), user=hand.person.id
        )
        wanted = _wanted(title, now.state, decision, rng)
        opened = hand.opened
        presses = await hand.take(services, snapshot, decision, wanted)
        turn = seed, decision.seat, now.recent[-1].round
        found.reopened += hand.opened - opened if turn in found.turns else 0
        # Once a turn the panel is opened from the public post.
        found.turns[turn] += presses + (turn not in found.turns)
        done = wanted[: await reader.seq(table.id) - now.seq]
        found.kinds[" + ".join(action[0] for action in done)].append(presses)
        for action in done:
            step = position.act(title.game, now, _key(seed), decision.seat, action, table.created)
            now = step.position


def _key(seed: int) -> bytes:
    return Random(seed).randbytes(KEY_BYTES)


def _wanted(title: Title, state: Any, decision: Decision, rng: Random) -> list[Action]:
    """What the player does next, and what they would do after that as far as they can know."""
    game, seat = title.game, decision.seat
    wanted = [_choice(title, state, decision, rng)]
    unsure = game.resample(state, seat, rng)
    while len(wanted) < MOST_AHEAD:
        game.apply(unsure, seat, wanted[-1], RandomChance(rng))
        pending = [each for each in game.pending(unsure) if not each.optional]
        if not pending or pending[0].seat != seat:
            break
        wanted.append(_choice(title, unsure, pending[0], rng))
    return wanted


def _choice(title: Title, state: Any, decision: Decision, rng: Random) -> Action:
    """The player's action, which is no trade."""
    game, seat = title.game, decision.seat
    view, legal = game.view(state, seat), partial(game.legal, state, seat)
    for _ in range(MOST_TALK):
        action = title.quick_players[title.usual](view, decision, legal, rng)
        if not game.moves[action[0]].free:
            break
    return action


async def _table(title: Title, standin: Standin, services: Services) -> tuple[Table, Channel]:
    """A table at which the game has begun, and where its boards are."""
    host, *guests = (standin.person(name) for name in PEOPLE)
    await host.slash(CHANNEL, "game new", game=title.game.name)
    (table, _), *_ = await services.tables.reader.seats_of(host.id)
    for guest in guests:
        await guest.slash(CHANNEL, "game join", table=table.id)
    await host.slash(CHANNEL, "game start", table=table.id)

    def thread() -> list[Channel]:
        found = standin.model.threads_of(standin.channel(CHANNEL).id)
        return [each for each in found if standin.model.messages[each.id]]

    (place,) = await host.wait_for(thread, timeout=LOST_S)
    return await services.tables.reader.get(table.id), place


class _Press(NamedTuple):
    """Something that can be used in a panel: how near it leads, and how it is used."""

    near: float
    part: Json
    values: tuple[str, ...] = ()
    typed: str | None = None


class _Hands:
    """One person at a table."""

    def __init__(self, person: Person, place: Channel, table: int) -> None:
        self.person = person
        self._place = place
        self._table = table
        self._has_opened = False
        self.opened = 0
        """How often the panel was opened to be asked in it; not where opening it is the answer."""

    async def take(
        self,
        services: Services,
        snapshot: Snapshot,
        decision: Decision,
        wanted: Sequence[Action],
    ) -> int:
        """Carry out the first of the actions, or more of them; returns with how many presses."""
        reader, count = services.tables.reader, 0
        move = services.rules(snapshot.table).moves[wanted[0][0]]
        if move.on_opening and snapshot.acted != decision.seat and not self._asking(decision):
            await self._open()
            # What waits for them to look is done by looking.
            while await reader.seq(self._table) == snapshot.seq:  # noqa: ASYNC110
                await asyncio.sleep(POLL_S)
            return count
        while count < MOST_PRESSES:
            panel = await self._panel(decision)
            found = [press async for press in _leading(snapshot, decision, wanted, panel)]
            if not found:
                break
            try:
                count += await self._use(panel, max(found, key=lambda each: each.near))
            except CannotDoError:
                # The panel has moved below a new post.
                continue
            if await reader.seq(self._table) > snapshot.seq:
                return count
        said = [part.get("custom_id") for part in panel.parts]
        raise AssertionError(f"{wanted} of {decision} is not to be reached by {said}")

    async def _panel(self, decision: Decision) -> Message:
        """The private panel that asks for the decision; opened where there is none."""
        panel = self._asking(decision)
        if panel is None and self._has_opened:
            # It follows the post that asks, as it would before a person could press anything.
            with suppress(TimeoutError):
                panel = await self.person.wait_for(
                    lambda: self._asking(decision), timeout=FOLLOWS_S
                )
        if panel is None:
            self.opened += 1
            await self._open()
            panel = await self.person.wait_for(lambda: self._asking(decision), timeout=LOST_S)
        assert panel is not None
        return panel

    def _asking(self, decision: Decision) -> Message | None:
        for message in reversed(self.person.sees(self._place)):
            asked = f":{self._table}:{decision.id}:"
            if message.is_ephemeral and any(asked in each for each in message.custom_ids()):
                return message
        return None

    async def _open(self) -> None:
        self._has_opened = True
        play = CustomId("play", self._table).encoded()

        def board() -> Message | None:
            posts = [each for each in self.person.sees(self._place) if not each.is_ephemeral]
            return next((each for each in reversed(posts) if play in each.custom_ids()), None)

        post = await self.person.wait_for(board, timeout=LOST_S)
        assert post is not None
        await self.person.press(post, custom_id=play)

    async def _use(self, panel: Message, press: _Press) -> int:
        """Press, and wait for what comes of it; returns how many presses that was."""
        shown = panel.components
        custom_id = press.part["custom_id"]
        count = 1
        if press.part["type"] == ComponentKind.BUTTON:
            answer = await self.person.press(panel, custom_id=custom_id)
        else:
            answer = await self.person.select(panel, custom_id, press.values)
        if press.typed is not None:
            assert isinstance(answer.outcome, ModalOpened)
            (line,) = answer.outcome.modal["components"]
            answer = await self.person.submit(answer, {line["component"]["custom_id"]: press.typed})
            count += 1
        there = self.person.sees
        await self.person.wait_for(
            lambda: panel not in there(self._place) or panel.components != shown, timeout=LOST_S
        )
        return count


async def _leading(
    snapshot: Snapshot, decision: Decision, wanted: Sequence[Action], panel: Message
) -> AsyncIterator[_Press]:
    """What leads to the action in what a panel shows."""
    for part in panel.parts:
        if part.get("disabled") or "custom_id" not in part:
            continue
        try:
            custom_id = parse(part["custom_id"])
        except Forged:
            continue
        if custom_id.decision != decision.id:
            continue
        words = custom_id.words
        if action_builder.is_packed(words):
            begun = action_builder.unpacked(snapshot, decision.seat, words[0])
            if begun is None:
                continue
            words = (*begun, *words[1:])
        for press in _ways(snapshot, custom_id._replace(words=words), wanted, part):
            yield press


def _ways(
    snapshot: Snapshot, custom_id: CustomId, wanted: Sequence[Action], part: Json
) -> Iterator[_Press]:
    """How one component leads to the first of the actions, or to more of them."""
    verb, words, every, first = custom_id.verb, custom_id.words, joined(*wanted), wanted[0]
    if verb in ("act", "do"):
        if words == every[: len(words)]:
            # Of two ways to the whole action, one asks no more.
            yield _Press(len(words) + 0.5 * (verb == "do"), part)
        return
    if verb == "whole":
        for option in part["options"]:
            words = read(str(option["value"]))
            if words == every[: len(words)]:
                yield _Press(len(words), part, (str(option["value"]),))
        return
    at = words[:-1] if verb in ("open", "amount") else words
    if at != first[: len(at)] or at == first:
        return
    word, seat = first[len(at)], snapshot.observer
    choices = snapshot.legal(seat, at)
    match verb:
        case "pick":
            for option in part["options"]:
                value = str(option["value"])
                if value in (word, word or "-"):
                    yield _Press(len(at) + 1, part, (value,))
                elif value.startswith(OPEN):
                    focus = Focus(read_place(value.removeprefix(OPEN)))
                    if _holds(choices, focus, word):
                        yield _Press(len(at) + 0.1 + len(focus.place) / 10, part, (value,))
        case "open":
            focus = Focus(read_place(words[-1]), custom_id.page)
            if _holds(choices, focus, word):
                yield _Press(len(at) + 0.1 + len(focus.place) / 10, part)
        case "pieces" if isinstance(choices, Bundle) and word:
            counts: Counter[str] = Counter()
            for letter in word:
                counts[letter] += 1
            values = tuple(
                f"{letter}{number}"
                for letter, count in counts.items()
                for number in range(1, count + 1)
            )
            yield _Press(len(at) + 1, part, values)
        case "type" | "typeat":
            yield _Press(len(at) + 0.05, part, typed=word)


def _holds(choices: Any, focus: Focus, word: str) -> bool:
    """Whether a part of a domain shows the word, or leads to it."""
    if not isinstance(choices, OneOf):
        return False
    try:
        entries = level(choices, focus.place).page(focus.page)
    except Gone:
        return False
    return any(word == each if isinstance(each, str) else word in each.members for each in entries)
