"""Goods: selling them, and ships that load them and move ahead (sections 5, 7.3 and 7.4)."""

from __future__ import annotations

from msgspec.structs import asdict

from bot.game.burgundy.data import CONTENT, DEPOT_WORDS, GOODS_LETTERS
from bot.game.burgundy.goods import Loaded, MovedAhead, Sold
from bot.game.burgundy.view import BurgundyView, DepotView
from bot.game.contract import Decision
from bot.text.burgundy import dice, tiles
from bot.text.burgundy.placing import weight
from bot.text.burgundy.speech import BurgundySpeech, word_of
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.markup import capital
from bot.text.words import msg


def _good(asked: dice.Asked, word: str) -> Label:
    speech, words, use = asked.speech, asked.speech.words, dice.use_of(asked)
    sale = next((sale for sale in (use.sales if use else ()) if sale.good == word), None)
    if sale is None:
        return Label(words("Sell {good}", good=speech.good(word)), tiles.good_sign(words, word))
    text = speech.phrase(msg("Sell {count}× {good}: {points}, {silverlings}"), asdict(sale))
    text = " · ".join([text, *dice.cost(asked, word)])
    return Label(text, tiles.good_sign(words, word), called=speech.good(word))


def _depot_of(view: BurgundyView, word: str) -> DepotView:
    return view.depots[DEPOT_WORDS.index(word)]


def _depot(asked: dice.Asked, word: str) -> Label:
    speech, words, depot = asked.speech, asked.speech.words, _depot_of(asked.view, word)
    name, goods = capital(speech.depot(word)), speech.goods_in_short(word_of(depot.goods))
    text = words("{depot}: {things}", depot=name, things=goods)
    return Label(" · ".join([text, *_fitting(asked, depot)]), tiles.depot_sign(words, word))


def _fitting(asked: dice.Asked, depot: DepotView) -> list[str]:
    """Whether all goods of a depot can be loaded, as a part of a label; nothing where they can."""
    words, have = asked.speech.words, dice.player(asked).goods
    room = CONTENT.goods_spaces - sum(map(bool, have))
    new = sum(bool(n and not own) for n, own in zip(depot.goods, have, strict=True))
    if new <= room:
        return []
    known = any(n and own for n, own in zip(depot.goods, have, strict=True))
    return [words("they don't all fit") if room or known else words("none fit")]


def _goods(asked: dice.Asked, word: str) -> Label:
    """New types to load; those the player already has are always loaded too."""
    speech, words = asked.speech, asked.speech.words
    loaded, left = divided(asked, asked.prefix[1], word)
    note = words("Leaves behind {goods}", goods=speech.goods(left)) if left else None
    return Label(words("Load {goods}", goods=speech.goods_in_short(loaded)), "📦", note)


def divided(asked: dice.Asked, depot: str, kinds: str) -> tuple[str, str]:
    """The goods of a depot that are loaded, where these new types are, and those left there."""
    there = _depot_of(asked.view, depot).goods
    rows = list(zip(GOODS_LETTERS, there, dice.player(asked).goods, strict=True))
    loaded = "".join(c * n for c, n, own in rows if own or c in kinds)
    return loaded, "".join(c * n for c, n, own in rows if not own and c not in kinds)


def _load(speech: BurgundySpeech, decision: Decision, view: BurgundyView) -> str:
    words, seat = speech.words, view.seats[decision.seat]
    asked = words("Choose the depot your ship loads from.")
    if view.loaded is not None:
        asked = words(
            "Your ship can also load from a depot next to {depot}. You can decline.",
            depot=speech.depot(view.loaded),
        )
    have = speech.goods(word_of(seat.goods)) if any(seat.goods) else ""
    room = CONTENT.goods_spaces - sum(map(bool, seat.goods))
    if not have:
        mine = words.plural(
            "You have no goods and room for {count} type.",
            "You have no goods and room for {count} types.",
            room,
        )
        return f"{asked}\n{mine}"
    mine = words("You have {goods} and no room for another type.", goods=have)
    if room:
        mine = words.plural(
            "You have {goods} and room for {count} more type.",
            "You have {goods} and room for {count} more types.",
            room,
            goods=have,
        )
    return f"{asked}\n{mine}"


CHAPTER = dice.BurgundyChapter(
    chapter_words("burgundy", "goods"),
    parts={
        "sell": {"die": dice.DIE, "good": dice.part("good", _good)},
        "load": {"depot": dice.part("depot", _depot), "goods": dice.part("goods", _goods)},
    },
    asked={"load": _load},
    events=(
        EventWords(Sold, "turn", msg("sells {count}× {good} for {points} and {silverlings}"))
        .when(
            lambda event: event.workers,
            msg("sells {count}× {good} for {points}, {silverlings} and {workers}"),
        )
        .remembered(lambda event: weight(event.points)),
        EventWords(MovedAhead, "turn", msg("moves to space {count} of the turn track")),
        EventWords(Loaded, "turn", msg("loads nothing from {depot}")).when(
            lambda event: event.goods, msg("loads {goods} from {depot}")
        ),
    ),
)
