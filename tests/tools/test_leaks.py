"""Leaks put in on purpose, one for each kind of output; and that there are no others."""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace as replaced
from io import BytesIO
from itertools import count, islice
from pathlib import Path
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
from bot.game.choices import Bundle, Choices
from bot.game.contract import Action, AnyGame, Chance, Decision, Event, Observer, Seat
from bot.game.flandern.cards import CardChosen, GoldenDrawn
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
from bot.game.kogge.movement import Stopped
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
from bot.tools import FAILURE, OK, USAGE, leaks
from bot.tools.noninterference import runs
from bot.tools.noninterference.game import CheckedGame, GameSetting, Leak, check_game, settings
from bot.tools.noninterference.histories import Compared, check_histories
from bot.tools.noninterference.shown import Kind
from bot.tools.noninterference.wire import check_bot
from tests.game.flandern import test_noninterference as flandern
from tests.game.guatemala import test_noninterference as guatemala

KOGGE = TITLES["kogge"]
OPEN = {"goods": "open", "conflicts": "off"}
HIDDEN = GameSetting(3, {"goods": "hidden"}, "1")


def secret(state: KoggeState | None) -> int:
    """A number that depends on everything at a table."""
    return crc32(Kogge().encode(state)) if state is not None else 0


class Kept(Kogge):
    """Keeps what it has last shown, as a cache at the wrong place might."""

    seen: KoggeState | None = None

    def view(self, state: KoggeState, observer: Observer) -> KoggeView:
        """The view, with a trace left behind."""
        self.seen = state
        return super().view(state, observer)


class LeakyView(Kogge):
    """Shows something in the view."""

    def view(self, state: KoggeState, observer: Observer) -> KoggeView:
        """The view with a field that tells."""
        return replace(super().view(state, observer), bag=secret(state))


class LeakyQuestions(Kogge):
    """Names what is awaited after what nobody may know."""

    def pending(self, state: KoggeState) -> tuple[Decision, ...]:
        """The decisions under other names."""
        return tuple(
            replace(decision, id=f"{decision.id}{secret(state)}")
            for decision in super().pending(state)
        )


class LeakyChoices(Kogge):
    """Lets a seat ask another only for what it really has."""

    def legal(self, state: KoggeState, seat: Seat, prefix: Action = ()) -> Choices:
        """The domains, one of them after somebody's hand."""
        choices = super().legal(state, seat, prefix)
        if prefix[:1] == ("offer",) and len(prefix) == 3 and isinstance(choices, Bundle):
            return replace(choices, have=pieces(state.players[int(prefix[1])]))
        return choices


class LeakyEvents(Kogge):
    """Tells all what only some may hear."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The events and one more."""
        before = secret(state)
        return [
            *super().apply(state, seat, action, chance),
            LapCompleted(count=before),
        ]


class LeakySeal(Kogge):
    """Tells all what one has chosen under a seal."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The events and one more."""
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
        """The state as it was last shown, which tells all."""
        assert KEPT.seen is not None
        return self.decode(self.encode(KEPT.seen))


def leaky_player(view: Any, decision: Decision, legal: Legal, rng: Random) -> Action:
    """Does something that depends on everything at the table."""
    assert KEPT.seen is not None
    return random_action((), legal, Random(secret(KEPT.seen)))


def leaky_draw(*shown: Any) -> bytes:
    """A picture with something in a chunk that nobody sees."""
    return draw(*shown) + str(secret(KEPT.seen)).encode()


def leaky_lights(view: Any, names: Any, events: Any, asked: Any = None, *rest: Any) -> bytes:
    """The same where a question is lit, and only there."""
    return (draw if asked is None else leaky_draw)(view, names, events, asked, *rest)


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (Kind.VIEW, replaced(KOGGE, game=LeakyView())),
        (Kind.AWAITED, replaced(KOGGE, game=LeakyQuestions())),
        (Kind.AWAITED, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "awaited"))),
        (Kind.CHOICES, replaced(KOGGE, game=LeakyChoices())),
        (Kind.EVENTS, replaced(KOGGE, game=LeakyEvents())),
        (Kind.EVENTS, replaced(KOGGE, game=LeakySeal())),
        (Kind.TEXT, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "board"))),
        (Kind.TEXT, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "hand"))),
        (Kind.ALT, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "alt"))),
        (Kind.COMPUTER, replaced(KOGGE, game=KEPT, normal=leaky_player)),
        (Kind.COMPUTER, replaced(KOGGE, game=KEPT, mind=replaced(MIND, game=LeakyWorlds()))),
        (Kind.PLAN, replaced(KOGGE, game=KEPT, text=LeakyText(KEPT, "what_if"))),
        (Kind.IMAGE, replaced(KOGGE, game=KEPT, draw=leaky_draw)),
        (Kind.IMAGE, replaced(KOGGE, game=KEPT, draw=leaky_lights)),
    ],
)
def test_a_leak_is_caught_in_every_kind_of_output(kind: Kind, title: Title) -> None:
    leak = check_game(title, HIDDEN, most=500).leak
    assert leak is not None
    assert leak.kind is kind


# Answers about a block, which are secret one by one, and for the most part for ever

GUATEMALA = TITLES["guatemala"]


class TellsOfAHand(Guatemala):
    """Whoever takes a sack tells a colour of the hand of the seat to their left."""

    def apply(
        self, state: GuatemalaState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        """The events, and one more after a sack."""
        events = super().apply(state, seat, action, chance)
        hand = state.players[(seat + 1) % len(state.players)].hand
        colour = next(key for key, count in zip(COLOUR_KEYS, hand, strict=True) if count)
        more = [NothingHarvested(colour=colour)] if action == ("take",) else []
        return [*events, *more]


class NumbersWhoCouldBlock(Guatemala):
    """Counts in the names of its questions how many could block."""

    def pending(self, state: GuatemalaState) -> tuple[Decision, ...]:
        """The decisions under other names."""
        frame, decisions = state.frames[-1], super().pending(state)
        if not isinstance(frame, Blocking):
            return decisions
        could = sum(player.hand[frame.colour] > 0 for player in state.players)
        return tuple(replace(each, id=f"{each.id}{could}") for each in decisions)


@pytest.mark.parametrize(
    ("kind", "game"),
    [
        (Kind.VIEW, guatemala.LeakyHands()),
        (Kind.AWAITED, guatemala.LeakyQuestions()),
        (Kind.AWAITED, NumbersWhoCouldBlock()),
        (Kind.EVENTS, TellsOfAHand()),
        (Kind.HISTORY, guatemala.LeakyAnswers()),
        (Kind.HISTORY, guatemala.LeakyEvents()),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_tells_of_hands_or_of_answers_about_a_block_is_caught(
    kind: Kind, game: AnyGame
) -> None:
    title = replaced(GUATEMALA, game=game)
    if kind is Kind.HISTORY:
        leak = of_histories(title, {})
    else:
        leak = check_game(title, GameSetting(3, {}, "1"), most=1500).leak
    assert leak is not None
    # A plan may come to such a question before the game does.
    assert leak.kind in (kind, Kind.PLAN)


# Cards laid out face down by all at once, and the golden card of the first player

FLANDERN = TITLES["flandern"]


class TellsEachChoice(Flandern):
    """Tells everybody what a seat lays out."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        """The events, and one that its owner alone should hear."""
        events = super().apply(state, seat, action, chance)
        player = state.players[seat]
        if not isinstance(state.frames[-1], CardChoice) or player.card == NONE:
            return events
        return [*events, CardChosen(seat=seat, card=CARDS[player.card], influence=player.laid)]


class TellsTheGoldenCard(Flandern):
    """All hear at once which golden card the first player has drawn."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        """The events, and one that the first player alone should hear."""
        events = super().apply(state, seat, action, chance)
        if state.golden_card == NONE or state.revealed:
            return events
        return [*events, GoldenDrawn(seat=state.first, card=CARDS[state.golden_card])]


class NumbersQuestions(Flandern):
    """Counts in the names of its questions how many influence cards lie face down."""

    def pending(self, state: FlandernState) -> tuple[Decision, ...]:
        """The decisions under other names."""
        laid = sum(player.laid for player in state.players)
        return tuple(replace(each, id=f"{each.id}{laid}") for each in super().pending(state))


class CountsChoices(Flandern):
    """Every card that is laid out makes the questions of all others new, a changed one too."""

    def apply(
        self, state: FlandernState, seat: Seat, action: Action, chance: Chance
    ) -> list[Event]:
        """The same, one further."""
        state.decision += action[0] == "choose"
        return super().apply(state, seat, action, chance)


def leaky_golden(view: Any, *shown: Any) -> bytes:
    """A picture whose last byte tells the golden card that the game has last shown."""
    return FLANDERN.draw(view, *shown) + bytes([KEPT_TABLE.golden + 1])


class KeepsGolden(Flandern):
    """Keeps the golden card, as a cache at the wrong place might."""

    golden = NONE

    def view(self, state: FlandernState, observer: Observer) -> Any:
        """The view, with a trace left behind."""
        self.golden = NONE if state.revealed else state.golden_card
        return super().view(state, observer)


KEPT_TABLE = KeepsGolden()


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (Kind.VIEW, replaced(FLANDERN, game=flandern.LeakyHands())),
        (Kind.VIEW, replaced(FLANDERN, game=flandern.LeakyNumbers())),
        (Kind.VIEW, replaced(FLANDERN, game=flandern.LeakyGolden())),
        (Kind.AWAITED, replaced(FLANDERN, game=NumbersQuestions())),
        (Kind.EVENTS, replaced(FLANDERN, game=TellsEachChoice())),
        (Kind.EVENTS, replaced(FLANDERN, game=TellsTheGoldenCard())),
        (Kind.IMAGE, replaced(FLANDERN, game=KEPT_TABLE, draw=leaky_golden)),
        (Kind.HISTORY, replaced(FLANDERN, game=CountsChoices())),
    ],
    ids=lambda value: type(value.game).__name__ if isinstance(value, Title) else str(value),
)
def test_what_tells_of_cards_face_down_is_caught(kind: Kind, title: Title) -> None:
    if kind is Kind.HISTORY:
        leak = of_histories(title, {})
    else:
        leak = check_game(title, GameSetting(3, {}, "1"), most=1000).leak
    assert leak is not None
    assert leak.kind is kind


# Leaks over time: at each single step nothing is amiss


class LapsesUnmet(Kogge):
    """An offer lapses only when its giver has not got any more what was promised."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The same, but offers that can still be met stand."""
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


class AsksWhoCanPay(Kogge):
    """Asks for an answer to an offer only those who have what is wanted."""

    def pending(self, state: KoggeState) -> tuple[Decision, ...]:
        """The decisions but for those."""
        vain = {
            f"o{offer.id}"
            for offer in state.offers
            if not has(stock(state, offer.other, place_of(offer)), offer.take)
        }
        return tuple(asked for asked in super().pending(state) if asked.id not in vain)


class CountsChanges(Kogge):
    """Every sealed choice makes the others' questions new, one that was changed as well."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The same, one further."""
        sealed = bool(TURNS.choosing(state))
        events = super().apply(state, seat, action, chance)
        state.decision += sealed
        return events


class TellsChanges(Kogge):
    """Everybody hears that somebody has chosen anew."""

    def apply(self, state: KoggeState, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The events and one more."""
        anew = any(d.seat == seat and d.sealed and d.optional for d in self.pending(state))
        events = super().apply(state, seat, action, chance)
        return [*events, Stopped(seat=seat, city=0)] if anew else events


def of_histories(title: Title, options: Mapping[str, str]) -> Leak | None:
    """The first leak in the histories of a few games."""
    tables = (
        table for table in settings(title.game, 1) if table.options.items() >= options.items()
    )
    found = (check_histories(title, table, 100).leak for table in islice(tables, 40))
    return next((leak for leak in found if leak is not None), None)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (LapsesUnmet(), {"goods": "hidden"}),
        (AsksWhoCanPay(), {"goods": "hidden"}),
        (CountsChanges(), {}),
        (TellsChanges(), {}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_can_be_inferred_over_time_is_caught(game: AnyGame, options: dict[str, str]) -> None:
    leak = of_histories(replaced(KOGGE, game=game), options)
    assert leak is not None
    assert leak.kind is Kind.HISTORY


def test_a_marker_read_off_from_the_hands_of_before_and_after_is_caught() -> None:
    """It can be by the rules where all hands lie open, which is why nothing else is laid then."""
    assert of_histories(KOGGE, OPEN) is None
    leak = of_histories(replaced(KOGGE, read_off=("", "")), OPEN)
    assert leak is not None
    assert "markers" in leak.difference


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_in_most_histories_something_is_done_in_secret(title: Title) -> None:
    tables = islice(settings(title.game, 2), 30)
    compared = [check_histories(title, table, 50) for table in tables]
    assert [each.leak for each in compared if each.leak] == []
    assert sum(each.histories for each in compared) > 50


def leak_of_bot(most: int) -> str:
    """What is found of a leak through the bot, whose game keeps what it has shown."""
    leak = check_bot(replaced(KOGGE, game=KEPT), HIDDEN, most).leak
    assert leak is not None
    assert leak.kind is Kind.MESSAGE
    return leak.difference


def test_a_leak_in_the_name_of_a_file_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Picture, "image", lambda self: Shown(f"{secret(KEPT.seen)}.png", self.alt, self.png)
    )
    assert ".png" in leak_of_bot(most=12)


def test_a_leak_in_what_is_offered_while_typing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def leaky(*_: object) -> list[autocomplete.Choice]:
        return [autocomplete.Choice(name=f"{secret(KEPT.seen)}", value="-")]

    monkeypatch.setattr("bot.cogs.panel.move_commands.for_words", leaky)
    assert "kogge" in leak_of_bot(most=150)


# Leaks over time through the bot: something that all get changes when nothing public happened

ALL_SECRET = {"goods": "hidden", "conflicts": "on", "taxes": "on"}


def blank(*_: Any) -> bytes:
    """The smallest picture, of whatever."""
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


def test_pictures_that_alone_tell_a_leak_are_kept_to_be_looked_at(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(runs, "MOVES", 6)
    drawn = count()
    title = replaced(KOGGE, draw=lambda *_: blank() + b"%d" % next(drawn))

    leak = runs.compare_runs(title, GameSetting(3, ALL_SECRET, "1")).leak

    assert leak is not None
    folder = Path(leak.difference.rpartition(f"{runs.PICTURES_ALONE} ")[2])
    real, twin = (folder / f"{name}-0.png" for name in ("real", "twin"))
    assert real.read_bytes() != twin.read_bytes()


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


def test_a_number_of_entries_in_what_undo_asks_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_votes._Past, "number", lambda _, seq: seq)
    monkeypatch.setattr(undo_votes._Past, "entry", lambda _, step: step)
    assert "undo" in leak_of_runs(monkeypatch)


def test_a_number_of_steps_that_counts_in_secret_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(undo_votes._Past, "count", lambda self, entry: len(self.gone(entry)))
    assert "actions" in leak_of_runs(monkeypatch)


def test_a_barrier_that_knows_what_was_done_in_secret_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    why_not = undo_votes._why_not

    def knowing(past: Any, seat: Seat, entry: int) -> str:
        return "seen" if len(past.gone(entry)) > 1 else why_not(past, seat, entry)

    monkeypatch.setattr(undo_votes, "_why_not", knowing)
    assert "learnt" in leak_of_runs(monkeypatch)


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_nobody_learns_by_the_bot_how_often_somebody_chose_anew(title: Title) -> None:
    options = {option.name: option.values[-1] for option in title.game.options}
    compared = runs.compare_runs(title, GameSetting(3, options, "1"))
    assert compared.leak is None, compared.leak
    assert compared.histories == 3
    assert compared.moments > 100


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


def run(*words: str, titles: Titles = TITLES) -> int:
    parser = argparse.ArgumentParser()
    leaks.add_arguments(parser)
    return leaks.run(parser.parse_args(words), titles)


FEW = (
    "kogge",
    "--checks",
    "1000",
    "--messages",
    "40",
    "--histories",
    "300",
    "--runs",
    "1",
    "--jobs",
    "1",
)


def test_it_finds_none_where_there_is_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Games of the usual length are compared for each title above.
    monkeypatch.setattr(runs, "MOVES", 6)
    assert run(*FEW, "--json") == OK
    found = json.loads(capsys.readouterr().out)
    assert found["leak"] is None
    assert found["checks"] == sum(found["by_kind"].values()) >= 1040
    assert all(found["by_kind"][kind] > 0 for kind in Kind)


def test_a_leak_is_shown_and_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "check_bot", lambda *_: CheckedGame({}, 0, None))
    monkeypatch.setattr(leaks, "compare_runs", lambda *_: Compared(0, 0, None))
    assert run(*FEW, titles=Titles((replaced(KOGGE, game=LeakyView()),))) == FAILURE
    printed = capsys.readouterr()
    assert "leak: kogge, " in printed.err
    assert "step " in printed.err
    assert "view of a spectator" in printed.err
    assert "real: " in printed.err


def test_an_older_version_of_the_rules_is_looked_at_as_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    older = LeakyView()
    older.version -= 1
    monkeypatch.setattr(leaks, "check_bot", lambda *_: CheckedGame({}, 0, None))
    monkeypatch.setattr(leaks, "compare_runs", lambda *_: Compared(0, 0, None))
    titles = Titles((replaced(KOGGE, game=older), KOGGE))
    assert run(*FEW, "--json", titles=titles) == FAILURE
    old, new = map(json.loads, capsys.readouterr().out.splitlines())
    assert (old["version"], new["version"]) == (older.version, older.version + 1)
    assert f"rules version {older.version}" in old["leak"]
    assert new["leak"] is None


@pytest.mark.parametrize(
    ("words", "said"), [(("chess",), "no game 'chess'"), (("--checks", "0"), "at least 1")]
)
def test_what_makes_no_sense_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert run(*words) == USAGE
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("game", TITLES.games.values(), ids=TITLES.games)
def test_every_combination_of_options_and_players_has_its_turn(game: AnyGame) -> None:
    number = len(game.seats) * math.prod(len(option.values) for option in game.options)
    tables = {(each.seats, *each.options.items()) for each in settings(game, seed=1)}
    assert len(tables) == number
    assert len({each.seed for each in settings(game, seed=1)}) == number
