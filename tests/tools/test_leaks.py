"""Leaks put in on purpose, one for each kind of output; and that there are no others."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace as replaced
from io import BytesIO
from itertools import islice
from random import Random
from typing import Any
from zlib import crc32

import pytest
from msgspec.structs import replace
from PIL import Image

from bot.cogs.posting.turn_posts import TurnPosts
from bot.cogs.ui import autocomplete, reply
from bot.cogs.ui.layout import Image as Shown
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Picture, Snapshot
from bot.game.choices import Bundle, Choices, Grouping
from bot.game.contract import Action, Chance, Decision, Event, Observer, Seat
from bot.game.flandern.cards import CardChosen
from bot.game.flandern.city import NONE
from bot.game.flandern.data import CARDS
from bot.game.flandern.game import Flandern
from bot.game.flandern.state import CardChoice, FlandernState
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.game import Guatemala
from bot.game.guatemala.scoring import NothingHarvested
from bot.game.guatemala.state import Blocking, GuatemalaState
from bot.game.kogge.common import pieces
from bot.game.kogge.game import Kogge
from bot.game.kogge.guild_master import LapCompleted
from bot.game.kogge.partners import OfferLapsed, has, place_of, stock
from bot.game.kogge.state import KoggeState
from bot.game.kogge.turn import TURNS
from bot.game.kogge.view import KoggeView
from bot.policy.contract import Legal
from bot.policy.kogge.strong import MIND
from bot.policy.random import random_action
from bot.render.kogge import draw
from bot.tables.votes import undo_votes
from bot.text.kogge.game_text import KoggeText
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from bot.tools import FAILURE, leaks
from bot.tools.noninterference import runs
from bot.tools.noninterference.game import CheckedGame, GameSetting, Leak, check_game, settings
from bot.tools.noninterference.histories import Compared, check_histories
from bot.tools.noninterference.shown import Kind, shown
from bot.tools.noninterference.wire import check_bot
from tests.games import archipelago
from tests.games.archipelago import SPACES, State
from tests.tools.typed import printed, run

KOGGE = TITLES["kogge"]
OPEN = {"goods": "open", "conflicts": "off"}
HIDDEN = GameSetting(3, {"goods": "hidden"}, "1")


def secret(state: KoggeState | None) -> int:
    return crc32(Kogge().encode(state)) if state is not None else 0


class Kept(Kogge):
    """Keeps what it has last shown, as a cache at the wrong place might."""

    seen: KoggeState | None = None

    def view(self, state: KoggeState, observer: Observer) -> KoggeView:
        self.seen = state
        return super().view(state, observer)


class LeakyView(Kogge):
    """Shows something in the view."""

    def view(self, state: KoggeState, observer: Observer) -> KoggeView:
        return replace(super().view(state, observer), bag=secret(state))


class LeakyQuestions(Kogge):
    """Names what is awaited after what nobody may know."""

    def pending(self, state: KoggeState) -> tuple[Decision, ...]:
        return tuple(
            replace(decision, id=f"{decision.id}{secret(state)}")
            for decision in super().pending(state)
        )


class LeakyChoices(Kogge):
    """Lets a seat ask another only for what it really has."""

    def legal(self, state: KoggeState, seat: Seat, prefix: Action = ()) -> Choices:
        choices = super().legal(state, seat, prefix)
        if prefix[:1] == ("offer",) and len(prefix) == 3 and isinstance(choices, Bundle):
            return replace(choices, have=pieces(state.players[int(prefix[1])]))
        return choices


class LeakyEvents(Kogge):
    """Tells all what only some may hear."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        before = secret(state)
        return [
            *super().apply(state, seat, action, chance),
            LapCompleted(count=before),
        ]


class LeakySeal(Kogge):
    """Tells all what one has chosen under a seal."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        return [
            *events,
            LapCompleted(count=crc32(str(action).encode()), but=(seat,)),
        ]


class LeakyText(KoggeText):
    """Says in some text what the game has last shown to anybody."""

    def __init__(self, game: Kept, method: str) -> None:
        super().__init__()
        said: Callable[..., str] = getattr(super(), method)

        def leak(*args: Any) -> str:
            return f"{said(*args)} {secret(game.seen)}"

        setattr(self, method, leak)


KEPT = Kept()


class LeakyWorlds(Kogge):
    """Imagines what others hold after what they really do."""

    def imagine(self, view: KoggeView, rng: Random) -> KoggeState:
        assert KEPT.seen is not None
        return self.decode(self.encode(KEPT.seen))


def leaky_player(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    assert KEPT.seen is not None
    return random_action((), legal, Random(secret(KEPT.seen)))


def leaky_lights(view: Any, names: Any, events: Any, asked: Any = None, *rest: Any) -> bytes:
    drawn = draw(view, names, events, asked, *rest)
    return drawn if asked is None else drawn + str(secret(KEPT.seen)).encode()


# Answers about a block, which are secret one by one, and for the most part for ever

GUATEMALA = TITLES["guatemala"]


class TellsOfAHand(Guatemala):
    """Whoever takes a sack tells a colour of the hand of the seat to their left."""

    def apply(
        self, state: GuatemalaState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        events = super().apply(state, seat, action, chance)
        hand = state.players[(seat + 1) % len(state.players)].hand
        colour = next(key for key, count in zip(COLOUR_KEYS, hand, strict=True) if count)
        more = [NothingHarvested(colour=colour)] if action == ("take",) else []
        return [*events, *more]


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


class NumbersQuestions(Flandern):
    """Counts in the names of its questions how many influence cards lie face down."""

    def pending(self, state: FlandernState) -> tuple[Decision, ...]:
        laid = sum(player.laid for player in state.players)
        return tuple(replace(each, id=f"{each.id}{laid}") for each in super().pending(state))


class CountsChoices(Flandern):
    """Every card that is laid out makes the questions of all others new, a changed one too."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        state.decision += action[0] == "choose"
        return super().apply(state, seat, action, chance)


# Leaks over time: at each single step nothing is amiss


class LapsesUnmet(Kogge):
    """An offer lapses only when its giver has not got any more what was promised."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        offers = state.offers[:]
        events = super().apply(state, seat, action, chance)
        taken = [action[1]] if action[0] in ("accept", "decline", "withdraw", "counter") else []
        for offer in offers:
            lapsed = OfferLapsed(seat=offer.seat, other=offer.other)
            met = has(stock(state, offer.seat, place_of(offer)), offer.give)
            if lapsed in events and str(offer.id) not in taken and met:
                events.remove(lapsed)
                state.offers.append(offer)
        return events


class CountsChanges(Kogge):
    """Every sealed choice makes the others' questions new, one that was changed as well."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        sealed = bool(TURNS.choosing(state))
        events = super().apply(state, seat, action, chance)
        state.decision += sealed
        return events


def of_histories(title: Title, options: Mapping[str, str]) -> Leak | None:
    tables = (
        table for table in settings(title.game, 1) if table.options.items() >= options.items()
    )
    found = (check_histories(title, table, 100).leak for table in islice(tables, 40))
    return next((leak for leak in found if leak is not None), None)


Leaks = Sequence[tuple[Kind, Title]]

CHEAP: Leaks = (
    (Kind.VIEW, replaced(KOGGE, game=LeakyView())),
    (Kind.AWAITED, replaced(KOGGE, game=LeakyQuestions())),
    (Kind.AWAITED, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "awaited"))),
    (Kind.EVENTS, replaced(KOGGE, game=LeakyEvents())),
    (Kind.EVENTS, replaced(KOGGE, game=LeakySeal())),
    (Kind.TEXT, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "board"))),
    (Kind.TEXT, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "hand"))),
    (Kind.ALT, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "alt"))),
    (Kind.COMPUTER, replaced(KOGGE, game=KEPT, normal=leaky_player)),
    (Kind.COMPUTER, replaced(KOGGE, game=KEPT, mind=replaced(MIND, game=LeakyWorlds()))),
    (Kind.PLAN, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "what_if"))),
    (Kind.IMAGE, replaced(KOGGE, game=KEPT, draw=leaky_lights)),
    (Kind.HISTORY, replaced(KOGGE, game=LapsesUnmet())),
    (Kind.HISTORY, replaced(KOGGE, game=CountsChanges())),
    (Kind.AWAITED, replaced(GUATEMALA, game=NumbersWhoCouldBlock())),
    (Kind.AWAITED, replaced(FLANDERN, game=NumbersQuestions())),
    (Kind.EVENTS, replaced(FLANDERN, game=TellsEachChoice())),
    (Kind.HISTORY, replaced(FLANDERN, game=CountsChoices())),
)
COSTLY: Leaks = (
    (Kind.CHOICES, replaced(KOGGE, game=LeakyChoices())),
    (Kind.EVENTS, replaced(GUATEMALA, game=TellsOfAHand())),
)


@pytest.mark.parametrize("known", [CHEAP, pytest.param(COSTLY, marks=pytest.mark.slow)])
def test_a_leak_is_caught_in_every_kind_of_output(known: Leaks) -> None:
    for number, (kind, title) in enumerate(known):
        hidden = {"goods": "hidden"} if title.game.name == "kogge" else {}
        if kind is Kind.HISTORY:
            leak = of_histories(title, hidden)
        else:
            leak = check_game(title, GameSetting(3, hidden, "1"), most=1500).leak
        assert leak is not None, (number, kind)
        # A plan may come to such a question before the game does.
        assert leak.kind is kind or (leak.kind is Kind.PLAN and title.game.name == "guatemala")


@pytest.mark.slow
def test_a_marker_read_off_from_the_hands_of_before_and_after_is_caught() -> None:
    """It can be by the rules where all hands lie open, which is why nothing else is laid then."""
    assert of_histories(KOGGE, OPEN) is None
    leak = of_histories(replaced(KOGGE, read_off=("", "")), OPEN)
    assert leak is not None
    assert "markers" in leak.difference


def test_no_title_tells_in_any_kind_of_output_what_somebody_may_not_know() -> None:
    for title in TITLES.values():
        options = {option.name: option.values[-1] for option in title.game.options}
        checked = check_game(title, GameSetting(3, options, "1"), most=40)
        assert checked.leak is None, (title.game.name, checked.leak)
        compared = check_histories(title, GameSetting(3, options, "1"), 10)
        assert compared.leak is None, (title.game.name, compared.leak)


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_in_most_histories_something_is_done_in_secret(title: Title) -> None:
    tables = islice(settings(title.game, 2), 30)
    compared = [check_histories(title, table, 50) for table in tables]
    assert [each.leak for each in compared if each.leak] == []
    assert sum(each.histories for each in compared) > 50


def leak_of_bot(most: int) -> str:
    leak = check_bot(replaced(KOGGE, game=KEPT), HIDDEN, most).leak
    assert leak is not None
    assert leak.kind is Kind.MESSAGE
    return leak.difference


@pytest.mark.slow
def test_a_leak_in_what_is_offered_while_typing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def leaky(*_: object) -> list[autocomplete.Choice]:
        return [autocomplete.Choice(name=f"{secret(KEPT.seen)}", value="-")]

    monkeypatch.setattr("bot.cogs.panel.move_commands.for_words", leaky)
    assert "kogge" in leak_of_bot(most=150)


# Leaks over time through the bot: something that all get changes when nothing public happened

ALL_SECRET = {"goods": "hidden", "conflicts": "on", "taxes": "on"}


def blank(*_: Any) -> bytes:
    png = BytesIO()
    Image.new("L", (1, 1)).save(png, "PNG")
    return png.getvalue()


def leak_of_runs(monkeypatch: pytest.MonkeyPatch) -> str:
    """What is found in a game that is played twice, the second time with more done in secret.

    No leak of this kind lies in a picture, so they need not be drawn.
    """
    monkeypatch.setattr(runs, "MOVES", 6)
    leak = runs.compare_runs(replaced(KOGGE, draw=blank), GameSetting(3, ALL_SECRET, "1")).leak
    assert leak is not None
    assert leak.kind is Kind.HISTORY
    return leak.difference


@pytest.mark.slow
def test_a_name_of_a_file_that_counts_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Services._picture

    async def counting(self: Services, look: Snapshot, *parts: Any) -> Picture | None:
        made = await picture(self, look, *parts)
        if made is not None:
            name = f"board-{look.seq}.png"
            monkeypatch.setattr(Picture, "image", lambda self: Shown(name, self.alt, self.png))
        return made

    monkeypatch.setattr(Services, "_picture", counting)
    assert "board-" in leak_of_runs(monkeypatch)


@pytest.mark.slow
def test_an_edit_after_a_changed_choice_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = TurnPosts.progress

    async def always(self: TurnPosts, look: Snapshot, *parts: Any, **more: Any) -> float | None:
        posted = self._posted.get(look.table.id)
        if posted is not None:
            posted.stands = ("", [])
            self._places._shown.clear()
        return await progress(self, look, *parts, **more)

    monkeypatch.setattr(TurnPosts, "progress", always)
    assert "edited" in leak_of_runs(monkeypatch)


@pytest.mark.slow
def test_a_number_of_entries_in_what_undo_asks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_votes._Past, "number", lambda _, seq: seq)
    monkeypatch.setattr(undo_votes._Past, "entry", lambda _, step: step)
    assert "undo" in leak_of_runs(monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_nobody_learns_by_the_bot_how_often_somebody_chose_anew(
    title: Title, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOVES", 12)
    options = {option.name: option.values[-1] for option in title.game.options}
    compared = runs.compare_runs(title, GameSetting(3, options, "1"))
    assert compared.leak is None, compared.leak
    assert compared.histories == 3
    assert compared.moments > 50


@pytest.mark.slow
def test_that_an_answer_comes_late_is_no_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    remembered = runs._remembered

    async def slow(title: Title, setting: GameSetting, *, busy: bool) -> tuple[runs.Memory, int]:
        monkeypatch.setattr(reply, "DEFER_AFTER_S", 0.0 if busy else 60.0)
        return await remembered(title, setting, busy=busy)

    monkeypatch.setattr(runs, "_remembered", slow)
    monkeypatch.setattr(runs, "MOVES", 6)
    compared = runs.compare_runs(replaced(KOGGE, draw=blank), GameSetting(3, ALL_SECRET, "1"))
    assert compared.leak is None
    assert compared.histories == 3


FEW = (
    *("kogge", "--checks", "500", "--messages", "40", "--histories", "100"),
    *("--runs", "1", "--jobs", "1"),
)


@pytest.mark.slow
def test_it_finds_none_where_there_is_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Games of the usual length are compared for each title above.
    monkeypatch.setattr(runs, "MOVES", 6)
    found = printed(capsys, leaks, *FEW)
    assert found["leak"] is None
    assert found["checks"] == sum(found["by_kind"].values()) >= 540
    assert all(found["by_kind"][kind] > 0 for kind in Kind)


def test_a_leak_is_shown_and_is_a_failure_though_only_in_an_older_version_of_the_rules(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    older = LeakyView()
    older.version -= 1
    monkeypatch.setattr(leaks, "check_bot", lambda *_: CheckedGame({}, 0, None))
    monkeypatch.setattr(leaks, "compare_runs", lambda *_: Compared(0, 0, None))
    titles = Titles((replaced(KOGGE, game=older), KOGGE))
    few = (*FEW, "--checks", "200", "--histories", "10")
    assert run(leaks, *few, "--json", titles=titles) == FAILURE
    out, err = capsys.readouterr()
    old, new = map(json.loads, out.splitlines())
    assert (old["version"], new["version"]) == (older.version, older.version + 1)
    assert f"rules version {older.version}" in old["leak"]
    assert new["leak"] is None
    for part in ("leak: kogge, ", "step ", "view of a spectator", "real: "):
        assert part in err


def test_every_combination_of_options_and_players_has_its_turn() -> None:
    for game in TITLES.games.values():
        number = len(game.seats) * math.prod(len(option.values) for option in game.options)
        tables = {(each.seats, *each.options.items()) for each in settings(game, seed=1)}
        assert len(tables) == number
        assert len({each.seed for each in settings(game, seed=1)}) == number


# The groups in which words are shown to an observer


def told(seat: int) -> str:
    given = shown(archipelago.TITLE, State(), seat, (), Random(1), seats=2, with_image=False)
    text = given[Kind.TEXT]
    assert isinstance(text, str)
    return text


def test_a_group_that_would_give_a_secret_away_is_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = told(0)
    assert "The north" in before
    other = dict(zip(SPACES, SPACES[::-1], strict=True))
    by_other = Grouping("zone", lambda space: archipelago.zone_of(other[space]))
    monkeypatch.setattr(archipelago, "BY_PLACE", (by_other,))
    assert told(0) != before
    # Who is not asked is told of no group.
    assert "The north" not in told(1)
