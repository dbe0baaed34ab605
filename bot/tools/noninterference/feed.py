"""Everything that one person receives from the bot, to the last colour of a picture."""

from __future__ import annotations

import re
from collections import defaultdict
from hashlib import sha256
from types import TracebackType
from typing import Self

import msgspec

from bot.local.changes import Change, MessageCreated, MessageDeleted, MessageEdited
from bot.local.model import Message
from bot.local.person import Person
from bot.local.standin import Standin
from bot.render import png

_ID = re.compile(r"\b\d{15,}\b")
_TIME = re.compile(r"<t:\d+")
_HASH = re.compile(r"[0-9a-f]{64}")

Place = tuple[int, int, bool] | None
"""A channel's kind and id, and whether what arrives there is for the person alone; None for what
is in no channel."""


class Feed:
    """A context in which whatever reaches a person is noted.

    Ids are Discord's and differ between two runs: `lines` names them in the order in which they
    appear. What comes to one place keeps its order; a post in the thread and a private answer are
    sent concurrently, and which of them is faster is chance.
    """

    def __init__(self, standin: Standin, person: Person) -> None:
        self._standin = standin
        self._person = person
        self._noted: dict[Place, list[str]] = defaultdict(list)
        self._loading: set[int] = set()
        self._pictures: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        self._stop = self._standin.model.subscribe(self._on_change)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def note(self, line: str) -> None:
        """Record something else that the person got, such as autocomplete choices."""
        self._noted[None].append(line)

    @property
    def lines(self) -> list[str]:
        """Everything received, a line each, place by place."""
        known: dict[str, str] = {}

        def plain(found: re.Match[str]) -> str:
            return known.setdefault(found[0], f"#{len(known)}")

        # Ids of one kind grow in the same order in any two runs. Whether a direct conversation or
        # a thread comes first is chance: they are made concurrently.
        places = sorted(self._noted, key=lambda place: place or (0, 0, False))
        said = [line for place in places for line in self._noted[place]]
        return [_ID.sub(plain, _TIME.sub("<t:", line)) for line in said]

    def pictures(self, line: str) -> list[bytes]:
        """The files that came with one of the lines."""
        return [self._pictures[each] for each in _HASH.findall(line) if each in self._pictures]

    def _on_change(self, change: Change) -> None:
        if not isinstance(change, MessageCreated | MessageEdited | MessageDeleted):
            return
        message, world = change.message, self._standin.model
        place = world.channels.get(message.channel_id)
        if (
            place is None
            or not world.can_see(self._person.id, place)
            or not world.visible(message, self._person.id)
        ):
            return
        noted = self._noted[place.kind, message.channel_id, message.is_ephemeral]
        if message.is_loading:
            # A slow answer first has a placeholder; how slow it was says nothing.
            self._loading.add(message.id)
        elif isinstance(change, MessageDeleted):
            noted.append(f"deleted {message.id}")
        elif isinstance(change, MessageCreated) or message.id in self._loading:
            self._loading.discard(message.id)
            noted.append(f"came {self._plain(message)}")
        else:
            noted.append(f"edited {self._plain(message)}")

    def _plain(self, message: Message) -> str:
        files = [
            (each.filename, each.description, self._hashed(self._standin.file(each.id)))
            for each in message.attachments
        ]
        parts = (
            *(message.channel_id, message.id, message.author_id, message.visible_to),
            *(message.nonce, message.flags, message.mentions),
            *(message.content, message.embeds, message.components, files),
        )
        return msgspec.json.encode(parts).decode()

    def _hashed(self, file: bytes) -> str:
        found = sha256(_said(file)).hexdigest()
        self._pictures[found] = file
        return found


def _said(file: bytes) -> bytes:
    """What is in a file, of a picture whatever its compression has made of it."""
    try:
        return png.contents(file)
    except ValueError:
        return file


def but_for_files(line: str) -> str:
    """A line of a feed without what is in its files; their names and descriptions stay."""
    return _HASH.sub("file", line)
