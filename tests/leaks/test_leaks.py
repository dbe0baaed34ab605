"""Leaks put in on purpose, one for each kind of output; and that there are no others."""

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
from bot.text.words import Words
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE
from tests.leaks import __main__ as search
from tests.leaks import bot
from tests.leaks.__main__ import STOPPED, USAGE, main
from tests.leaks.bot import check_bot, check_runs
from tests.leaks.game import Found, Kind, Leak, Setting, check_game, settings

KOGGE = TITLES["kogge"]
MAX_GAMES = 20
HIDDEN = Setting(3, {"goods": "hidden"}, "1")


def secret(state: KoggeState | None) -> int:
    return crc32(Kogge().encode(state)) if state is not None else 0


class Kept(Kogge):
    """Keeps what it has last shown or copied, as a cache at the wrong place might."""

    seen: KoggeState | None = None
    copied: KoggeState | None = None

    def resample(self, state: KoggeState, observer: Observer, rng: Random) -> KoggeState:
        self.copied = state
        return super().resample(state, observer, rng)

    def view(self, state: KoggeState, observer: Observer) -> View[KoggeState]:
        self.seen = state
        return super().view(state, observer)


class LeakyView(Kogge):
    """Shows something in the view."""

    def view(self, state: KoggeState, observer: Observer) -> View[KoggeState]:
        view = super().view(state, observer)
        return replace(view, known=replace(view.known, decision=secret(state)))


KEPT = Kept()


def leaky(method: str) -> Any:
    """Words that say in some text what the game has last shown to anybody; of a plan, which is
    made of copies in which nothing is hidden, what it was made of."""

    def text(words: Words, names: Names, view: Any = None) -> Any:
        made = KOGGE.text(words, names, view)
        said = getattr(made, method)

        def kept() -> KoggeState | None:
            return KEPT.copied if method == "what_if" else KEPT.seen

        object.__setattr__(made, "at", lambda view: text(words, names, view))
        object.__setattr__(made, method, lambda *args: f"{said(*args)} {secret(kept())}")
        return made

    return text


class LeakyWorlds(Kogge):
    """Imagines what others hold after what they really do."""

    def determinize(self, view: View[KoggeState], rng: Random) -> KoggeState:
        assert KEPT.seen is not None
        return self.decode(self.encode(KEPT.seen))


class LeakyJudgement(KoggeJudgement):
    def best(
        self, view: Any, decision: Decision, legal: Legal, rng: Random, weights: Any = None
    ) -> Action:
        assert KEPT.seen is not None
        return random_action((), legal, Random(secret(KEPT.seen)))

    def player(self, weights: Any = None) -> Policy:
        return self.best


LEAKY_WORLDS = KoggeJudgement(game=LeakyWorlds(), weights=JUDGEMENT.weights, nodes=1)
LEAKY = LeakyJudgement(game=KEPT, weights=JUDGEMENT.weights, nodes=1)


class LeakyLights(GamePictures[Any]):
    """Shows something where a part is lit."""

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
        return drawn if asked is None else drawn + str(secret(KEPT.seen)).encode()


LEAKY_LIGHTS = LeakyLights(**{each.name: getattr(PICTURES, each.name) for each in fields(PICTURES)})


# Answers about a block, which are secret one by one, and for the most part for ever

GUATEMALA = TITLES["guatemala"]


class NumbersWhoCouldBlock(Guatemala):
    """Counts in the names of its questions how many could block."""

    def pending(self, state: GuatemalaState) -> tuple[Decision, ...]:
        frame, decisions = state.frames[-1], super().pending(state)
        if not isinstance(frame, Blocking):
            return decisions
        could = sum(player.hand[frame.colour] > 0 for player in state.players)
        return tuple(replace(each, id=f"{each.id}{could}") for each in decisions)


# Cards laid out face down by all at once, and the golden card of the first player

FLANDERN = TITLES["flandern"]


class TellsEachChoice(Flandern):
    """Tells everybody what a seat lays out."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        player = state.players[seat]
        if not isinstance(state.frames[-1], CardChoice) or player.card == NONE:
            return events
        return [*events, CardChosen(seat=seat, card=CARDS[player.card], influence=player.laid)]


# Leaks over time: at each single step nothing is amiss


class LapsesUnmet(Kogge):
    """An offer lapses only when its giver has not got any more what was promised."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        offers = state.offers[:]
        events = super().apply(state, seat, action, chance)
        taken = [action[1]] if action[0] in ("accept", "decline", "withdraw", "counter") else []
        for offer in offers:
            lapsed = OfferLapsed(seat=offer.seat, other=offer.other)
            met = has(stock(state, offer.seat, offer), offer.give)
            if lapsed in events and str(offer.id) not in taken and met:
                events.remove(lapsed)
                state.offers.append(offer)
        return events


LEAKS: Sequence[tuple[Kind, Title]] = (
    (Kind.VIEW, replaced(KOGGE, game=LeakyView())),
    (Kind.TO_ACT, replaced(KOGGE, game=KEPT, text=leaky("to_act"))),
    (Kind.TEXT, replaced(KOGGE, game=KEPT, text=leaky("board"))),
    (Kind.TEXT, replaced(KOGGE, game=KEPT, text=leaky("hand"))),
    (Kind.ALT, replaced(KOGGE, game=KEPT, text=leaky("alt"))),
    (Kind.COMPUTER, replaced(KOGGE, game=KEPT, judgement=LEAKY)),
    (Kind.COMPUTER, replaced(KOGGE, game=KEPT, judgement=LEAKY_WORLDS)),
    (Kind.PLAN, replaced(KOGGE, game=KEPT, text=leaky("what_if"))),
    (Kind.IMAGE, replaced(KOGGE, game=KEPT, pictures=LEAKY_LIGHTS)),
    (Kind.EVENTS, replaced(KOGGE, game=LapsesUnmet())),
    (Kind.TO_ACT, replaced(GUATEMALA, game=NumbersWhoCouldBlock())),
    (Kind.EVENTS, replaced(FLANDERN, game=TellsEachChoice())),
)


def first_leak(title: Title, options: Mapping[str, str]) -> Leak | None:
    found = (check_game(title, Setting(3, options, str(seed))) for seed in range(MAX_GAMES))
    return next((each.leak for each in found if each.leak is not None), None)


def test_a_leak_is_caught_in_every_kind_of_output() -> None:
    for number, (kind, title) in enumerate(LEAKS):
        leak = first_leak(title, {"goods": "hidden"} if title.game.name == "kogge" else {})
        assert leak is not None, (number, kind)
        # A plan may come to such a question before the game does.
        assert leak.kind is kind or (leak.kind is Kind.PLAN and title.game.name == "guatemala")


def test_no_title_tells_in_any_kind_of_output_what_somebody_may_not_know() -> None:
    for title in TITLES.values():
        options = {option.name: option.values[-1] for option in title.game.options}
        found = check_game(title, Setting(3, options, "1"), checks=40, histories=10)
        assert found.leak is None, (title.game.name, found.leak)
        assert found.counts["histories"] > 0, title.game.name


@pytest.mark.slow
def test_a_leak_in_what_is_offered_while_typing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def leaky(*_: object) -> list[autocomplete.Choice]:
        return [autocomplete.Choice(name=f"{secret(KEPT.seen)}", value="-")]

    monkeypatch.setattr("bot.cogs.panel.move_commands.for_words", leaky)
    leak = check_bot(replaced(KOGGE, game=KEPT), HIDDEN, 0, most=300).leak
    assert leak is not None
    assert leak.kind is Kind.MESSAGE
    assert "kogge" in leak.difference


@pytest.mark.slow
def test_what_all_get_by_the_bot_after_something_was_done_in_secret_is_caught() -> None:
    """An edit, a number in the name of a file, and one in a question: a game is played twice, the
    second time with more done in secret."""
    progress, picture = TurnPosts.progress, Services.picture

    async def always(self: TurnPosts, look: TableView, *parts: Any, **more: Any) -> float | None:
        posted = self.newest(look.table.id)
        if posted is not None:
            posted.components = []
            self._posting.places._shown.clear()
        return await progress(self, look, *parts, **more)

    async def counting(self: Services, look: TableView, *parts: Any, **more: Any) -> Image | None:
        made = await picture(self, look, *parts, **more)
        name = f"board-{look.seq}.png"
        return made and made._replace(name=name)

    for owner, name, leaky, word in (
        (TurnPosts, "progress", always, "edited"),
        (Services, "picture", counting, "board-"),
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
def test_nobody_learns_by_the_bot_how_often_somebody_chose_anew(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "MOVES", 12)
    options = {option.name: option.values[-1] for option in title.game.options}
    found = check_runs(title, Setting(3, options, "1"))
    assert found.leak is None, found.leak
    assert found.counts["histories"] == 3
    assert found.counts[Kind.MESSAGE] > 50


@pytest.fixture
def without_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("check_bot", "check_runs"):
        monkeypatch.setattr(search, name, lambda *_: Found())


FEW = ("kogge", "--checks", "200", "--messages", "40", "--histories", "10", "--jobs", "1")


@pytest.mark.usefixtures("without_bot")
def test_a_leak_is_shown_and_is_a_failure_though_only_in_an_older_version_of_the_rules(
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
def test_what_was_compared_is_told_when_it_is_stopped(
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


def test_what_makes_no_sense_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in ((["chess"], "no game 'chess'"), (["--checks", "0"], "at least 1")):
        assert main(words) == USAGE
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said in err


def test_every_combination_of_options_and_players_has_its_turn() -> None:
    for game in TITLES.games.values():
        number = len(game.seats) * math.prod(len(option.values) for option in game.options)
        tables = {(each.seats, *each.options.items()) for each in settings(game, seed=1)}
        assert len(tables) == number
        assert len({each.seed for each in settings(game, seed=1)}) == number
