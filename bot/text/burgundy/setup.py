"""Set-up: boards, the first castles, and the options of a table (sections 2 and 11)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.boards import BOARDS, NEIGHBOURS, SPACE_OF_NAME
from bot.game.burgundy.data import COLOUR_KEYS
from bot.game.burgundy.setup import BoardChosen, CastleChosen, CastlePlaced
from bot.game.burgundy.view import BurgundyView
from bot.game.contract import Decision
from bot.text.burgundy.dice import Asked, BurgundyChapter, BurgundyMove, part, player
from bot.text.burgundy.speech import BurgundySpeech
from bot.text.burgundy.tiles import NAMES
from bot.text.chapter import Question
from bot.text.contract import Label, Style
from bot.text.events import EventWords, Frame
from bot.text.words import Words, msg

FRAMES = {"castles": Frame(msg("🏰 Castles: {what}."))}

DEFAULTS: Mapping[str, str] = {"boards": "beginner", "ties": "fullest", "sold_goods": "open"}
_VARIANTS = {"emptiest": ("ties", "emptiest"), "hidden": ("sold_goods", "hidden")}
"""The option and value that each variant of a view comes from."""


def variants(words: Words, view: BurgundyView) -> str:
    """How a table departs from the default rules, '' where it does not.

    Boards are left out: they can be seen.
    """
    parts = [_VARIANTS[name] for name in view.variants]
    told = [(NAMES.options[name], NAMES.option_values[f"{name} {value}"]) for name, value in parts]
    return " · ".join(f"{words(name)}: {words(value)}" for name, value in told)


def _board(asked: Asked, word: str) -> Label:
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


def _castle(asked: Asked, word: str) -> Label:
    beside = [BOARDS[player(asked).board].colours[n] for n in NEIGHBOURS[SPACE_OF_NAME[word]]]
    rows = [
        f"{asked.speech.colour(COLOUR_KEYS[colour])} ×{beside.count(colour)}"
        for colour in sorted(set(beside))
    ]
    colours = ", ".join(rows)
    return Label(
        asked.speech.words("{space} · beside {colours}", space=word, colours=colours), "🏰"
    )


def _castle_question(speech: BurgundySpeech, decision: Decision, view: BurgundyView) -> str:
    words = speech.words
    if view.chosen is not None:
        return words(
            "Your castle will stand on {space}. You may choose anew until all have chosen.",
            space=speech.space(view.chosen),
        )
    return words(
        "Choose the space of your first castle on board {board}; you build on from there. "
        "Nobody sees it until all have chosen.",
        board=view.seats[decision.seat].board,
    )


CHAPTER = BurgundyChapter(
    moves={
        "board": BurgundyMove(
            msg("Choose your board"),
            "🗺️",
            msg("choose your board"),
            Style.PRIMARY,
            parts=part("board", msg("Which board?"), _board),
            said=(msg("Choose a board"), msg("Take board {board}")),
        ),
        "castle": BurgundyMove(
            msg("Place your castle"),
            "🏰",
            msg("choose the place of your castle"),
            Style.PRIMARY,
            msg("The others learn it when all have chosen"),
            part("space", msg("Where shall your first castle stand?"), _castle),
            (msg("Choose the place of your castle"), msg("Castle on {space}")),
        ),
    },
    questions={
        "board": Question(
            msg("{seat} to choose a board"),
            msg("Choose your estate. Nobody else can have the same board, but for board 1."),
            msg("the boards are being chosen"),
        ),
        "castle": Question(
            msg("{seat} to place a castle"), _castle_question, msg("the castles are being placed")
        ),
    },
    refusals={
        "board_taken": msg(
            "Board {board} is taken, and each but board 1 is there only once. Choose another one."
        ),
        "no_castle_space": msg(
            "{space} is no castle space of your board, and a first castle stands on one of those. "
            "Choose from what is offered."
        ),
    },
    events=(
        EventWords(BoardChosen, "turn", msg("takes board {board}")),
        EventWords(
            CastleChosen,
            "news",
            msg("Your castle will stand on {space}. Nobody else knows it yet."),
        ),
        EventWords(CastlePlaced, "castles", msg("{seat} {space}")),
    ),
)
