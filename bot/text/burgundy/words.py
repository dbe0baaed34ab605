"""The words of The Castles of Burgundy: what is asked, offered and said back, and what a choice
costs and brings, by the rules on the state as its reader knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import ClassVar

from bot.game.burgundy.data import (
    BOARDS,
    COLOUR_KEYS,
    CONTENT,
    DEPOT_OF_WORD,
    DEPOT_WORDS,
    GOODS_LETTERS,
    NEIGHBOURS,
    SPACE_NAMES,
    SPACE_OF_NAME,
    SPACES,
    TILE_KEYS,
    TILE_OF_KEY,
    goods_word,
)
from bot.game.burgundy.dice import DIE_OF_WORD, dice, gain, purchases, ways_to_take
from bot.game.burgundy.game import GAME
from bot.game.burgundy.goods import GOOD_OF_WORD, loads, room, sale, track_space, ways_to_sell
from bot.game.burgundy.placing import (
    completed,
    region_points,
    scores,
    total,
    ways_to_place,
)
from bot.game.burgundy.rounds import castle_chosen
from bot.game.burgundy.state import (
    NONE,
    BurgundyPlayer,
    BurgundyState,
    Load,
    on_turn,
    phase_letter,
    phase_of,
    round_of_phase,
    turn_of,
)
from bot.game.choices import Bundle
from bot.game.contract import END, Action, Decision, Seat
from bot.game.hidden import View
from bot.text.burgundy.table import (
    BLACK,
    FACES,
    NAMES,
    BurgundyTable,
    points_to_come,
)
from bot.text.contract import LONGEST_LABEL, Label, Style, Unreadable
from bot.text.game_words import Change
from bot.text.markup import capital, keycap
from bot.text.matching import fold, misread, tokens
from bot.text.words import all_words, msg

NOTHING, ALL = msg("nothing"), msg("all")
MAX_TYPED = 100
ROOM_FOR_END = 16
"""Characters that the end of the turn takes."""
CHOSEN = {"take": 1, "place": 2, "sell": 1}
"""By kind of action, after how many words behind the die its workers are known."""


class BurgundyWords(BurgundyTable, game=GAME, things=NAMES):
    """The words of The Castles of Burgundy for one reader."""

    public_hand = True
    notation: ClassVar[Mapping[str, Iterable[str]]] = {
        "tile": TILE_KEYS,
        "discard": TILE_KEYS,
        "depot": DEPOT_WORDS,
        "good": GOODS_LETTERS,
        "die": GOODS_LETTERS,
        "space": SPACE_NAMES,
        "board": [*map(str, BOARDS)],
    }

    @property
    def _seat(self) -> Seat:
        """Who acts: the seat on turn, else the reader."""
        seat = on_turn(self.known)
        return max(self.observer, 0) if seat is None else seat

    @property
    def _player(self) -> BurgundyPlayer:
        return self.known.players[self._seat]

    def _dice_for(self, kind: str) -> Sequence[int]:
        """The dice with which such an action can be done now."""
        known = self.known
        return dice(known) if kind in GAME.answers[GAME.question(known)] else ()

    def _ways(self, kind: str, die: str) -> Mapping[tuple[str, ...], int]:
        """What can be done with a die now, by the words after it, and the workers that it takes."""
        known, player, number = self.known, self._player, DIE_OF_WORD.get(die, NONE)
        if number not in self._dice_for(kind):
            return {}
        if kind == "take":
            return {
                (DEPOT_WORDS[depot], TILE_KEYS[tile]): spent
                for depot, tile, spent in ways_to_take(known, player, number)
            }
        if kind == "place":
            return {
                (TILE_KEYS[tile], SPACE_NAMES[space]): spent
                for tile, space, spent in ways_to_place(player, number)
            }
        return {(GOODS_LETTERS[good],): spent for good, spent in ways_to_sell(player, number)}

    def _spent(self, action: Action) -> int:
        """The workers that an action costs, as far as it is built; 0 while that is open."""
        kind, die, given = action[0], "".join(action[1:2]), action[2 : 2 + CHOSEN.get(action[0], 0)]
        if not given or len(given) < CHOSEN[kind]:
            return 0
        ways = self._ways(kind, die).items()
        return next((spent for words, spent in ways if words[: len(given)] == given), 0)

    def _cost(self, *action: str) -> list[str]:
        """What an action costs in workers, as a part of a label; nothing where it is free."""
        spent = self._spent(action)
        cost = self.words("costs {workers}", workers=self.counted("spent", spent))
        return [cost] if spent else []

    # What is asked

    def chosen(self) -> Mapping[str, str]:
        """The space of a first castle."""
        space = castle_chosen(self.known, self.observer)
        return {} if space == NONE else {"space": self.space(SPACE_NAMES[space])}

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """The building that asks, where one does, and the board of the seat."""
        return {
            "tile": self.tile(decision.kind) if decision.kind in TILE_OF_KEY else "",
            "board": self.known.players[decision.seat].board,
        }

    def ask_turn(self, decision: Decision) -> str:
        """The dice that are left, and what a choice may cost; what can be done the menu says."""
        words, known, turn = self.words, self.known, turn_of(self.known)
        facts = {"phase": phase_letter(known), "round": round_of_phase(known)}
        to_do = words("You've used both dice. End your turn or undo something.")
        if turn is not None and turn.left:
            left = self.dice(turn.left)
            to_do = words.plural("Your die: {dice}", "Your dice: {dice}", len(turn.left), dice=left)
        elif purchases(known):
            to_do = words("You've used both dice. Buy a tile or end your turn.")
        things = words.listing(self.means(known.players[decision.seat]))
        have = words("You have {things}.", things=things)
        return " ".join([words("Round {phase}{round}.", **facts), f"{to_do}\n{have}"])

    def ask_load(self, decision: Decision) -> str:
        """From where a ship loads, and what its owner has room for."""
        words, player = self.words, self.known.players[decision.seat]
        asked = words("Choose the depot your ship loads from.")
        if (first := self._first_load()) is not None:
            asked = words(
                "Your ship can also load from a depot next to {depot}. You can decline.",
                depot=self.depot(first),
            )
        have, left = self.goods(goods_word(player.goods)), room(player)
        mine = words("You have {goods} and no room for another type.", goods=have)
        if not any(player.goods):
            mine = words.plural(
                "You have no goods and room for {count} type.",
                "You have no goods and room for {count} types.",
                left,
            )
        elif left:
            mine = words.plural(
                "You have {goods} and room for {count} more type.",
                "You have {goods} and room for {count} more types.",
                left,
                goods=have,
            )
        return f"{asked}\n{mine}"

    def _first_load(self) -> str | None:
        """The depot that the ship has loaded from already, where it can load from two."""
        frame = self.known.frames[-1]
        return DEPOT_WORDS[frame.first] if isinstance(frame, Load) and frame.first >= 0 else None

    # Boards and castles

    def label_board(self, prefix: Action, board: str) -> Label:
        """A board by its number, with the sizes of its regions."""
        rows = {
            key: "+".join(
                sorted(
                    (str(len(r.spaces)) for r in BOARDS[int(board)].regions if r.colour == colour),
                    reverse=True,
                )
            )
            for colour, key in enumerate(COLOUR_KEYS)
        }
        text = self.words(
            "Board {number}: cities {cities}, pastures {pastures}",
            number=board,
            cities=rows.pop("building"),
            pastures=rows.pop("animal"),
        )
        others = [f"{self.colour(key)} {sizes}" for key, sizes in rows.items()]
        return Label(text, "🗺️", ", ".join(others))

    def label_castle_space(self, prefix: Action, space: str) -> Label:
        """A space for the first castle, and what it is next to."""
        beside = self._beside(space)
        return Label(self.words("{space} · next to {colours}", space=space, colours=beside), "🏰")

    def _beside(self, space: str) -> str:
        """How many spaces of each colour lie around a space."""
        region_of = BOARDS[self._player.board].region_of
        around = [region_of[other].colour for other in NEIGHBOURS[SPACE_OF_NAME[space]]]
        return ", ".join(
            f"{self.colour(COLOUR_KEYS[colour])} ×{around.count(colour)}"
            for colour in sorted(set(around))
        )

    # Dice

    def label_die(self, prefix: Action, die: str) -> Label:
        """A die with what the move can do with it; of one that is given away what it could do."""
        words, kind, turn = self.words, prefix[0], turn_of(self.known)
        if die == "any":
            return Label(words("Any die"), "🎲")
        text = words("Die {die}", die=die)
        if turn is not None and turn.left.count(int(die)) > 1:
            text = words("{die} (two of them)", die=text)
        reach = {"workers": msg("{die}: could reach {ways}"), "sell": msg("{die}: {ways}")}.get(
            kind, msg("{die}: reaches {ways}")
        )
        ways = self._reach(die, *(CHOSEN if kind == "workers" else [kind]))
        return Label(words(reach, die=text, ways=ways), self.die_sign(die))

    def _reach(self, die: str, *kinds: str) -> str:
        """How much a die can do without workers, and how much more with them."""
        free, paid = dict[str, int](), dict[str, int]()
        for kind in kinds:
            # Where several tiles can cover a space, it counts once.
            ways = {
                words[-1:] if kind == "place" else words: spent
                for words, spent in self._ways(kind, die).items()
            }
            free[kind] = sum(not spent for spent in ways.values())
            paid[kind] = len(ways) - free[kind]
        unpaid, more = (
            self.words.listing([self.counted(kind, count) for kind, count in each.items() if count])
            for each in (free, paid)
        )
        if not more or (unpaid and len(kinds) > 1):
            return unpaid or self.words("nothing")
        if not unpaid:
            return self.words("{ways} if you spend workers", ways=more)
        # One thing is counted, and named already.
        more = str(sum(paid.values()))
        return self.words("{ways}, {more} more if you spend workers", ways=unpaid, more=more)

    def button_workers(self, button: Label) -> Label:
        """What a die brings."""
        return button._replace(text=self._gains(), description=self.words("Any die will do"))

    def _gains(self) -> str:
        workers, silverlings = gain(self._player)
        says = msg("Take {workers} and {silverlings}") if silverlings else msg("Take {workers}")
        return self.phrase(says, {"workers": workers, "silverlings": silverlings})

    # Taking and buying tiles

    def label_depot(self, prefix: Action, depot: str) -> Label:
        """A depot with the tiles that can be taken or bought there."""
        ways = self._ways(*prefix) if prefix[0] == "take" else ()
        keys = [tile for place, tile in ways if place == depot]
        keys = keys or [TILE_KEYS[tile] for tile in self.known.depots[DEPOT_OF_WORD[depot]]]
        parts = " · ".join([capital(self.depot(depot)), *self._cost(*prefix, depot)])
        return Label(
            self.words("{depot}: {things}", depot=parts, things=self.tiles(keys)),
            self.depot_sign(depot),
        )

    def label_tile(self, prefix: Action, tile: str) -> Label:
        """A tile, and what it does."""
        note = self.words("From {depot}", depot=self.depot(prefix[-1]))
        return Label(self.described(tile), self.tile_sign(tile), note)

    def label_discard(self, prefix: Action, tile: str) -> Label:
        """A tile that leaves the game for another one."""
        if not tile:
            return Label(self.words("Discard nothing"))
        return Label(
            self.words("Discard {tile}", tile=self.described(tile)),
            self.tile_sign(tile),
            self.words("It leaves the game"),
            Style.DANGER,
            called=self.tile_name(tile),
        )

    def button_buy(self, button: Label) -> Label:
        """What a tile costs."""
        return button._replace(
            text=self.phrase(msg("Buy a tile for {price}"), {"price": CONTENT.price}),
            description=self.phrase(
                msg("Once per turn; you have {silverlings}"),
                {"silverlings": self._player.silverlings},
            ),
        )

    def wording_tile(self, prefix: Action, tile: str) -> str:
        """A tile in a sentence."""
        return self.with_article(tile) if tile else ""

    wording_discard = wording_tile

    # Placing tiles

    def label_place_tile(self, prefix: Action, tile: str) -> Label:
        """A stored tile, what it does, and where it can be placed."""
        spots = [
            self.words("{space} ({workers})", space=space, workers=self.counted("workers", spent))
            if spent
            else space
            for (each, space), spent in self._ways(*prefix).items()
            if each == tile
        ]
        note = self.words("On {spaces}", spaces=", ".join(spots)) if spots else None
        return Label(self.described(tile), self.tile_sign(tile), note)

    def label_space(self, prefix: Action, space: str) -> Label:
        """A space, the workers that it takes, and what the tile brings there."""
        number = SPACES[SPACE_OF_NAME[space]].number
        at = self.words("{space} · die {number}", space=space, number=number)
        brings, parts = self._brings(prefix[2], space)
        return Label(
            " · ".join([at, *self._cost(*prefix, space), brings]),
            "📍",
            parts or None,
            Style.SUCCESS if parts else Style.NORMAL,
        )

    def _brings(self, tile: str, space: str) -> tuple[str, str]:
        """What a tile completes or brings on a space; where it completes something also of what its
        points are made."""
        words, known, seat = self.words, self.known, self._seat
        number, where = TILE_OF_KEY[tile], SPACE_OF_NAME[space]
        region = BOARDS[known.players[seat].board].region_of[where]
        name = words(NAMES.regions[COLOUR_KEYS[region.colour]])
        completing = total(completed(known, seat, where))
        rest = total(scores(known, seat, number, where)) - completing
        if not completing:
            left = (region.mask & ~known.players[seat].covered).bit_count() - 1
            still = words("{count} left in the {region}", region=name, count=left)
            points = self.counted("points", rest)
            return words("{points}, {region}", points=points, region=still) if rest else still, ""
        size, phase = region_points(phase_of(known), region)
        parts = {
            msg("size: {points}"): size,
            msg("phase: {points}"): phase,
            msg("whole colour: {points}"): completing - size - phase,
            msg("{tile}: {points}"): rest,
        }
        notes = [words(says, points=n, tile=self.tile(tile)) for says, n in parts.items() if n]
        points = " + ".join(str(count) for count in parts.values() if count)
        return (
            words("{points} points, completes the {region}", region=name, points=points),
            words("Points: {parts}", parts=", ".join(notes)),
        )

    def button_decline(self, button: Label) -> Label:
        """A second load is declined otherwise than an effect."""
        if self._first_load() is None:
            return button
        return button._replace(text=self.words("Stop loading"), description=None)

    # Goods

    def label_good(self, prefix: Action, good: str) -> Label:
        """Goods to sell, and what they bring."""
        text = self.phrase(
            msg("Sell {count}× {good}: {points}, {silverlings}"), {"good": good, **self._sale(good)}
        )
        text = " · ".join([text, *self._cost(*prefix, good)])
        return Label(text, self.good_sign(good, keycap(good)), called=self.good(good))

    def _sale(self, good: str) -> dict[str, int]:
        """How many there are of a type of goods, and what they bring."""
        player, number = self._player, GOOD_OF_WORD[good]
        points, silverlings, _ = sale(self.known, player, number)
        return {"count": player.goods[number], "points": points, "silverlings": silverlings}

    def label_load_depot(self, prefix: Action, depot: str) -> Label:
        """A depot with its goods, and whether they fit."""
        there, have = self.known.goods[DEPOT_OF_WORD[depot]], self._player.goods
        name, goods = capital(self.depot(depot)), self.goods_in_short(goods_word(there))
        parts = [self.words("{depot}: {things}", depot=name, things=goods)]
        new = sum(bool(n and not own) for n, own in zip(there, have, strict=True))
        left = room(self._player)
        if new > left:
            some = left or any(n and own for n, own in zip(there, have, strict=True))
            parts.append(self.words("they don't all fit") if some else self.words("none fit"))
        return Label(" · ".join(parts), self.depot_sign(depot))

    def label_goods(self, prefix: Action, kinds: str) -> Label:
        """New types to load; those the player already has are always loaded too."""
        loaded, left = self._divided(prefix[1], kinds)
        note = self.words("Leaves behind {goods}", goods=self.goods(left)) if left else None
        return Label(self.words("Load {goods}", goods=self.goods_in_short(loaded)), "📦", note)

    def _divided(self, depot: str, kinds: str) -> tuple[str, str]:
        """The goods of a depot that are loaded, where these new types are, and those left there."""
        place = DEPOT_OF_WORD[depot]
        loaded = loads(self.known, self._player, place, kinds)
        return goods_word(loaded), goods_word(map(sub, self.known.goods[place], loaded))

    def wording_goods(self, prefix: Action, kinds: str) -> str:
        """Types of goods to load."""
        return self.types(kinds)

    # Whole actions, and what they change

    def action(self, action: Action) -> str:
        """An action in words, with the workers it costs now."""
        while len(action) > 1 and not action[-1]:
            # An empty last word means nothing: no tile to discard, no new type of goods to load.
            action = action[:-1]
        text, spent = super().action(action), self._spent(action)
        cost = self.counted("spent", spent)
        return self.words("{action} ({cost})", action=text, cost=cost) if spent else text

    def wholes(self, action: Action, views: Sequence[View[BurgundyState]]) -> Sequence[Label]:
        """What is done, where, what it brings, and with which die, perhaps with the end of the
        turn."""
        (first, _), *rest = self.moments(action, views)
        if [each for each, _ in rest] not in ([], [(END,)]):
            return super().wholes(action, views)
        label = self._whole(first)
        if not rest:
            return [label]
        texts = (msg("{action}, then end turn"), msg("{action} 🏁"))
        return [label._replace(text=self.words(text, action=label.text)) for text in texts]

    def _whole(self, action: Action) -> Label:
        words = self.words
        match action:
            case ("board", board):
                return self.label_board((), board)
            case ("castle", space):
                return Label(
                    words("Castle on {space}", space=space), "🏰", self._beside(space), called=space
                )
            case ("place", _, tile, space):
                return self._place(action, tile, space)
            case ("take" | "buy", *_, depot, tile, discard):
                return self._stored(action, depot, tile, discard)
            case ("sell", _, good):
                brings, called = self._sale(good), self.good(good)
                text = words("Sell {count}× {good}", count=brings["count"], good=called)
                text = self._with_cost(action, text, brings["points"])
                note = self.counted("silverlings", brings["silverlings"])
                return Label(text, self.good_sign(good, keycap(good)), note, called=called)
            case ("workers", _):
                text = self._with_cost(action, self._gains())
                return Label(text, words.sign("burgundy_worker", "👷"), called=text)
            case ("load", depot, kinds):
                loaded, _ = self._divided(depot, kinds)
                if not loaded:
                    return Label(words("Load nothing"), self.depot_sign(depot))
                goods, name = self.goods_in_short(loaded), self.depot(depot)
                text = words("Load {goods} from {depot}", goods=goods, depot=name)
                return Label(text, self.depot_sign(depot), called=name)
        return self.button(action[0])

    def _place(self, action: Action, tile: str, space: str) -> Label:
        words, number, where = self.words, TILE_OF_KEY[tile], SPACE_OF_NAME[space]
        text = words("Place {tile} on {space}", tile=self.with_article(tile), space=space)
        points = total(scores(self.known, self._seat, number, where))
        brings, completed = self._brings(tile, space)
        return Label(
            self._with_cost(action, text, points),
            self.tile_sign(tile),
            " · ".join(filter(None, (brings, self.effect(tile)))),
            Style.SUCCESS if completed else Style.NORMAL,
            called=space,
        )

    def _stored(self, action: Action, depot: str, tile: str, discard: str) -> Label:
        """A tile that is taken with a die, or bought."""
        price, called = self.counted("price", CONTENT.price), self.tile_name(tile)
        says = {
            "take": msg("Take {tile} from {depot}"),
            "buy": msg("Buy {tile} from {depot} for {price}"),
        }[action[0]]
        if depot == BLACK:
            says = msg("Buy {tile} for {price}")
        text = self.words(says, tile=self.with_article(tile), depot=self.depot(depot), price=price)
        if discard:
            text = self.words(
                "{action}, discard {discard}", action=text, discard=self.tile(discard)
            )
        if action[0] == "take":
            text = self._with_cost(action, text)
        return Label(text, self.tile_sign(tile), self.effect(tile) or None, called=called)

    def _with_cost(self, action: Action, text: str, points: int = 0) -> str:
        """What is done, with the points it brings, and the die and the workers it takes; a die is
        named where there is another."""
        words, die, spent, turn = self.words, action[1], self._spent(action), turn_of(self.known)
        if points:
            text = words("{action}, +{points}", action=text, points=points)
        has_another = turn is not None and len(set(turn.left)) > 1 and die != "any"
        costs = {words("die {die}", die=die): FACES[int(die) - 1]} if has_another else {}
        if spent:
            costs[self.counted("spent", spent)] = f"−{spent} 👷"
        if not costs:
            return text
        said, short = (
            words("{action} ({cost})", action=text, cost=", ".join(each))
            for each in (costs, costs.values())
        )
        # The last die is followed by the end of the turn.
        room_left = LONGEST_LABEL - (0 if has_another else ROOM_FOR_END)
        return said if len(said) <= room_left else short

    def changes(self, before: BurgundyWords) -> Iterator[Change]:
        """Points, means, regions and goods of the observer. What an event says as a reason, as that
        a region is complete, is left to it."""
        words, seat = self.words, self.observer
        states = before.known, self.known
        was, now = (state.players[seat] for state in states)
        coming, ended = (points_to_come(state, seat) for state in states)
        stood, stands = (track_space(state, seat) + 1 for state in states)
        yield from self.counts(
            (words("Points"), sum(was.points), sum(now.points)),
            (words("Points still to come at the end"), coming, ended),
            (words("Workers"), was.workers, now.workers),
            (words("Silverlings"), was.silverlings, now.silverlings),
            (words("Space on the turn track"), stood, stands),
        )
        for region in BOARDS[was.board].regions if was.board else ():
            old, new = ((region.mask & player.covered).bit_count() for player in (was, now))
            size, key = len(region.spaces), COLOUR_KEYS[region.colour]
            if old != new < size:
                name = capital(words(NAMES.regions[key]))
                said = words(
                    "{size}-space {region}: {old}/{size} → {new}/{size}, +{points} when complete",
                    region=f"{self.colour_sign(key)} {name}",
                    size=size,
                    old=old,
                    new=new,
                    points=sum(region_points(phase_of(self.known), region)),
                )
                yield Change(said, 1)
        if was.goods != now.goods:
            before_that, then = (self.goods(goods_word(each.goods)) for each in (was, now))
            said = words("{what}: {old} → {new}", what=words("Goods"), old=before_that, new=then)
            yield Change(said, sum(now.goods) - sum(was.goods))

    # What is told, and what people type

    def option_value(self, name: str, value: str) -> str:
        """A value of an option; a board by its number, an unknown one by its key."""
        if name == "boards" and value.isdecimal():
            return self.words("board {board} for everyone, castles placed in secret", board=value)
        return super().option_value(name, value)

    def pieces(self, word: str) -> str:
        """Types of goods in words; plain."""
        return self.plain.types(word)

    def example(self, param: str, word: str) -> str:
        """A word of the notation as a person would write it; plain."""
        if param in ("die", "goods", "board"):
            return " ".join(word) if param == "goods" else word
        return self.plain.fact(param, word) if word else "-"

    def clean(self, typed: str) -> str:
        """Dice faces as numbers, unless the number is beside them."""
        for number, drawn in enumerate(FACES, 1):
            beside = str(number) in typed
            typed = typed.replace(drawn, " " if beside else f" {number} ")
        return typed

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """Types of goods by their numbers, whatever words stand between them."""
        text = fold(typed[:MAX_TYPED]).strip()
        if text in {"", "-", *(fold(words(NOTHING)) for words in all_words())}:
            return ""
        if text in {fold(words(ALL)) for words in all_words()}:
            return choices.stock()
        found = "".join(token for token in tokens(text) if token.isdecimal())
        if not found or any(each not in choices.alphabet for each in found):
            raise Unreadable(misread("unreadable", topic, choices.param, typed, (choices.stock(),)))
        return choices.sort(found)
