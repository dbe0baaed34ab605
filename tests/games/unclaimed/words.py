"""The words of Unclaimed that depend on the state. All others are in data/."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import ClassVar

from bot.resources import register
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords
from bot.text.words import Message
from tests.games.unclaimed.rules import GAME, State, bid_of, listed, points_of

register(GAME.name, files(__package__).joinpath("data"))


class Names(GameNames, frozen=True):
    kinds: dict[str, Message]


NAMES = names(GAME.name, Names)


class UnclaimedWords(GameWords[State], game=GAME, things=NAMES):
    def card(self, kind: str) -> str:
        return self.words(NAMES.kinds[kind])

    def cards(self, kinds: Sequence[str]) -> str:
        """Return the words for cards in the form of `listed`."""
        if "" in kinds:
            return self.counted("hidden", len(kinds))
        return self.words.listing([*map(self.card, kinds)]) or self.words("none")

    says: ClassVar = {"ticket": card, "thing": card, "tickets": cards, "things": cards}

    def chosen(self) -> Mapping[str, str]:
        bid = bid_of(self.known.players[self.observer])
        return {"ticket": self.cards(bid)} if bid else {}

    def board_lines(self) -> Iterable[str]:
        table = self.known
        yield self.words(
            "Round {round} of {rounds}. On the counter: {things}.",
            round=table.round,
            rounds=table.rounds,
            things=self.cards(listed(table.counter)),
        )
        for seat, player in enumerate(table.players):
            yield self.words(
                "{seat}: {points}. Things: {things}. Tickets: {tickets}. Bid: {bid}.",
                seat=self.seat(seat),
                points=self.counted("points", sum(points_of(player))),
                things=self.cards(listed(player.things)),
                tickets=self.cards(listed(player.tickets)),
                bid=self.cards(bid_of(player)),
            )

    def alt_lines(self) -> Iterable[str]:
        return self.board_lines()

    def hand_lines(self) -> Iterable[str]:
        player = self.known.players[self.observer]
        yield self.words("Your tickets: {tickets}.", tickets=self.cards(listed(player.tickets)))

    def scores(self) -> tuple[int, ...]:
        return tuple(sum(points_of(player)) for player in self.known.players)
