"""Taking tiles into storage with a die, by an effect, and by purchase (sections 5 and 7.3)."""

from __future__ import annotations

from bot.game.burgundy.data import CONTENT, DEPOT_WORDS
from bot.game.burgundy.storing import Bought, Discarded, Taken
from bot.text.burgundy import dice, tiles
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.markup import capital
from bot.text.words import msg


def _depot(asked: dice.Asked, word: str) -> Label:
    speech, words, use = asked.speech, asked.speech.words, dice.use_of(asked)
    there = asked.view.depots[DEPOT_WORDS.index(word)].tiles
    keys = next((t.tiles for t in (use.takes if use else ()) if t.depot == word), there)
    parts = [capital(speech.depot(word)), *dice.cost(asked, word)]
    return Label(
        words("{depot}: {things}", depot=" · ".join(parts), things=speech.tiles(keys)),
        tiles.depot_sign(words, word),
    )


def _tile(asked: dice.Asked, word: str) -> Label:
    words, depot = asked.speech.words, asked.speech.depot(asked.prefix[-1])
    return Label(
        tiles.described(words, word), tiles.sign(words, word), words("From {depot}", depot=depot)
    )


def _discard(asked: dice.Asked, word: str) -> Label:
    words = asked.speech.words
    if not word:
        return Label(words("Discard nothing"))
    text = words("Discard {tile}", tile=tiles.described(words, word))
    name = tiles.name(words, word)
    return Label(
        text, tiles.sign(words, word), words("It leaves the game"), Style.DANGER, called=name
    )


def _purchase(asked: dice.Asked, button: Label) -> Label:
    words, price = asked.speech.words, asked.speech.counted("silverlings", CONTENT.price)
    held = asked.speech.counted("silverlings", dice.player(asked).silverlings)
    note = words("Once per turn; you have {silverlings}", silverlings=held)
    return button._replace(text=words("Buy a tile for {price}", price=price), description=note)


_PARTS = {
    "depot": dice.part("depot", _depot),
    "tile": dice.part("tile", _tile),
    "discard": dice.part("discard", _discard),
}

CHAPTER = dice.BurgundyChapter(
    chapter_words("burgundy", "storing"),
    parts={"take": {"die": dice.DIE, **_PARTS}, "buy": _PARTS},
    buttons={"buy": _purchase},
    events=(
        EventWords(Taken, "turn", msg("takes {tile} from {depot}")).when(
            lambda event: event.spent, msg("takes {tile} from {depot} ({die}, {spent})")
        ),
        EventWords(Bought, "turn", msg("buys {tile} from {depot} for {price}")),
        EventWords(Discarded, "turn", msg("discards {tile}")),
    ),
)
