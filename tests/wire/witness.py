"""People who note what they pressed and what they were told, and what must be true of that and of
what was posted, whatever went wrong meanwhile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from bot.local import Answer, Channel, Message, Person, Standin
from bot.local.model import Json
from bot.text.errors import ERRORS
from tests.wire.players import HARBOUR, RandomPlayer, ids
from tests.wire.stored import LOG, StoredTable

_REFUSED = (
    "store_unavailable",
    "maybe_saved",
    "unfinished",
    "conflict",
    "stale",
    "stale_decision",
    "too_slow",
    "old_button",
)
_NOT_ASKED = ("nothing_asked", "foreign", "table_over")
REFUSALS = tuple(ERRORS[code] for code in (*_REFUSED, *_NOT_ASKED))
"""Answers that do not say that something was done."""


class Press(NamedTuple):
    """An answered press, and whether the answer says that an action was carried out."""

    delivery: str
    is_done: bool
    text: str


class Witness(RandomPlayer):
    """Notes what each press was answered. Everybody at the table should be one."""

    def __init__(
        self, standin: Standin, person: Person, *, seed: int = 1, home: Channel | str = HARBOUR
    ) -> None:
        super().__init__(standin, person, Random(f"{person.name} {seed}"), home=home)
        self.presses: list[Press] = []
        self._in_doubt = False

    @property
    def done(self) -> set[str]:
        return {each.delivery for each in self.presses if each.is_done}

    def doubt(self) -> None:
        """The panel may show what is long past: the next press may be answered as stale."""
        self._in_doubt = True

    async def choose(self, part: Json) -> Answer:
        in_doubt, self._in_doubt = self._in_doubt, True
        answer = await super().choose(part)
        # It is still so after an answer that never came, which raises.
        self._in_doubt = False
        asked, choices, text = decision(part), self.choices(), answer.text
        refused = any(each in text for each in REFUSALS)
        # A panel on its way below a new post cannot be read just now.
        goes_on = self.panel is None or any(decision(other) == asked for other in choices)
        is_done = ERRORS["saved"] in text or not (goes_on or in_doubt or refused)
        self.presses.append(Press(str(answer.interaction.id), is_done, text))
        return answer


def decision(part: Json) -> str:
    return str(part["custom_id"]).split(":")[2]


def check_actions(witnesses: Sequence[Witness], stored: StoredTable) -> None:
    acted = stored.handled()
    assert sorted(acted.values()) == [entry.seq for entry in stored.log()]
    lost = set().union(*(each.done for each in witnesses)) - set(acted)
    assert lost == set(), "answered as done, and not kept"


CLOSING = ("board", "log", "replay", "rematch")
"""The buttons of a table that is over."""
RETIRED = "log1:1::then"
"""The only button of a post that is not the newest: what it leaves out, if anything."""
_POSTED = re.compile(r"posted table=\d+ after=(-?\d+) to=(\d+) message=(\d+)")


class Told(NamedTuple):
    """A post goes on after one log entry and shows the table after another."""

    after: int
    to: int


def told(stored: StoredTable) -> dict[int, Told]:
    """What each post tells, by its id, as the bot has told its operator; a post tells nobody."""
    return told_in((stored.path.parent / LOG).read_text())


def told_in(said: str) -> dict[int, Told]:
    found = _POSTED.findall(said)
    return {int(message): Told(int(after), int(to)) for after, to, message in found}


def check_chain(posts: Sequence[Message], stored: StoredTable) -> None:
    check_told(posts, told(stored))


def check_told(posts: Sequence[Message], known: Mapping[int, Told]) -> None:
    for before, after in pairwise(posts):
        assert known[after.id].after == known[before.id].to, (before.text, after.text)
        assert known[after.id].to > known[before.id].to


def check_table(player: RandomPlayer, stored: StoredTable) -> None:
    posts = player.posts
    assert told(stored)[posts[0].id].after == -1
    check_chain(posts, stored)
    log = stored.log()
    assert [entry.seq for entry in log] == list(range(len(log)))
    assert told(stored)[posts[-1].id].to == log[-1].seq
    assert stored.posted() == (log[-1].seq, "finished")
    assert stored.outbox() == []
    for post in posts[:-1]:
        assert set(ids(post)) <= {RETIRED}, post.text
    closing = [each for each in ids(posts[-1]) if not each.startswith("log1:")]
    assert closing == [f"{verb}:{player.table}" for verb in CLOSING]
    for post in posts:
        (picture,) = post.attachments
        assert picture.description
    assert [name.partition("-")[0] for name in player.shown_after] == ["points", "game"]
