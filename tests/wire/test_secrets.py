"""Nobody, the operator included, is shown anything that depends on what they may not know."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import pytest

from bot.game.choices import OneOf
from bot.game.contract import parse_action
from bot.game.kogge import GAME
from bot.local import Message, Person, Standin
from bot.local.model import ChannelKind
from bot.titles import TITLES
from bot.tools.noninterference.feed import Feed
from bot.tools.noninterference.game import GameSetting
from bot.tools.noninterference.shown import Kind
from bot.tools.noninterference.wire import check_bot
from tests.wire.conftest import Wire, on_the_wire
from tests.wire.hands import TIMEOUT_S, Hands, ids, play_on, sit_down
from tests.wire.process import process_on

Line = tuple[object, ...]

CHANGES = 5
ACTIONS = 25

ALL_HIDDEN = {
    "goods": "hidden",
    **dict.fromkeys(("taxes", "offices", "conflicts", "memory"), "on"),
}
SECRET_NUMBERS = {"goods": "markers", **dict.fromkeys(("taxes", "offices", "memory"), "on")}
LOBBY = ("opened", "joined", "set an option", "started")
COMMANDS = (
    *("game status", "game log", "game replay", "game board", "game mine"),
    *("game hand", "game turn"),
)
TYPED: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("kogge bid", "markers", {}),
    ("kogge found", "marker", {}),
    ("kogge sail", "route", {}),
    ("kogge load", "goods", {}),
    ("kogge deal offer", "player", {}),
    ("kogge deal offer", "give", {"player": "Anna"}),
    ("kogge deal offer", "take", {"player": "Anna"}),
    ("kogge deal offer", "take", {"player": "Bert"}),
    ("kogge raid-ship", "player", {}),
)


def plain(text: str) -> str:
    """A text without the ids and times that differ from one run to the next."""
    return re.sub(r"\d{6,}", "#", text)


def transcript(standin: Standin, person: Person) -> list[list[Line]]:
    """All that somebody has been shown, wherever, to the last byte of the pictures: for all and in
    private, as a post and a private answer are sent concurrently."""
    world = standin.model
    return [
        [
            line
            for message in world.history(channel.id, person.id)
            if message.is_ephemeral == is_private
            for line in shown(standin, message)
        ]
        for channel in world.channels.values()
        if world.can_see(person.id, channel)
        for is_private in (False, True)
    ]


def shown(standin: Standin, message: Message) -> list[Line]:
    """A message with everything that comes with it."""
    lines: list[Line] = [(plain(message.text), plain(str(message.nonce)), message.flags)]
    lines += [tuple(sorted((k, plain(str(v))) for k, v in part.items())) for part in message.parts]
    lines += [
        (file.filename, file.description, sha256(standin.file(file.id)).hexdigest())
        for file in message.attachments
    ]
    return lines


async def look_around(wire: Wire, person: Person) -> list[object]:
    """Everything that somebody can ask the bot for; what is offered while typing."""
    for command in COMMANDS:
        await person.slash("the-market", command, {} if "mine" in command else {"table": 1})
        # A person sees a panel sooner than the bot knows that it is there, to be moved later.
        await wire.still()
    await person.slash("the-market", "game board", form="text", table=1)
    return [
        await person.autocomplete(
            "the-market", command, focused=focused, values={"table": 1, **before, focused: ""}
        )
        for command, focused, before in TYPED
    ]


@pytest.mark.parametrize(
    ("options", "most"),
    [(ALL_HIDDEN, 50), pytest.param(SECRET_NUMBERS, 120, marks=pytest.mark.slow)],
)
def test_nobody_of_five_gets_anything_that_depends_on_what_others_hide(
    options: dict[str, str], most: int, caplog: pytest.LogCaptureFixture
) -> None:
    """Four players and a spectator, the advanced game, hidden goods or secret numbers of markers:
    see bot.tools.noninterference."""
    with caplog.at_level(logging.DEBUG, "bot"):
        checked = check_bot(TITLES["kogge"], GameSetting(4, options, "2"), most=most)

    assert checked.leak is None, checked.leak
    assert checked.checks[Kind.MESSAGE] >= most
    # Of actions the operator is told the kind, and numbers.
    words = {fact for record in caplog.records for fact in facts(record) if isinstance(fact, str)}
    assert words <= {"kogge", *GAME.moves, *LOBBY, "not_seated"}
    assert words & set(GAME.moves)


@pytest.mark.usefixtures("unhurried")
async def test_a_sealed_choice_shows_in_nothing_that_others_see(tmp_path: Path) -> None:
    runs = []
    for number in (0, 5):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with on_the_wire(folder) as wire:
            _, bert = await wire.begin()
            await bert.open()
            told = len(bert.person.inbox)
            await bert.choose(bert.choices()[number])
            await wire.bert.wait_for(
                lambda told=told, bert=bert: len(bert.person.inbox) > told,  # type: ignore[misc]
                timeout=TIMEOUT_S,
            )
            await wire.quiet()
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
            people = (wire.anna, wire.vera, wire.bert)
            runs.append([transcript(wire.standin, person) for person in people])

    assert runs[0][:2] == runs[1][:2]
    assert runs[0][2] != runs[1][2]


async def to_the_actions(wire: Wire) -> int:
    """Act beside the bot until somebody with markers left may act; the seat."""
    tables = wire.services.tables
    lines = {"found": "found {city}", "bid": "bid {bid}", "advance": "advance 1", "move": "stop"}
    while True:
        await wire.kept.settled()
        asked = next(each for each in await tables.reader.pending(1) if not each.optional)
        if asked.kind == "act":
            return asked.seat
        line = lines[asked.kind].format(city=4 - asked.seat, bid=8 - asked.seat)
        await tables.play.act(1, asked.seat, parse_action(line))


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried")
async def test_a_marker_laid_face_down_shows_in_nothing_that_others_keep(tmp_path: Path) -> None:
    """Nor in what they had seen of the hand before, and see of it then (section 8 of the facts)."""
    runs, laid = [], set()
    for number in (0, -1):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with on_the_wire(folder) as wire:
            await wire.begin()
            tables, seat = wire.services.tables, await to_the_actions(wire)
            _, other = await wire.hands_at(seat)
            await look_around(wire, other.person)
            markers = await tables.reader.legal(1, seat, ("reroute", "left"))
            assert isinstance(markers, OneOf)
            laid.add(markers.values[number])
            await tables.play.act(1, seat, ("reroute", "left", markers.values[number]))
            await wire.quiet()
            for person in (other.person, wire.vera):
                await look_around(wire, person)
            runs.append([transcript(wire.standin, person) for person in (other.person, wire.vera)])

    assert len(laid) == 2
    assert runs[0] == runs[1]


def facts(record: logging.LogRecord) -> Iterable[object]:
    """What a line of the log tells beside its fixed words."""
    return record.args.values() if isinstance(record.args, Mapping) else record.args or ()


PUBLIC_ID = re.compile(r"[a-z]+\d*:\d+(:o\d+:)?|log1:\d+::then")
NONCE = re.compile(r"\d+\.(post|lobby|story|film)\.\d+")
PUBLIC_FILE = re.compile(r"board\.png|points-\d+\.png|game-\d+\.gif")


@pytest.mark.slow
async def test_a_hidden_game_leaves_no_secret_in_names_of_things_or_in_the_log(
    tmp_path: Path,
) -> None:
    async with Standin() as standin, process_on(standin, tmp_path) as process:
        await process.start(LOG_LEVEL="DEBUG")
        hands = [Hands(standin, standin.person(n), Random(n)) for n in ("Anna", "Bert")]
        await sit_down(standin, *(each.person for each in hands), options={"goods": "hidden"})
        await play_on(hands)
        await process.kept.settled()
        assert await process.stop() == 0

        everything = [m for kept in standin.model.messages.values() for m in kept.values()]
        private = [m for m in everything if m.is_ephemeral or is_dm(standin, m)]
        public = [m for m in everything if m not in private]
        for message in public:
            for part in message.parts:
                assert PUBLIC_ID.fullmatch(part["custom_id"])
            assert message.nonce is None or NONCE.fullmatch(message.nonce)
            assert all(PUBLIC_FILE.fullmatch(file.filename) for file in message.attachments)
            known = msgspec.json.encode(message).decode()
            assert [m.id for m in private if str(m.id) in known] == []
        said = process.log.read_text()
        assert "Traceback" not in said
        assert standin.token not in said
        assert said.count("acted table=1") == len(process.kept.log()) - 1
        secrets = {
            "actions": {entry.action for entry in process.kept.log() if " " in entry.action},
            "words": {m.text for m in private if m.text},
            "ids": {p["custom_id"] for m in private for p in m.parts if "custom_id" in p},
        }
        # How many there are is up to chance: the process draws the game's key itself.
        assert all(secrets.values())
        assert [each for kind in secrets.values() for each in kind if each in said] == []


def is_dm(standin: Standin, message: Message) -> bool:
    """Whether it was written to one person."""
    return standin.model.channels[message.channel_id].kind is ChannelKind.DM


# What is done in secret changes nothing that others have received or receive later


async def choose_and_change(wire: Wire, bert: Hands, changes: int) -> None:
    """The first city is chosen in the end, and others before it."""
    await bert.open()
    await wire.quiet()
    for number in (*range(changes, 0, -1), 0):
        choices = bert.choices()
        await bert.choose(choices[number % len(choices)])
        await wire.quiet()


@pytest.mark.usefixtures("unhurried")
async def test_a_sealed_choice_that_is_changed_changes_nothing_for_others(wire: Wire) -> None:
    anna, bert = await wire.begin(goods="hidden")
    await anna.open()
    await wire.quiet()
    await choose_and_change(wire, bert, 0)
    before = anna.board()
    assert before is not None
    edited = before.edited_at
    assert edited is not None, "that there is a choice may be seen"

    with Feed(wire.standin, wire.anna) as hers, Feed(wire.standin, wire.vera) as watched:
        await choose_and_change(wire, bert, CHANGES)

    assert [entry.action.split()[0] for entry in wire.kept.log()].count("found") == CHANGES + 2
    assert hers.lines == []
    assert watched.lines == []
    assert before.edited_at == edited


async def received(folder: Path, changes: int) -> list[Sequence[str]]:
    """All that another player and a watcher get of a game in which so much is done in secret."""
    async with on_the_wire(folder) as wire:
        anna, bert = await wire.begin(goods="hidden")
        await wire.quiet()
        with Feed(wire.standin, wire.anna) as hers, Feed(wire.standin, wire.vera) as watched:
            await choose_and_change(wire, bert, changes)
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
            await anna.open()
            # She sees the panel sooner than the bot knows that it is there, to be moved later.
            await wire.quiet()
            await anna.choose(anna.choices()[1])
            await wire.quiet()
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
            for seed in range(ACTIONS):
                await wire.act_any(seed=seed)
                # What is posted must not depend on how fast that is.
                await wire.quiet()
            for person in (wire.anna, wire.vera):
                await look_around(wire, person)
                await go_back(person)
        return [hers.lines, watched.lines]


async def go_back(person: Person) -> None:
    """Through the pages of the log, and a few turns of the replay."""
    log = (await person.slash("the-market", "game log", table=1)).message
    assert log is not None
    for page in ("page1:", "page1:", "page2:"):
        await person.press(log, custom_id=one(log, page))
    replay = (await person.slash("the-market", "game replay", table=1)).message
    assert replay is not None
    for step in ("step2:", "step2:", "step3:", "step1:"):
        await person.press(replay, custom_id=one(replay, step))


def one(message: Message, start: str) -> str:
    """The button whose id begins so."""
    (found,) = [each for each in ids(message) if each.startswith(start)]
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("unhurried")
async def test_how_often_somebody_chose_in_secret_shows_in_nothing_afterwards(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / name for name in ("few", "many")]
    for folder in folders:
        folder.mkdir()
    few, many = [
        await received(folder, changes)
        for folder, changes in zip(folders, (0, CHANGES), strict=True)
    ]

    assert few[0] == many[0]
    assert few[1] == many[1]
    assert len(few[0]) > len(few[1]) > ACTIONS
