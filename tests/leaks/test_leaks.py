"""Deliberate leaks are found, one for each kind of output; and the titles have none."""

from __future__ import annotations

import json
import math
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields
from dataclasses import replace as replaced
from random import Random
from typing import Any
from zlib import crc32

import pytest
from msgspec.structs import replace

from bot.cogs.panel.lessons import lesson_lines
from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.ui import autocomplete
from bot.cogs.ui.layout import Image
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import TableView
from bot.game.contract import Action, Chance, Decision, Event, Observer, Seat
from bot.game.flandern.cards import CardChosen
from bot.game.flandern.city import NONE
from bot.game.flandern.data import CARDS
from bot.game.flandern.game import Flandern
from bot.game.flandern.state import CardChoice, FlandernState
from bot.game.guatemala.game import Guatemala
from bot.game.guatemala.state import Blocking, GuatemalaState
from bot.game.hidden import View
from bot.game.kogge.deals import OfferLapsed, has, stock
from bot.game.kogge.game import Kogge
from bot.game.kogge.state import KoggeState
from bot.policy.contract import Legal, Policy
from bot.policy.kogge.judgement import JUDGEMENT, KoggeJudgement
from bot.policy.random import random_action
from bot.render.kogge import PICTURES
from bot.render.picture import GamePictures
from bot.tables import undo
from bot.text.contract import Names
from bot.text.game_data import lessons
from bot.text.words import Words
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE
from tests.leaks import __main__ as search
from tests.leaks import bot
from tests.leaks.__main__ import STOPPED, USAGE, main
from tests.leaks.bot import check_bot, check_lessons, check_runs
from tests.leaks.game import Found, Kind, Leak, Setting, check_game, settings

KOGGE = TITLES["kogge"]
MAX_GAMES = 20
HIDDEN = Setting(3, {"goods": "hidden"}, "1")


def secret(state: KoggeState | None) -> int:
    return crc32(Kogge().encode(state)) if state is not None else 0


class Remembering(Kogge):
    """Remembers the last state viewed or copied, as a misplaced cache might."""

    seen: KoggeState | None = None
    copied: KoggeState | None = None

    def resample(self, state: KoggeState, observer: Observer, rng: Random) -> KoggeState:
        self.copied = state
        return super().resample(state, observer, rng)

    def view(self, state: KoggeState, observer: Observer) -> View[KoggeState]:
        self.seen = state
        return super().view(state, observer)


class LeakyView(Kogge):
    """Leaks a secret in the view."""

    def view(self, state: KoggeState, observer: Observer) -> View[KoggeState]:
        view = super().view(state, observer)
        return replace(view, known=replace(view.known, decision=secret(state)))


REMEMBERING = Remembering()


def leaky(method: str) -> Any:
    """Return words with a leak in one text: of the last state viewed, or for a plan, of the state
    it was copied from."""

    def text(words: Words, names: Names, view: Any = None) -> Any:
        texts = KOGGE.text(words, names, view)
        original = getattr(texts, method)

        def last_state() -> KoggeState | None:
            return REMEMBERING.copied if method == "what_if" else REMEMBERING.seen

        object.__setattr__(texts, "at", lambda view: text(words, names, view))
        object.__setattr__(texts, method, lambda *args: f"{original(*args)} {secret(last_state())}")
        return texts

    return text


class LeakyWorlds(Kogge):
    """Determinizes hidden hands as they really are."""

    def determinize(self, view: View[KoggeState], rng: Random) -> KoggeState:
        assert REMEMBERING.seen is not None
        return self.decode(self.encode(REMEMBERING.seen))


class LeakyJudgement(KoggeJudgement):
    def best(
        self, view: Any, decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        assert REMEMBERING.seen is not None
        return random_action((), legal, Random(secret(REMEMBERING.seen)))

    def player(self, weights: Any = None) -> Policy:
        return self.best


LEAKY_WORLDS = KoggeJudgement(game=LeakyWorlds(), weights=JUDGEMENT.weights, nodes=1)
LEAKY = LeakyJudgement(game=REMEMBERING, weights=JUDGEMENT.weights, nodes=1)


class LeakyMarks(GamePictures[Any]):
    """Leaks a secret in pictures with marked choices."""

    def draw_part(
        self,
        view: Any,
        names: Any,
        events: Any,
        part: str,
        words: Any,
        asked: Any = None,
        *rest: Any,
    ) -> bytes:
        drawn = super().draw_part(view, names, events, part, words, asked, *rest)
        return drawn if asked is None else drawn + str(secret(REMEMBERING.seen)).encode()


LEAKY_MARKS = LeakyMarks(**{each.name: getattr(PICTURES, each.name) for each in fields(PICTURES)})


# Guatemala's secret answers about a block

GUATEMALA = TITLES["guatemala"]


class NumbersWhoCouldBlock(Guatemala):
    """Leaks in decision ids how many players could block."""

    def pending(self, state: GuatemalaState) -> tuple[Decision, ...]:
        frame, decisions = state.frames[-1], super().pending(state)
        if not isinstance(frame, Blocking):
            return decisions
        could = sum(player.hand[frame.colour] > 0 for player in state.players)
        return tuple(replace(each, id=f"{each.id}{could}") for each in decisions)


# Flandern's cards, played face down by all at once

FLANDERN = TITLES["flandern"]


class RevealsEachChoice(Flandern):
    """Shows everyone a seat's face-down card."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        player = state.players[seat]
        if not isinstance(state.frames[-1], CardChoice) or player.card == NONE:
            return events
        return [*events, CardChosen(seat=seat, card=CARDS[player.card], influence=player.laid)]


# Leaks over time: no single step is wrong


class LapsesIfUnpayable(Kogge):
    """Lets an offer lapse only when its giver no longer has the goods."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        offers = state.offers[:]
        events = super().apply(state, seat, action, chance)
        closed = [action[1]] if action[0] in ("accept", "decline", "withdraw", "counter") else []
        for offer in offers:
            lapsed = OfferLapsed(seat=offer.seat, other=offer.other)
            payable = has(stock(state, offer.seat, offer), offer.give)
            if lapsed in events and str(offer.id) not in closed and payable:
                events.remove(lapsed)
                state.offers.append(offer)
        return events


LEAKS: Sequence[tuple[Kind, Title]] = (
    (Kind.VIEW, replaced(KOGGE, game=LeakyView())),
    (Kind.TO_ACT, replaced(KOGGE, game=REMEMBERING, text=leaky("to_act"))),
    (Kind.TEXT, replaced(KOGGE, game=REMEMBERING, text=leaky("board"))),
    (Kind.TEXT, replaced(KOGGE, game=REMEMBERING, text=leaky("hand"))),
    (Kind.ALT, replaced(KOGGE, game=REMEMBERING, text=leaky("alt"))),
    (Kind.COMPUTER, replaced(KOGGE, game=REMEMBERING, judgement=LEAKY)),
    (Kind.COMPUTER, replaced(KOGGE, game=REMEMBERING, judgement=LEAKY_WORLDS)),
    (Kind.PLAN, replaced(KOGGE, game=REMEMBERING, text=leaky("what_if"))),
    (Kind.IMAGE, replaced(KOGGE, game=REMEMBERING, pictures=LEAKY_MARKS)),
    (Kind.EVENTS, replaced(KOGGE, game=LapsesIfUnpayable())),
    (Kind.TO_ACT, replaced(GUATEMALA, game=NumbersWhoCouldBlock())),
    (Kind.EVENTS, replaced(FLANDERN, game=RevealsEachChoice())),
)


def first_leak(title: Title, options: Mapping[str, str]) -> Leak | None:
    found = (check_game(title, Setting(3, options, str(seed))) for seed in range(MAX_GAMES))
    return next((each.leak for each in found if each.leak is not None), None)


@pytest.mark.slow
def test_a_leak_is_caught_in_every_kind_of_output() -> None:
    for number, (kind, title) in enumerate(LEAKS):
        leak = first_leak(title, {"goods": "hidden"} if title.game.name == "kogge" else {})
        assert leak is not None, (number, kind)
        # A plan may reach such a question before the game does.
        assert leak.kind is kind or (leak.kind is Kind.PLAN and title.game.name == "guatemala")


def test_no_title_leaks_a_secret_in_any_output() -> None:
    for title in TITLES.values():
        options = {option.name: option.values[-1] for option in title.game.options}
        found = check_game(title, Setting(3, options, "1"), checks=40, histories=10)
        assert found.leak is None, (title.game.name, found.leak)
        assert found.counts["histories"] > 0, title.game.name


@pytest.mark.slow
def test_a_leak_in_autocomplete_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def leaky(*_: object) -> list[autocomplete.Choice]:
        return [autocomplete.Choice(name=f"{secret(REMEMBERING.seen)}", value="-")]

    monkeypatch.setattr("bot.cogs.panel.move_commands.for_words", leaky)
    leak = check_bot(replaced(KOGGE, game=REMEMBERING), HIDDEN, 0, limit=300).leak
    assert leak is not None
    assert leak.kind is Kind.MESSAGE
    assert "kogge" in leak.difference


@pytest.mark.slow
def test_a_leak_of_secret_actions_in_the_bots_messages_is_caught() -> None:
    """Leaks by an edit, by a number in a file name, and by a number in a question."""
    progress, picture = TurnPosts.progress, Services.picture

    async def always_edit(
        self: TurnPosts, table_view: TableView, *parts: Any, **more: Any
    ) -> float | None:
        posted = self.newest(table_view.table.id)
        if posted is not None:
            posted.components = []
            self._posting.sender._shown.clear()
        return await progress(self, table_view, *parts, **more)

    async def numbered(
        self: Services, table_view: TableView, *parts: Any, **more: Any
    ) -> Image | None:
        image = await picture(self, table_view, *parts, **more)
        name = f"board-{table_view.seq}.png"
        return image and image._replace(name=name)

    for owner, name, leaky, word in (
        (TurnPosts, "progress", always_edit, "edited"),
        (Services, "picture", numbered, "board-"),
        (undo._Past, "number", lambda _, seq: seq, "undo"),
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bot, "MOVES", 6)
            patch.setattr(owner, name, leaky)
            secrets = {"goods": "hidden", "conflicts": "on", "taxes": "on"}
            leak = check_runs(KOGGE, Setting(3, secrets, "1")).leak
        assert leak is not None, word
        assert word in leak.difference, leak


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_the_bot_does_not_reveal_how_often_a_sealed_choice_was_changed(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "MOVES", 12)
    options = {option.name: option.values[-1] for option in title.game.options}
    found = check_runs(title, Setting(3, options, "1"))
    assert found.leak is None, found.leak
    assert found.counts["histories"] == 3
    assert found.counts[Kind.MESSAGE] > 50


@pytest.mark.slow
def test_a_leak_in_a_lesson_is_caught_and_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "lessons", lambda game: lessons(game)[:2])
    setting = Setting(2, {}, "1")
    found = check_lessons(KOGGE, setting)
    assert found.leak is None, found.leak
    assert found.counts[Kind.MESSAGE] > 50

    def leaky(table_view: TableView) -> Any:
        return [*lesson_lines(table_view), f"leaked {secret(REMEMBERING.seen)}"]

    monkeypatch.setattr("bot.cogs.panel.panel.lesson_lines", leaky)
    leak = check_lessons(replaced(KOGGE, game=REMEMBERING), setting).leak
    assert leak is not None
    assert "leaked" in leak.difference


@pytest.fixture
def without_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("check_bot", "check_lessons", "check_runs"):
        monkeypatch.setattr(search, name, lambda *_: Found())


FEW = ("kogge", "--checks", "200", "--messages", "40", "--histories", "10", "--jobs", "1")


@pytest.mark.usefixtures("without_bot")
def test_a_leak_in_an_older_version_of_the_rules_is_reported(
    capsys: pytest.CaptureFixture[str],
) -> None:
    older = LeakyView()
    older.version -= 1
    titles = Titles((replaced(KOGGE, game=older), KOGGE))
    assert main((*FEW, "--json"), titles) == FAILURE
    out, err = capsys.readouterr()
    old, new = map(json.loads, out.splitlines())
    assert (old["version"], new["version"]) == (older.version, older.version + 1)
    assert f"rules version {older.version}" in old["leak"]
    assert new["leak"] is None
    for part in ("leak: <Title: kogge, ", "step ", "view of ", "real: "):
        assert part in err


@pytest.mark.usefixtures("without_bot")
def test_a_stopped_search_prints_what_was_compared(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def until_stopped(*words: Any) -> Found:
        played.append(words)
        if len(played) == 3:
            signal.raise_signal(signal.SIGTERM)
        return Found(counts=Counter(games=1))

    monkeypatch.setattr(search, "check_game", until_stopped)
    assert main(FEW) == STOPPED
    out, err = capsys.readouterr()
    assert " in 2 games " in out
    assert " s, stopped\n" in out
    assert " in 1 games " in err


def test_invalid_arguments_are_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words, message in ((["chess"], "no game 'chess'"), (["--checks", "0"], "at least 1")):
        assert main(words) == USAGE
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert message in err


def test_every_combination_of_options_and_players_is_searched() -> None:
    for game in TITLES.games.values():
        number = len(game.seats) * math.prod(len(option.values) for option in game.options)
        tables = {(each.seats, *each.options.items()) for each in settings(game, seed=1)}
        assert len(tables) == number
        assert len({each.seed for each in settings(game, seed=1)}) == number
