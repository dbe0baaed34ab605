"""The table as text: the boards in plain lines, their parts, one's own hand, the alt text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bot.game.guatemala.data import COLOUR_KEYS, CONTENT, SIZE, SPACE_NAMES
from bot.game.guatemala.view import GuatemalaSeatView, GuatemalaView, PlantationView
from bot.text.contract import CloseUpText
from bot.text.guatemala import figures
from bot.text.guatemala.figures import HUT, SACK, SHIP, WORKER
from bot.text.guatemala.setup import variants
from bot.text.guatemala.speech import NAMES, GuatemalaSpeech
from bot.text.legend import LEGEND, legend_words
from bot.text.markup import bold
from bot.text.speech import sentence
from bot.text.words import msg

PRODUCTION = "production"
"""The production board, as a part of the table. The others are those of the plantation board, and
all of that."""
PLANTATIONS = "plantations"
HALVES = {"left": msg("Left half"), "right": msg("Right half")}


def board_lines(speech: GuatemalaSpeech, view: GuatemalaView) -> list[str]:
    """The whole table: the players, the lines that the buyer can reach, sacks, ports and roads.

    What lies where on the boards is said of their parts.
    """
    words = speech.words
    lines = [_round_line(speech, view)]
    lines += [_seat_line(speech, view, seat) for seat in range(len(view.seats))]
    if view.buyer:
        facts = _facing(speech, view, view.buyer)
        lines.append(words("**Buyer** at {where}: {offers}", **facts))
        for steps in range(1, CONTENT.steps + 2):
            facts = _facing(speech, view, view.reached(steps))
            counted = speech.counted("steps", steps)
            lines.append(words("- {steps}, {where}: {offers}", steps=counted, **facts))
    lines += [*_sack_lines(speech, view), *_port_lines(speech, view, bold)]
    roads = speech.counted("roads", len(view.roads))
    stock = view.stock
    lines.append(words("{roads} on the board, {stock} in the supply", roads=roads, stock=stock))
    return [*lines, variants(words, view)]


def _round_line(speech: GuatemalaSpeech, view: GuatemalaView) -> str:
    words = speech.words
    if not view.round:
        return words("Set-up")
    if view.outcome is not None:
        return words("The game ended in round {round}", round=view.round)
    return words("Round {round} · {seat}'s turn", round=view.round, seat=speech.seat(view.turn))


def _facing(speech: GuatemalaSpeech, view: GuatemalaView, position: str) -> dict[str, str]:
    """Where the buyer stands or could stand, and what that line offers."""
    return {"where": speech.position(position), "offers": speech.in_short(view, position)}


def _seat_line(speech: GuatemalaSpeech, view: GuatemalaView, seat: int) -> str:
    """What a player has, and what each plantation would score now."""
    owner = view.seats[seat]
    plantations = [plantation_in_short(speech, each) for each in owner.plantations]
    parts = [*_means(speech, owner).values(), *plantations]
    return f"**{speech.seat(seat)}**: {sentence(parts)}"


def _means(speech: GuatemalaSpeech, owner: GuatemalaSeatView) -> dict[str, str]:
    """What a player has, in numbers that everybody knows."""
    return {
        "points": speech.counted("points", owner.score),
        "money": speech.counted("money", owner.money),
        "sacks": speech.counted("sacks", owner.sacks),
    }


def plantation_in_short(speech: GuatemalaSpeech, owned: PlantationView) -> str:
    """A plantation in short: ``4 red workers, hut b2, Port 1: scores 8 points``."""
    words, count = speech.words, len(owned.workers)
    workers = speech.workers(owned.colour, count)
    if owned.hut is None:
        return words("{workers}, no hut", workers=workers)
    if not count:
        hut = speech.piece(HUT, owned.colour)
        return words("{hut} {cell}, no workers", hut=hut, cell=owned.hut)
    points = speech.counted("points", owned.points)
    parts = [workers, words("hut {cell}", cell=owned.hut), *map(speech.place, owned.ports)]
    return words("{pieces}: scores {points}", pieces=", ".join(parts), points=points)


def _sack_lines(speech: GuatemalaSpeech, view: GuatemalaView) -> Iterator[str]:
    words = speech.words
    there = [
        words("{colour} (row {row})", colour=speech.colour(SACK, piece.colour), row=space[0])
        for space, piece in zip(SPACE_NAMES, view.production, strict=True)
        if piece is not None and piece.kind == SACK
    ]
    yield words("**Sacks**: {sacks}", sacks=", ".join(there) or words("none left"))
    laid, lowest = len(view.track), view.last_space + 1 - len(view.track)
    if laid:
        colours = speech.hand([view.track.count(key) for key in COLOUR_KEYS])
        yield words.plural(
            "{count} sack on the score track, on space {space}: {colours}",
            "{count} sacks on the score track, down to space {space}: {colours}",
            laid,
            space=lowest,
            colours=colours,
        )


def _port_lines(
    speech: GuatemalaSpeech, view: GuatemalaView, called: Callable[[str], str] = str
) -> Iterator[str]:
    """Ports, named as they are `called`, with their ships, and what the next one costs."""
    words, board = speech.words, view.board
    for port, about in zip(view.ports, board.ports, strict=True):
        name, ships = (
            speech.place(port.port),
            ", ".join(speech.colour(SHIP, colour) for colour in port.ships),
        )
        if not port.is_open:
            continue
        free = about.prices[len(port.ships) :]
        facts = {"port": called(name), "ships": ships or words("no ships")}
        if free:
            price = speech.counted("price", free[0])
            yield words("{port}: {ships}; the next one costs {price}", price=price, **facts)
        else:
            yield words("{port}: {ships}; full", **facts)


def hand_lines(speech: GuatemalaSpeech, view: GuatemalaView) -> list[str]:
    """All that is the observer's own."""
    words, owner = speech.words, view.seats[view.observer]
    rows = [
        (words("Money"), speech.counted("money", owner.money)),
        (words("Points"), str(owner.score)),
        (words("Sacks"), speech.hand(owner.hand or ())),
    ]
    lines = speech.titled(rows)
    if view.answer:
        answer = speech.fact("answer", view.answer)
        lines.insert(0, words("**Your secret answer:** {answer}", answer=answer))
    for owned in owner.plantations:
        parts = [plantation_in_short(speech, owned)]
        if owned.workers:
            parts.append(words("workers on {cells}", cells=" ".join(owned.workers)))
        if owned.hut and not owned.ports:
            parts.append(speech.short_of(*figures.roads_missing(view, owned.hut)))
        lines.append(f"- {sentence(parts)}")
    built = {owned.colour for owned in owner.plantations}
    left = ", ".join(speech.colour(HUT, key) for key in COLOUR_KEYS if key not in built)
    if left:
        lines.append(words("Not planted yet: {colours}", colours=left))
    return lines


def alt_lines(speech: GuatemalaSpeech, view: GuatemalaView) -> list[str]:
    """What the picture shows."""
    words = speech.words
    state = [words("Set-up.") if not view.round else words("Round {round}.", round=view.round)]
    for seat, owner in enumerate(view.seats):
        harvest = ", ".join(
            f"{speech.colour(HUT, owned.colour)} {owned.points}" for owned in owner.plantations
        )
        facts = {"seat": speech.seat(seat), **_means(speech, owner)}
        if harvest:
            said = words(
                "{seat}: {points}, {money}, {sacks}; harvests now: {harvest}.",
                harvest=harvest,
                **facts,
            )
        else:
            said = words("{seat}: {points}, {money}, {sacks}, no plantations.", **facts)
        state.append(said)
    if view.buyer:
        facts = _facing(speech, view, view.buyer)
        state.append(words("Buyer at {where}: {offers}.", **facts))
    sacks = speech.counted("sacks", len(view.track))
    state.append(words("{sacks} on the score track.", sacks=sacks))
    differs = variants(words, view)
    return [*state, f"{differs}."] if differs else state


def close_up_words(
    plain: GuatemalaSpeech, rich: GuatemalaSpeech, view: GuatemalaView, part: str
) -> CloseUpText | None:
    """The production board row by row, the plantations of each player, or a part of the plantation
    board zone by zone."""
    words, board = plain.words, view.board
    if part == PRODUCTION:
        lines = [words("A colour by itself is a worker.")]
        lines += [_production_row(plain, view, row) for row in range(SIZE)]
        return CloseUpText(words("Production board"), "\n".join(lines), "\n".join(lines), {})
    if part == LEGEND:
        return legend_words(words, NAMES.legend)
    if part == PLANTATIONS:
        text = [_owned_line(rich, view, seat) for seat in range(len(view.seats))]
        text += _port_lines(rich, view, bold)
        alt = [_owned_line(plain, view, seat) for seat in range(len(view.seats))]
        alt += _port_lines(plain, view)
        return CloseUpText(words("Plantations"), "\n".join(text), "\n".join(alt), {})
    strips = board.parts.get(part)
    if strips is None:
        return None
    title = words(HALVES[part]) if part in HALVES else plain.strip(board, strips[0])
    regions = [f"{strip}{zone.key}" for strip in strips for zone in CONTENT.zones]
    text = [_region_line(rich, view, region) for region in regions]
    alt = [_region_line(plain, view, region) for region in regions]
    return CloseUpText(title, "\n".join(text), "\n".join(alt), {})


def _owned_line(speech: GuatemalaSpeech, view: GuatemalaView, seat: int) -> str:
    """The plantations of a player."""
    owned = [plantation_in_short(speech, each) for each in view.seats[seat].plantations]
    said = sentence(owned) or speech.words("no plantations")
    return f"{speech.seat(seat)}: {said}"


def _production_row(speech: GuatemalaSpeech, view: GuatemalaView, row: int) -> str:
    words, said = speech.words, []
    for piece in view.production[SIZE * row : SIZE * (row + 1)]:
        if piece is None:
            said.append(words("empty"))
        else:
            is_worker = piece.kind == WORKER
            said.append(speech.colour(WORKER, piece.colour) if is_worker else speech.of(piece))
    return words("Row {number}: {pieces}", number=row + 1, pieces=", ".join(said))


def _region_line(speech: GuatemalaSpeech, view: GuatemalaView, region: str) -> str:
    """What stands in a zone of a strip: huts and workers by owner, and roads."""
    words, board = speech.words, view.board

    def here(cells: Iterable[str]) -> str:
        return " ".join(cell for cell in cells if board.region_of(cell) == region)

    parts = []
    for seat, owner in enumerate(view.seats):
        for owned in owner.plantations:
            hut, workers = here([owned.hut or ""]), here(owned.workers)
            count = len(workers.split())
            for piece, cells in (
                (speech.piece(HUT, owned.colour), hut),
                (speech.workers(owned.colour, count), workers),
            ):
                if cells:
                    facts = {"seat": speech.seat(seat), "piece": piece, "cells": cells}
                    parts.append(words("{seat} {piece} {cells}", **facts))
    roads = here(view.roads)
    if roads:
        parts.append(words("roads {cells}", cells=roads))
    name = speech.region(board, region)
    return words("{part}: {pieces}", part=name, pieces=sentence(parts) or words("empty"))
