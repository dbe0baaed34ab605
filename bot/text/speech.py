"""How every game's words are said: players by name, facts by their meaning, plural templates.

Plain words are for buttons, selects and alt texts; markdown adds bold names and emoji. So one
template serves chat, log and alt text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.game.contract import Fact, Outcome
from bot.game.sides import Looks, letters_of
from bot.text.markup import bold, columns
from bot.text.user_text import InMarkdown, Name, Written, said_again
from bot.text.words import Forms, Message, Words, msg

NAME_WIDTH = 12
"""Characters of a name on a text board."""


def keycap(number: int | str) -> str:
    """A digit as one emoji."""
    return f"{number}\ufe0f\u20e3"


def short_names(names: Sequence[Name]) -> tuple[Name, ...]:
    """Names for a text board, which repeats them often: shortened, and safe in markdown."""
    return tuple(
        InMarkdown(name.clipped(NAME_WIDTH) if isinstance(name, Written) else name)
        for name in names
    )


def sentence(parts: Sequence[str]) -> str:
    """A line of a text board: its parts in order, without empty ones."""
    return "; ".join(part for part in parts if part)


@dataclass(frozen=True)
class Speech:
    """How things are said to one reader; `rich` is markdown, otherwise plain text."""

    words: Words
    names: Sequence[Name] = ()
    rich: bool = False

    def seat(self, seat: int) -> str:
        """A player's name."""
        if not 0 <= seat < len(self.names):
            return self.words("player {number}", number=seat + 1)
        name = self.names[seat]
        return bold(name) if self.rich else name.plain

    def seats(self, seats: Sequence[int]) -> str:
        """Several players' names."""
        return self.words.listing([self.seat(seat) for seat in seats])

    def titled(self, rows: Sequence[tuple[str, str]]) -> list[str]:
        """Titles with their texts, a line each, without those that have none."""
        shape = msg("**{title}:** {content}") if self.rich else msg("{title}: {content}")
        return [self.words(shape, title=title, content=text) for title, text in rows if text]

    def breakdown(self, outcome: Outcome, items: Mapping[str, Message], looks: Looks) -> str:
        """A table of what the points are made of, its items named by `items`, and a key to it.

        Seats stand by their places, and are called by the letters of their sides' `looks`.
        """
        rows = [
            (self.words("Rank"), outcome.places),
            *(
                (self.words(items[name]) if name in items else name, points)
                for name, points in outcome.lines
            ),
            (self.words("Total"), outcome.scores),
        ]
        seats = sorted(range(len(looks)), key=lambda seat: outcome.places[seat])
        letters = [letters_of(looks[seat]) for seat in seats]
        key = " · ".join(
            f"{letter} {self.seat(seat)}" for letter, seat in zip(letters, seats, strict=True)
        )
        sorted_rows = [(title, [numbers[seat] for seat in seats]) for title, numbers in rows]
        return f"{key}\n{columns(letters, sorted_rows)}"

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Facts of an event or a refusal in words; a fact's name gives its meaning."""
        return {name: self.fact(name, value) for name, value in facts.items()}

    def fact(self, name: str, value: Fact) -> str:
        """One fact in words. A game overrides it for its own pieces."""
        match name, value:
            case "seat" | "other", int():
                return self.seat(value)
            case "seats", tuple():
                return self.seats([seat for seat in value if isinstance(seat, int)])
            case _, str():
                # Not a word of the game's notation: it may have been typed.
                return said_again(value) if self.rich else Written(value).plain
        return str(value)

    def phrase(self, message: Message | Forms, facts: Mapping[str, Fact]) -> str:
        """A template filled with these facts; its plural follows the fact ``count``."""
        count = facts.get("count", 1)
        number = count if isinstance(count, int) else 1
        return self.words.phrase(message, number, **self.facts(facts))
