"""The table as text: the whole board in plain lines, one estate, one's own hand, the alt text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.game.burgundy.data import BOARDS, COLOUR_KEYS, SPACES
from bot.game.burgundy.view import BurgundySeatView, BurgundyView
from bot.text.burgundy import tiles
from bot.text.burgundy.setup import variants
from bot.text.burgundy.speech import BurgundySpeech, word_of
from bot.text.contract import CloseUpText
from bot.text.legend import LEGEND, legend_words
from bot.text.markup import capital
from bot.text.speech import sentence
from bot.text.words import Words

DEPOTS, TURN = "depots", "turn"
"""The parts of the table that are no estate: the depots, and these with one's own."""


def board_lines(speech: BurgundySpeech, view: BurgundyView) -> list[str]:
    """The whole table: first the players, then the depots.

    What lies where in an estate has a text of its own.
    """
    lines = [_round_line(speech, view)]
    lines += [_seat_line(speech, view, seat) for seat in view.order or range(len(view.seats))]
    if view.phase:
        lines += _depot_lines(speech, view)
    return [*lines, variants(speech.words, view)]


def hand_lines(speech: BurgundySpeech, view: BurgundyView) -> list[str]:
    """All that is the observer's own."""
    lines = _estate_lines(speech, view, view.observer)
    if view.chosen is not None:
        chosen = (speech.words("Your secret choice"), speech.space(view.chosen))
        lines = [*speech.titled([chosen]), *lines]
    return lines


def close_up_words(
    plain: BurgundySpeech, rich: BurgundySpeech, view: BurgundyView, part: str
) -> CloseUpText | None:
    """An estate with all that its owner has, by the seat, or the depots; or one's own with them."""
    words = plain.words
    if part == LEGEND:
        return _legend(words)
    legend = {key: tiles.effect(words, key) for key in tiles.KNOWLEDGE}
    if part == DEPOTS and view.phase:
        text = "\n".join(_depot_lines(plain, view))
        return CloseUpText(words("Depots"), text, text.replace("**", ""), legend)
    if part == TURN and view.phase and view.observer >= 0:
        lines = [*_estate_lines(plain, view, view.observer), *_depot_lines(plain, view)]
        text = "\n".join(lines)
        title = words("Your estate and the depots")
        return CloseUpText(title, text, text.replace("**", ""), legend)
    if not part.isdecimal() or int(part) >= len(view.seats):
        return None
    seat = int(part)
    text = "\n".join([*_estate_lines(rich, view, seat), *_rows(rich, view.seats[seat])])
    alt = "\n".join(_estate_lines(plain, view, seat))
    return CloseUpText(words("Estate of {name}", name=plain.seat(seat)), text, alt, legend)


def _legend(words: Words) -> CloseUpText:
    """The signs on the pictures, and what buildings do."""
    said = legend_words(words, tiles.NAMES.legend)
    legend = {
        **said.legend,
        **{key: tiles.described(words, key) for key in tiles.BUILDINGS},
    }
    text = "\n".join(legend.values())
    return CloseUpText(said.title, text, text, legend)


def _estate_lines(speech: BurgundySpeech, view: BurgundyView, seat: int) -> list[str]:
    """What a seat owns, as far as the view knows it, and what its regions will bring."""
    # With the pieces' own signs it could be too long for a message.
    speech = replace(speech, words=speech.words.signed({}))
    words, owner = speech.words, view.seats[seat]
    workers = speech.counted("workers", owner.workers)
    silverlings = speech.counted("silverlings", owner.silverlings)
    sold = words.plural("{count} tile", "{count} tiles", owner.sold_count)
    if owner.sold is not None:
        sold = speech.goods(word_of(owner.sold))
    knowledge = [f"k{number}" for number in owner.knowledge]
    rows = [
        (words("Estate board"), str(owner.board or "")),
        (words("Dice"), speech.dice(owner.dice) or "-"),
        (words("Supplies"), words.listing([workers, silverlings])),
        (words("Goods"), speech.goods(word_of(owner.goods))),
        (words("Sold"), sold),
        (words("Storage"), _described(speech, owner.storage) or words("nothing")),
        (words("Knowledge in the estate"), _described(speech, knowledge)),
        (words("Points"), str(owner.total)),
    ]
    lines = speech.titled(rows)
    prospects = sum(points for _, points in owner.prospects)
    if prospects:
        points = speech.counted("points", prospects)
        lines.append(words("+{points} if the game ended now", points=points))
    begun = [r for r in owner.regions if r.empty and len(r.empty) < len(r.spaces)]
    lines += [
        words(
            "- {region}: {spaces} empty, {points} when complete",
            region=speech.region(region.colour),
            spaces=" ".join(region.empty),
            points=speech.counted("points", region.points),
        )
        for region in sorted(begun, key=lambda r: len(r.empty))
    ]
    return lines


def _described(speech: BurgundySpeech, keys: Sequence[str]) -> str:
    """Tiles with what each does: in one line, or as a list in markdown."""
    described = [tiles.described(speech.words, key) for key in keys]
    if not speech.rich:
        return "; ".join(described)
    lines = zip(keys, described, strict=True)
    return "".join(f"\n- {tiles.sign(speech.words, key)} {each}" for key, each in lines)


def alt_lines(speech: BurgundySpeech, view: BurgundyView) -> list[str]:
    """What the picture shows."""
    words = speech.words
    state = [words("Set-up.")]
    if view.phase:
        state = [words("Phase {phase}, round {round}.", phase=view.phase, round=view.round)]
    state += [_seat_sentence(speech, view, seat) for seat in view.order or range(len(view.seats))]
    differs = variants(words, view)
    if differs:
        state.append(f"{differs}.")
    for depot in view.depots:
        if depot.tiles:
            name, there = capital(speech.depot(depot.depot)), speech.tiles(depot.tiles)
            state.append(words("{depot}: {tiles}.", depot=name, tiles=there))
    return state


def _seat_sentence(speech: BurgundySpeech, view: BurgundyView, seat: int) -> str:
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


def _round_line(speech: BurgundySpeech, view: BurgundyView) -> str:
    words = speech.words
    if not view.phase:
        return words("Set-up")
    return words(
        "Phase {phase}, round {round} · turn order: {order}",
        phase=view.phase,
        round=view.round,
        order=", ".join(speech.seat(seat) for seat in view.order),
    )


def _seat_line(speech: BurgundySpeech, view: BurgundyView, seat: int) -> str:
    """What a player has, except in the estate."""
    words, player = speech.words, view.seats[seat]
    goods, sold = word_of(player.goods), player.sold_count
    spaces, empty = len(SPACES), sum(tile is None for tile in player.estate)
    parts = [
        speech.counted("points", player.total),
        speech.counted("workers", player.workers),
        speech.counted("silverlings", player.silverlings),
        words("dice: {dice}", dice=" ".join(map(str, player.dice))) if player.dice else "",
        words("storage: {tiles}", tiles=speech.tiles(player.storage)) if player.storage else "",
        words("goods: {goods}", goods=speech.goods(goods)) if goods else "",
        words.plural("{count} tile sold", "{count} tiles sold", sold) if sold else "",
        words("board {number}", number=player.board) if player.board else "",
        words.plural("{count} space empty", "{count} spaces empty", empty, all=spaces),
    ]
    return f"**{speech.seat(seat)}**: {sentence(parts)}"


def _depot_lines(speech: BurgundySpeech, view: BurgundyView) -> list[str]:
    words = speech.words
    lines = []
    for depot in view.depots:
        name, goods = capital(speech.depot(depot.depot)), word_of(depot.goods)
        things = [speech.tiles(depot.tiles) if depot.tiles or not goods else ""]
        things.append(words("goods: {goods}", goods=speech.goods(goods)) if goods else "")
        lines.append(f"**{name}**: {sentence(things)}")
    if view.coming:
        coming = ", ".join(view.coming)
        says = words.plural(
            "Goods to come: type {goods}",
            "Goods to come: types {goods}",
            len(view.coming),
            goods=coming,
        )
        lines.append(says)
    left = []
    for each in view.colours:
        if each.left:
            colour, points = speech.colour(each.colour), "+".join(map(str, each.left))
            left.append(words("{colour} {points}", colour=colour, points=points))
    if left:
        lines.append(words("Bonus tiles left: {bonuses}", bonuses=", ".join(left)))
    return lines


def _rows(speech: BurgundySpeech, owner: BurgundySeatView) -> list[str]:
    """An estate space by space: what lies on it, or what it takes and by which die; nothing as long
    as its board is not chosen."""
    words, board = speech.words, BOARDS.get(owner.board)
    if board is None:
        return []
    rows: dict[str, list[str]] = {}
    for space, colour, tile in zip(SPACES, board.colours, owner.estate, strict=True):
        if tile is None:
            takes = words(tiles.NAMES.colours[COLOUR_KEYS[colour]])
            facts = {"space": space.name, "colour": takes, "die": space.number}
            said = words("{space} {colour} {die}", **facts)
        else:
            said = f"{space.name} **{tiles.name(words, tile)}**"
        rows.setdefault(space.name[0], []).append(said)
    return [", ".join(row) for row in rows.values()]
