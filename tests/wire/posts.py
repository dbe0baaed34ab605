"""What must be true of everything that a table has posted, whatever went wrong meanwhile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from bot.local import Message
from tests.wire.hands import Hands, ids
from tests.wire.kept import LOG, Kept

CLOSING = ("board", "log", "replay", "rematch")
"""The buttons of a table that is over."""
RETIRED = "log1:1::then"
"""The only button of a post that is not the newest: what it leaves out, if anything."""
_POSTED = re.compile(r"posted table=\d+ after=(-?\d+) to=(\d+) message=(\d+)")


class Told(NamedTuple):
    """A post goes on after one log entry and shows the table after another."""

    after: int
    to: int


def told(kept: Kept) -> dict[int, Told]:
    """What each post tells, by its id, as the bot has told its operator; a post tells nobody."""
    return told_in((kept.path.parent / LOG).read_text())


def told_in(said: str) -> dict[int, Told]:
    found = _POSTED.findall(said)
    return {int(message): Told(int(after), int(to)) for after, to, message in found}


def check_chain(posts: Sequence[Message], kept: Kept) -> None:
    check_told(posts, told(kept))


def check_told(posts: Sequence[Message], known: Mapping[int, Told]) -> None:
    for before, after in pairwise(posts):
        assert known[after.id].after == known[before.id].to, (before.text, after.text)
        assert known[after.id].to > known[before.id].to


def check_table(hands: Hands, kept: Kept) -> None:
    posts = hands.posts
    assert told(kept)[posts[0].id].after == -1
    check_chain(posts, kept)
    log = kept.log()
    assert [entry.seq for entry in log] == list(range(len(log)))
    assert told(kept)[posts[-1].id].to == log[-1].seq
    assert kept.posted() == (log[-1].seq, "finished")
    assert kept.owed() == []
    for post in posts[:-1]:
        assert set(ids(post)) <= {RETIRED}, post.text
    closing = [each for each in ids(posts[-1]) if not each.startswith("log1:")]
    assert closing == [f"{verb}:{hands.table}" for verb in CLOSING]
    for post in posts:
        (picture,) = post.attachments
        assert picture.description
    assert [name.partition("-")[0] for name in hands.shown_after] == ["points", "game"]
