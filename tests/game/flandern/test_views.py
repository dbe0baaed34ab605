"""What an observer sees and cannot know (rulings 4 and 71)."""

from __future__ import annotations

from random import Random

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from bot.game.flandern.city import NONE
from bot.game.flandern.data import CARDS
from bot.game.flandern.state import sides
from bot.game.hidden import UNSEEN
from bot.game.sides import Side
from tests.game.flandern.positions import FILLED, golden_turn, lay, play, table


def test_a_view_is_a_state_with_blanks_for_what_lies_face_down() -> None:
    """Rulings 4 and 71. Hands follow from the cards that lie open, so all know them."""
    state = table(seats=3, first=1, golden="site", influence=[3, 2, 1])
    play(state, 0, "choose gent 3")
    for observer in (SPECTATOR, 0, 1, 2):
        known = GAME.view(state, observer).known
        cards = [(player.card, player.laid) for player in known.players]
        own = (1, 3) if observer == 0 else (UNSEEN, UNSEEN)
        assert cards == [own, (NONE, 0), (NONE, 0)]
        golden, decks = CARDS.index("site"), state.golden
        if observer != 1:
            golden, decks = UNSEEN, [[sum(deck)] for deck in decks]
        assert (known.golden_card, known.golden) == (golden, decks)
        assert [player.cards for player in known.players] == [10, 9, 8]
    for seat in (1, 2):
        play(state, seat, "choose gent 0", drawn=())
    assert GAME.view(state, SPECTATOR).known.players[0].laid == 3


def test_of_two_players_a_side_is_a_guild() -> None:
    two = sides(GAME.view(table(seats=2), 0), 2)
    assert two == (Side(0, 0), Side(0, 2), Side(1, 1), Side(1, 3))
    assert sides(GAME.view(table(seats=3), 0), 3) == (Side(0, 0), Side(1, 1), Side(2, 2))
    assert sides(GAME.view(GAME.setup(2, {}, RandomChance(Random(1))), 0), 2) == ()


def test_what_a_seat_owns_are_its_action_cards() -> None:
    """It is told when a city that others have filled takes one away."""
    for cities, seat in (({"brugge": FILLED}, 1), ({}, 0)):
        state = table(cities=cities, opened=["gent"])
        before = GAME.hand(state, seat)
        golden_turn(state)
        assert (GAME.hand(state, seat) != before) == bool(cities)


def test_the_last_action_of_a_round_discloses_the_golden_card_where_there_is_one() -> None:
    """So does one after which the others' cards can do nothing."""
    state = table(golden="leader")
    lay(state, "gent", "gent", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    play(state, 0, "build gent-t1 grey")
    assert GAME.discloses(state, ("build", "gent-t2", "grey"))
    play(state, 1, "build gent-t2 grey")
    assert not GAME.discloses(state, ("leader", "gent-c"))
    for sites, discloses in (("p2 grey", True), ("grey", False)):
        cities = {"brugge": FILLED.replace(sites, f"{sites} site")}
        state = table(golden="leader", cities=cities)
        lay(state, "brugge", "brugge", "take", "take")
        assert GAME.discloses(state, ("complete", "brugge-p2")) == discloses
    state = table(golden="", golden_left="")
    lay(state, "gent", "take", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    state = table(seats=2)
    play(state, 0, "play gent")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))


def test_the_golden_card_varies_for_all_but_the_first_player_until_it_is_revealed() -> None:
    """A card of Gent would have been put aside; those of Luik lie in the other deck."""
    for state, possible in (
        (table(golden="take", scored="gent"), "brugge ieper site take influence cathedral leader"),
        (table(golden="luik", golden_left="leuven utrecht"), "leuven utrecht luik"),
    ):
        for observer in (SPECTATOR, 0, 1):
            twins = [GAME.resample(state, observer, Random(seed)) for seed in range(120)]
            kinds = {CARDS[each.golden_card] for each in twins}
            assert kinds == ({CARDS[state.golden_card]} if observer == 0 else {*possible.split()})
            assert {each.golden_deck for each in twins} == {state.golden_deck}
