"""The panels of players, the cards of one player, and the supply of Flandern 1302."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from bot.game.contract import Event, Seat
from bot.game.flandern import building, cards, scoring
from bot.game.flandern.city import NONE, standings, value
from bot.game.flandern.data import (
    CARDS,
    CHURCH,
    CITIES,
    EMBLEM_OF_KEY,
    FIRST_SPECIAL,
    GREY,
    INFLUENCE,
    SHAPES,
    SPECIAL,
    WITH_LEADER,
)
from bot.game.flandern.scoring import score_of
from bot.game.flandern.state import CardChoice, FlandernState, FlandernView, city_at, two_players
from bot.game.hidden import UNSEEN
from bot.render.asked import LayeredCanvas, Place, rectangle, untagged
from bot.render.cache import cached
from bot.render.flandern import pieces
from bot.render.flandern.city import buildable, free_plots
from bot.render.flandern.pieces import COLOURS, GOLDEN, face
from bot.render.flandern.quarters import pile, tile
from bot.render.legend import LegendEntry, over_legend
from bot.render.panels import draw_count, draw_header, frame, gain, paint_panel
from bot.render.picture import Scene
from bot.render.sides import stamp_emblems
from bot.render.sprites import Align, Area, Backdrop, Canvas, Pen, Spot, Sprite, ground

HEADER = 56
"""Height of the band with emblem and name on a panel."""
_PLAYED = 72
"""Width of the card played this round."""
_BACK, _GAP = 34, 3

_HAND, _ROW = (14, 184), 164
"""The position of a large hand's first card, and the distance of the rows."""
_COLUMNS = 4
"""Cards in a row, each with room for the state of its city."""
_CARD, _SIGN, _LISTED, _APART = 104, 40, 58, 6
_INFLUENCE, _INFLUENCES, _ROOM = 64, (330, 74), 420
"""Width of influence cards, position of the first, and the room for them."""


class FlandernPanel(NamedTuple):
    """The layout of a player's panel, from its top left corner: the middle of the card played this
    round; the number of cards in hand (None if the hand is shown) and of influence cards; piles of
    quarters left, with their height; and the first open card, with the room and the maximum width.
    """

    size: Spot
    played: Spot
    stock: Spot
    pile: int
    open: Spot
    room: int
    card: int
    hand: Spot | None = None
    influence: Spot | None = None


PANELS = {
    2: FlandernPanel((691, 240), (46, 100), (14, 102), 74, (310, 116), 372, 82, (310, 88)),
    3: FlandernPanel(
        (460, 240), (48, 114), (94, 100), 72, (94, 150), 356, 60, (12, 200), (370, 100)
    ),
    4: FlandernPanel((341, 240), (48, 114), (10, 203), 66, (96, 109), 238, 40, (96, 82)),
}
"""By the number of players."""
_LARGE = FlandernPanel((864, 474), (806, 121), (14, 118), 78, (14, 352), 836, 80)


class FlandernMarks(NamedTuple):
    """The latest changes: places and cities that `changed`, points by guild and bonus by seat,
    seats that have `played` a card, and the cards `turned` over: golden ones, or ones of the deck.
    """

    changed: set[str]
    points: Counter[int]
    bonus: Counter[Seat]
    played: set[Seat]
    turned: list[str]


def gather(events: Iterable[Event]) -> FlandernMarks:
    """Return the marks of events, given in order."""
    marks = FlandernMarks(set(), Counter(), Counter(), set(), [])
    for event in events:
        match event:
            case building.PlaceEvent():
                marks.changed.add(event.place)
            case scoring.PlotsCovered():
                marks.changed.update(event.places)
            case scoring.CityScored():
                marks.changed.add(event.city)
            case scoring.GuildScored():
                marks.points[EMBLEM_OF_KEY[event.guild]] += event.points
            case scoring.BonusScored():
                marks.bonus[event.seat] += event.points
            case cards.CardRevealed() | cards.CardPlayed():
                marks.played.add(event.seat)
            case cards.GoldenRevealed() | cards.CardDrawn():
                marks.turned.append(event.card)
    return marks


@cached
def panel_base(looks: tuple[int, ...], size: Spot) -> Backdrop:
    """Return an empty panel for a seat whose sides have these looks."""

    def draw(pen: Pen) -> None:
        paint_panel(pen, (0, 0, *size), HEADER, looks)

    return Backdrop(ground(*size, COLOURS.field, draw))


def draw_panel(
    canvas: LayeredCanvas,
    panel: FlandernPanel,
    scene: Scene[FlandernView],
    seat: Seat,
    marks: FlandernMarks,
) -> None:
    """Draw the panel of a seat."""
    state, say = scene.view.known, scene.say
    player, is_own = state.players[seat], scene.view.observer == seat
    canvas.lay(panel_base(scene.looks[seat], panel.size), 0, 0)
    right, level = panel.size[0], HEADER // 2
    points = pieces.plate(score_of(state, seat), 44, False)
    x = canvas.stamp_beside(points, right - 8, level, Align.RIGHT)
    if gained := marks.bonus[seat] + sum(marks.points[guild] for guild in player.guilds):
        x = canvas.stamp_beside(gain(gained, 30), x - 6, level, Align.RIGHT)
    draw_header(canvas, scene, seat, (0, 0, *panel.size), HEADER, x)
    if not two_players(state):
        _draw_played(canvas, scene, seat, panel.played, seat in marks.played)
    if panel.hand and state.round:
        sprite = pieces.back(player.guild, _BACK)
        x = _draw_counted(canvas, sprite, panel.hand, player.cards, 6) + 18
        if is_own and player.influence:
            sprite = face(say, INFLUENCE, player.guild, _BACK)
            at = panel.influence or (x, panel.hand[1])
            _draw_counted(canvas, sprite, at, player.influence, 6)
    for row, guild in enumerate(player.guilds):
        x, level = panel.stock
        draw_stock(canvas, state, guild, x, level + (panel.pile + 4) * row, panel.pile)
    shown = [card for card in player.open if card != player.card]
    count = max(1, len(shown))
    wide = min(panel.card, (panel.room - _GAP * (count - 1)) // count)
    x, y = panel.open
    for number, card in enumerate(shown):
        canvas.stamp(face(say, card, player.guild, wide), x + number * (wide + _GAP), y)


def _draw_counted(canvas: LayeredCanvas, sign: Sprite, at: Spot, count: int, apart: int) -> int:
    """Draw a sign and a count this far apart; return the right edge."""
    x, middle = at
    return draw_count(canvas, canvas.stamp_beside(sign, x, middle) + apart, middle, count, 40)


def draw_stock(
    canvas: Canvas, state: FlandernState, emblem: int, x: int, middle: int, high: int
) -> int:
    """Draw how many quarters of each shape an emblem has left; return the right edge."""
    stock = state.stock[emblem]
    for shape in range(len(SHAPES)):
        left = stock[shape] + stock[shape + WITH_LEADER]
        x = canvas.stamp_beside(pile(emblem, shape, left, high), x, middle) + 4
    return x


def _draw_played(
    canvas: LayeredCanvas, scene: Scene[FlandernView], seat: Seat, at: Spot, new: bool
) -> None:
    """Draw the card of the round and its influence cards, face down while secret."""
    player, x, y = scene.view.known.players[seat], *at
    choosing = isinstance(scene.view.known.frames[-1], CardChoice)
    if player.card == UNSEEN:
        card = pieces.back(player.guild, _PLAYED)
    elif player.card == NONE:
        card = pieces.gap(_PLAYED, round(_PLAYED * 1.4))
    else:
        card = face(scene.say, player.card, player.guild, _PLAYED)
    canvas.stamp_centred(card, x, y)
    if new and player.card >= 0 and not choosing:
        canvas.stamp_centred(frame(card.width, card.height), x, y)
    if player.card != NONE and choosing:
        canvas.stamp_centred(pieces.tick(30), x + _PLAYED // 2 - 6, y - card.height // 2 + 8)
    if player.card >= 0 and player.laid:
        badge = pieces.plate(player.laid, 28, True)
        canvas.stamp_centred(badge, x - _PLAYED // 2 + 8, y - card.height // 2 + 8)


# The cards of a player, large


def draw_cards(scene: Scene[FlandernView], seat: Seat, words: Mapping[str, str]) -> LayeredCanvas:
    """Return a seat's panel with its hand, face down for others. Below are the effects of the cards
    that the observer can see, each effect once."""
    player, is_own = scene.view.known.players[seat], scene.view.observer == seat
    hand = player.hand if is_own else []
    # The rows of the hand, then the open cards, if any.
    extra = (max(1, -(-len(hand) // _COLUMNS)) - 1) * _ROW
    (wide, high), (x, y) = _LARGE.size, _LARGE.open
    size = wide, high + extra if player.open else y + extra
    panel = _LARGE._replace(size=size, open=(x, y + extra))
    visible = [*(hand or player.open), *[INFLUENCE] * bool(is_own and player.influence)]
    by_effect = {words[CARDS[card]]: card for card in reversed(visible) if CARDS[card] in words}
    sign = pieces.sign(player.guild, _SIGN)
    entries = [
        LegendEntry(face(scene.say, by_effect[effect], player.guild, _LISTED), sign, effect)
        for effect in reversed(by_effect)
    ]
    canvas = over_legend(panel_base(scene.looks[seat], size), entries)
    draw_panel(canvas, panel, scene, seat, gather(scene.events))
    if is_own:
        _draw_hand(canvas, scene, seat)
    else:
        x, y = _HAND
        step = min(_CARD + _APART, (_LARGE.size[0] - 2 * x - 42 + _APART) // max(1, player.cards))
        for number in range(player.cards):
            canvas.stamp(pieces.back(player.guild, step - _APART), x + number * step, y)
        x, y = x + player.cards * step + _APART, y + (step - _APART) * 7 // 10
        draw_count(canvas, x, y, player.cards, 42)
    x, y = panel.played
    canvas.note("influence", "0", untagged, (x - _SIGN, y - _LISTED, x + _SIGN, y + _LISTED))
    return canvas


def _draw_hand(canvas: LayeredCanvas, scene: Scene[FlandernView], seat: Seat) -> None:
    """Draw all cards of a hand with the state of their cities, above the influence cards, except
    those played with the card of the round."""
    player, (x, y) = scene.view.known.players[seat], _HAND
    for number, card in enumerate(player.hand):
        row, column = divmod(number, _COLUMNS)
        left, top = x + column * ((_LARGE.size[0] - x) // _COLUMNS), y + row * _ROW
        canvas.stamp(face(scene.say, card, player.guild, _CARD), left, top)
        area = left, top, left + _CARD, top + round(_CARD * 1.4)
        canvas.note("card", CARDS[card], _card_place, area)
        if card < len(CITIES):
            _draw_state(canvas.at(left + _CARD + 12, top), scene, card, player.guild)
        if card == player.card:
            canvas.stamp_centred(pieces.tick(_SIGN), left + _CARD - 12, top + 12)
    (x, y), count = _INFLUENCES, player.influence
    step = min(_INFLUENCE + 6 * _APART, (_ROOM - _INFLUENCE) // max(1, count - 1))
    for number in range(count):
        area = x, y, x + _INFLUENCE, y + round(_INFLUENCE * 1.4)
        canvas.stamp(face(scene.say, INFLUENCE, player.guild, _INFLUENCE), x, y)
        canvas.note("influence", str(number + 1), untagged, area)
        if player.card >= 0 and number < player.laid:
            canvas.stamp_centred(pieces.tick(_SIGN), x + _INFLUENCE - 12, y + 12)
        x += step


def _card_place(area: Area) -> Place:
    """Return a card as a place; its tag covers the start of its foot."""
    left, _, right, bottom = area
    return rectangle(area)._replace(tag=((left + right) / 2, bottom - (right - left) * 0.26))


def _draw_state(canvas: LayeredCanvas, scene: Scene[FlandernView], number: int, guild: int) -> None:
    """Draw, next to a city card, the city's value, its free plots, the plots a guild could build on
    now, and what it would score."""
    city = city_at(scene.view.known, number)
    canvas.stamp(pieces.seal(value(city), 54), 0, 0)
    canvas.text(0, 68, free_plots(city, scene.say), COLOURS.ink, 27)
    if now := buildable(scene, city, guild):
        canvas.text(0, 96, now, COLOURS.fresh, 27)
    for each in standings(city):
        if each.emblem == guild:
            end = canvas.stamp_beside(pieces.sign(guild, 32), 0, 130) + 3
            canvas.stamp_beside(pieces.plate(each.points, 28, each.place == 1), end, 130)
    canvas.reserve((0, 0, 76, round(_CARD * 1.4)))


# The supply: wood, the church and the grey guild, the drawn cards

STRIP = (6, 1170, 1394, 1262)
"""The area of the supply if all cities are in play; otherwise it takes the cell of the missing
city."""
_PILES = 79, 92
_ICON, _SPECIAL, _OWNER, _DRAWN, _DECK = 52, 47, 44, 56, 50
_GROUP = 9


def draw_supply(
    canvas: LayeredCanvas, scene: Scene[FlandernView], area: Area, marks: FlandernMarks
) -> None:
    """Draw the supply in groups, side by side, or stacked if a city is missing."""
    state = scene.view.known
    high = _PILES[area != STRIP]

    def wood(x: int, middle: int) -> int:
        wooden = {"site": state.site_pieces}
        if not two_players(state):
            wooden |= {"cathedral": state.cathedral_pieces, "leader": state.leader_pieces}
        for name, count in wooden.items():
            x = _draw_counted(canvas, pieces.icon(name, _ICON), (x, middle), count, 4) + 10
        return x

    def special(x: int, middle: int) -> int:
        """Draw the church's unbuilt special quarters."""
        for kind in range(FIRST_SPECIAL, FIRST_SPECIAL + len(SPECIAL)):
            if state.stock[CHURCH][kind]:
                x = canvas.stamp_beside(tile(CHURCH, kind, _SPECIAL), x, middle) + 2
        return x

    def grey(x: int, middle: int) -> int:
        x = draw_stock(canvas, state, GREY, x, middle, high) + 4
        if points := sum(state.points[GREY]):
            end = canvas.stamp_beside(pieces.plate(points, 36, False), x, middle)
            if gained := marks.points[GREY]:
                canvas.stamp_beside(gain(gained, 26), x + 4, middle + 34)
            x = end
        return x

    def decks(x: int, middle: int) -> int:
        """Draw the golden decks and the card of the round with its owner, face down if the observer
        doesn't know it; or the two-player deck and the last card drawn."""
        for deck, golden in zip(cards.DECKS, state.golden, strict=False):
            x = _draw_counted(canvas, pieces.back(deck, _DECK), (x, middle), sum(golden), 4) + 10
        guild, drawn = state.drawn
        if two_players(state):
            left = sum(map(sum, state.deck))
            x = _draw_counted(canvas, pieces.back(NONE, _DECK), (x, middle), left, 4) + 10
        if guild != NONE:
            card = face(scene.say, drawn, guild, _DRAWN)
        elif state.golden_deck == NONE:
            return x
        else:
            x = stamp_emblems(canvas, scene.looks[state.first], x, middle, _OWNER) + 4
            card = pieces.back(cards.DECKS[state.golden_deck], _DRAWN)
            if state.golden_card >= 0:
                card = face(scene.say, state.golden_card, GOLDEN, _DRAWN)
        end = canvas.stamp_beside(card, x, middle)
        if marks.turned and (guild != NONE or state.revealed):
            canvas.stamp_centred(frame(card.width, card.height), x + card.width / 2, middle)
        return end

    church = partial(draw_stock, canvas, state, CHURCH, high=high)
    groups: list[Callable[[int, int], int]] = [church]
    if any(state.stock[CHURCH][FIRST_SPECIAL:]):
        groups.append(special)
    groups.append(grey)
    if state.round:
        groups = [wood, *groups, decks]
    left, top, _, bottom = area
    x, step = left + 10, (bottom - top) // len(groups)
    for number, group in enumerate(groups):
        if area == STRIP:
            x = group(x, (top + bottom) // 2) + _GROUP
        else:
            group(left + 24, top + step * number + step // 2)
