"""The words of The Castles of Burgundy behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bot.game.burgundy.data import BOARDS, DEPOT_WORDS, GOODS_LETTERS, SPACE_NAMES, TILE_KEYS
from bot.game.burgundy.game import GAME
from bot.game.burgundy.view import BurgundyView
from bot.game.choices import Bundle, Done, OneOf
from bot.game.contract import END, Action, Decision, in_turn
from bot.text.burgundy import (
    board_text,
    dice,
    ending,
    goods,
    placing,
    rounds,
    setup,
    storing,
    tiles,
)
from bot.text.burgundy.speech import FACES, BurgundySpeech
from bot.text.burgundy.tiles import NAMES
from bot.text.burgundy.what_if import changes
from bot.text.burgundy.whole import and_end, whole
from bot.text.chapter_text import ChapterText
from bot.text.contract import Label, Names, Unreadable
from bot.text.folding import fold, tokens
from bot.text.labels import Asking, fitting
from bot.text.matching import misread
from bot.text.words import Words, all_words, msg

CHAPTERS = (setup, rounds, dice, storing, placing, goods, ending)
MOST_TYPED = 100
NOTHING = msg("nothing")
ALL = msg("all")


class BurgundyText(ChapterText[BurgundySpeech, BurgundyView]):
    """The words of the game; implements `bot.text.contract.GameText`. Stateless."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {
        "tile": TILE_KEYS,
        "discard": TILE_KEYS,
        "depot": DEPOT_WORDS,
        "good": GOODS_LETTERS,
        "die": GOODS_LETTERS,
        "space": SPACE_NAMES,
        "board": [*map(str, BOARDS)],
    }
    public_hand = True
    board_lines = staticmethod(board_text.board_lines)
    hand_lines = staticmethod(board_text.hand_lines)
    alt_lines = staticmethod(board_text.alt_lines)
    close_up_words = staticmethod(board_text.close_up_words)

    def __init__(self) -> None:
        super().__init__(GAME, BurgundySpeech, NAMES, [each.CHAPTER for each in CHAPTERS])

    def facts(
        self, speech: BurgundySpeech, decision: Decision, view: BurgundyView
    ) -> Mapping[str, object]:
        """The building that asks, where one does, and the board of the seat."""
        board = view.seats[decision.seat].board
        return {"tile": speech.fact("tile", decision.kind), "board": board}

    def chosen(self, speech: BurgundySpeech, view: BurgundyView) -> Mapping[str, object]:
        """The space of a first castle."""
        return {} if view.chosen is None else {"space": speech.space(view.chosen)}

    def action(self, words: Words, action: Action, view: BurgundyView, names: Names) -> str:
        """An action in words, with the workers it costs now."""
        while len(action) > 1 and not action[-1]:
            # An empty last word means nothing: no tile to discard, no new type of goods to load.
            action = action[:-1]
        text = super().action(words, action, view, names)
        spent = dice.workers_for(view, action)
        if not spent:
            return text
        cost = BurgundySpeech(words, names).counted("spent", spent)
        return words("{action} ({cost})", action=text, cost=cost)

    def whole(
        self, words: Words, action: Action, views: Sequence[BurgundyView], names: Names
    ) -> Label:
        """A whole action as one entry of a menu, perhaps with the end of the turn; or several."""
        first, *rest = in_turn(action)
        if rest not in ([], [(END,)]):
            return super().whole(words, action, views, names)
        asked = Asking(self._plain(words, names), first, Done(), views[0])
        label = whole(asked)
        if label is None:
            asked = replace(asked, prefix=(), choices=OneOf("kind", first))
            label = self._label(asked, first[0])
        return fitting(and_end(words, label) if rest else label)

    def what_if(
        self, words: Words, before: BurgundyView, after: BurgundyView, names: Names
    ) -> Sequence[str]:
        """Points, means, regions and goods of the observer, now and after."""
        return changes(self._rich(words, names), before, after)

    def pieces(self, words: Words, word: str) -> str:
        """Types of goods in words; plain."""
        return BurgundySpeech(words).types(word)

    def scores(self, view: BurgundyView) -> tuple[int, ...]:
        """The points of each seat so far; those of the end are added then."""
        return tuple(seat.total for seat in view.seats)

    def option_value(self, words: Words, name: str, value: str) -> str:
        """A value of an option; a board by its number, an unknown one by its key."""
        if name == "boards" and value.isdecimal():
            return words("board {board} for everyone, castles placed in secret", board=value)
        return super().option_value(words, name, value)

    def legend(self, words: Words) -> Mapping[str, str]:
        """Lists of tiles with what they do."""
        return tiles.legend(words)

    def example(self, speech: BurgundySpeech, param: str, word: str) -> str:
        """A word of the notation as a person would write it."""
        if param in ("die", "goods", "board"):
            return " ".join(word) if param == "goods" else word
        return speech.fact(param, word) or "-"

    def clean(self, typed: str) -> str:
        """Dice faces as numbers, unless the number is beside them."""
        for number, drawn in enumerate(FACES, 1):
            beside = str(number) in typed
            typed = typed.replace(drawn, " " if beside else f" {number} ")
        return typed

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """Types of goods by their numbers, whatever words stand between them."""
        text = fold(typed[:MOST_TYPED]).strip()
        languages = all_words()
        if text in {"", "-", *(fold(words(NOTHING)) for words in languages)}:
            return ""
        if text in {fold(words(ALL)) for words in languages}:
            return choices.stock()
        found = "".join(token for token in tokens(text) if token.isdecimal())
        if not found or any(c not in choices.alphabet for c in found):
            raise Unreadable(misread("unreadable", topic, choices.param, typed, (choices.stock(),)))
        return choices.sort(found)
