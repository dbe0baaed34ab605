"""The table as text: the whole board in equal-width letters, one's own hand, the alt text.

Widths are made for a phone: a line of the board has at most 44 characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from bot.game.burgundy.boards import BOARDS, SPACES
from bot.game.burgundy.data import CONTENT
from bot.game.burgundy.view import SeatView, View
from bot.game.contract import Event
from bot.text.burgundy import tiles
from bot.text.burgundy.events import story
from bot.text.burgundy.results import variants
from bot.text.burgundy.speech import Speech, word_of
from bot.text.contract import CloseUp
from bot.text.markup import clip, code_block, is_mention
from bot.text.speaking import LETTERS
from bot.text.words import Words

MOST_BOARD = 1900
MOST_ALT = 1000
NAME_WIDTH = 12
_MIDDLE = max(space.column for space in SPACES) + 1
"""Spaces of the longest row."""
_WIDTH = 3 * _MIDDLE - 1

_CODES = {
    "warehouse": "WH",
    "watchtower": "WT",
    "carpenter": "CP",
    "church": "CH",
    "market": "MK",
    "boarding_house": "BH",
    "bank": "BK",
    "city_hall": "CY",
    "ship": "SH",
    "mine": "MI",
    "castle": "CA",
}
_ANIMAL_CODES = {"cow": "C", "pig": "P", "sheep": "S", "chicken": "H"}


def board_text(speech: Speech, view: View) -> str:
    """The whole table, for those who read rather than look. At most 1900 characters."""
    words = speech.words
    lines = [_round_line(speech, view)]
    if view.phase:
        lines += _depot_lines(words, view)
    lines += _estates(view)
    lines += [
        line
        for seat in view.order or range(len(view.seats))
        for line in _seat_lines(words, view.seats[seat], LETTERS[seat], _plain(speech, seat))
    ]
    legend = words(
        "b4 empty: colour and die (b building, g animals, s ship, k knowledge, m mine, c castle); "
        "C3 cows, P pigs, S sheep, H chickens; 12 knowledge; SH ship, MI mine, CA castle, "
        "WH warehouse, WT watchtower, CP carpenter, CH church, MK market, BH boarding house, "
        "BK bank, CY city hall"
    )
    table = code_block("\n".join(line.rstrip() for line in lines))
    rest = [each for each in (variants(words, view), legend) if each]
    return clip("\n".join([table, *rest]), MOST_BOARD)


def code(key: str) -> str:
    """A tile in two letters or digits."""
    kind = tiles.kind_of(key)
    if kind.kind:
        return f"{_ANIMAL_CODES[kind.kind]}{kind.amount}"
    return f"{key[1:]:0>2}" if kind.colour == "knowledge" else _CODES[key]


def hand_text(speech: Speech, view: View) -> str:
    """All that is the observer's own. Raises IndexError for a spectator."""
    if view.observer < 0:
        raise IndexError("a spectator has no hand")
    lines = _estate_lines(speech, view, view.observer)
    if view.chosen is not None:
        words = speech.words
        secret = _line(speech, words("Your secret choice"), speech.space(view.chosen))
        lines.insert(0, secret)
    return clip("\n".join(lines), MOST_BOARD)


def close_up(speech: Speech, view: View, seat: int) -> CloseUp:
    """One estate with all that its owner has, for its picture. `speech` must be rich."""
    words, plain = speech.words, Speech(speech.words, speech.names)
    return CloseUp(
        words("Estate of {name}", name=plain.seat(seat)),
        clip("\n".join(_estate_lines(speech, view, seat)), MOST_BOARD),
        clip("\n".join(_estate_lines(plain, view, seat)), MOST_ALT),
        {key: tiles.effect(words, key) for key in tiles.KNOWLEDGE},
    )


def _estate_lines(speech: Speech, view: View, seat: int) -> list[str]:
    """What a seat owns, as far as the view knows it, and what its regions will bring."""
    words, owner = speech.words, view.seats[seat]
    workers = speech.counted("workers", owner.workers)
    silverlings = speech.counted("silverlings", owner.silverlings)
    sold = words.plural("{count} tile", "{count} tiles", owner.sold_count)
    if owner.sold is not None:
        sold = speech.goods(word_of(owner.sold))
    knowledge = [f"k{number}" for number in owner.knowledge]
    rows = [
        (words("Board"), str(owner.board or "")),
        (words("Dice"), speech.dice(owner.dice) or "-"),
        (words("Means"), words.listing([workers, silverlings])),
        (words("Goods"), speech.goods(word_of(owner.goods))),
        (words("Sold"), sold),
        (words("Storage"), _told(speech, owner.storage) or words("nothing")),
        (words("Knowledge in the estate"), _told(speech, knowledge)),
        (words("Points"), str(owner.total)),
    ]
    lines = [_line(speech, title, content) for title, content in rows if content]
    prospects = sum(points for _, points in owner.prospects)
    if prospects:
        points = speech.counted("points", prospects)
        lines.append(words("If the game ended now, {points} more", points=points))
    begun = [r for r in owner.regions if r.empty and len(r.empty) < len(r.spaces)]
    lines += [
        words(
            "- {region}: {spaces} empty, then {points}",
            region=speech.region(region.colour),
            spaces=" ".join(region.empty),
            points=speech.counted("points", region.points),
        )
        for region in sorted(begun, key=lambda r: len(r.empty))
    ]
    return lines


def _line(speech: Speech, title: str, content: str) -> str:
    words = speech.words
    if speech.rich:
        return words("**{title}:** {content}", title=title, content=content)
    return words("{title}: {content}", title=title, content=content)


def _told(speech: Speech, keys: Sequence[str]) -> str:
    """Tiles with what they do; a line each as markdown."""
    told = [tiles.told(speech.words, key) for key in keys]
    if not speech.rich:
        return "; ".join(told)
    lines = zip(keys, told, strict=True)
    return "".join(f"\n- {tiles.emoji(key)} {each}" for key, each in lines)


def alt_text(speech: Speech, view: View, events: Sequence[Event]) -> str:
    """What just changed, then what matters; plain, at most 1000 characters.

    `speech` must be plain. The story gives way first, for the table is what the picture shows.
    """
    words = speech.words
    state = [words("Set-up.")]
    if view.phase:
        state = [
            words("Phase {phase}, round {round}.", phase=view.phase, round=view.round),
        ]
    state += [_seat_sentence(speech, view, seat) for seat in view.order or range(len(view.seats))]
    differs = variants(words, view)
    if differs:
        state.append(f"{differs}.")
    for depot in view.depots:
        if depot.tiles:
            name = speech.depot(depot.depot)
            state.append(
                words(
                    "{depot}: {tiles}.",
                    depot=name[:1].upper() + name[1:],
                    tiles=speech.tiles(depot.tiles),
                )
            )
    matters = clip(" ".join(state), MOST_ALT)
    room = MOST_ALT - len(matters) - 1
    news = " ".join(story(speech, events))
    return f"{clip(news, room)} {matters}" if news and room > 1 else matters


def _seat_sentence(speech: Speech, view: View, seat: int) -> str:
    words, player = speech.words, view.seats[seat]
    covered = sum(tile is not None for tile in player.estate)
    return words(
        "{seat}: {points}, {covered} of {spaces} spaces covered, {workers}, {silverlings}.",
        seat=speech.seat(seat),
        points=speech.counted("points", player.total),
        covered=covered,
        spaces=len(SPACES),
        workers=speech.counted("workers", player.workers),
        silverlings=speech.counted("silverlings", player.silverlings),
    )


def _round_line(speech: Speech, view: View) -> str:
    words = speech.words
    if not view.phase:
        return words("Set-up")
    order = " ".join(LETTERS[seat] for seat in view.order)
    return words(
        "Phase {phase}, round {round} · order {order}",
        phase=view.phase,
        round=view.round,
        order=order,
    )


def _depot_lines(words: Words, view: View) -> list[str]:
    lines = []
    for depot in view.depots[: len(CONTENT.depots)]:
        goods = word_of(depot.goods)
        shown = f"{depot.depot} {' '.join(map(code, depot.tiles)) or '-'}"
        lines.append(words("{depot} · goods {goods}", depot=shown, goods=goods) if goods else shown)
    black = " ".join(map(code, view.depots[-1].tiles)) or "-"
    lines.append(words("black {tiles}", tiles=black))
    if view.coming:
        lines.append(words("goods to come {goods}", goods=" ".join(view.coming)))
    left = " ".join(
        f"{colour.colour[0] if colour.colour != 'animal' else 'g'}{'/'.join(map(str, colour.left))}"
        for colour in view.colours
        if colour.left
    )
    if left:
        lines.append(words("bonuses left {bonuses}", bonuses=left))
    return lines


def _estates(view: View) -> list[str]:
    """The estates two by two, row by row with the letters of the rows."""
    grids = [(LETTERS[n], _grid(seat)) for n, seat in enumerate(view.seats) if seat.board]
    lines: list[str] = []
    for first, second in zip_longest(grids[::2], grids[1::2], fillvalue=("", ())):
        lines.append(f"  {first[0]:<{_WIDTH}}  {second[0]}")
        for row, (left, right) in enumerate(zip_longest(first[1], second[1], fillvalue="")):
            lines.append(f"{'abcdefg'[row]} {left:<{_WIDTH}}  {right}")
    return lines


def _grid(seat: SeatView) -> list[str]:
    board = BOARDS[seat.board]
    rows: list[list[str]] = []
    for place, space in enumerate(SPACES):
        if not space.column:
            rows.append([])
        tile = seat.estate[place]
        letter = CONTENT.colours[board.colours[place]].letter.lower()
        rows[-1].append(f"{letter}{space.number}" if tile is None else code(tile))
    return [" " * ((_MIDDLE - len(row)) * 3 // 2) + " ".join(row) for row in rows]


def _seat_lines(words: Words, seat: SeatView, letter: str, name: str) -> list[str]:
    sold = str(seat.sold_count) if seat.sold is None else word_of(seat.sold) or "-"
    return [
        words(
            "{letter} {name}: {points} points, board {board}",
            letter=letter,
            name=name,
            points=seat.total,
            board=seat.board or "-",
        ),
        words(
            "  dice {dice} · workers {workers} · silver {silver}",
            dice=" ".join(map(str, seat.dice)) or "-",
            workers=seat.workers,
            silver=seat.silverlings,
        ),
        words(
            "  stored {tiles} · goods {goods} · sold {sold}",
            tiles=" ".join(map(code, seat.storage)) or "-",
            goods=word_of(seat.goods) or "-",
            sold=sold,
        ),
    ]


def _plain(speech: Speech, seat: int) -> str:
    """A name for the board; a mention would be drawn as it is written."""
    name = speech.names[seat] if seat < len(speech.names) else speech.seat(seat)
    return f"#{seat + 1}" if is_mention(name) else clip(name, NAME_WIDTH)
