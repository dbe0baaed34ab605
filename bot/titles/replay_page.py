"""A finished game as one HTML file, which needs no network.

It shows what spectators saw: the boards turn by turn, the log, the result, the story and the chart
of points, in all languages. It has no times and no ids.
"""

from __future__ import annotations

import gzip
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from html import escape
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from bot.game.contract import SPECTATOR, Event, Outcome, Seat
from bot.game.sides import Looks, looks_of
from bot.render import chart
from bot.render.mosaic import PER_ROW, PER_SHEET, SQUARE, Mosaic
from bot.render.palettes import STANDARD
from bot.render.sides import SIDE_LOOKS
from bot.resources import package_file
from bot.text import msg, plain
from bot.text.chronicle import (
    AXIS,
    ChronicleTurn,
    chronicle,
    points_alt,
    round_name,
    turn_name,
)
from bot.text.game_words import AnyGameWords
from bot.text.user_text import shown_names
from bot.text.words import all_words
from bot.titles.title import Title

MAX_BYTES = 1_500_000
WIDTHS = (1400, 800)
"""Widths of the boards. If the file is too large with the first, the next is tried."""
LABELS = {
    "language": msg("Language"),
    "board": msg("Board"),
    "first": msg("To the start"),
    "back": msg("Back"),
    "forward": msg("Forward"),
    "last": msg("To the end"),
    "turn": msg("Turn"),
    "enlarge": msg("Enlarge the board"),
    "shrink": msg("Fit to the page"),
    "keys": msg("Arrow keys, Home and End go through the turns."),
    "log": msg("Log"),
    "result": msg("Result"),
    "player": msg("Player"),
    "story": msg("The story of the game"),
    "chart": msg("Chart"),
    "nothing": msg("Nothing visible happened."),
}
UNREADABLE = msg("This page needs JavaScript and a current browser.")
_BLOCK = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


_Board = tuple[list[int], str, list[str]]


class PageTooLarge(ValueError):
    """A game doesn't fit into `MAX_BYTES`."""


class ReplayStep(NamedTuple):
    """A turn that was not undone: the events that spectators saw, and the encoded state after it.

    The state may have secrets, but only the spectators' view of it is used. Events of the table are
    left out.
    """

    round: int
    seat: Seat
    events: Sequence[Event]
    state: bytes


def replay_page(
    title: Title,
    seats: Sequence[str],
    options: Mapping[str, str],
    steps: Sequence[ReplayStep],
    lasted: timedelta,
    palette: str = STANDARD,
) -> Iterator[bytes | None]:
    """Yield None after each part of the work, so that others can draw in between, then the file.

    The first step is the set-up. `seats` are the players' names, as stored. Raise PageTooLarge.
    """
    game, turns = title.game, list[ChronicleTurn]()
    steps = [
        step._replace(events=[event for event in step.events if event.kind in game.events])
        for step in steps
    ]
    rounds = [_joined(list(each)) for _, each in groupby(steps, lambda step: step.round)]
    for width, shown in (*((width, steps) for width in WIDTHS), (WIDTHS[-1], rounds)):
        mosaic, sheets = Mosaic(width), list[str]()
        texts = [title.text(words, shown_names(words, seats)) for words in all_words()]
        boards = [list[_Board]() for _ in texts]
        for step in shown:
            view = game.view(game.decode(step.state), SPECTATOR)
            for text, drawn in zip(texts, boards, strict=True):
                drawn.append(_board(title, text.at(view), step, mosaic, palette))
                yield None
            if len(turns) < len(steps):
                scores = texts[0].at(view).scores()
                turns.append(ChronicleTurn(step.round, step.seat, step.events, scores))
        for sheet in mosaic.sheets():
            sheets.append(_address(sheet, "webp"))
            yield None
        looks = looks_of(title.pictures.sides(view, len(seats)), len(seats))
        outcome, tones = game.outcome(view.known), title.pictures.colours.tones.get(palette, {})
        content = {
            "size": mosaic.size,
            "square": SQUARE,
            "squares": [PER_ROW, PER_SHEET],
            "sheets": sheets,
            "seats": [step.seat for step in shown],
            "rounds": [step.round for step in shown],
            "sides": [
                [(side.letter, tones.get(side.fill, side.fill), side.writing) for side in sides]
                for sides in ([SIDE_LOOKS[look] for look in each] for each in looks)
            ],
            "languages": {
                text.words.locale: {
                    **_fixed_texts(text, shown, options, are_rounds=shown is rounds),
                    **_story(text, turns, outcome, lasted, looks, palette),
                    "boards": drawn,
                }
                for text, drawn in zip(texts, boards, strict=True)
            },
        }
        page = _file(texts[0], content)
        if len(page) <= MAX_BYTES:
            yield page
            return
    raise PageTooLarge


def _joined(steps: Sequence[ReplayStep]) -> ReplayStep:
    """Return the turns of a round as one."""
    events = [event for step in steps for event in step.events]
    return steps[-1]._replace(seat=SPECTATOR, events=events)


def _board(
    title: Title, text: AnyGameWords, step: ReplayStep, mosaic: Mosaic, palette: str
) -> _Board:
    """Draw the board and return its changes, its alt text, and the lines of the log."""
    words, pictures = text.words, title.pictures
    png = pictures.draw(text.view, plain(text.names), step.events, None, words.drawn)
    changes = mosaic.add(words.locale, pictures.colours.of(png, palette))
    return changes, text.alt(step.events), text.story(step.events)


def _fixed_texts(
    text: AnyGameWords,
    steps: Sequence[ReplayStep],
    options: Mapping[str, str],
    *,
    are_rounds: bool,
) -> dict[str, Any]:
    """Return the texts of the page that do not depend on the result."""
    words, count = text.words, len(steps) - 1
    return {
        "own_name": words.own_name(),
        "title": words(text.title),
        "names": plain(text.names),
        "options": text.options_summary(options),
        "labels": {key: words(label) for key, label in LABELS.items()},
        "rounds": {step.round: round_name(words, step.round) for step in steps},
        "turns": [
            " · ".join(turn_name(words, step.round, turn, count)[: 1 if are_rounds else 2])
            for turn, step in enumerate(steps)
        ],
    }


def _story(
    text: AnyGameWords,
    turns: Sequence[ChronicleTurn],
    outcome: Outcome | None,
    lasted: timedelta,
    looks: Looks,
    palette: str,
) -> dict[str, Any]:
    """Return the result, the story and the chart. Without an outcome there is only a chart."""
    found = {
        "chart": _address(chart.draw(course_of(text, turns, looks), palette), "png"),
        "chart_alt": points_alt(text, turns),
    }
    if outcome is None:
        unfinished = text.words("This game is unfinished.")
        return {**found, "result": [unfinished], "scores": [], "story": []}
    return {
        **found,
        "result": [text.winners(outcome), text.ending(outcome.ending)],
        "scores": text.score_rows(outcome),
        "story": chronicle(text, turns, outcome, lasted),
    }


def course_of(text: AnyGameWords, turns: Sequence[ChronicleTurn], looks: Looks) -> chart.Course:
    """Return the chart of points."""
    return chart.Course(
        title=text.words("{what}, turn by turn", what=text.scored),
        axis=text.words(AXIS),
        names=plain(text.names),
        lines=[*zip(*(turn.scores for turn in turns), strict=True)],
        rounds=[turn.round for turn in turns],
        looks=looks,
    )


def _address(data: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{b64encode(data).decode()}"


def _file(text: AnyGameWords, content: Mapping[str, Any]) -> bytes:
    """Fill the template. The content is compressed, so no text in it can end the script."""
    template = package_file("bot.titles", "replay_page.html").read_text(encoding="utf-8")
    packed = b64encode(gzip.compress(msgspec.json.encode(content), mtime=0)).decode()
    hashes = {
        f"{kind}_hash": b64encode(sha256(block.encode()).digest()).decode()
        for kind, block in _BLOCK.findall(template)
    }
    heading = ": ".join((text.words(text.title), ", ".join(plain(text.names))))
    # The heading is last: a name may look like a placeholder.
    unreadable = " ".join(words(UNREADABLE) for words in all_words())
    facts = {**hashes, "data": packed, "unreadable": escape(unreadable), "heading": escape(heading)}
    for name, value in facts.items():
        template = template.replace(f"{{{name}}}", value, 1)
    return template.encode()
