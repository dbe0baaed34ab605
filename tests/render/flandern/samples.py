"""Views of Flandern 1302 out of positions in plain words, with the events that led to them."""

from __future__ import annotations

from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import Event
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.game.flandern.view import FlandernView
from tests.game.flandern.positions import FILLED, draw, lay, look, play, table, without

Sample = tuple[FlandernView, tuple[str, ...], tuple[Event, ...]]
"""What a renderer is given."""

NAMES = ("Margarethe", "Jonas", "Birgitta", "Computer 1")

CITIES = {
    "brugge": "p1 green, p3 red, p4 red-leader, r2 blue, r3 yellow, r4 blue, t2 green, t3 green, "
    "t4 church cathedral",
    "gent": "p1 grey, p4 yellow-leader, r1 yellow, r3 blue-leader, r4 green, t1 yellow site, "
    "t3 blue, t4 blue",
    "ieper": "t1 red, t3 yellow, t4 red",
    "leuven": "t3 green, t4 blue",
    "utrecht": "p3 church-a, p1 red, p2 grey site, p4 blue-leader, r1 yellow, r2 red site, r3 red, "
    "r4 green-leader, r7 blue, t1 yellow, t2 green, t3 red, t4 yellow",
    "luik": "p1 church-d-r4 site, p2 church, p3 green-leader, p4 blue, r1 green, r2 red-leader, "
    "r3 yellow-leader, t1 blue-leader, t2 red-leader, t3 yellow-leader leader, t4 green-leader "
    "leader",
}
"""In the middle of a game of four."""


def seen(state: FlandernState, observer: int, events: list[Event]) -> Sample:
    """What an observer is shown of the events and of what has come of them."""
    heard = tuple(event for event in events if event.heard_by(observer))
    return GAME.view(state, observer), NAMES[: len(state.players)], heard


def _four(golden: str = "cathedral") -> FlandernState:
    return table(
        guilds="green yellow red blue",
        first=1,
        cities=CITIES,
        lying=("brugge luik", "utrecht site", "", "utrecht"),
        influence=(2, 3, 3, 1),
        golden=golden,
        round_=13,
    )


def middle_game() -> Sample:
    """All have shown their cards, and Jonas has built with his first; now it is Birgitta's turn."""
    state = _four()
    events = lay(state, "gent", "ieper 2", "leuven 1", "brugge")
    events += play(state, 1, "build ieper-p3 grey")
    return seen(state, 2, events)


def choosing() -> Sample:
    """Two have chosen, one of them the observer, who knows the golden card as well."""
    state = _four("influence")
    events = play(state, 1, "choose ieper 2")
    events += play(state, 3, "choose leuven 0")
    return seen(state, 1, events)


def golden() -> Sample:
    """All have taken their cards back, and the golden card lets Jonas put a cathedral."""
    state = _four()
    return seen(state, 1, lay(state, *["take"] * 4))


def scored() -> Sample:
    """Three players, without Leuven: Birgitta has filled Utrecht, which is scored."""
    state = table(
        seats=3,
        guilds="green blue red yellow",
        cities={
            "brugge": "p3 church-d-r2 site, p4 blue-leader, r3 green site, r4 green-leader, "
            "t3 red, t4 grey",
            "gent": "p1 red-leader, p4 green-leader, r3 red-leader, r4 blue-leader, t1 blue, "
            "t4 church, t2 covered",
            "ieper": "p1 grey, r4 blue, t3 red, t4 church",
            "utrecht": "p1 church-a, r1 green, r5 red, t1 blue, t2 green, t3 red, t4 blue, "
            "p2 church cathedral, p3 blue site, p4 church, r2 red, r3 green",
            "luik": "c church cathedral, t1 red site, t2 red-leader, t3 blue-leader, "
            "t4 green-leader leader",
        },
        lying=("gent", "gent utrecht ieper", "gent ieper"),
        golden="take",
        golden_left="site leader",
        round_=20,
    )
    events = lay(state, "take", "take", "utrecht")
    events += play(state, 2, "build utrecht-r4 grey")
    events += look(state)
    return seen(state, 0, events)


def beginning() -> Sample:
    """Before the first round, when guilds are chosen."""
    state = GAME.setup(4, {"first_player": "first_seat"}, RandomChance(Random(1)))
    events = play(state, 0, "guild yellow")
    return seen(state, 1, events)


def _two(**changed: str) -> FlandernState:
    cities = {
        "brugge": "p3 red, r3 blue-leader, t1 green, t3 yellow, t4 green",
        "gent": "p4 blue-leader, r3 green, r4 green, t4 grey",
        "ieper": "p3 church-d-r3 site, p1 grey, p2 green, p4 green-leader, r1 red, r2 red site, "
        "r4 red-leader, t2 grey, t3 blue, t4 church",
        "leuven": "r3 church-c site, p3 yellow, p4 yellow-leader, r4 green-leader, t1 red, "
        "t11 blue, t15 green site, t3 church, t4 red-leader",
        "utrecht": "p1 grey, p3 grey, r3 red, r4 green, t3 red, t4 church",
        "luik": "p1 red-leader, p4 red, r1 blue, r4 yellow-leader site, t1 blue-leader, "
        "t3 green-leader, t4 yellow-leader",
    }
    return table(
        seats=2,
        guilds="red green yellow blue",
        turn=1,
        cities=cities | changed,
        lying=("leuven ieper utrecht site luik", "gent brugge ieper"),
        round_=12,
    )


def two_players() -> Sample:
    """Jonas has drawn a card and built with it; his own card is still to come."""
    state = _two()
    events = draw(state, "yellow leuven")
    events += play(state, 1, "build leuven-p1 yellow")
    return seen(state, 1, events)


def end() -> Sample:
    """Four players: Luik is filled last, and with it the game ends."""
    state = table(
        cities={
            "luik": without(FILLED, "t1") + ", t1 covered",
            **{city: CITIES[city] for city in ("gent", "ieper", "leuven")},
        },
        scored="brugge gent ieper leuven utrecht",
        influence=(0, 2, 2, 1),
        points={"red": 31, "green": 27, "blue": 44, "yellow": 12, "grey": 30},
        golden="take",
        round_=24,
    )
    return seen(state, 0, lay(state, "take", "take", "take", "take"))


SAMPLES = {
    "middle_game": middle_game,
    "choosing": choosing,
    "golden": golden,
    "scored": scored,
    "beginning": beginning,
    "two_players": two_players,
    "end": end,
}
