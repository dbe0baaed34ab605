"""Buying pieces out of the buyer's line, and placing each at once (section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import END, THEN, Action, Decision
from bot.game.guatemala import buying as rules
from bot.game.guatemala.data import CONTENT, KINDS
from bot.game.guatemala.view import GuatemalaView, PieceView
from bot.text.chapter import Part
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.guatemala import figures
from bot.text.guatemala.figures import HUT, ROAD, SHIP, WORKER
from bot.text.guatemala.speech import (
    NAMES,
    Asked,
    GuatemalaChapter,
    GuatemalaSpeech,
    columns,
)
from bot.text.markup import capital
from bot.text.words import msg

# What is asked


def _act(speech: GuatemalaSpeech, decision: Decision, view: GuatemalaView) -> str:
    """The money; the picture shows the line, and the buttons what the sack brings."""
    lines = [_means(speech, view, decision.seat)]
    if view.blocked:
        lines.insert(0, speech.words("Your harvest was blocked. You can buy pieces instead."))
    return "\n".join(lines)


def _means(speech: GuatemalaSpeech, view: GuatemalaView, seat: int) -> str:
    """The money, and how many pieces may still be bought; without money that is roads alone."""
    left = CONTENT.pieces - len(view.emptied)
    if not left:
        return speech.words(
            "You have {money} and can't buy any more this turn.",
            money=speech.counted("money", view.seats[seat].money),
        )
    if not view.seats[seat].money:
        line = view.line(view.buyer) if view.buyer else ()
        if all(piece.kind != ROAD for _, piece in line):
            return speech.words("You have no money, and there are no roads to take.")
        return speech.words.plural(
            "You have no money, but you can take {count} more road.",
            "You have no money, but you can take up to {count} roads.",
            left,
        )
    return speech.words.plural(
        "You have {money} for {count} more piece.",
        "You have {money} for up to {count} pieces.",
        left,
        money=speech.counted("money", view.seats[seat].money),
    )


def _ask_place(asked: Asked) -> str:
    """Where a piece goes, the money, and the prices of the zones."""
    speech, words, piece = asked.speech, asked.speech.words, _piece_of(asked)
    where = words(
        "Where does the {piece} go? You have {money}.",
        piece=speech.of(piece),
        money=speech.counted("money", asked.view.seats[asked.view.turn].money),
    )
    said = [capital(where)]
    if piece.kind in (WORKER, HUT):
        said.append(
            words(
                "It costs {coast} on the coast, {middle} in the middle and {mountains} in "
                "the mountains.",
                **{zone.key: zone.price(KINDS.index(piece.kind)) for zone in CONTENT.zones},
            )
        )
    return " ".join(said)


# Pieces


def _piece_of(asked: Asked) -> PieceView:
    """The piece that is being placed: that on the space of the action. It may be gone by the time
    that an action is said back; then it is spoken of as a road, which has no colour."""
    return figures.piece_on(asked.view, asked.prefix[1]) or PieceView(ROAD, "")


def _piece(asked: Asked, word: str) -> Label:
    piece = figures.piece_on(asked.view, word)
    if piece is None:
        return Label(word)
    name = capital(asked.speech.of(piece))
    text = asked.speech.words("{piece} · {space}", piece=name, space=word)
    return Label(text, asked.speech.sign_of(piece), called=word)


def _said_piece(asked: Asked, word: str) -> str:
    piece = figures.piece_on(asked.view, word)
    return word if piece is None else asked.speech.of(piece)


# Places


def region(asked: Asked, word: str) -> Label:
    """A part of the plantation board, with the price there, or whether a road there helps; columns
    are called by their letters alone, so that there is room for them on the picture."""
    speech, kind = asked.speech, _piece_of(asked).kind
    board = asked.view.board
    name = speech.region(board, word)
    called = "" if board.has_paths else name[name.index(columns(board, int(word[0]))) :]
    if kind == ROAD:
        helps = word in figures.regions_that_help(asked.view)
        text = speech.words("{name} · brings a hut closer to port", name=name) if helps else name
        return Label(text, "🗺️", called=called)
    zone = next(zone for zone in CONTENT.zones if zone.key == word[1:])
    money = speech.counted("price", zone.price(KINDS.index(kind)))
    text = speech.words("{name} · {price}", name=name, price=money)
    return Label(text, "🗺️", called=called)


def _place(asked: Asked, word: str) -> Label:
    """A place with its price, and what the piece brings there."""
    speech, piece = asked.speech, _piece_of(asked)
    parts = [speech.place(word)]
    if piece.kind != ROAD:
        parts.append(speech.counted("price", figures.price(asked.view, piece.kind, word)))
    parts.append(_BRINGS[piece.kind](asked, piece.colour, word))
    return Label(" · ".join(parts), speech.sign_of(piece))


def _worker_brings(asked: Asked, colour: str, cell: str) -> str:
    """What the plantation that a worker joins would score with it."""
    speech, words = asked.speech, asked.speech.words
    owned = asked.view.seats[asked.view.turn].plantation(colour)
    count = len(owned.workers)
    if not count and owned.hut is None:
        return words("new plantation")
    if owned.hut is None:
        return words("{workers}, no hut yet", workers=speech.workers(colour, count + 1))
    then = (count + 1) * (owned.ships + 1)
    return words("harvest {now}→{then}", now=owned.points, then=then)


def _hut_brings(asked: Asked, colour: str, cell: str) -> str:
    """What a plantation would score with a hut there, and which port that would reach."""
    speech, words = asked.speech, asked.speech.words
    count = len(asked.view.seats[asked.view.turn].plantation(colour).workers)
    then = count * (figures.ships(asked.view, cell, colour) + 1)
    missing, port = figures.roads_missing(asked.view, cell)
    parts = [words("new plantation")]
    if count:
        parts = [words("harvest {now}→{then}", now=0, then=then)]
    if missing:
        parts.append(speech.short_of(missing, port))
    elif port:
        parts.append(words("reaches {port}", port=speech.place(port)))
    return "; ".join(parts)


def _ship_brings(asked: Asked, colour: str, port: str) -> str:
    """Whose harvest a ship would raise."""
    speech, view = asked.speech, asked.view
    raised = sorted(figures.multiplied(view, port, colour), key=lambda row: row[0] != view.turn)
    if not raised:
        return speech.words("doesn't help a harvest yet")
    said = [f"{speech.who(view, seat)} {now}→{then}" for seat, now, then in raised]
    return speech.words("harvests: {harvests}", harvests=", ".join(said))


def _road_brings(asked: Asked, _colour: str, road: str) -> str:
    """Which hut a road joins to a port, or how many more roads one of the player's then lacks."""
    speech, words, turn = asked.speech, asked.speech.words, asked.view.turn
    nearer = figures.brought_nearer(asked.view).get(road, ())
    for each in sorted(nearer, key=lambda each: (each.seat != turn, each.missing)):
        hut, port = speech.piece(HUT, each.colour), speech.place(each.port)
        if each.seat == turn and each.missing:
            return words(
                "your {hut}: {roads}", hut=hut, roads=speech.short_of(each.missing, each.port)
            )
        if each.seat == turn:
            return words("connects your {hut} to {port}", hut=hut, port=port)
        if not each.missing:
            who = speech.who(asked.view, each.seat)
            return words("connects {seat}'s {hut} to {port}", hut=hut, seat=who, port=port)
    return words("doesn't help your huts")


def whole(asked: Asked) -> list[Label]:
    """A piece and its place, for how much, and what it brings there, perhaps with the end of the
    turn; the second without what it brings."""
    speech, piece, place = asked.speech, _piece_of(asked), asked.prefix[2]
    facts = {
        "piece": capital(speech.of(piece)),
        "place": speech.place(place),
        "price": figures.price(asked.view, piece.kind, place),
        "brings": _BRINGS[piece.kind](asked, piece.colour, place),
    }
    match THEN in asked.prefix, piece.kind == ROAD:
        case True, True:
            messages = [
                msg("{piece} → {place} · {brings}, then end turn"),
                msg("{piece} → {place}, then end turn"),
            ]
        case True, False:
            messages = [
                msg("{piece} → {place} for {price} · {brings}, then end turn"),
                msg("{piece} → {place} for {price}, then end turn"),
            ]
        case False, True:
            messages = [msg("{piece} → {place} · {brings}"), msg("{piece} → {place}")]
        case _:
            messages = [
                msg("{piece} → {place} for {price} · {brings}"),
                msg("{piece} → {place} for {price}"),
            ]
    called, sign = speech.place(place), speech.sign_of(piece)
    return [Label(speech.words(each, **facts), sign, called=called) for each in messages]


def shopping(
    speech: GuatemalaSpeech, actions: Sequence[tuple[Action, GuatemalaView]]
) -> list[Label]:
    """Several pieces and their places, each with the view before it, what all of them cost, and
    perhaps the end of the turn; from the fullest to the shortest."""
    places, price = dict[PieceView, list[str]](), 0
    bought = [(action, view) for action, view in actions if action != (END,)]
    for (_, space, place), view in bought:
        piece = figures.piece_on(view, space) or PieceView(ROAD, "")
        places.setdefault(piece, []).append(place)
        price += figures.price(view, piece.kind, place)
    full = ", ".join(
        f"{_several(speech, piece, len(each))} {' '.join(map(speech.place, each))}"
        for piece, each in places.items()
    )
    short = _by_kind(speech, places)
    match price > 0, len(bought) < len(actions):
        case True, True:
            long = msg("Buy {pieces} for {price}, then end turn")
            brief = msg("{pieces} for {price}, then end turn")
        case True, False:
            long, brief = msg("Buy {pieces} for {price}"), msg("{pieces} for {price}")
        case _, True:
            long, brief = msg("Take {pieces}, then end turn"), msg("{pieces}, then end turn")
        case _:
            long, brief = msg("Take {pieces}"), msg("{pieces}")
    return [
        Label(capital(speech.words(message, pieces=pieces, price=price)), "🛒")
        for message, pieces in ((long, full), (brief, full), (brief, short))
    ]


def _several(speech: GuatemalaSpeech, piece: PieceView, count: int) -> str:
    """Equal pieces: ``2 red workers``; one by its name alone."""
    if count > 1 and piece.kind == WORKER:
        return speech.workers(piece.colour, count)
    if count > 1 and piece.kind == ROAD:
        return speech.counted("roads", count)
    return speech.of(piece)


def _by_kind(speech: GuatemalaSpeech, places: Mapping[PieceView, Sequence[str]]) -> str:
    """Pieces with their places in short: ``2 workers (red h7, black k9), road a1-b1``."""
    found: dict[str, list[tuple[str, str]]] = {}
    for piece, each in places.items():
        said = [(speech.of(piece), place.removeprefix("port")) for place in each]
        found.setdefault(piece.kind, []).extend(said)
    parts = []
    for kind, pieces in found.items():
        one, several = (
            speech.words.phrase(NAMES.kinds[kind], count, count=count) for count in (1, len(pieces))
        )
        alike = one.split()[-1]
        inside = [f"{name.replace(alike, '').strip()} {place}".strip() for name, place in pieces]
        joined = [f"{name} {place}" for name, place in pieces]
        parts += [f"{several} ({', '.join(inside)})"] if len(pieces) > 1 else joined
    return ", ".join(parts)


_BRINGS = {WORKER: _worker_brings, HUT: _hut_brings, SHIP: _ship_brings, ROAD: _road_brings}


CHAPTER = GuatemalaChapter(
    chapter_words("guatemala", "buying"),
    parts={
        "buy": {
            "piece": Part(_piece, _said_piece),
            "place": Part(_place, lambda asked, word: asked.speech.place(word), asks=_ask_place),
        }
    },
    asked={"act": _act},
    events=(
        EventWords(rules.PieceBought, "line", msg("{item} → {place} (−{cost})")).when(
            lambda event: event.piece == ROAD, msg("{item} → {place}")
        ),
        EventWords(rules.RoadsFilled, "news", msg("Production board: +{spaces}.")).quiet(),
    ),
)
