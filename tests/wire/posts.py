"""What must be true of everything that a table has posted, whatever went wrong meanwhile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from bot.local import Message
from tests.wire.hands import Hands, ids
from tests.wire.kept import Kept

CLOSING = ("board", "log", "replay", "rematch")
"""The buttons of a table that is over."""
_BOARD = re.compile(r"board-(\d+)\.png")


def told_up_to(post: Message) -> int:
    """The log entry after which a post shows the table."""
    (picture,) = post.attachments
    match = _BOARD.fullmatch(picture.filename)
    assert match is not None, picture.filename
    return int(match[1])


def follows(post: Message) -> int:
    """The log entry up to which the post before had told, as the nonce of this one says."""
    assert post.nonce is not None
    return int(post.nonce.split(".")[1])


def check_chain(posts: Sequence[Message]) -> None:
    """Every post goes on where the one before ended: nothing is told twice, nothing left out."""
    for before, after in pairwise(posts):
        assert follows(after) == told_up_to(before), (before.content, after.content)
        assert told_up_to(after) > told_up_to(before)


def check_table(hands: Hands, kept: Kept) -> None:
    """The posts of a table whose game is over, against what the database says was done."""
    posts = hands.posts
    assert follows(posts[0]) == -1
    check_chain(posts)
    log = kept.log()
    assert [entry.seq for entry in log] == list(range(len(log)))
    assert told_up_to(posts[-1]) == log[-1].seq
    assert kept.posted() == (log[-1].seq, "finished")
    assert kept.owed() == []
    for post in posts[:-1]:
        assert ids(post) == [], post.content
    assert ids(posts[-1]) == [f"{verb}:{hands.table}" for verb in CLOSING]
    for post in posts:
        (picture,) = post.attachments
        assert picture.description
    assert [name.partition("-")[0] for name in hands.shown_after] == ["points", "game"]
