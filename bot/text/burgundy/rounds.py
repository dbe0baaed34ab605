"""Phases, rounds and turns: what is asked in a turn, and what every action may be refused for."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import asdict

from bot.game.burgundy import rounds as rules
from bot.game.burgundy.data import CONTENT
from bot.game.burgundy.view import BurgundySeatView, BurgundyView, EstatePlace, Use
from bot.game.contract import Decision
from bot.game.events import TurnEnded
from bot.text.burgundy.dice import BurgundyChapter, free
from bot.text.burgundy.speech import ANY, BurgundySpeech, word_of
from bot.text.events import EventWords, Frame
from bot.text.game_data import chapter_words
from bot.text.words import forms, msg


def any_die(speech: BurgundySpeech, decision: Decision, view: BurgundyView) -> str:
    """What an action with a die of any value can do."""
    words = speech.words
    return "\n".join(words("🎲 Any die: {ways}", ways=_ways(speech, use)) for use in view.uses)


def _turn(speech: BurgundySpeech, decision: Decision, view: BurgundyView) -> str:
    """Both dice with what each can do now without workers; then the other possibilities."""
    words = speech.words
    lines = [words("Round {phase}{round}: your turn.", phase=view.phase, round=view.round)]
    for use in view.uses:
        die = speech.die(use.die)
        if view.left.count(int(use.die)) > 1:
            die = words("{die}, twice", die=die)
        lines.append(words("**{die}**: {ways}", die=die, ways=_ways(speech, use)))
    if not view.left:
        lines.append(words("Both dice are used: end your turn, or take something back."))
    lines.append(_means(speech, view.seats[decision.seat]))
    if view.purchases:
        lines.append(_purchase(speech, view))
    return "\n".join(lines)


def _ways(speech: BurgundySpeech, use: Use) -> str:
    """What a die can do without workers; it can always be exchanged for some."""
    words, use = speech.words, free(use)
    ways = [words("take from {depots}", depots=_depots(speech, use))] if use.takes else []
    if use.places:
        ways.append(words("place {places}", places=_places(speech, use.places)))
    if use.sales:
        sold = msg("{count} of {good} ({points})")
        things = words.either([speech.phrase(sold, asdict(sale)) for sale in use.sales])
        ways.append(words("sell {goods}", goods=things))
    if use.gain:
        ways.append(speech.counted("workers", use.gain[0]))
    return "; ".join(ways)


def _depots(speech: BurgundySpeech, use: Use) -> str:
    words = speech.words
    if use.die == ANY:
        numbers = words.either([take.depot for take in use.takes])
        return words.plural("depot {depots}", "depots {depots}", len(use.takes), depots=numbers)
    depot = msg("{depot} ({tiles})")
    return words.either([speech.phrase(depot, asdict(take)) for take in use.takes])


def _places(speech: BurgundySpeech, places: Iterable[EstatePlace]) -> str:
    """Tiles with the spaces for each."""
    words, spots = speech.words, dict[str, list[str]]()
    for place in places:
        spot = speech.space(place.space)
        if place.points:
            spot = speech.phrase(msg("{space} ({points})"), asdict(place))
        spots.setdefault(place.tile, []).append(spot)
    return ", ".join(
        words("{tile} on {spaces}", tile=speech.tile(tile), spaces=words.either(spaces))
        for tile, spaces in spots.items()
    )


def _means(speech: BurgundySpeech, seat: BurgundySeatView) -> str:
    return speech.words(
        "You have {workers}, {silverlings}; storage: {tiles}; goods: {goods}.",
        workers=speech.counted("workers", seat.workers),
        silverlings=speech.counted("silverlings", seat.silverlings),
        tiles=speech.tiles(seat.storage),
        goods=speech.goods(word_of(seat.goods)),
    )


def _purchase(speech: BurgundySpeech, view: BurgundyView) -> str:
    words, price = speech.words, speech.counted("silverlings", CONTENT.price)
    if len(view.purchases) > 1:
        return words("You may buy a tile from any depot for {price}.", price=price)
    ((_, tiles),) = view.purchases
    return words("For sale at {price}: {tiles}.", price=price, tiles=speech.tiles(tiles))


CHAPTER = BurgundyChapter(
    chapter_words("burgundy", "rounds"),
    asked={"turn": _turn},
    frames={
        "round": Frame(msg("🎲 {what}."), joint=" · "),
        "mines": Frame(msg("⛏️ Mines: {what}.")),
    },
    events=(
        EventWords(
            rules.PhaseBegan,
            "news",
            msg("📦 Phase {phase}: depots refilled. Goods to come: {goods}."),
        ),
        EventWords(rules.DepotFilled, "news", msg("New in {depot}: {tiles}.")).quiet(),
        EventWords(rules.RoundBegan, "round", msg("Round {phase}{round}")),
        EventWords(rules.Rolled, "round", msg("{seat} {dice}")),
        EventWords(rules.GoodsPlaced, "round", msg("goods of {good} to {depot}")),
        EventWords(rules.MinesPaid, "mines", msg("{seat} {silverlings}")).when(
            lambda event: event.workers, msg("{seat} {silverlings} and {workers}")
        ),
        EventWords(
            rules.DepotsCleared,
            "news",
            forms(
                "{count} untaken tile leaves the game.",
                "{count} untaken tiles leave the game.",
            ),
        ).quiet(lambda event: not event.count),
        EventWords(TurnEnded, "turn", msg("ends the turn")).quiet(),
    ),
)
