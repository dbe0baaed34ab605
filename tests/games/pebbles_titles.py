"""Pebbles as titles: words and pictures for both versions.

Each version has its own words, so tests can see which words are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from PIL import Image

from bot.game.choices import Choices
from bot.game.contract import Action, Decision, Event, Outcome, Refusal
from bot.game.game import AnyGame
from bot.game.hidden import View
from bot.game.sides import Looks
from bot.render import png
from bot.render.asked import AskedWords, LayeredCanvas
from bot.render.fonts import Say
from bot.render.picture import GamePictures
from bot.render.theme import Palette
from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.contract import CloseUpText, Hint, Label, SummaryLine
from bot.text.game_words import GameWords
from bot.text.user_text import Name
from bot.text.words import msg
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from tests.games.pebbles import GAME, NEWER, Rolled, State
from tests.games.pebbles_player import JUDGEMENT


class PebblesWords(GameWords[Any]):
    """Short texts in the notation; some name the version."""

    title = msg("Pebbles")
    version: ClassVar[str]
    tagline = effort = property(lambda self: f"Pebbles, {self.version}")
    scored = property(lambda self: "pebbles")

    def story(self, events: Iterable[Event]) -> list[str]:
        return [f"{event.kind} {sorted(event.facts.items())}" for event in events]

    def summary(self, events: Iterable[Event]) -> list[SummaryLine]:
        return [SummaryLine(line) for line in self.story(events)]

    def reasons(self, events: Iterable[Event]) -> list[str]:
        return []

    def refusal(self, refusal: Refusal) -> str:
        return f"{refusal.code}, by {self.version}"

    def question(self, decision: Decision) -> str:
        return f"{decision.kind}? ({self.version})"

    def to_act(self, decision: Decision) -> str:
        return f"{self.names[decision.seat]}: {decision.kind}"

    def called(self, kind: str, names: Sequence[Name]) -> str:
        return f"{', '.join(map(str, names))}: {kind}"

    def prompt(self, prefix: Action, choices: Choices) -> str:
        return f"{' '.join(prefix)} which?"

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        return Label(" ".join((*prefix, word)))

    def pieces(self, word: str) -> str:
        return word

    def action(self, action: Action) -> str:
        return " ".join(action)

    def hand(self) -> str:
        return f"cards {tuple(self.known.cards[self.observer])}, by {self.version}"

    def board(self) -> str:
        return f"pebbles {tuple(self.known.pebbles)}, by {self.version}"

    def alt(self, events: Sequence[Event]) -> str:
        return self.board()

    def close_up(self, part: str) -> CloseUpText | None:
        text = f"{self.known.pebbles[int(part)]} pebbles, by {self.version}"
        return CloseUpText(self.names[int(part)].plain, text, text, {})

    def outcome(self, outcome: Outcome, looks: Looks) -> str:
        return f"{outcome.ending}: {outcome.scores}, by {self.version}"

    def ending(self, ending: str) -> str:
        return f"Ended by {ending}."

    def scores(self) -> tuple[int, ...]:
        return tuple(self.known.pebbles)

    def weight(self, event: Event) -> int:
        return 1

    def option(self, name: str) -> str:
        return name

    def option_value(self, name: str, value: str) -> str:
        return value

    def options_summary(self, options: Mapping[str, str]) -> str:
        return f"options {sorted(options.items())}"

    def read(self, choices: Choices, typed: str, prefix: Action) -> str:
        return typed

    def topic(self, topic: str) -> str:
        return topic

    def rules(self, topic: str) -> str:
        return f"rules of {topic}, by {self.version}"

    def topics(self) -> tuple[str, ...]:
        return ("choosing", "taking", "gifts", "turns")

    def hint(self, kind: str) -> Hint | None:
        return None


class OldPebblesWords(PebblesWords):
    version = "the old rules"


class NewPebblesWords(PebblesWords):
    version = "the new rules"


PAPER, INK = "#fbf5e6", "#2b2a33"
PALETTE = Palette([PAPER, INK], [INK])
OLD, NEW = OldPebblesWords.version, NewPebblesWords.version


class PebblesPictures(GamePictures[Any]):
    """Rectangles: the width shows the pebbles, the height shows the version."""

    def draw(
        self,
        view: View[State],
        names: Sequence[str],
        events: Sequence[Event] = (),
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        return _png(20 + sum(view.known.pebbles), self.bar)

    def draw_part(
        self,
        view: View[State],
        names: Sequence[str],
        events: Sequence[Event],
        part: str,
        words: Mapping[str, str],
        asked: AskedWords | None = None,
        say: Say = str,
    ) -> bytes:
        return _png(20 + view.known.pebbles[int(part)], self.bar + self.bar // 2)


def seats(view: View[State]) -> tuple[str, ...]:
    """Return the parts of the table: all seats."""
    return tuple(map(str, range(len(view.known.pebbles))))


def _png(width: int, height: int) -> bytes:
    return png.encode(PALETTE.reduce(Image.new("RGB", (width, height), PAPER)))


def pictures(
    game: AnyGame, height: int, parts: Callable[[View[State]], tuple[str, ...]]
) -> PebblesPictures:
    return PebblesPictures(
        game=game,
        palette=PALETTE,
        bar=height,
        table=lambda scene: LayeredCanvas(1, 1),
        order=lambda state: (),
        parts=parts,
    )


COMMANDS = GameCommands(
    CommandText(msg("Your moves in a game of Pebbles"), "pebbles"),
    {
        "choose": CommandText(
            msg("Seal a number"), "choose", {"number": OptionText(msg("1 to 3"), "number")}
        ),
        "take": CommandText(
            msg("Take pebbles"), "take", {"count": OptionText(msg("How many"), "count")}
        ),
        "gift": CommandText(
            msg("Offer a pebble"), "gift", {"seat": OptionText(msg("To whom"), "player")}
        ),
        "accept": CommandText(
            msg("Take a pebble"), "accept", {"gift": OptionText(msg("Which gift"), "gift")}
        ),
        "decline": CommandText(
            msg("Take no pebble"), "decline", {"gift": OptionText(msg("Which gift"), "gift")}
        ),
    },
)


def title(game: AnyGame, text: type[PebblesWords], height: int) -> Title:
    return Title(
        game=game,
        text=text,
        commands=COMMANDS,
        pictures=pictures(game, height, seats),
        judgement=JUDGEMENT if game is GAME else None,
        revealing=(Rolled,),
    )


FIRST, SECOND = title(GAME, OldPebblesWords, 10), title(NEWER, NewPebblesWords, 20)
BEFORE, AFTER = Titles((*TITLES.every, FIRST)), Titles((*TITLES.every, FIRST, SECOND))
"""The titles before and after an update that adds version 2."""
