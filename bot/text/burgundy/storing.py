"""Taking tiles into storage with a die, by an effect, and by purchase (sections 5 and 7.3)."""

from __future__ import annotations

from bot.game.burgundy.data import CONTENT, DEPOT_WORDS
from bot.game.burgundy.storing import Bought, Discarded, Taken
from bot.text.burgundy import dice, tiles
from bot.text.burgundy.speech import ANY
from bot.text.chapter import Question
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.speech import keycap
from bot.text.words import forms, msg


def _depot(asked: dice.Asked, word: str) -> Label:
    speech, words, use = asked.speech, asked.speech.words, dice.use_of(asked)
    there = asked.view.depots[DEPOT_WORDS.index(word)].tiles
    keys = next((t.tiles for t in (use.takes if use else ()) if t.depot == word), there)
    name = speech.depot(word)
    parts = [name[:1].upper() + name[1:], *dice.cost(asked, word)]
    return Label(
        words("{depot}: {things}", depot=" · ".join(parts), things=speech.tiles(keys)),
        "⬛" if word == DEPOT_WORDS[-1] else keycap(word),
    )


def _tile(asked: dice.Asked, word: str) -> Label:
    words, depot = asked.speech.words, asked.speech.depot(asked.prefix[-1])
    return Label(tiles.told(words, word), tiles.emoji(word), words("From {depot}", depot=depot))


def _discard(asked: dice.Asked, word: str) -> Label:
    words = asked.speech.words
    if not word:
        return Label(words("Discard nothing"))
    text = words("Discard {tile}", tile=tiles.told(words, word))
    name = tiles.name(words, word)
    return Label(text, tiles.emoji(word), words("Out of the game"), Style.DANGER, called=name)


def _purchase(asked: dice.Asked, button: Label) -> Label:
    words, price = asked.speech.words, asked.speech.counted("silverlings", CONTENT.price)
    note = words("Once a turn; you have {count}", count=dice.player(asked).silverlings)
    return button._replace(text=words("Buy a tile for {price}", price=price), description=note)


_FULL = dice.part(
    "discard", msg("Your storage is full. Which of its tiles leaves the game?"), _discard
)

CHAPTER = dice.BurgundyChapter(
    moves={
        "take": dice.DieMove(
            msg("Take a tile"),
            "✋",
            msg("take a tile"),
            Style.PRIMARY,
            msg("From a depot into your storage"),
            {
                **dice.die_part(msg("With which die do you take a tile?")),
                **dice.part("depot", msg("From which depot?"), _depot),
                **dice.part("tile", msg("Which tile do you take?"), _tile),
                **_FULL,
            },
            (
                msg("Take a tile"),
                msg("Take a tile with {die}"),
                msg("Take from {depot} with {die}"),
                msg("Take {tile} from {depot} with {die}"),
                msg("Take {tile} from {depot} with {die}, discarding {discard}"),
            ),
            free=(
                msg("Take a tile"),
                msg("Take a tile"),
                msg("Take from {depot}"),
                msg("Take {tile} from {depot}"),
                msg("Take {tile} from {depot}, discarding {discard}"),
            ),
        ),
        "buy": dice.BurgundyMove(
            msg("Buy a tile"),
            "🪙",
            msg("buy a tile"),
            parts={
                **dice.part("depot", msg("From which depot do you buy?"), _depot),
                **dice.part("tile", msg("Which tile do you buy?"), _tile),
                **_FULL,
            },
            said=(
                msg("Buy a tile"),
                msg("Buy from {depot}"),
                msg("Buy {tile} from {depot}"),
                msg("Buy {tile} from {depot}, discarding {discard}"),
            ),
            now=_purchase,
        ),
    },
    questions={
        "carpenter": Question(
            msg("{seat} to take a building"),
            msg(
                "Your {tile} brings you a building from one of the depots 1 to 6. You may decline."
            ),
            msg("your Carpenter takes a building"),
        ),
        "church": Question(
            msg("{seat} to take a mine, knowledge or castle tile"),
            msg(
                "Your {tile} brings you a mine, a castle or a knowledge tile from one of the "
                "depots 1 to 6. You may decline."
            ),
            msg("your Church takes a tile"),
        ),
        "market": Question(
            msg("{seat} to take a ship or animals"),
            msg(
                "Your {tile} brings you a ship or animals from one of the depots 1 to 6. "
                "You may decline."
            ),
            msg("your Market takes a tile"),
        ),
    },
    refusals={
        "nothing_to_take": msg(
            "None of your dice reaches a depot with tiles. Use them for something else."
        ),
        "not_from_black": msg(
            "Tiles of the black depot are not taken with a die: they are bought for 2 silverlings. "
            "Buy one, or take from depots 1 to 6."
        ),
        "depot_empty": msg("No tile is left in {depot}; it is filled again in the next phase."),
        "not_in_depot": msg("There is no {tile} in {depot}. Choose from what lies there."),
        "wrong_colour": msg(
            "Your {tile} can take nothing of that kind from {depot}. Choose from what is offered, "
            "or decline."
        ),
        "storage_full": msg(
            "Your storage is full: it holds three tiles. Name one of them to discard, "
            "or place one first."
        ),
        "room_left": msg("Your storage has room, so nothing is discarded. Leave that away."),
        "not_in_storage": msg("You have no {tile} in your storage. Choose from what lies there."),
        "already_bought": msg("You have bought a tile in this turn already, and may buy only one."),
        "needs_silverlings": forms(
            "A tile costs {count} silverling, and you have {silverlings}. "
            "Goods sold and mines bring some.",
            "A tile costs {count} silverlings, and you have {silverlings}. "
            "Goods sold and mines bring some.",
        ),
        "nothing_to_buy": msg("Nothing is left to buy; the depots are filled in the next phase."),
        "only_from_black": msg(
            "Only tiles of the black depot are for sale, unless Knowledge 6 lies in your estate. "
            "Buy one of those, or take this one with a die."
        ),
    },
    events=(
        EventWords(Taken, "turn", msg("takes {tile} from {depot} ({die})"))
        .when(lambda event: event.die == ANY, msg("takes {tile} from {depot}"))
        .when(lambda event: event.spent, msg("takes {tile} from {depot} ({die}, {spent})")),
        EventWords(Bought, "turn", msg("buys {tile} from {depot} for {price}")),
        EventWords(Discarded, "turn", msg("discards {tile}")),
    ),
)
