"""Leaks put in on purpose, one for each kind of output; and that there are none but those."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any
from zlib import crc32

import pytest
from discord import File
from msgspec.structs import replace

from bot.cogs.common import choosing
from bot.cogs.common.shell import Picture
from bot.game.choices import Bundle, Choices
from bot.game.contract import Action, AnyGame, Chance, Decision, Event, Observer, Seat
from bot.game.kogge.game import Kogge
from bot.game.kogge.rules.common import pieces
from bot.game.kogge.state import State
from bot.game.kogge.view import View
from bot.game.registry import GAMES
from bot.game.versions import Games
from bot.render.kogge import draw
from bot.render.layout import Say
from bot.text.kogge.game_text import KoggeText
from bot.tools import FAILURE, OK, USAGE, errors, leaks
from bot.tools.twins import wire
from bot.tools.twins.game import Checked, Setting, check_game, settings
from bot.tools.twins.shown import Kind, Title, title_of
from bot.tools.twins.wire import check_bot

HIDDEN = Setting(3, {"goods": "hidden"}, "1")


def secret(state: State | None) -> int:
    """A number that depends on everything at a table."""
    return crc32(Kogge().encode(state)) if state is not None else 0


class Kept(Kogge):
    """Keeps what it has last shown, as a cache at the wrong place might."""

    seen: State | None = None

    def view(self, state: State, observer: Observer) -> View:
        """The view, with a trace left behind."""
        self.seen = state
        return super().view(state, observer)


class LeakyView(Kogge):
    """Shows something in the view."""

    def view(self, state: State, observer: Observer) -> View:
        """The view with a field that tells."""
        return replace(super().view(state, observer), bag=secret(state))


class LeakyQuestions(Kogge):
    """Names what is awaited after what nobody may know."""

    def pending(self, state: State) -> tuple[Decision, ...]:
        """The decisions under other names."""
        return tuple(
            replace(decision, id=f"{decision.id}{secret(state)}")
            for decision in super().pending(state)
        )


class LeakyChoices(Kogge):
    """Lets one ask another only for what he really has."""

    def legal(self, state: State, seat: Seat, prefix: Action = ()) -> Choices:
        """The domains, one of them after somebody's hand."""
        choices = super().legal(state, seat, prefix)
        if prefix[:1] == ("offer",) and len(prefix) == 3 and isinstance(choices, Bundle):
            return replace(choices, have=pieces(state.players[int(prefix[1])]))
        return choices


class LeakyEvents(Kogge):
    """Tells all what only some may hear."""

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The events and one more."""
        before = secret(state)
        return [
            *super().apply(state, seat, action, chance),
            Event("lap_completed", {"count": before}),
        ]


class LeakySeal(Kogge):
    """Tells all what one has chosen under a seal."""

    def apply(self, state: State, seat: Seat, action: Action, chance: Chance) -> list[Event]:
        """The events and one more."""
        events = super().apply(state, seat, action, chance)
        return [
            *events,
            Event("lap_completed", {"count": crc32(str(action).encode())}, but=(seat,)),
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


def leaky_draw(view: View, names: Sequence[str], events: Sequence[Event], say: Say = str) -> bytes:
    """A picture with something in a chunk that nobody sees."""
    return draw(view, names, events, say) + str(secret(KEPT.seen)).encode()


@pytest.mark.parametrize(
    ("kind", "title"),
    [
        (Kind.VIEW, Title(LeakyView(), KoggeText(), draw)),
        (Kind.AWAITED, Title(LeakyQuestions(), KoggeText(), draw)),
        (Kind.AWAITED, Title(KEPT, LeakyText(KEPT, "awaited"), draw)),
        (Kind.CHOICES, Title(LeakyChoices(), KoggeText(), draw)),
        (Kind.EVENTS, Title(LeakyEvents(), KoggeText(), draw)),
        (Kind.EVENTS, Title(LeakySeal(), KoggeText(), draw)),
        (Kind.TEXT, Title(KEPT, LeakyText(KEPT, "board"), draw)),
        (Kind.TEXT, Title(KEPT, LeakyText(KEPT, "hand"), draw)),
        (Kind.ALT, Title(KEPT, LeakyText(KEPT, "alt"), draw)),
        (Kind.IMAGE, Title(KEPT, KoggeText(), leaky_draw)),
    ],
)
def test_a_leak_is_caught_in_every_kind_of_output(kind: Kind, title: Title) -> None:
    leak = check_game(title, HIDDEN, most=500).leak
    assert leak is not None
    assert leak.kind is kind


def leak_of_bot(monkeypatch: pytest.MonkeyPatch, most: int) -> str:
    """What is found of a leak through the bot, whose game keeps what it has shown."""
    monkeypatch.setattr(wire, "GAMES", Games((KEPT,)))
    leak = check_bot("kogge", HIDDEN, most).leak
    assert leak is not None
    assert leak.kind is Kind.MESSAGE
    return leak.difference


def test_a_leak_in_the_name_of_a_file_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Picture, "file", lambda self: File(BytesIO(self.png), f"{secret(KEPT.seen)}.png")
    )
    assert ".png" in leak_of_bot(monkeypatch, most=12)


def test_a_leak_in_what_is_offered_while_typing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(*_: object) -> list[choosing.Choice]:
        return [choosing.Choice(name=f"{secret(KEPT.seen)}", value="-")]

    monkeypatch.setattr("bot.cogs.common.moves.for_words", leaky)
    assert "kogge" in leak_of_bot(monkeypatch, most=60)


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    leaks.add_arguments(parser)
    return leaks.run(parser.parse_args(words))


FEW = ("kogge", "--checks", "1000", "--messages", "40", "--jobs", "1")


def test_it_finds_none_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*FEW, "--json") == OK
    found = json.loads(capsys.readouterr().out)
    assert found["leak"] is None
    assert found["checks"] == sum(found["by_kind"].values()) >= 1040
    assert all(found["by_kind"][kind] > 0 for kind in Kind)


def test_a_leak_is_shown_and_is_a_failure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (errors, leaks):
        monkeypatch.setattr(module, "GAMES", Games((LeakyView(),)))
    monkeypatch.setattr(leaks, "check_bot", lambda *_: Checked({}, 0, None))
    assert run(*FEW) == FAILURE
    printed = capsys.readouterr()
    assert "leak: kogge, " in printed.err
    assert "step " in printed.err
    assert "view of a spectator" in printed.err
    assert "real: " in printed.err


@pytest.mark.parametrize(
    ("words", "said"), [(("chess",), "no game 'chess'"), (("--checks", "0"), "at least 1")]
)
def test_what_makes_no_sense_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert run(*words) == USAGE
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_combination_of_options_and_players_has_its_turn(game: AnyGame) -> None:
    number = len(game.seats) * math.prod(len(option.values) for option in game.options)
    tables = {(each.seats, *each.options.items()) for each in settings(game, seed=1)}
    assert len(tables) == number
    assert len({each.seed for each in settings(game, seed=1)}) == number


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_game_has_all_that_is_looked_at(game: AnyGame) -> None:
    assert title_of(game).game is game
