"""What planned actions would change for the observer."""

from __future__ import annotations

from bot.game.kogge.auction import rank
from bot.game.kogge.common import points_so_far
from bot.game.kogge.data import CONTENT, GOODS
from bot.game.kogge.view import KoggeSeatView, KoggeView
from bot.text.game_words import Change
from bot.text.kogge.speech import KoggeSpeech
from bot.text.what_if import gains_first


def changes(speech: KoggeSpeech, before: KoggeView, after: KoggeView) -> list[str]:
    """Points, pieces, the ship and the bid, now and after, a line each; what stays is left out.
    Pieces are gained where there are more of them."""
    words, seat = speech.words, after.observer
    if seat < 0:
        return []
    was, now = before.seats[seat], after.seats[seat]
    needed = CONTENT.development_points_to_win
    held, kept = _held(before), _held(after)
    had, have = points_so_far(before.known, seat), points_so_far(after.known, seat)
    points = (words("Victory points"), had, have, have - had)
    rows: list[tuple[str, object, object, int]] = [
        (
            words("Development points (of {needed})", needed=needed),
            was.development_points,
            now.development_points,
            now.development_points - was.development_points,
        ),
        (
            words("Markers"),
            _markers(speech, was),
            _markers(speech, now),
            sum(now.markers or ()) - sum(was.markers or ()),
        ),
        (
            words("Goods"),
            _goods(speech, was),
            _goods(speech, now),
            sum(now.goods or ()) - sum(was.goods or ()),
        ),
        (words("In offices"), speech.goods(held), speech.goods(kept), sum(kept) - sum(held)),
        (words("Ship"), _place(speech, was), _place(speech, now), 0),
    ]
    # What is paid was worth points as well, and that alone would make a good purchase look bad.
    if have > had or not any(gain > 0 for *_, gain in rows):
        rows.insert(0, points)
    lines = gains_first(
        Change(words("{what}: {now} → {then}", what=what, now=old, then=new), gain)
        for what, old, new, gain in rows
        if old != new
    )
    if now.bid and now.bid != was.bid:
        lines.append(_bid(speech, after))
    return lines


def _goods(speech: KoggeSpeech, seat: KoggeSeatView) -> str:
    return speech.goods(seat.goods or (0,) * GOODS)


def _markers(speech: KoggeSpeech, seat: KoggeSeatView) -> str:
    held = enumerate(seat.markers or ())
    word = "".join(str(number) * count for number, count in held)
    return speech.markers(word[::-1]) or speech.words("no markers")


def _held(view: KoggeView) -> list[int]:
    """The goods in the observer's offices."""
    own = [
        office.goods
        for city in view.cities
        for office in city.offices
        if office.seat == view.observer
    ]
    return [sum(counts) for counts in zip((0,) * GOODS, *own, strict=True)]


def _place(speech: KoggeSpeech, seat: KoggeSeatView) -> str:
    return speech.city(seat.city) if seat.city >= 0 else "–"


def _bid(speech: KoggeSpeech, view: KoggeView) -> str:
    """The observer's bid against those that lie open."""
    words, mine = speech.words, view.seats[view.observer].bid
    others = {n: each.bid for n, each in enumerate(view.seats) if each.bid and n != view.observer}
    ahead = [n for n, bid in others.items() if rank(bid) > rank(mine)]
    bid = speech.markers(mine)
    if not others:
        return words("Bid {markers}: first bid of the round", markers=bid)
    if not ahead:
        return words("Bid {markers}: beats all bids so far", markers=bid)
    return words("Bid {markers}: behind {seats}", markers=bid, seats=speech.seats(ahead))
