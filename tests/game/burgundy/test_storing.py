"""Taking tiles into storage, and buying them (sections 7.3, 8 and 11)."""

from __future__ import annotations

from tests.game.burgundy.positions import facts, lying, play, refused, stored, table, words

KNOWING_6 = {"d4": "castle", "c4": "k6"}


def test_a_tile_comes_from_the_depot_of_the_die_into_storage() -> None:
    state = table(dice=(3, 1), depots={"3": "cow3 ship cow3", "1": "bank"})
    assert words(state, 0, "take") == ("3", "1")
    assert words(state, 0, "take 3 3") == ("cow3", "ship")
    events = play(state, 0, "take 3 3 cow3 -")
    assert stored(state, 0) == ["cow3"]
    assert lying(state, "3") == ["ship", "cow3"]
    assert facts(events, "taken") == [
        {"seat": 0, "tile": "cow3", "depot": "3", "die": "3", "spent": 0}
    ]


def test_what_is_not_there_cannot_be_taken() -> None:
    state = table(dice=(3, 1), depots={"3": "cow3", "black": "ship"}, workers=3)
    assert refused(state, 0, "take 3 3 ship -").code == "not_in_depot"
    assert refused(state, 0, "take 3 4 ship -").code == "depot_empty"
    assert refused(state, 0, "take 3 black ship -").code == "not_from_black"
    assert refused(state, 0, "take 3 3 dragon -").code == "not_a_choice"


def test_with_empty_depots_nothing_can_be_taken() -> None:
    state = table(dice=(3, 1), depots={"black": "ship"})
    assert "take" not in words(state, 0)
    assert refused(state, 0, "take 3 3 ship -").code == "nothing_to_take"


def test_with_full_storage_a_stored_tile_is_discarded_first() -> None:
    state = table(dice=(3, 3), depots={"3": "cow3 pig2"}, stored="ship mine ship")
    assert words(state, 0, "take 3 3 cow3") == ("ship", "mine")
    assert refused(state, 0, "take 3 3 cow3 -").code == "storage_full"
    assert refused(state, 0, "take 3 3 cow3 castle").code == "not_in_storage"
    events = play(state, 0, "take 3 3 cow3 ship")
    assert facts(events, "discarded") == [{"seat": 0, "tile": "ship"}]
    assert stored(state, 0) == ["mine", "ship", "cow3"]
    assert sum(state.removed) == 1


def test_with_room_nothing_is_discarded() -> None:
    state = table(dice=(3, 3), depots={"3": "cow3"}, stored="ship mine")
    assert words(state, 0, "take 3 3 cow3") == ("",)
    assert refused(state, 0, "take 3 3 cow3 ship").code == "room_left"


def test_a_taken_tile_always_goes_through_storage() -> None:
    state = table(dice=(4, 4), depots={"4": "mine"})
    assert refused(state, 0, "place 4 mine e3").code == "storage_empty"
    play(state, 0, "take 4 4 mine -")
    play(state, 0, "place 4 mine e3")
    assert stored(state, 0) == []


# Buying


def test_two_silverlings_buy_a_tile_of_the_black_depot() -> None:
    state = table(silverlings=5, depots={"black": "ship k7", "2": "mine"})
    assert words(state, 0, "buy") == ("black",)
    assert words(state, 0, "buy black") == ("ship", "k7")
    events = play(state, 0, "buy black k7 -")
    assert facts(events, "bought") == [{"seat": 0, "tile": "k7", "depot": "black", "price": 2}]
    assert (stored(state, 0), state.players[0].silverlings) == (["k7"], 3)
    assert refused(state, 0, "buy black ship -").code == "already_bought"


def test_a_purchase_may_come_before_between_and_after_the_dice() -> None:
    for used in range(3):
        state = table(silverlings=2, depots={"black": "ship"}, dice=(1, 1), left=(1, 1)[used:])
        play(state, 0, "buy black ship -")
        assert stored(state, 0) == ["ship"]


def test_a_purchase_needs_two_silverlings_and_a_tile() -> None:
    state = table(silverlings=1, depots={"black": "ship"})
    refusal = refused(state, 0, "buy black ship -")
    assert (refusal.code, refusal.facts) == ("needs_silverlings", {"count": 2, "silverlings": 1})
    assert refused(table(silverlings=2), 0, "buy black ship -").code == "nothing_to_buy"


def test_with_full_storage_a_buyer_discards_first() -> None:
    state = table(silverlings=2, depots={"black": "ship"}, stored="mine mine bank")
    assert refused(state, 0, "buy black ship -").code == "storage_full"
    play(state, 0, "buy black ship bank")
    assert stored(state, 0) == ["mine", "mine", "ship"]


def test_the_black_depot_alone_sells_but_for_tile_6() -> None:
    depots = {"black": "ship", "2": "mine cow2"}
    state = table(silverlings=4, depots=depots)
    assert refused(state, 0, "buy 2 mine -").code == "only_from_black"
    knowing = table(silverlings=4, depots=depots, estates=(KNOWING_6,))
    assert words(knowing, 0, "buy") == ("2", "black")
    assert refused(knowing, 0, "buy 3 mine -").code == "depot_empty"
    assert refused(knowing, 0, "buy 2 ship -").code == "not_in_depot"
    play(knowing, 0, "buy 2 mine -")
    assert knowing.players[0].silverlings == 2
    assert refused(knowing, 0, "buy black ship -").code == "already_bought"


def test_a_purchase_does_not_interrupt_an_action() -> None:
    """Not between a castle and its action, nor in the middle of an effect (section 7.3)."""
    state = table(
        silverlings=2,
        depots={"black": "ship", "1": "mine"},
        stored="castle church",
        dice=(6, 3),
        estates=({"d4": "castle", "c4": "k1"},),
    )
    play(state, 0, "place 6 castle b3")
    assert refused(state, 0, "buy black ship -").code == "not_now"
    play(state, 0, "workers any")
    play(state, 0, "place 3 church c3")
    assert refused(state, 0, "buy black ship -").code == "not_now"
    play(state, 0, "decline")
    play(state, 0, "buy black ship -")
