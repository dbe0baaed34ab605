"""Views of Guatemala Café out of positions in plain words, with the events that led to them."""

from __future__ import annotations

from random import Random

from bot.game.contract import Event
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import RoadsFilled
from bot.game.guatemala.production import OTHERS, SPACE_OF_NAME, line_of
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView
from tests.game.guatemala.positions import harvest, play, read_piece, table

Sample = tuple[GuatemalaView, tuple[str, ...], tuple[Event, ...]]
"""What a renderer is given."""

BAG = "black brown red beige white"

NAMES = ("Margarethe", "Jonas", "Birgitta", "Computer 1")


def seen(state: GuatemalaState, observer: int, events: list[Event]) -> Sample:
    """What an observer is shown of the events and of what has come of them."""
    heard = tuple(event for event in events if event.heard_by(observer))
    return GAME.view(state, observer), NAMES[: len(state.players)], heard


def buy(state: GuatemalaState, piece: str, place: str) -> list[Event]:
    """The seat on turn buys such a piece of its line, ``red worker``."""
    wanted = read_piece(piece)
    space = next(each for each in line_of(state.buyer) if state.production[each] == wanted)
    name = next(name for name, each in SPACE_OF_NAME.items() if each == space)
    return play(state, state.turn, f"buy {name} {place}")


def scattered(state: GuatemalaState) -> GuatemalaState:
    """The same with the pieces of the production board in another order, as after a random setup.

    A position takes all that has been bought out of the upper rows.
    """
    pieces = [state.production[space] for space in OTHERS]
    Random(5).shuffle(pieces)
    for space, piece in zip(OTHERS, pieces, strict=True):
        state.production[space] = piece
    return state


def _four() -> GuatemalaState:
    """Four players in the middle of a game, at Jonas' turn."""
    state = table(
        seats=4,
        asked="step",
        turn=1,
        first=3,
        buyer="r1",
        lying="red white brown brown red beige",
        money=(4, 19, 0, 27),
        score=(12, 31, 12, 9),
        hands=(
            "brown red white white",
            "black black red beige",
            "red white beige red",
            "brown black beige",
        ),
        track="white beige red black white brown black beige brown",
        huts=(
            {"red": "d2", "white": "e5"},
            {"brown": "h2", "red": "i8", "beige": "l5"},
            {"black": "m2"},
            {"black": "a8", "beige": "d5"},
        ),
        workers=(
            {"red": "c2 c3 d3", "white": "e4 f5", "black": "j1"},
            {"brown": "g2 g3 h3", "red": "i9 j8", "beige": "k5 k4 l4"},
            {"black": "n2 n3 m3", "brown": "a1 b1"},
            {"black": "b8 b9", "beige": "c5"},
        ),
        ships={
            "port1": "red",
            "port2": "brown",
            "port3": "beige white black",
            "port4": "black",
        },
        roads="b1-c1 c1-c2 b2-c2 f1-g1 g1-g2 n1-o1 n1-n2 j1-k1 j2-k2 j3-k3 j4-k4 k4-k5",
        round_=7,
    )
    return scattered(state)


def middle_game() -> Sample:
    """Jonas has bought a worker, a ship and a road, and may take all of it back."""
    state = _four()
    events = play(state, 1, "move 4")
    events += buy(state, "beige ship", "port1")
    events += buy(state, "brown worker", "h4")
    events += buy(state, "road", "j5-k5")
    return seen(state, 1, events)


def harvested() -> Sample:
    """Three players, the first path closed: white has scored, a ship has left, and Birgitta puts in
    a sack of hers."""
    state = table(
        seats=3,
        turn=2,
        first=1,
        buyer="t4",
        sack="white",
        money=(11, 2, 6),
        score=(17, 8, 25),
        hands=("red black beige", "brown", "black red red white"),
        track="red brown white black beige white",
        huts=({"white": "h5"}, {"white": "i2"}, {"white": "p2", "red": "m8"}),
        workers=(
            {"white": "g5 g4 h4", "black": "c3 c4 b4"},
            {"white": "j2", "brown": "a1 b1 b2"},
            {"white": "o2 o3", "red": "n8 n9"},
        ),
        ships={"port2": "white white", "port3": "red", "port4": "white beige black"},
        roads="f1-g1 f2-g2 f3-g3 f4-g4 g4-g5 n1-o1 o1-o2 j1-k1 j2-k2 j3-k3",
        bag=BAG,
        round_=9,
        last_space=99,
    )
    return seen(state, 2, harvest(scattered(state)))


def filled() -> Sample:
    """Roads have come to spaces side by side, whose marks overlap."""
    view, names, _ = middle_game()
    return view, names, (RoadsFilled(spaces=("42", "43", "44", "45", "46")),)


def blocked() -> Sample:
    """Two players: Jonas has blocked, and Margarethe buys instead of scoring."""
    state = table(
        turn=0,
        buyer="t4",
        sack="black",
        line="white worker, road, black hut, beige worker, red ship",
        money=(7, 3),
        score=(38, 22),
        hands=("red white red beige brown white", "black brown white"),
        track="black red white",
        bag=BAG,
        huts=({"black": "e2"}, {"red": "h5", "brown": "k8"}),
        workers=(
            {"black": "d2 c2 d1", "white": "i3 i4 i5"},
            {"red": "i6 h6 g5", "brown": "j8 j9 l8 l7", "beige": "a4 a5"},
        ),
        ships={"port1": "black red brown black"},
        roads="f1-g1 f1-f2 g1-g2 g2-h2 h2-h3 h3-h4 h4-h5",
        round_=8,
    )
    return seen(state, 0, harvest(scattered(state), 1))


def beginning() -> Sample:
    """Nothing is built yet, and the last player puts the buyer somewhere."""
    state = table(
        seats=4,
        asked="place",
        turn=3,
        round_=0,
        hands=(
            "black brown red red beige white",
            "brown brown red beige beige white",
            "black red beige white white white",
            "black brown brown beige beige red",
        ),
    )
    return seen(state, 3, [])


def two_player_end() -> Sample:
    """The markers have met the sacks; hands and bag are empty."""
    state = table(
        turn=1,
        buyer="b8",
        lying="red - beige black - white",
        sack="brown",
        money=(16, 41),
        score=(47, 39),
        hands=("", ""),
        bag="",
        track="white white white white",
        huts=({"black": "b2", "white": "h8"}, {"brown": "h2", "beige": "e5", "red": "k5"}),
        workers=(
            {"black": "a2 a1 b1 c1 c2", "white": "g8 i8 h9", "red": "a8 a9"},
            {"brown": "g2 i2 i1 h1 g1", "beige": "d5 d6 e6 f6 e7", "red": "j5 j6 k6"},
        ),
        ships={"port1": "brown black"},
        roads="f1-g1 g1-g2 f1-f2 e1-e2",
        round_=16,
    )
    return seen(state, 0, harvest(scattered(state)))


SAMPLES = {
    "middle_game": middle_game,
    "harvested": harvested,
    "blocked": blocked,
    "beginning": beginning,
    "two_player_end": two_player_end,
    "filled": filled,
}
