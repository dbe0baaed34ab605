"""One choice of an action's next word as a button, a select option or an autocomplete choice.

A button shows no description: what a choice costs and brings is part of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.game.burgundy.boards import BOARDS, NEIGHBOURS, SPACE_OF_NAME, SPACES
from bot.game.burgundy.data import COLOUR_KEYS, CONTENT, DEPOT_WORDS, GOODS_LETTERS
from bot.game.burgundy.view import DepotView, Place, SeatView, Use, View
from bot.text.asking import Asking, fitting
from bot.text.burgundy import tiles
from bot.text.burgundy.actions import workers_for
from bot.text.burgundy.speech import ANY, Speech, word_of
from bot.text.contract import Label, Style
from bot.text.speaking import keycap
from bot.text.words import Message, msg

_KINDS: Mapping[str, tuple[Message, str, Style]] = {
    "board": (msg("Choose your board"), "🗺️", Style.PRIMARY),
    "castle": (msg("Place your castle"), "🏰", Style.PRIMARY),
    "place": (msg("Place a tile"), "📍", Style.PRIMARY),
    "take": (msg("Take a tile"), "✋", Style.PRIMARY),
    "sell": (msg("Sell goods"), "📦", Style.PRIMARY),
    "workers": (msg("Take workers"), "👷", Style.NORMAL),
    "buy": (msg("Buy a tile"), "🪙", Style.NORMAL),
    "load": (msg("Load goods"), "⛵", Style.PRIMARY),
    "decline": (msg("Decline"), "✖️", Style.NORMAL),
    "end": (msg("End your turn"), "🏁", Style.PRIMARY),
}

_NOTES: Mapping[str, Message] = {
    "castle": msg("The others learn it when all have chosen"),
    "place": msg("From your storage into your estate, beside another tile"),
    "take": msg("From a depot into your storage"),
    "sell": msg("All your goods of one type"),
    "load": msg("All goods of one depot, as far as types fit"),
    "decline": msg("Nothing happens"),
    "end": msg("The next player is called"),
}


class Asked(Asking[Speech, View]):
    """What a label is asked for, and what lies behind the action so far."""

    @property
    def seat(self) -> SeatView:
        """Who acts: the seat on turn, else the reader."""
        view = self.view
        return view.seats[max(view.observer, 0) if view.turn is None else view.turn]

    def use(self, die: str | None = None) -> Use | None:
        """What the die of the action, or this one, can do."""
        word = die or next(iter(self.prefix[1:]), "")
        return next((use for use in self.view.uses if use.die == word), None)


def label(asked: Asked, word: str) -> Label:
    """The choice `word`, within the lengths that Discord allows."""
    made = _PARAMS[asked.param](asked, word) if asked.prefix else _kind(asked, word)
    return fitting(made)


def depot_of(view: View, word: str) -> DepotView:
    """A depot by its word."""
    return view.depots[DEPOT_WORDS.index(word)]


def die_summary(speech: Speech, use: Use) -> str:
    """How much a die can do without workers, and how much more with them."""
    words = speech.words
    free = _ways(speech, use, paid=False)
    paid = _ways(speech, use, paid=True)
    if not paid:
        return free or words("nothing to take, place or sell")
    if not free:
        return words("with workers {ways}", ways=paid)
    return words("{ways}; with workers {more}", ways=free, more=paid)


def _ways(speech: Speech, use: Use, *, paid: bool) -> str:
    words = speech.words
    takes = sum(len(take.tiles) for take in use.takes if bool(take.workers) is paid)
    places = len({p.tile + p.space for p in use.places if bool(p.workers) is paid})
    sales = sum(bool(sale.workers) is paid for sale in use.sales)
    parts = []
    if takes:
        parts.append(words("{count} to take", count=takes))
    if places:
        parts.append(words("{count} to place", count=places))
    if sales:
        parts.append(words("{count} to sell", count=sales))
    return ", ".join(parts)


def completed_by(speech: Speech, view: View, seat: SeatView, place: Place) -> tuple[str, str]:
    """What a tile completes or brings on a space, and of what its points are made; '' for none."""
    words, parts, notes = speech.words, [], []
    region = next(r for r in seat.regions if place.space in r.spaces)
    rest = place.points
    done = region.empty == (place.space,)
    if done:
        size = CONTENT.region_points[len(region.spaces) - 1]
        phase, colour = region.points - size, seat.worth[SPACE_OF_NAME[place.space]] - region.points
        rest -= region.points + colour
        parts, notes = [size, phase], [words("size {points}", points=size)]
        notes.append(words("phase {points}", points=phase))
        if colour:
            parts.append(colour)
            notes.append(words("all of the colour {points}", points=colour))
    if rest:
        parts.append(rest)
        notes.append(words("{tile} {points}", tile=speech.tile(place.tile), points=rest))
    points = " + ".join(map(str, parts))
    name = words(tiles.REGIONS[region.colour])
    if done:
        return words("completes the {region}: {points} points", region=name, points=points), (
            words("Points: {parts}", parts=", ".join(notes))
        )
    left = len(region.empty) - 1
    open_ = words("then {count} left in the {region}", region=name, count=left)
    if not parts:
        return open_, ""
    return words("{points}, {region}", points=speech.counted("points", rest), region=open_), ""


def _kind(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    text, emoji, style = _KINDS[word]
    said = words(text)
    note = words(_NOTES[word]) if word in _NOTES else None
    gains = [use.gain for use in view.uses if use.gain]
    if word == "workers" and gains:
        workers, silverlings = gains[0]
        said = words("Take {workers}", workers=speech.counted("workers", workers))
        if silverlings:
            said = words(
                "Take {workers} and {silverlings}",
                workers=speech.counted("workers", workers),
                silverlings=speech.counted("silverlings", silverlings),
            )
        note = words("Possible with any die")
    if word == "decline" and view.loaded is not None:
        said, note = words("Load no more"), None
    if word == "buy":
        price = speech.counted("silverlings", CONTENT.price)
        said = words("Buy a tile for {price}", price=price)
        note = words("Once a turn; you have {count}", count=asked.seat.silverlings)
    return Label(said, emoji, note, style)


def _board(asked: Asked, word: str) -> Label:
    regions: dict[int, list[str]] = {}
    for region in BOARDS[int(word)].regions:
        regions.setdefault(region.colour, []).append(str(len(region.spaces)))
    words = asked.speech.words
    rows = {
        COLOUR_KEYS[colour]: "+".join(sorted(sizes, reverse=True))
        for colour, sizes in sorted(regions.items())
    }
    text = words(
        "Board {number}: cities {cities}, pastures {pastures}",
        number=word,
        cities=rows["building"],
        pastures=rows["animal"],
    )
    others = [
        f"{asked.speech.colour(key)} {sizes}"
        for key, sizes in rows.items()
        if key not in ("building", "animal")
    ]
    return Label(text, "🗺️", ", ".join(others))


def _space(asked: Asked, word: str) -> Label:
    words, space = asked.speech.words, SPACES[SPACE_OF_NAME[word]]
    if asked.kind == "castle":
        beside = [BOARDS[asked.seat.board].colours[n] for n in NEIGHBOURS[SPACE_OF_NAME[word]]]
        rows = [
            f"{asked.speech.colour(COLOUR_KEYS[colour])} ×{beside.count(colour)}"
            for colour in sorted(set(beside))
        ]
        text = words("{space} · beside {colours}", space=word, colours=", ".join(rows))
        return Label(text, "🏰")
    parts = [words("{space} · die {number}", space=word, number=space.number)]
    parts += _cost(asked, word)
    use = asked.use()
    place = next(
        (p for p in (use.places if use else ()) if (p.tile, p.space) == (asked.prefix[2], word)),
        None,
    )
    if place is None:
        return Label(" · ".join(parts), "📍")
    text, note = completed_by(asked.speech, asked.view, asked.seat, place)
    style = Style.SUCCESS if note else Style.NORMAL
    return Label(" · ".join([*parts, text]), "📍", note or None, style)


def _cost(asked: Asked, *words_: str) -> list[str]:
    """What choosing these words costs in workers, as a part of a label."""
    cost = workers_for(asked.view, (*asked.prefix, *words_))
    if not cost:
        return []
    workers = asked.speech.counted("spent", cost)
    return [asked.speech.words("costs {workers}", workers=workers)]


def _die(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    use = asked.use(word)
    if word == ANY:
        return Label(words("Any die"), "🎲")
    twice = asked.view.left.count(int(word)) > 1
    shown = words("{die}, twice", die=speech.die(word)) if twice else speech.die(word)
    if use is None:
        return Label(shown, "🎲")
    if asked.kind == "workers":
        what = words("else {ways}", ways=die_summary(speech, use))
    else:
        what = die_summary(speech, _for_kind(use, asked.kind))
    return Label(f"{shown} · {what}", "🎲", die_summary(speech, use))


def _for_kind(use: Use, kind: str) -> Use:
    """Only what an action of this kind can do with the die."""
    return Use(
        use.die,
        use.takes if kind == "take" else (),
        use.places if kind == "place" else (),
        use.sales if kind == "sell" else (),
        None,
    )


def _depot(asked: Asked, word: str) -> Label:
    speech, words, depot = asked.speech, asked.speech.words, depot_of(asked.view, word)
    name = speech.depot(word)
    name = name[:1].upper() + name[1:]
    if asked.kind == "load":
        goods = speech.goods(word_of(depot.goods))
        parts = [words("{depot}: {things}", depot=name, things=goods), *_fitting(asked, depot)]
        return Label(" · ".join(parts), keycap(word))
    use = asked.use()
    keys = next((t.tiles for t in (use.takes if use else ()) if t.depot == word), depot.tiles)
    parts = [name, *_cost(asked, word)]
    return Label(
        words("{depot}: {things}", depot=" · ".join(parts), things=speech.tiles(keys)),
        "⬛" if word == DEPOT_WORDS[-1] else keycap(word),
    )


def _fitting(asked: Asked, depot: DepotView) -> list[str]:
    """Whether all goods of a depot can be loaded, as a part of a label; nothing where they can."""
    words, have = asked.speech.words, asked.seat.goods
    room = CONTENT.goods_spaces - sum(map(bool, have))
    new = sum(bool(n and not own) for n, own in zip(depot.goods, have, strict=True))
    if new <= room:
        return []
    known = any(n and own for n, own in zip(depot.goods, have, strict=True))
    return [words("not all fit") if room or known else words("nothing fits")]


def _tile(asked: Asked, word: str) -> Label:
    words = asked.speech.words
    text, note = tiles.told(words, word), None
    if asked.kind == "place":
        use = asked.use()
        places = [place for place in (use.places if use else ()) if place.tile == word]
        spots = [
            words("{space} ({workers})", space=p.space, workers=asked.speech.counted("spent", cost))
            if (cost := p.workers)
            else p.space
            for p in places
        ]
        note = words("On {spaces}", spaces=", ".join(spots)) if spots else None
    elif asked.kind in ("take", "buy"):
        depot = asked.prefix[-1]
        note = words("From {depot}", depot=asked.speech.depot(depot))
    return Label(text, tiles.emoji(word), note)


def _discard(asked: Asked, word: str) -> Label:
    words = asked.speech.words
    if not word:
        return Label(words("Discard nothing"))
    text = words("Discard {tile}", tile=tiles.told(words, word))
    return Label(text, tiles.emoji(word), words("Out of the game"), Style.DANGER)


def _good(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    use = asked.use()
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
    return Label(" · ".join([text, *_cost(asked, word)]), keycap(word))


def _goods(asked: Asked, word: str) -> Label:
    """New types to load; those that the player has already are always loaded with them."""
    speech, words = asked.speech, asked.speech.words
    have = asked.seat.goods
    there = depot_of(asked.view, asked.prefix[1]).goods
    rows = list(zip(GOODS_LETTERS, there, have, strict=True))
    loaded = "".join(c * n for c, n, own in rows if own or c in word)
    left = "".join(c * n for c, n, own in rows if not own and c not in word)
    note = words("Leaves {goods}", goods=speech.goods(left)) if left else None
    return Label(words("Load {goods}", goods=speech.goods(loaded)), "📦", note)


_PARAMS: Mapping[str, Callable[[Asked, str], Label]] = {
    "board": _board,
    "space": _space,
    "die": _die,
    "depot": _depot,
    "tile": _tile,
    "discard": _discard,
    "good": _good,
    "goods": _goods,
}
