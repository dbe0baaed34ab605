"""Players who record their presses and answers, and checks of these, the log and the posts.

The checks hold after any fault.
"""

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
_NOT_TO_MOVE = ("nothing_asked", "foreign", "table_over")
REFUSALS = tuple(ERRORS[code] for code in (*_REFUSED, *_NOT_TO_MOVE))
"""Answers without an action."""


class Press(NamedTuple):
    """An answered press; `is_done` if the answer confirms an action."""

    delivery: str
    is_done: bool
    text: str


class Witness(RandomPlayer):
    """A player who records the answer to each press. All players at a table should be one."""

    def __init__(
        self, standin: Standin, person: Person, *, seed: int = 1, home: Channel | str = HARBOUR
    ) -> None:
        super().__init__(standin, person, Random(f"{person.name} {seed}"), home=home)
        self.presses: list[Press] = []
        self._may_be_stale = False

    @property
    def done(self) -> set[str]:
        return {each.delivery for each in self.presses if each.is_done}

    def expect_stale(self) -> None:
        """Allow the next press to be answered as stale, as the panel may be old."""
        self._may_be_stale = True

    async def choose(self, part: Json) -> Answer:
        may_be_stale, self._may_be_stale = self._may_be_stale, True
        answer = await super().choose(part)
        # Not reached without an answer, so the next press may be stale.
        self._may_be_stale = False
        answered, choices, text = decision(part), self.choices(), answer.text
        refused = any(each in text for each in REFUSALS)
        # While a panel moves below a new post, there is none.
        is_pending = self.panel is None or any(decision(each) == answered for each in choices)
        is_done = ERRORS["saved"] in text or not (is_pending or may_be_stale or refused)
        self.presses.append(Press(str(answer.interaction.id), is_done, text))
        return answer


def decision(part: Json) -> str:
    return str(part["custom_id"]).split(":")[2]


def check_actions(witnesses: Sequence[Witness], stored: StoredTable) -> None:
    handled = stored.handled()
    assert sorted(handled.values()) == [entry.seq for entry in stored.log()]
    lost = set().union(*(each.done for each in witnesses)) - set(handled)
    assert lost == set(), "answered as done, but not stored"


CLOSING = ("board", "log", "replay", "rematch")
"""The buttons of a table that is over."""
RETIRED = "log1:1::then"
"""The only possible button of an older post: its omitted events."""
_POSTED = re.compile(r"posted table=\d+ after=(-?\d+) to=(\d+) message=(\d+)")


class PostRange(NamedTuple):
    """The log entries of a post: from `after`, exclusive, to `to`, inclusive."""

    after: int
    to: int


def post_ranges(stored: StoredTable) -> dict[int, PostRange]:
    """Return the range of each post by message id, from the bot's log file."""
    return ranges_in((stored.path.parent / LOG).read_text())


def ranges_in(log: str) -> dict[int, PostRange]:
    posts = _POSTED.findall(log)
    return {int(message): PostRange(int(after), int(to)) for after, to, message in posts}


def check_chain(posts: Sequence[Message], stored: StoredTable) -> None:
    check_ranges(posts, post_ranges(stored))


def check_ranges(posts: Sequence[Message], ranges: Mapping[int, PostRange]) -> None:
    for before, after in pairwise(posts):
        assert ranges[after.id].after == ranges[before.id].to, (before.text, after.text)
        assert ranges[after.id].to > ranges[before.id].to


def check_table(player: RandomPlayer, stored: StoredTable) -> None:
    posts, ranges = player.posts, post_ranges(stored)
    assert ranges[posts[0].id].after == -1
    check_chain(posts, stored)
    log = stored.log()
    assert [entry.seq for entry in log] == list(range(len(log)))
    assert ranges[posts[-1].id].to == log[-1].seq
    assert stored.posted() == (log[-1].seq, "finished")
    assert stored.outbox() == []
    for post in posts[:-1]:
        assert set(ids(post)) <= {RETIRED}, post.text
    closing = [each for each in ids(posts[-1]) if not each.startswith("log1:")]
    assert closing == [f"{verb}:{player.table}" for verb in CLOSING]
    for post in posts:
        (picture,) = post.attachments
        assert picture.description
    assert [name.partition("-")[0] for name in player.other_files] == ["points", "game"]
