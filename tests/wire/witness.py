"""People who compare the answers they get with what was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.local import Answer, Person, Standin
from bot.local.model import Json
from tests.wire.hands import Hands
from tests.wire.kept import Kept


class Witness(Hands):
    """Notes which presses were answered as done. Everybody at the table should be one."""

    def __init__(self, standin: Standin, person: Person, rng: Random, kept: Kept) -> None:
        super().__init__(standin, person, rng)
        self.done: set[str] = set()
        self._kept = kept
        self._in_doubt = False

    def doubt(self) -> None:
        """The panel may show what is long past: the next press may be answered as stale."""
        self._in_doubt = True

    async def choose(self, part: Json) -> Answer:
        """Press; what the answer says has been done must have been written down before."""
        in_doubt, self._in_doubt = self._in_doubt, True
        answer = await super().choose(part)
        # It is still so after an answer that never came, which raises.
        self._in_doubt = False
        asked = decision(part)
        choices = self.choices()
        # A panel on its way below a new post cannot be read just now.
        goes_on = self.panel is None or any(decision(other) == asked for other in choices)
        delivery = str(answer.interaction.id)
        if delivery in self._kept.acted():
            self.done.add(delivery)
        else:
            assert goes_on or in_doubt, f"answered as done, and not kept: {answer.text}"
        return answer


def decision(part: Json) -> str:
    return str(part["custom_id"]).split(":")[2]


def check_actions(witnesses: Sequence[Witness], kept: Kept) -> None:
    acted = kept.acted()
    assert sorted(acted.values()) == [entry.seq for entry in kept.log()]
    assert set().union(*(each.done for each in witnesses)) <= set(acted)
