"""The words of Flandern 1302 behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from bot.game.choices import Done, OneOf
from bot.game.contract import Action, in_turn
from bot.game.flandern.building import TILE_WORDS
from bot.game.flandern.data import ACTION_CARDS, EMBLEM_KEYS, INFLUENCE_COUNTS, PLAYER_GUILDS
from bot.game.flandern.game import GAME
from bot.game.flandern.plan import PLACE_OF_NAME, plot_of
from bot.game.flandern.view import FlandernView
from bot.text.chapter_text import ChapterText
from bot.text.contract import Label, Names
from bot.text.flandern import board_text, building, cards, golden, scoring, setup, two
from bot.text.flandern.speech import NAMES, FlandernSpeech
from bot.text.flandern.what_if import changes
from bot.text.labels import Asking, fitting
from bot.text.words import Words, all_words

CHAPTERS = (setup, cards, building, golden, two, scoring)
WHOLE = {
    "guild": setup.whole,
    "control": setup.whole,
    "choose": cards.whole,
    "play": two.whole,
    "build": building.whole,
    "site": building.whole,
    "complete": building.whole_completed,
    "cathedral": golden.whole,
    "leader": golden.whole,
}
"""By kind, how an action of several words is called where it is offered as a whole."""
OTHER_NAMES = {
    "brugge": ("Bruges",),
    "gent": ("Gand", "Ghent"),
    "ieper": ("Ypres",),
    "leuven": ("Lovanio", "Louvain"),
    "luik": ("Liegi", "Liège"),
}
"""What else people call the cities."""
BUILT = ("build", "site", "complete")


class FlandernText(ChapterText[FlandernSpeech, FlandernView]):
    """The words of the game; implements `bot.text.contract.GameText`. Stateless."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {
        "guild": EMBLEM_KEYS[:PLAYER_GUILDS],
        "card": ACTION_CARDS,
        "influence": INFLUENCE_COUNTS,
        "place": tuple(PLACE_OF_NAME),
        "tile": TILE_WORDS,
    }
    board_lines = staticmethod(board_text.board_lines)
    hand_lines = staticmethod(board_text.hand_lines)
    alt_lines = staticmethod(board_text.alt_lines)
    close_up_words = staticmethod(board_text.close_up_words)

    def __init__(self) -> None:
        chapters = [each.CHAPTER for each in CHAPTERS]
        super().__init__(GAME, FlandernSpeech, NAMES, chapters, {"city": building.group})

    def whole(
        self, words: Words, action: Action, views: Sequence[FlandernView], names: Names
    ) -> Label:
        """A whole action as one entry of a menu of them, or a card and what it does; of one word,
        as it is called anyway."""
        speech, (first, *then) = FlandernSpeech(words, names), in_turn(action)
        match [each[0] for each in (first, *then)]:
            case [kind] if kind not in WHOLE:
                return self.label(words, (), OneOf("kind", first), kind, views[0], names)
            case [kind]:
                asked = Asking(speech, first, Done(), views[0])
                label = WHOLE[kind](asked)
                return fitting(two.ending(asked, label) if kind in BUILT else label)
            case ["play", "build" | "site" | "complete"] if len(views) > 1:
                return fitting(two.whole_with(Asking(speech, then[0], Done(), views[1]), first[1]))
        return super().whole(words, action, views, names)

    def what_if(
        self, words: Words, before: FlandernView, after: FlandernView, names: Names
    ) -> Sequence[str]:
        """Points and cards of the observer, and cities, now and after."""
        return changes(self._rich(words, names), before, after)

    def chosen(self, speech: FlandernSpeech, view: FlandernView) -> Mapping[str, object]:
        """What the observer has laid out face down."""
        owner = view.seats[view.observer] if view.observer >= 0 else None
        if view.asked != "choose" or owner is None or owner.card is None:
            return {}
        return {"card": speech.card(owner.card), "influence": speech.influence(owner.laid or 0)}

    def scores(self, view: FlandernView) -> tuple[int, ...]:
        """The points of each seat so far."""
        return tuple(seat.score for seat in view.seats)

    def order(self, words: Words, name: str, value: str) -> str | None:
        """A standing order of this game; plain. None for one it does not have."""
        return words(NAMES.orders[name]) if name in NAMES.orders else None

    def example(self, speech: FlandernSpeech, param: str, word: str) -> str:
        """A word of the notation as a person would write it."""
        return speech.fact(param, word)

    def aliases(
        self, choices: OneOf, view: FlandernView | None, names: Names
    ) -> Iterable[tuple[str, str]]:
        """Besides what their labels say: cities in other languages, plots without their city, of
        the card's city all of them, and quarters in short or by what sets them apart."""
        yield from super().aliases(choices, view, names)
        short = {"place": FlandernSpeech.plot, "tile": FlandernSpeech.kind}.get(choices.param)
        known = choices.values
        if choices.param == "place" and view is not None and view.action and view.action.city:
            known = tuple(place for place in PLACE_OF_NAME if place.startswith(view.action.city))
        if short is not None:
            for speech in map(FlandernSpeech, all_words()):
                yield from ((word, short(speech, word)) for word in known)
        for city, others in OTHER_NAMES.items():
            for other in others:
                if choices.param == "card":
                    yield city, other
                elif choices.param == "place":
                    own = (place for place in choices.values if place.startswith(city))
                    yield from ((place, place.replace(city, other)) for place in own)
        if choices.param == "tile":
            yield from ((word, plot_of(word)) for word in choices.values)
