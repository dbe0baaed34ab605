"""Dice, the workers that change them, and a die given for workers (sections 2.2 and 7.3)."""

from __future__ import annotations

from collections.abc import Callable

from bot.game.burgundy.dice import WorkersTaken
from bot.game.burgundy.view import BurgundySeatView, BurgundyView, Use
from bot.game.contract import Action
from bot.text.burgundy import tiles
from bot.text.burgundy.speech import ANY, BurgundySpeech
from bot.text.chapter import Chapter, Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.labels import Asking
from bot.text.words import Words, msg

Asked = Asking[BurgundySpeech, BurgundyView]
BurgundyChapter = Chapter[BurgundySpeech, BurgundyView]


def part(param: str, label: Callable[[Asked, str], Label]) -> Part[BurgundySpeech, BurgundyView]:
    """A parameter of a move, said back as the fact of its name; of goods only the types."""

    def said(asked: Asked, word: str) -> str:
        if param in ("tile", "discard") and word:
            return asked.speech.with_article(word)
        return asked.speech.types(word) if param == "goods" else asked.speech.fact(param, word)

    return Part(label, said)


def player(asked: Asked) -> BurgundySeatView:
    """Who acts: the seat on turn, else the reader."""
    view = asked.view
    return view.seats[max(view.observer, 0) if view.turn is None else view.turn]


def use_of(asked: Asked, die: str = "") -> Use | None:
    """What a die can do, by default that of the action."""
    word = die or next(iter(asked.prefix[1:]), "")
    return next((use for use in asked.view.uses if use.die == word), None)


def workers_for(view: BurgundyView, action: Action) -> int:
    """The workers an action costs, as far as it is built; 0 while that is open."""
    use = next((use for use in view.uses if action[1:2] == (use.die,)), None)
    if use is None:
        return 0
    match action[0], *action[2:]:
        case "take", depot, *_:
            costs = [take.workers for take in use.takes if take.depot == depot]
        case "place", tile, space:
            costs = [p.workers for p in use.places if (p.tile, p.space) == (tile, space)]
        case "sell", good:
            costs = [sale.workers for sale in use.sales if sale.good == good]
        case _:
            return 0
    return costs[0] if costs else 0


def cost(asked: Asked, word: str) -> list[str]:
    """What choosing this word costs in workers, as a part of a label; nothing where it is free."""
    spent = workers_for(asked.view, (*asked.prefix, word))
    if not spent:
        return []
    workers = asked.speech.counted("spent", spent)
    return [asked.speech.words("costs {workers}", workers=workers)]


def free(use: Use) -> Use:
    """What a die can do without workers."""
    return _where(use, lambda workers: not workers)


def paid(use: Use) -> Use:
    """What a die can do with workers only."""
    return _where(use, bool)


def _where(use: Use, suits: Callable[[int], bool]) -> Use:
    return Use(
        use.die,
        tuple(take for take in use.takes if suits(take.workers)),
        tuple(place for place in use.places if suits(place.workers)),
        tuple(sale for sale in use.sales if suits(sale.workers)),
        use.gain,
    )


def _die(asked: Asked, word: str) -> Label:
    """A die with what the move can do with it; of one that is given away what it could do."""
    words, use = asked.speech.words, use_of(asked, word)
    if word == ANY:
        return Label(words("Any die"), "🎲")
    die = words("Die {die}", die=word)
    if asked.view.left.count(int(word)) > 1:
        die = words("{die} (two of them)", die=die)
    if use is None:
        return Label(die, tiles.die_sign(words, word))
    sign = tiles.die_sign(words, word)
    if asked.kind == "workers":
        return Label(words("{die}: could reach {ways}", die=die, ways=_summary(asked, use)), sign)
    ways = _summary(asked, _for_kind(use, asked.kind))
    if asked.kind == "sell":
        return Label(words("{die}: {ways}", die=die, ways=ways), sign)
    return Label(words("{die}: reaches {ways}", die=die, ways=ways), sign)


DIE = part("die", _die)
"""The die of a move."""


def _for_kind(use: Use, kind: str) -> Use:
    """Restricts a use to what an action of this kind can do with the die."""
    return Use(
        use.die,
        use.takes if kind == "take" else (),
        use.places if kind == "place" else (),
        use.sales if kind == "sell" else (),
        None,
    )


def _summary(asked: Asked, use: Use) -> str:
    """How much a die can do without workers, and how much more with them."""
    words = asked.speech.words
    unpaid, more = _counts(words, free(use)), _counts(words, paid(use))
    if not more or (unpaid and asked.kind == "workers"):
        return unpaid or words("nothing")
    if not unpaid:
        return words("{ways} if you spend workers", ways=more)
    # One thing is counted, and named already.
    more = str(sum(_amounts(paid(use))))
    return words("{ways}, {more} more if you spend workers", ways=unpaid, more=more)


def _amounts(use: Use) -> tuple[int, int, int]:
    """The tiles to take, the spaces to cover and the types of goods to sell."""
    spaces = {place.space for place in use.places}
    return sum(len(take.tiles) for take in use.takes), len(spaces), len(use.sales)


def _counts(words: Words, use: Use) -> str:
    takes, spaces, sales = _amounts(use)
    parts = [
        words.plural("{count} tile", "{count} tiles", takes) if takes else "",
        words.plural("{count} space", "{count} spaces", spaces) if spaces else "",
        words.plural("{count} type of goods", "{count} types of goods", sales) if sales else "",
    ]
    return words.listing(list(filter(None, parts)))


def _workers(asked: Asked, button: Label) -> Label:
    """The button says what a die brings."""
    words, gains = asked.speech.words, [use.gain for use in asked.view.uses if use.gain]
    if not gains:
        return button
    workers, silverlings = gains[0]
    says = msg("Take {workers} and {silverlings}") if silverlings else msg("Take {workers}")
    said = asked.speech.phrase(says, {"workers": workers, "silverlings": silverlings})
    return button._replace(text=said, description=words("Any die will do"))


CHAPTER = BurgundyChapter(
    chapter_words("burgundy", "dice"),
    parts={"workers": {"die": DIE}},
    buttons={"workers": _workers},
    events=(
        EventWords(WorkersTaken, "turn", msg("takes {workers}")).when(
            lambda event: event.silverlings, msg("takes {workers} and {silverlings}")
        ),
    ),
)
