"""Pages of recorded games for tests."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from bot.game.contract import SPECTATOR
from bot.game.log import Entry
from bot.tables.core.log import TABLE_EVENT_KINDS
from bot.tables.core.record import Record, fold
from bot.tables.history import turns_of
from bot.text.user_text import plain, shown_names
from bot.text.words import Words
from bot.titles import TITLES
from bot.titles.replay_page import ReplayStep, replay_page
from bot.titles.title import Title

_DATA = re.compile(rb'<script id="data" type="text/plain">([^<]*)</script>')


def title_of(record: Record) -> Title:
    return TITLES.of(record.game, record.version)


def steps_of(record: Record) -> list[ReplayStep]:
    game = title_of(record).game
    entries: list[Entry] = []
    states: list[bytes] = []
    for entry, state in fold(game, record):
        entries.append(entry)
        states.append(game.encode(state))
    turns = [turn for turn in turns_of(entries, SPECTATOR) if turn.in_effect]
    return [ReplayStep(each.round, each.seat, each.events, states[each.last]) for each in turns]


def page_of(record: Record, steps: Sequence[ReplayStep], **settings: Any) -> bytes:
    pages = replay_page(
        title_of(record), record.seats, record.options, steps, timedelta(0), **settings
    )
    *_, page = pages
    assert page is not None
    return page


def content_of(page: bytes) -> Any:
    """Return the data of a page."""
    (packed,) = _DATA.findall(page)
    return json.loads(gzip.decompress(b64decode(packed)))


def drawn(record: Record, step: ReplayStep, words: Words) -> tuple[bytes, str]:
    """Return the picture of a step as a spectator sees it, and its alt text."""
    title = title_of(record)
    names = shown_names(words, record.seats)
    view = title.game.view(title.game.decode(step.state), SPECTATOR)
    events = [event for event in step.events if event.kind not in TABLE_EVENT_KINDS]
    picture = title.pictures.draw(view, plain(names), events, None, words.drawn)
    return picture, title.text(words, names, view).alt(events)
