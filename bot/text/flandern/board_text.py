"""The table as text: all cities in plain lines, one of them, a player's cards, the alt text."""

from __future__ import annotations

from bot.game.flandern.data import (
    CARDS,
    CHURCH,
    EMBLEM_KEYS,
    EMBLEM_OF_KEY,
    FIRST_SPECIAL,
    GOLDEN,
    GREY,
    WITH_LEADER,
)
from bot.game.flandern.plan import CITY_OF_NAME, SHAPES, SPECIAL, plot_of
from bot.game.flandern.view import FlandernCityView, FlandernView, QuarterView
from bot.text.contract import CloseUpText
from bot.text.flandern.setup import variants
from bot.text.flandern.speech import NAMES, FlandernSpeech
from bot.text.legend import LEGEND, legend_words
from bot.text.markup import bold
from bot.text.speech import sentence

ALL_CITIES = "cities"
"""All cities, as a part of the table."""
GOLDEN_CARDS = "golden"
"""The golden cards, as a part of the table of more than two players."""


def board_lines(speech: FlandernSpeech, view: FlandernView) -> list[str]:
    """The whole table: the round, the players, the cities with what is free, and the supply."""
    if not view.round:
        seats = [_seat_line(speech, view, seat) for seat in view.order]
        return [speech.words("Set-up"), *seats, variants(speech.words, view)]
    lines = [_round_line(speech, view), _deck_line(speech, view)]
    lines += [_seat_line(speech, view, seat) for seat in view.order]
    return [*lines, *_cities(speech, view), *_supply(speech, view), variants(speech.words, view)]


def _cities(speech: FlandernSpeech, view: FlandernView) -> list[str]:
    """What each city is worth, and what is free there."""
    return [
        f"{bold(speech.city(city.city))}: {sentence([_worth(speech, city), *_plots(speech, city)])}"
        for city in view.cities
        if city.in_play
    ]


def _round_line(speech: FlandernSpeech, view: FlandernView) -> str:
    words = speech.words
    if view.outcome is not None:
        return words("The game ended in round {round}", round=view.round)
    if len(view.seats) == 2:
        return words("Round {round} · {seat}'s turn", round=view.round, seat=speech.seat(view.turn))
    order = ", ".join(speech.seat(seat) for seat in view.order)
    return words("Round {round} · turn order: {order}", round=view.round, order=order)


def _deck_line(speech: FlandernSpeech, view: FlandernView) -> str:
    """The golden decks and the card of the round, or the deck of two players."""
    words = speech.words
    if not view.golden_left:
        said = [words("**Deck**: {cards}", cards=speech.counted("cards", view.deck))]
        if view.drawn:
            guild, card = view.drawn
            facts = {"card": speech.card(card), "guild": speech.emblem(guild)}
            said.append(words("last card drawn: {card} for {guild}", **facts))
        return sentence(said)
    above, below = view.golden_left
    said = [
        words("**Golden cards**: {above} in deck A, {below} in deck B", above=above, below=below)
    ]
    if view.golden_card:
        said.append(words("this round: {card}", card=speech.card(view.golden_card)))
    elif view.golden_deck:
        said.append(words("this round's card is face down"))
    elif view.golden_waits:
        said.append(words("this round's card hasn't been drawn yet"))
    return sentence(said)


def _seat_line(speech: FlandernSpeech, view: FlandernView, seat: int) -> str:
    """Guild, points and cards of a player, as far as the view knows them."""
    words, owner = speech.words, view.seats[seat]
    choosing = view.asked == "choose"
    parts = [
        speech.guilds_of(view, seat),
        speech.counted("points", owner.score),
        words("{cards} in hand", cards=speech.counted("cards", owner.cards)),
        words("played: {cards}", cards=speech.cards(owner.open)) if owner.open else "",
        words("has chosen") if choosing and owner.chosen else "",
    ]
    laid = "" if choosing else _laid(speech, view, seat)
    parts.append(words("this round: {card}", card=laid) if laid else "")
    return f"**{speech.seat(seat)}**: {sentence(parts)}"


def _laid(speech: FlandernSpeech, view: FlandernView, seat: int) -> str:
    """What a seat has laid out in this round, as far as the view knows; '' for nothing."""
    owner = view.seats[seat]
    if owner.card is None:
        return ""
    facts = {"card": speech.card(owner.card), "influence": speech.influence(owner.laid or 0)}
    return speech.words("{card} {influence}", **facts)


def _worth(speech: FlandernSpeech, city: FlandernCityView) -> str:
    """What a city is worth, and for whom."""
    worth = "" if city.plots is None else speech.worth(city.plots)
    if city.scored:
        return speech.words("scored, worth {worth}", worth=worth)
    if not city.free:
        return speech.words("full and about to be scored, worth {worth}", worth=worth)
    return speech.words("worth {worth}", worth=worth)


def _plots(speech: FlandernSpeech, city: FlandernCityView) -> list[str]:
    """What is free in a city, its sites, and what is covered."""
    words = speech.words
    sites = ", ".join(
        f"{speech.emblem(each.emblem)} {speech.plots([each.place])}"
        for each in city.quarters
        if each.site
    )
    return [
        words("free plots {plots}", plots=speech.plots(city.free)) if city.free else "",
        words("sites {sites}", sites=sites) if sites and not city.scored else "",
        words("covered plots {plots}", plots=speech.plots(city.covered)) if city.covered else "",
    ]


def _supply(speech: FlandernSpeech, view: FlandernView) -> list[str]:
    """What lies beside the board, and the points of the grey guild."""
    words, grey = speech.words, EMBLEM_KEYS[GREY]
    points = sum(each.score for each in view.guilds if each.guild == grey)
    pieces = [speech.counted("pieces", view.sites)]
    if view.golden_left:
        pieces.append(speech.counted("cathedrals", view.cathedrals))
        pieces.append(speech.counted("leaders", view.leaders))
    pieces.append(speech.counted("covers", view.covers))
    quarters = [_stock(speech, view, EMBLEM_KEYS[emblem]) for emblem in (GREY, CHURCH)]
    return [
        words("Supply: {pieces}", pieces=sentence([", ".join(pieces), *quarters])),
        words(
            "{guild} has {points}",
            guild=speech.emblem(grey),
            points=speech.counted("points", points),
        ),
    ]


def _stock(speech: FlandernSpeech, view: FlandernView, emblem: str) -> str:
    """The quarters left of an emblem by shape: ``Red 4 triangles (1 with a leader), 5 bars``."""
    words, counts = speech.words, view.stock[EMBLEM_OF_KEY[emblem]]
    plain, printed = counts[:WITH_LEADER], counts[WITH_LEADER:FIRST_SPECIAL]
    kinds = list[str]()
    for shape, without, leader in zip(SHAPES, plain, printed, strict=True):
        said = speech.counted(shape, without + leader)
        if leader:
            said = words("{quarters} ({leader} with a leader)", quarters=said, leader=leader)
        kinds.append(said)
    special = [key for key, count in zip(SPECIAL, counts[FIRST_SPECIAL:], strict=True) if count]
    kinds += [key.upper() for key in special]
    return f"{speech.emblem(emblem)} {', '.join(kinds)}"


def hand_lines(speech: FlandernSpeech, view: FlandernView) -> list[str]:
    """All that is the observer's own."""
    words, owner = speech.words, view.seats[view.observer]
    if not view.round:
        return [words("No cards yet: everyone is still choosing a guild.")]
    hidden = view.golden_card if view.golden_card and not view.revealed else ""
    return speech.titled(
        [
            (
                words("Face down"),
                _laid(speech, view, view.observer) if view.asked == "choose" else "",
            ),
            (words("Your golden card"), speech.card(hidden) if hidden else ""),
            (words("Hand"), speech.cards(owner.hand or ())),
            (words("Influence cards"), str(owner.influence or 0) if view.golden_left else ""),
            *_public(speech, view, view.observer),
        ]
    )


def _public(speech: FlandernSpeech, view: FlandernView, seat: int) -> list[tuple[str, str]]:
    """What all may know of a player, as rows of a title and a text."""
    words, owner = speech.words, view.seats[seat]
    guilds = owner.guilds
    scored = [
        f"{speech.city(city.city)} {points}"
        for number, city in enumerate(view.cities)
        if (points := sum(each.points[number] for each in view.guilds if each.guild in guilds))
    ]
    return [
        (words("Guild"), ", ".join(map(speech.emblem, guilds))),
        (words("Cards in hand"), str(owner.cards)),
        (words("Played cards"), speech.cards(owner.open)),
        (words("Points"), sentence([str(owner.score), ", ".join(scored)])),
        (words("Quarters left"), "; ".join(_stock(speech, view, key) for key in guilds)),
    ]


def alt_lines(speech: FlandernSpeech, view: FlandernView) -> list[str]:
    """What the picture shows."""
    words = speech.words
    if not view.round:
        return [words("Set-up.")]
    said = [words("Round {round}.", round=view.round)]
    for seat in view.order:
        owner = view.seats[seat]
        facts = {"seat": speech.seat(seat), "guild": speech.guilds_of(view, seat)}
        points, cards = speech.counted("points", owner.score), speech.counted("cards", owner.cards)
        said.append(
            words("{seat}, {guild}: {points}, {cards}.", points=points, cards=cards, **facts)
        )
    for city in view.cities:
        if city.in_play:
            parts = [_worth(speech, city)]
            if city.free:
                free = speech.counted("plots", len(city.free))
                parts.append(words("{plots} free", plots=free))
            said.append(words("{city}: {said}.", city=speech.city(city.city), said=sentence(parts)))
    return said


def close_up_words(
    plain: FlandernSpeech, rich: FlandernSpeech, view: FlandernView, part: str
) -> CloseUpText | None:
    """A city by its key, plot by plot; what all know of a player, by the seat; golden cards; what
    signs mean."""
    if part in CITY_OF_NAME:
        text, alt = ("\n".join(_city_lines(speech, view.city(part))) for speech in (rich, plain))
        return CloseUpText(plain.city(part), text, alt, {})
    if part == ALL_CITIES:
        text, alt = ("\n".join(_cities(speech, view)) for speech in (rich, plain))
        return CloseUpText(plain.words("Cities"), text, alt, {})
    if part == LEGEND:
        return legend_words(plain.words, NAMES.legend)
    if part == GOLDEN_CARDS and len(view.seats) > 2:
        return _golden_words(plain, view)
    if not part.isdecimal() or int(part) >= len(view.seats):
        return None
    seat = int(part)
    text, alt = ("\n".join(speech.titled(_public(speech, view, seat))) for speech in (rich, plain))
    effects = NAMES.effects
    legend = {card: plain.words(effects.get(card, effects["city"])) for card in CARDS}
    return CloseUpText(plain.seat(seat), text, alt, legend)


def _golden_words(speech: FlandernSpeech, view: FlandernView) -> CloseUpText:
    """What each golden card does, and how many of it have come out."""
    words, said = speech.words, dict[str, str]()
    for number, card in enumerate(CARDS):
        count = sum(deck[number] for deck in GOLDEN[view.golden_cities])
        if count and (card not in CITY_OF_NAME or view.city(card).in_play):
            facts = {
                "card": speech.card(card),
                "out": view.golden_out.count(card),
                "count": count,
                "effect": words(NAMES.effects.get(card, NAMES.effects["city"])),
            }
            said[card] = words("{card} ({out} of {count} drawn): {effect}", **facts)
    text = "\n".join(said.values())
    return CloseUpText(words("Golden cards"), text, text, said)


def _city_lines(speech: FlandernSpeech, city: FlandernCityView) -> list[str]:
    """The ranking of a city, its quarters, and what is free or covered."""
    words = speech.words
    if not city.in_play:
        return [words("This city is out of play.")]
    lines = [f"{speech.city(city.city)}: {_worth(speech, city)}"]
    for each in city.standings:
        has = [speech.counted("quarters", each.quarters)]
        has += [speech.counted("leaders", each.leaders)] if each.leaders else []
        lines.append(
            words(
                "- {rank} {guild}, {quarters}: {points}",
                rank=words(NAMES.ranks[str(each.rank)]),
                guild=speech.emblem(each.guild),
                quarters=", ".join(has),
                points=speech.counted("points", each.points),
            )
        )
    lines.append("; ".join(_quarter(speech, each) for each in city.quarters))
    return [*lines, *filter(None, _plots(speech, city))]


def _quarter(speech: FlandernSpeech, quarter: QuarterView) -> str:
    """A quarter and what stands on it: ``T1 red quarter with a leader, site``."""
    words, kind = speech.words, quarter.kind.partition("-")[2] or quarter.kind
    bar = plot_of(quarter.bar)
    word = quarter.emblem
    if kind == "leader" or kind in SPECIAL:
        word = "-".join(filter(None, (word, kind, bar)))
    parts = [f"{speech.plots([quarter.place])} {speech.tile(word)}"]
    parts += [words("site")] if quarter.site else []
    parts += [words("cathedral")] if quarter.cathedral else []
    parts += [speech.counted("leaders", quarter.leaders)] if quarter.leaders else []
    return ", ".join(parts)
