"""What planned actions would change for the observer."""

from __future__ import annotations

from bot.game.kogge.auction import rank
from bot.game.kogge.data import CONTENT, GOODS
from bot.game.kogge.points import known_points
from bot.game.kogge.view import KoggeSeatView, KoggeView
from bot.text.kogge.speech import KoggeSpeech


def changes(speech: KoggeSpeech, before: KoggeView, after: KoggeView) -> list[str]:
    """Points, pieces, the ship and the bid, now and after, a line each; what stays is left out."""
    words, seat = speech.words, after.observer
    if seat < 0:
        return []
    was, now = before.seats[seat], after.seats[seat]
    rows = (
        (words("Victory points"), known_points(before, seat), known_points(after, seat)),
        (
            words("Development points (of {needed})", needed=CONTENT.development_points_to_win),
            was.development_points,
            now.development_points,
        ),
        (words("Goods"), _goods(speech, was), _goods(speech, now)),
        (words("Markers"), _markers(speech, was), _markers(speech, now)),
        (words("In the offices"), _stored(speech, before), _stored(speech, after)),
        (words("Ship"), _place(speech, was), _place(speech, now)),
    )
    lines = [
        words("{what}: {now} → {then}", what=what, now=old, then=new)
        for what, old, new in rows
        if old != new
    ]
    if now.bid and now.bid != was.bid:
        lines.append(_bid(speech, after))
    return lines


def _goods(speech: KoggeSpeech, seat: KoggeSeatView) -> str:
    return speech.goods(seat.goods or (0,) * GOODS)


def _markers(speech: KoggeSpeech, seat: KoggeSeatView) -> str:
    held = enumerate(seat.markers or ())
    word = "".join(str(number) * count for number, count in held)
    return speech.markers(word[::-1]) or speech.words("none")


def _stored(speech: KoggeSpeech, view: KoggeView) -> str:
    own = [
        office.goods
        for city in view.cities
        for office in city.offices
        if office.seat == view.observer
    ]
    return speech.goods([sum(counts) for counts in zip((0,) * GOODS, *own, strict=True)])


def _place(speech: KoggeSpeech, seat: KoggeSeatView) -> str:
    return speech.city(seat.city) if seat.city >= 0 else speech.words("none")


def _bid(speech: KoggeSpeech, view: KoggeView) -> str:
    """The observer's bid against those that lie open."""
    words, mine = speech.words, view.seats[view.observer].bid
    others = {n: each.bid for n, each in enumerate(view.seats) if each.bid and n != view.observer}
    ahead = [n for n, bid in others.items() if rank(bid) > rank(mine)]
    bid = speech.markers(mine)
    if not others:
        return words("Bid {markers}: the first so far", markers=bid)
    if not ahead:
        return words("Bid {markers}: beats all bids so far", markers=bid)
    return words("Bid {markers}: behind {seats}", markers=bid, seats=speech.seats(ahead))
