"""People who note what they pressed and what they were told, to be compared with what was
recorded."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from bot.local import Answer, Channel, Person, Standin
from bot.local.model import Json
from bot.text.errors import ERRORS
from tests.wire.hands import HARBOUR, Hands
from tests.wire.kept import Kept

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


class Witness(Hands):
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


def check_actions(witnesses: Sequence[Witness], kept: Kept) -> None:
    acted = kept.acted()
    assert sorted(acted.values()) == [entry.seq for entry in kept.log()]
    lost = set().union(*(each.done for each in witnesses)) - set(acted)
    assert lost == set(), "answered as done, and not kept"
