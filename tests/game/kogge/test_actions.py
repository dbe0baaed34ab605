"""Phase 3B a to d: an office, the guild master's deals, pairs and trade."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from bot.game.kogge import GAME
from bot.game.kogge.data import GOOD_LETTERS
from tests.game.kogge.places import LUBECK, REVAL, RIGA
from tests.game.kogge.positions import case, follow, kinds, refused, table, words

with_guild = partial(case, guild=REVAL)
"""The guild master is where the first ship lies, in Reval."""

CASES = [
    case(
        "difference 2: each action once a turn, in any order",
        """hands=ooooass33355 guild=3 display=44,66 city=3:ff start=7 | 0 reroute left 5
        0 reroute left 5 ! already_done; 0 buy 1 ore; 0 buy 2 ore ! already_done
        0 build both; 0 build both ! already_done; 0 trade o f; 0 trade o f ! already_done
        0 swap_marker 5; 0 swap_marker 5 ! already_done; 0 ? raid_city end""",
    ),
    case("a turn may end without any action", "0 end; told turn_ended seat=0; asked 1 move"),
    case(
        "difference 40: actions happen where the movement ended",
        f"0 sail left -; 0 stop; 0 build both ! needs_goods city={RIGA}",
        asked="move",
        hands=("o4",),
    ),
    case(
        "difference 1, ruling 1: goods and marker for an office",
        """hands=oass3 | 0 build both; hand 0 s; owners 3 0
        told built city=3 pieces=oas3 points=1""",
    ),
    case("an office lacks its marker", "hands=oafs | 0 build both ! needs_markers count=1"),
    case("an office lacks goods", "hands=oa3 | 0 build both ! needs_goods pieces=s"),
    case("its own good does not count", "hands=f3 | 0 build both ! needs_goods pieces=oas"),
    *(
        case(
            f"ruling 2: two markers where an office of seat {owner} stands",
            f"0 swap_marker 4; 0 build both; owners 3 {owner} 0; hand 0 f",
            hands=("oas334",),
            guild=REVAL,
            offices={REVAL: [(owner, "")]},
        )
        for owner in (0, 1)
    ),
    case(
        "one marker is too few for a second office",
        "hands=oas3 offices=3:1 | 0 build both ! needs_markers count=2 marker=3",
    ),
    case(
        "there is no third office", "hands=oas33333 offices=3:0+1 | 0 build both ! city_full city=3"
    ),
    case(
        "difference 1: for markers alone",
        """hands=oa33 offices=3:1 options=office_price:either | 0 build ? markers
        0 build goods ! needs_goods pieces=s; 0 build both ! not_a_choice""",
    ),
    case(
        "difference 1: for goods alone",
        """hands=oas3 offices=3:1 options=office_price:either | 0 build ? goods
        0 build markers ! needs_markers count=2""",
    ),
    case(
        "who has neither is told both prices",
        """hands=oa options=edition:italian
        | 0 build goods ! needs_either city=3 pieces=s count=1 marker=3""",
    ),
    case(
        "difference 13: only where he is",
        """hands=oooooo555 guild=7 | 0 buy_raid 5 ! no_guild_master city=7
        0 sell_six ore three ! no_guild_master; 0 swap_good ore 2 ! no_guild_master
        0 swap_marker 5 ! no_guild_master""",
    ),
    with_guild(
        "ruling 22: one deal a turn",
        """hands=oooooof5552 | 0 swap_marker 2; 0 buy_raid 5 ! already_done
        0 sell_six ore three ! already_done; 0 swap_good ore 2 ! already_done
        0 swap_marker 5 ! already_done""",
    ),
    with_guild(
        "three equal markers for the second Raid",
        """hands=5555552 | 0 buy_raid ? 5; 0 buy_raid 2 ! needs_three_alike; 0 buy_raid 5
        hand 0 5552; told raid_marker_bought pieces=555""",
    ),
    with_guild("not two and two", "hands=5544 | 0 buy_raid 5 ! needs_three_alike"),
    with_guild(
        "there is one second Raid", "hands=555 second_raid=0 | 0 buy_raid 5 ! raid_already_bought"
    ),
    *(
        with_guild(
            f"six {good} for a chit",
            f"""0 sell_six {good} spaces; hand 0 {letter}
            told chit_bought chit=spaces points=1 pieces={letter * 6}""",
            hands=(letter * 7,),
        )
        for letter, good in (("o", "ore"), ("f", "fur"), ("a", "amber"), ("s", "salt"))
    ),
    with_guild("five are too few", "hands=ooooofffff | 0 sell_six ore three ! needs_six_alike"),
    with_guild("six of that good", "hands=oooooof | 0 sell_six fur three ! needs_six_alike"),
    with_guild(
        "ruling 33: of each chit there are two, and one may own both",
        """hands=oooooo chits=0:three,1:secret+secret | 0 sell_six ore ? three marker spaces
        0 sell_six ore secret ! chits_gone chit=secret; 0 sell_six ore three""",
    ),
    with_guild(
        "no chit is left",
        """seats=4 hands=oooooo chits=1:three+three,2:marker+marker+spaces,3:spaces+secret+secret
        | 0 sell_six ore three ! all_chits_gone""",
    ),
    with_guild(
        "difference 14, ruling 45: a good for a marker of its colour that the bag has",
        """hands=of bag=2203 | 0 swap_good ? ore fur; 0 swap_good ore ? 0 2
        0 swap_good ore 1 ! bag_lacks_marker; 0 swap_good ore 3 ! wrong_colour
        0 swap_good ore 9 ! not_a_choice; 0 swap_good ore x ! not_a_choice
        0 swap_good 2 2 ! not_a_choice; 0 swap_good salt 8 ! not_a_choice; 0 swap_good ore 2
        hand 0 f2; told good_exchanged good=ore marker=2""",
    ),
    with_guild(
        "the pairs for sale are not in the bag", "hands=f bag=3 display=44 | 0 swap_good fur ? 3"
    ),
    with_guild(
        "difference 15: not where the bag lacks the colour",
        "hands=fa bag=3 | 0 swap_good ? fur; 0 swap_good amber 5 ! bag_short good=amber",
    ),
    with_guild("the bag is short", "hands=a bag=3 | 0 swap_good amber 5 ! bag_short"),
    with_guild("no good to swap", "0 swap_good ore 2 ! nothing_to_pay"),
    with_guild(
        "difference 15: a marker for a good of its colour",
        "hands=84 | 0 swap_marker 8; hand 0 s4; told marker_exchanged marker=8 good=salt",
    ),
    with_guild(
        "only what the reserve has",
        """hands=84 reserve=f | 0 swap_marker ? 4; 0 swap_marker 8 ! reserve_short
        0 swap_marker 3 ! not_a_choice""",
    ),
    with_guild("the reserve is short", "hands=8 reserve=f | 0 swap_marker 8 ! reserve_short"),
    with_guild("no marker to swap", "0 swap_marker 8 ! no_markers"),
    case(
        "difference 39: one good of any kind for a pair of choice",
        """hands=os display=87,55,40,21 | 0 buy 3 salt; hand 0 o40
        told pair_bought pieces=40 good=salt; 0 buy ! already_done""",
    ),
    case(
        "later players find fewer pairs",
        """hands=o display=-,87,40,- | 0 buy ? 2 3; 0 buy 1 ore ! pair_sold count=1
        0 buy 4 ore ! pair_sold count=4; 0 buy 0 ore ! not_a_choice
        0 buy 5 ore ! not_a_choice; 0 buy 2 fur ! not_a_choice""",
    ),
    case("all pairs are sold", "hands=o display=-,- | 0 buy 1 ore ! pairs_gone"),
    case("a marker buys none", "hands=5 display=87 | 0 buy 1 ore ! nothing_to_pay"),
    case(
        "a wrong trade is refused for what is wrong (ruling 21)",
        """hands=oooss city=3:ooff | 0 trade o oo ! trade_for_itself
        0 trade s aa ! not_in_city; 0 trade s offo ! not_a_choice; 0 trade s oof ! too_many
        0 trade ss o ! trade_too_little; 0 trade sss o ! not_in_stock
        0 trade fs oo ! not_in_stock; 0 trade ooo fff ! trade_too_much
        0 trade s o5 ! not_a_choice; 0 trade - o ! too_few; 0 trade s ! incomplete
        0 trade ! incomplete""",
    ),
    case(
        "ruling 37: two chits are no better than one",
        "hands=s city=3:ffffff chits=0:three+three | 0 trade s ffff ! too_many count=3",
    ),
    case(
        "trade needs a ship that has moved",
        "hands=s city=3:ff start=3 | 0 trade s f ! trade_needs_move city=3",
    ),
    case("nothing to trade", "city=3:f | 0 trade s f ! nothing_to_trade"),
    case(
        "difference 17: offices do not trade", "hands=s offices=3:0f+1f | 0 trade s f ! city_empty"
    ),
    case("one kind", "hands=ff city=3:fff | 0 trade f f ! trade_same_good"),
    case(
        "ruling 21: only the single good must not pay for its own kind",
        "ships=2,7 hands=of city=2:of | 0 trade of of; hand 0 of",
    ),
]


@pytest.mark.parametrize(("position", "script"), CASES)
def test_actions(position: dict[str, Any], script: str) -> None:
    follow(table(**position), script)


def test_a_refusal_names_the_rule_of_its_action() -> None:
    for line, topic in (
        ("reroute left 5", "reroute"),
        ("buy 1 ore", "buying"),
        ("build both", "office"),
        ("trade o f", "trade"),
        ("swap_marker 5", "guild_deals"),
    ):
        assert refused(table(), 0, line).topic == topic


def test_what_the_bag_has_is_disclosed_to_whoever_comes_to_see_it() -> None:
    """Ruling 45: so it is not taken back alone."""
    for guild in (REVAL, LUBECK):
        moving = table(hands=("f",), guild=guild, asked="move")
        assert GAME.discloses(moving, ("stop",)) == (guild == REVAL)
        acting = table(hands=("f",), guild=guild, city={REVAL: "o"})
        assert GAME.discloses(acting, ("trade", "f", "o")) == (guild == REVAL)
        assert GAME.discloses(acting, ("swap_good", "ore", "2"))


def can_be_assigned(give: str, take: str, ratio: int) -> bool:
    """Whether each good received is paid by one of another kind, which brings 1 to `ratio`."""
    # Each way to name a payer for every received good, by brute force.
    for payers in product(range(len(give)), repeat=len(take)):
        if any(give[payer] == got for payer, got in zip(payers, take, strict=True)):
            continue
        if all(1 <= payers.count(payer) <= ratio for payer in range(len(give))):
            return True
    return False


def bundles(kinds: str, most: int, have: str) -> list[str]:
    """Every word of up to `most` goods of these kinds, of those that there are."""
    found = (
        "".join(word)
        for size in range(1, most + 1)
        for word in combinations_with_replacement(kinds, size)
    )
    return [word for word in found if all(word.count(x) <= have.count(x) for x in word)]


def test_trade_offers_exactly_what_can_be_assigned() -> None:
    """Rulings 21, 37 and 46, for all words of up to three goods given and six received."""
    hold = "oooffss"
    payable = set(bundles("ofs", 3, hold))
    stocks = ("", "o", "s", "ooo", "of", "oof", "oos", "ooss", "ofas", "ooffaass", "ssssss")
    for stock, chits in product(stocks, ((), ("three",))):
        state = table(hands=(hold,), city={REVAL: stock}, chits={0: chits})
        ways = product(payable, bundles(GOOD_LETTERS, 6, stock))
        expected = {way for way in ways if can_be_assigned(*way, 3 if chits else 2)}
        offered = set()
        if "trade" in kinds(state, 0):
            given = payable & set(words(state, 0, "trade"))
            # No word to give is listed that nothing could be had for.
            assert given == {give for give, _ in expected}
            for give in given:
                taken = words(state, 0, f"trade {give}")
                offered |= {(give, take) for take in taken if len(take) <= 6}
        assert offered == expected, (stock, chits)
