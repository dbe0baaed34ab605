"""Views of Burgundy made by hand, with the events that led to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from bot.game.burgundy.boards import BOARDS, SPACE_OF_NAME, SPACES
from bot.game.burgundy.data import COLOUR_KEYS, DEPOT_WORDS
from bot.game.burgundy.ending import Scored
from bot.game.burgundy.goods import Loaded, MovedAhead
from bot.game.burgundy.placing import (
    ColourCompleted,
    Placed,
    RegionCompleted,
)
from bot.game.burgundy.rounds import GoodsPlaced
from bot.game.burgundy.setup import BoardChosen
from bot.game.burgundy.storing import Bought, Taken
from bot.game.burgundy.view import BurgundySeatView, BurgundyView, ColourView, DepotView
from bot.game.contract import SPECTATOR, Event, Outcome
from bot.game.events import GameEnded

Sample = tuple[BurgundyView, tuple[str, ...], tuple[Event, ...]]
"""What a renderer is given."""

_NONE = (0,) * 6


def seat(
    board: int,
    tiles: str = "",
    storage: str = "",
    goods: str = "",
    sold: str = "",
    bonuses: tuple[tuple[str, int], ...] = (),
    worth: Mapping[str, int] | None = None,
    silverlings: int = 1,
    workers: int = 2,
    dice: tuple[int, ...] = (),
    track: int = 1,
    total: int = 0,
) -> BurgundySeatView:
    """A seat; `tiles` are ``d4=castle`` and so on, `goods` and `sold` words of goods."""
    estate: list[str | None] = [None] * len(SPACES)
    for each in tiles.split():
        name, key = each.split("=")
        estate[SPACE_OF_NAME[name]] = key
    worths = worth or {}
    empty = Counter(
        COLOUR_KEYS[colour]
        for space, colour in enumerate(BOARDS[board].colours if board else ())
        if estate[space] is None
    )
    return BurgundySeatView(
        board=board,
        estate=tuple(estate),
        storage=tuple(storage.split()),
        goods=counted(goods),
        sold=counted(sold),
        sold_count=len(sold),
        silverlings=silverlings,
        workers=workers,
        dice=dice,
        knowledge=tuple(int(key[1:]) for key in estate if key and key[1:].isdigit()),
        track=track,
        total=total,
        points=(),
        prospects=(),
        regions=(),
        worth=tuple(worths.get(space.name, 0) for space in SPACES),
        empty=tuple((colour, empty[colour]) for colour in COLOUR_KEYS),
        bonuses=bonuses,
    )


def counted(word: str) -> tuple[int, ...]:
    """How many goods of each number a word of goods has."""
    return tuple(word.count(number) for number in "123456")


def depots(*lines: str) -> tuple[DepotView, ...]:
    """The seven depots: each its tiles, and after a comma its goods."""
    parts = [line.partition(",") for line in lines]
    return tuple(
        DepotView(word, tuple(tiles.split()), counted(goods))
        for word, (tiles, _, goods) in zip(DEPOT_WORDS, parts, strict=True)
    )


def view(seats: tuple[BurgundySeatView, ...], **fields: object) -> BurgundyView:
    """A view of seats before the first round, with some fields otherwise."""
    count = len(seats)
    order = tuple(range(count))
    start = BurgundyView(
        observer=0,
        asked="castle",
        active=order,
        phase="",
        round=0,
        order=order,
        next_order=order,
        track=(order[::-1], (), (), (), (), (), ()),
        turn=None,
        left=(),
        bought=False,
        white=0,
        depots=depots(*[""] * 7),
        coming=(),
        stacks=(),
        removed=(),
        colours=tuple(ColourView(colour, (), (7, 4)) for colour in COLOUR_KEYS),
        uses=(),
        purchases=(),
        seats=seats,
        chosen=None,
        loaded=None,
        loads=(),
        variants=(),
        outcome=None,
    )
    return msgspec.structs.replace(start, **fields)


_MARGARETHE = seat(
    5,
    "e2=castle d2=market d1=bank c1=church c2=castle c3=k16 c4=ship c5=ship b3=warehouse "
    "a3=city_hall b1=pig2 b2=pig4 a1=cow3 a2=watchtower",
    "k4 chicken3 mine",
    "223",
    "1455",
    (("ship", 4),),
    silverlings=3,
    workers=5,
    dice=(2, 5),
    track=3,
    total=57,
)
_JONAS = seat(
    1,
    "d4=castle d3=ship d2=ship d1=ship d5=ship d6=ship d7=ship c4=k12 c3=boarding_house "
    "b3=castle e3=mine f2=mine g1=mine a2=castle a3=castle",
    "sheep3 k23",
    "1466",
    "33",
    (("ship", 7), ("mine", 7), ("castle", 4)),
    {"a4": 9, "b4": 9},
    silverlings=0,
    workers=12,
    dice=(3, 6),
    track=5,
    total=104,
)
_BIRGITTA = seat(
    8,
    "b2=castle c2=k5 c3=mine c4=k21 c5=k24 b3=k7 d2=sheep4 e2=sheep2 e3=cow4 d1=bank c1=carpenter",
    "castle",
    "",
    "1222",
    worth={"e4": 21, "d4": 5, "e5": 9, "a3": 5},
    silverlings=1,
    workers=0,
    dice=(1, 4),
    track=3,
    total=38,
)
_COMPUTER = seat(
    6,
    "d4=castle c4=ship d5=ship e5=ship b4=ship a4=ship f5=ship a3=castle b3=church "
    "c5=bank b5=market c6=watchtower c3=mine d7=watchtower d6=carpenter a2=k2 a1=k26 b1=k14",
    "pig3 market k9",
    "56",
    "66",
    (("mine", 4), ("castle", 7)),
    silverlings=2,
    workers=3,
    dice=(6, 6),
    track=6,
    total=76,
)


def _four() -> BurgundyView:
    return view(
        (_MARGARETHE, _JONAS, _BIRGITTA, _COMPUTER),
        observer=1,
        asked="turn",
        active=(1,),
        phase="C",
        round=2,
        order=(3, 1, 0, 2),
        next_order=(3, 1, 0, 2),
        track=((), (), (2, 0), (), (1,), (3,), ()),
        turn=1,
        left=(6,),
        white=4,
        coming=("2", "5", "1"),
        depots=depots(
            "k11 carpenter cow2,15",
            "k20 church castle city_hall,6",
            "sheep2 warehouse k3,",
            "mine ship bank pig2,4423",
            "boarding_house mine market k13,",
            "castle watchtower ship chicken4,1",
            "k15 k25 ship market castle cow3",
        ),
        colours=(
            ColourView("building", (), (7, 4)),
            ColourView("animal", (), (7, 4)),
            ColourView("ship", (1, 0), ()),
            ColourView("knowledge", (), (7, 4)),
            ColourView("mine", (1, 3), ()),
            ColourView("castle", (3, 1), ()),
        ),
    )


NAMES = ("Margarethe", "Jonas", "Birgitta", "Computer 1")


def middle_game() -> Sample:
    """Four players in phase C, seen by seat 1, who has taken a tile, placed and bought."""
    events = (
        GoodsPlaced(depot="4", good="4"),
        Loaded(seat=3, depot="3", goods="56"),
        MovedAhead(seat=3, count=1),
        Taken(seat=1, tile="sheep3", depot="1", die="3", spent=2),
        Placed(seat=1, tile="castle", space="a3", die="any", spent=0),
        RegionCompleted(seat=1, colour="castle", count=3, points=6, bonus=6),
        ColourCompleted(seat=1, colour="castle", rank=2, points=4),
        Bought(seat=1, tile="k23", depot="black", price=2),
    )
    return _four(), NAMES, events


def castles() -> Sample:
    """Three players place their first castles in secret; seat 2 has chosen."""
    seats = (
        seat(3, goods="123", workers=1),
        seat(7, goods="11", workers=2),
        seat(9, goods="446", workers=3),
    )
    shown = view(
        seats,
        observer=2,
        active=(0, 1),
        chosen="d1",
        colours=tuple(ColourView(colour, (), (6, 3)) for colour in COLOUR_KEYS),
    )
    return shown, ("Anna", "Bert", "Chloé"), ()


def two_player_end() -> Sample:
    """The end of a game of two, for a spectator."""
    outcome = Outcome("points", (1,), (112, 131), (("regions", (60, 71)), ("left_goods", (1, 2))))
    shown = msgspec.structs.replace(
        _four(),
        observer=SPECTATOR,
        asked="over",
        active=(),
        phase="E",
        round=5,
        order=(1, 0),
        next_order=(1, 0),
        track=((), (), (0,), (), (1,), (), ()),
        turn=None,
        left=(),
        coming=(),
        seats=(
            msgspec.structs.replace(_MARGARETHE, total=112),
            msgspec.structs.replace(_JONAS, total=131, sold=None),
        ),
        depots=depots(",1", ",3", ",", ",25", ",", ",6", ""),
        colours=tuple(ColourView(colour, (0, 1)[:1], (2,)) for colour in COLOUR_KEYS),
        outcome=outcome,
    )
    events = (
        Scored(seat=0, item="workers", points=2),
        Scored(seat=1, item="knowledge", points=12),
        GameEnded(ending="points"),
    )
    return shown, ("Åse-Marie", "Jürgen"), events


def choosing() -> Sample:
    """Four players choose their estates in turn; two have."""
    seats = (seat(0, goods="123"), seat(4, goods="56"), seat(0), seat(7))
    shown = view(seats, asked="board", active=(0,), order=(1, 3, 0, 2))
    return shown, NAMES, (BoardChosen(seat=3, board=7),)


SAMPLES = {
    "middle_game": middle_game,
    "castles": castles,
    "two_player_end": two_player_end,
    "choosing": choosing,
}
