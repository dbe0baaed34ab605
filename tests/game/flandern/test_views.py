"""Views and resampling (rulings 4 and 71)."""

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
from tests.game.flandern.positions import FILLED, choose_cards, play, reveal_golden, table


def test_a_view_hides_cards_that_are_face_down() -> None:
    """Rulings 4 and 71. Hands follow from the open cards, so they are public."""
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


def test_each_guild_is_a_side() -> None:
    two = sides(GAME.view(table(seats=2), 0), 2)
    assert two == (Side(0, 0), Side(0, 2), Side(1, 1), Side(1, 3))
    assert sides(GAME.view(table(seats=3), 0), 3) == (Side(0, 0), Side(1, 1), Side(2, 2))
    assert sides(GAME.view(GAME.setup(2, {}, RandomChance(Random(1))), 0), 2) == ()


def test_a_hand_changes_when_the_card_of_a_scored_city_leaves_the_game() -> None:
    """Other players can fill a city, and its scoring removes the card."""
    for cities, seat in (({"brugge": FILLED}, 1), ({}, 0)):
        state = table(cities=cities, opened=["gent"])
        before = GAME.hand(state, seat)
        reveal_golden(state)
        assert (GAME.hand(state, seat) != before) == bool(cities)


def test_the_last_action_of_a_round_discloses_the_golden_card_if_there_is_one() -> None:
    """So does an action after which the other seats' cards have no effect."""
    state = table(golden="leader")
    choose_cards(state, "gent", "gent", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    play(state, 0, "build gent-t1 grey")
    assert GAME.discloses(state, ("build", "gent-t2", "grey"))
    play(state, 1, "build gent-t2 grey")
    assert not GAME.discloses(state, ("leader", "gent-c"))
    for sites, discloses in (("p2 grey", True), ("grey", False)):
        cities = {"brugge": FILLED.replace(sites, f"{sites} site")}
        state = table(golden="leader", cities=cities)
        choose_cards(state, "brugge", "brugge", "take", "take")
        assert GAME.discloses(state, ("complete", "brugge-p2")) == discloses
    state = table(golden="", golden_left="")
    choose_cards(state, "gent", "take", "take", "take")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))
    state = table(seats=2)
    play(state, 0, "play gent")
    assert not GAME.discloses(state, ("build", "gent-t1", "grey"))


def test_resampling_varies_the_unrevealed_golden_card_except_for_the_first_player() -> None:
    """A card of Gent would have been set aside; those of Luik are in the other deck."""
    for state, possible in (
        (table(golden="take", scored="gent"), "brugge ieper site take influence cathedral leader"),
        (table(golden="luik", golden_left="leuven utrecht"), "leuven utrecht luik"),
    ):
        for observer in (SPECTATOR, 0, 1):
            twins = [GAME.resample(state, observer, Random(seed)) for seed in range(120)]
            kinds = {CARDS[each.golden_card] for each in twins}
            assert kinds == ({CARDS[state.golden_card]} if observer == 0 else {*possible.split()})
            assert {each.golden_deck for each in twins} == {state.golden_deck}
