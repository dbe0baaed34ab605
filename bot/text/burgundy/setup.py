"""Set-up: boards, the first castles, and the options of a table (sections 2 and 11)."""

from __future__ import annotations

from bot.game.burgundy.data import BOARDS, COLOUR_KEYS, NEIGHBOURS, SPACE_OF_NAME
from bot.game.burgundy.rounds import BoardChosen, CastleChosen, CastlePlaced
from bot.game.burgundy.view import BurgundyView
from bot.text.burgundy.dice import Asked, BurgundyChapter, part, player
from bot.text.burgundy.tiles import NAMES
from bot.text.contract import Label
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.words import Words, msg

_VARIANTS = {"emptiest": ("ties", "emptiest"), "hidden": ("sold_goods", "hidden")}
"""The option and value that each variant of a view comes from."""


def variants(words: Words, view: BurgundyView) -> str:
    """How a table departs from the default rules, '' where it does not.

    Boards are left out: they can be seen.
    """
    parts = [_VARIANTS[name] for name in view.variants]
    said = [(NAMES.options[name], NAMES.option_values[f"{name} {value}"]) for name, value in parts]
    return " · ".join(f"{words(name)}: {words(value)}" for name, value in said)


def board(asked: Asked, word: str) -> Label:
    """A board by its number, with the sizes of its regions."""
    regions: dict[int, list[str]] = {}
    for region in BOARDS[int(word)].regions:
        regions.setdefault(region.colour, []).append(str(len(region.spaces)))
    rows = {
        COLOUR_KEYS[colour]: "+".join(sorted(sizes, reverse=True))
        for colour, sizes in sorted(regions.items())
    }
    text = asked.speech.words(
        "Board {number}: cities {cities}, pastures {pastures}",
        number=word,
        cities=rows.pop("building"),
        pastures=rows.pop("animal"),
    )
    others = [f"{asked.speech.colour(key)} {sizes}" for key, sizes in rows.items()]
    return Label(text, "🗺️", ", ".join(others))


def beside(asked: Asked, word: str) -> str:
    """How many spaces of each colour lie around a space."""
    around = [BOARDS[player(asked).board].colours[n] for n in NEIGHBOURS[SPACE_OF_NAME[word]]]
    rows = [
        f"{asked.speech.colour(COLOUR_KEYS[colour])} ×{around.count(colour)}"
        for colour in sorted(set(around))
    ]
    return ", ".join(rows)


def _castle(asked: Asked, word: str) -> Label:
    colours = beside(asked, word)
    text = asked.speech.words("{space} · next to {colours}", space=word, colours=colours)
    return Label(text, "🏰")


CHAPTER = BurgundyChapter(
    chapter_words("burgundy", "setup"),
    parts={"board": {"board": part("board", board)}, "castle": {"space": part("space", _castle)}},
    frames={"castles": Frame(msg("🏰 Castles: {what}."))},
    events=(
        EventWords(BoardChosen, "turn", msg("takes board {board}")),
        EventWords(
            CastleChosen,
            "news",
            msg("Your castle goes on {space}. It stays secret for now."),
        ),
        EventWords(CastlePlaced, "castles", msg("{seat} {space}")),
    ),
)
