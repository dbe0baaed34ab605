"""Goods: selling them, and ships that load them and move ahead (sections 5, 7.3 and 7.4)."""

from __future__ import annotations

from bot.game.burgundy.data import CONTENT, DEPOT_WORDS, GOODS_LETTERS
from bot.game.burgundy.goods import Loaded, MovedAhead, Sold
from bot.game.burgundy.view import BurgundyView, DepotView
from bot.game.contract import Decision
from bot.text.burgundy import dice
from bot.text.burgundy.placing import weight
from bot.text.burgundy.speech import BurgundySpeech, word_of
from bot.text.chapter import Question
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.speech import keycap
from bot.text.words import forms, msg


def _good(asked: dice.Asked, word: str) -> Label:
    speech, words, use = asked.speech, asked.speech.words, dice.use_of(asked)
    sale = next((sale for sale in (use.sales if use else ()) if sale.good == word), None)
    if sale is None:
        return Label(words("Sell goods of {good}", good=speech.good(word)), keycap(word))
    text = words(
        "Sell {count} of {good}: {points}, {silverlings}",
        count=sale.count,
        good=speech.good(word),
        points=speech.counted("points", sale.points),
        silverlings=speech.counted("silverlings", sale.silverlings),
    )
    text = " · ".join([text, *dice.cost(asked, word)])
    return Label(text, keycap(word), called=speech.good(word))


def _depot_of(view: BurgundyView, word: str) -> DepotView:
    return view.depots[DEPOT_WORDS.index(word)]


def _depot(asked: dice.Asked, word: str) -> Label:
    speech, words, depot = asked.speech, asked.speech.words, _depot_of(asked.view, word)
    name, goods = speech.depot(word), speech.goods(word_of(depot.goods))
    text = words("{depot}: {things}", depot=name[:1].upper() + name[1:], things=goods)
    return Label(" · ".join([text, *_fitting(asked, depot)]), keycap(word))


def _fitting(asked: dice.Asked, depot: DepotView) -> list[str]:
    """Whether all goods of a depot can be loaded, as a part of a label; nothing where they can."""
    words, have = asked.speech.words, dice.player(asked).goods
    room = CONTENT.goods_spaces - sum(map(bool, have))
    new = sum(bool(n and not own) for n, own in zip(depot.goods, have, strict=True))
    if new <= room:
        return []
    known = any(n and own for n, own in zip(depot.goods, have, strict=True))
    return [words("not all fit") if room or known else words("nothing fits")]


def _goods(asked: dice.Asked, word: str) -> Label:
    """New types to load; those the player already has are always loaded too."""
    speech, words = asked.speech, asked.speech.words
    there = _depot_of(asked.view, asked.prefix[1]).goods
    rows = list(zip(GOODS_LETTERS, there, dice.player(asked).goods, strict=True))
    loaded = "".join(c * n for c, n, own in rows if own or c in word)
    left = "".join(c * n for c, n, own in rows if not own and c not in word)
    note = words("Leaves {goods}", goods=speech.goods(left)) if left else None
    return Label(words("Load {goods}", goods=speech.goods(loaded)), "📦", note)


def _load(speech: BurgundySpeech, decision: Decision, view: BurgundyView) -> str:
    words, seat = speech.words, view.seats[decision.seat]
    asked = words("Your ship loads the goods of one depot. From which?")
    if view.loaded is not None:
        asked = words(
            "Your ship may load a second time, from a depot beside {depot}. From which? "
            "You may decline.",
            depot=speech.depot(view.loaded),
        )
    there = [
        words(
            "{depot}: {goods}",
            depot=speech.depot(depot.depot),
            goods=speech.goods(word_of(depot.goods)),
        )
        for depot in view.depots
        if any(depot.goods) and (view.loaded is None or depot.depot in view.loads)
    ]
    lines = [asked, words("There are: {goods}.", goods="; ".join(there) or words("nothing"))]
    have = speech.goods(word_of(seat.goods))
    room = CONTENT.goods_spaces - sum(map(bool, seat.goods))
    if room:
        lines.append(
            words.plural(
                "You have {goods}, and room for {count} more type.",
                "You have {goods}, and room for {count} more types.",
                room,
                goods=have,
            )
        )
    else:
        lines.append(words("You have {goods}, and no room for another type.", goods=have))
    return "\n".join(lines)


CHAPTER = dice.BurgundyChapter(
    moves={
        "sell": dice.DieMove(
            msg("Sell goods"),
            "📦",
            msg("sell goods"),
            Style.PRIMARY,
            msg("All your goods of one type"),
            {
                **dice.die_part(msg("With which die do you sell?")),
                **dice.part("good", msg("Which goods do you sell?"), _good),
            },
            (
                msg("Sell goods"),
                msg("Sell goods with {die}"),
                msg("Sell goods of {good} with {die}"),
            ),
            free=(msg("Sell goods"), msg("Sell goods"), msg("Sell goods of {good}")),
        ),
        "load": dice.BurgundyMove(
            msg("Load goods"),
            "⛵",
            msg("load goods"),
            Style.PRIMARY,
            msg("All goods of one depot, as far as types fit"),
            {
                **dice.part("depot", msg("From which depot do you load?"), _depot),
                **dice.part(
                    "goods",
                    msg("Not all types fit, for you can store three. Which do you load?"),
                    _goods,
                ),
            },
            (
                msg("Load goods"),
                msg("Load goods from {depot}"),
                msg("Load {goods} from {depot}"),
            ),
        ),
    },
    questions={
        "warehouse": Question(
            msg("{seat} to sell goods from a Warehouse"),
            msg("Your {tile} sells all your goods of one type. You may decline."),
            msg("your Warehouse sells goods"),
        ),
        "load": Question(msg("{seat} to load goods"), _load, msg("your ship loads goods")),
    },
    refusals={
        "too_few": forms(
            "That is too few: your ship has room for {count} type, and loads all that fit.",
            "That is too few: your ship has room for {count} types, and loads all that fit.",
        ),
        "too_many": forms(
            "That is too many: only {count} more type fits, for you can store three types.",
            "That is too many: only {count} more types fit, for you can store three types.",
        ),
        "not_in_stock": msg(
            "You ask for {goods}: of new types each is named once, and must lie in that depot. "
            "Choose from what is offered."
        ),
        "no_goods": msg("You have no goods to sell. Ships bring some."),
        "nothing_to_sell": msg(
            "None of your dice shows the number of your goods, and your workers do not reach so "
            "far. Use the dice for something else."
        ),
        "no_such_goods": msg("You have no goods of {good}. Choose a type that you have."),
        "no_goods_there": msg("No goods come to {depot}. Choose one of depots 1 to 6."),
        "nothing_fits": msg(
            "{depot} has no goods that fit. Choose the other neighbour, or load no more."
        ),
        "must_load": msg(
            "A ship loads from one depot if it can; only a second load may be declined."
        ),
        "not_neighbours": msg(
            "{depot} is not beside {other}, from which you have loaded. Choose one next to it."
        ),
    },
    events=(
        EventWords(Sold, "turn", msg("sells {count} of {good} for {points} and {silverlings}"))
        .when(
            lambda event: event.workers,
            msg("sells {count} of {good} for {points}, {silverlings} and {workers}"),
        )
        .remembered(lambda event: weight(event.points)),
        EventWords(MovedAhead, "turn", msg("moves ahead to place {count} of the turn track")),
        EventWords(Loaded, "turn", msg("loads nothing from {depot}")).when(
            lambda event: event.goods, msg("loads {goods} from {depot}")
        ),
    ),
)
