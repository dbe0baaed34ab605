"""The pieces of Burgundy in words, and the table as text: players, estates, depots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import ClassVar

from bot.game.bits import members
from bot.game.burgundy.data import (
    BOARDS,
    COLOUR_KEYS,
    CONTENT,
    DEPOT_WORDS,
    GOODS_LETTERS,
    KINDS,
    SIDES,
    SPACE_NAMES,
    SPACES,
    TILE_KEYS,
    TILES,
    goods_word,
)
from bot.game.burgundy.placing import bonuses_left, region_points
from bot.game.burgundy.rounds import last_points
from bot.game.burgundy.state import (
    NONE,
    BurgundyOver,
    BurgundyPlayer,
    BurgundyState,
    knows_sold,
    phase_letter,
    phase_of,
    round_of_phase,
)
from bot.game.contract import Seat
from bot.game.game import active_variants
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords, PartText, sentence
from bot.text.markup import capital, keycap
from bot.text.words import Forms, Message

COLOUR_EMOJI = {
    "building": "🏠",
    "animal": "🐾",
    "ship": "⛵",
    "knowledge": "📜",
    "mine": "⛏️",
    "castle": "🏰",
}
ANIMAL_EMOJI = {"cow": "🐄", "pig": "🐖", "sheep": "🐑", "chicken": "🐓"}
FACES = "⚀⚁⚂⚃⚄⚅"
BLACK = DEPOT_WORDS[-1]
DEPOTS, TURN = "depots", "turn"
"""The parts of the table besides the estates: the depots, alone or with the observer's estate."""
BUILDINGS = tuple(kind.key for kind in TILES if kind.colour == "building")
KNOWLEDGE = tuple(kind.key for kind in TILES if kind.colour == "knowledge")
VARIANTS = {"emptiest": ("ties", "emptiest"), "hidden": ("sold_goods", "hidden")}
"""By field of `BurgundyRules`, the option and value that set it."""


class BurgundyNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """The file data/burgundy/names.toml."""

    colours: dict[str, Message]
    """The tiles for each colour."""
    regions: dict[str, Message]
    """The name of a region of each colour."""
    tiles: dict[str, Message]
    """Tiles other than animals and knowledge."""
    with_article: dict[str, Message]
    """These tiles as they read in a sentence."""
    animals: dict[str, Forms]
    effects: dict[str, Message | Forms]


NAMES = names("burgundy", BurgundyNames)


class BurgundyTable(GameWords[BurgundyState]):
    """The pieces and the table in words, the base of `BurgundyWords`."""

    # Signs

    def tile_sign(self, key: str) -> str:
        """Return the sign of a tile, else an emoji for its animal or colour."""
        kind = KINDS[key]
        plain = ANIMAL_EMOJI.get(kind.kind) or COLOUR_EMOJI[kind.colour]
        return self.words.sign(f"burgundy_{key}", plain)

    def colour_sign(self, colour: str) -> str:
        return self.words.sign(f"burgundy_any_{colour}", COLOUR_EMOJI[colour])

    def good_sign(self, letter: str, plain: str = "") -> str:
        return self.words.sign(f"burgundy_good_{letter}", plain, keycap(letter))

    def die_sign(self, number: int | str, plain: str = "🎲") -> str:
        """Return the sign of a die, else `plain`."""
        return self.words.sign(f"burgundy_die_{number}", plain, keycap(number))

    def depot_sign(self, depot: str) -> str:
        """Return the sign of the depot's die, else its number."""
        return "⬛" if depot == BLACK else self.die_sign(depot, keycap(depot))

    # Pieces, by their words in the notation

    def tile_name(self, key: str) -> str:
        """Return the name of a tile: ``Market``, ``3 cows``, ``Knowledge 12``; plain."""
        kind = KINDS[key]
        if kind.kind:
            return self.words.phrase(NAMES.animals[kind.kind], kind.amount)
        if kind.colour == "knowledge":
            return self.words("Knowledge {number}", number=key[1:])
        return self.words(NAMES.tiles[key])

    def tile(self, key: str) -> str:
        """Return the name of a tile, in markdown with its sign."""
        return f"{self.tile_sign(key)} {self.tile_name(key)}" if self.rich else self.tile_name(key)

    def with_article(self, key: str) -> str:
        """Return a tile as it reads in a sentence: ``the Bank``, ``a Mine``, ``3 cows``; plain."""
        article = NAMES.with_article.get(key)
        return self.tile_name(key) if article is None else self.words(article)

    def tiles(self, keys: Iterable[str]) -> str:
        """Return a list of tiles; ``nothing`` for none."""
        return ", ".join(map(self.tile, keys)) or self.words("nothing")

    def effect(self, key: str) -> str:
        """Return the effect of a tile as a short clause; '' for animals."""
        kind = KINDS[key]
        text, count = NAMES.effects.get("counts" if kind.counts else key), kind.amount
        building = self.tile_name(kind.counts) if kind.counts else ""
        facts = {"count": count, "number": count, "building": building}
        return self.words.phrase(text, count, **facts) if text else ""

    def described(self, key: str) -> str:
        """Return a tile's name and effect: ``Bank: 2 silverlings``; plain."""
        name, effect = self.tile_name(key), self.effect(key)
        return self.words("{tile}: {effect}", tile=name, effect=effect) if effect else name

    def colour(self, colour: str, names: Mapping[str, Message] = NAMES.colours) -> str:
        name = self.words(names[colour])
        return f"{self.colour_sign(colour)} {name}" if self.rich else name

    def space(self, name: str) -> str:
        return f"**{name}**" if self.rich else name

    def depot(self, word: str) -> str:
        if word == BLACK:
            return self.words("the black depot")
        return self.words("depot {number}", number=word)

    def die(self, word: str) -> str:
        """Return a die: ``⚃ 4``; the die of an effect has no number."""
        if word == "any":
            return self.words("any die")
        face = FACES[int(word) - 1]
        return f"{self.die_sign(word, face) if self.rich else face} {word}"

    def dice(self, numbers: Iterable[int]) -> str:
        """Return dice as faces and numbers, or in markdown as their signs."""
        rolled = [(number, f"{FACES[number - 1]}{number}") for number in numbers]
        return " ".join(self.die_sign(*each) if self.rich else each[1] for each in rolled)

    def good(self, letter: str) -> str:
        """Return a type of goods as its number, or in markdown as its sign."""
        sign = self.good_sign(letter) if self.rich else ""
        return sign or self.words("type {number}", number=letter)

    def goods(self, word: str) -> str:
        """Return the goods of a word such as ``1123``; ``nothing`` for an empty one."""
        counts = {letter: word.count(letter) for letter in word}
        return ", ".join(starmap(self._goods_of, counts.items())) or self.words("nothing")

    def _goods_of(self, letter: str, count: int) -> str:
        """Return goods of one type: ``2× type 4``, or in markdown its sign and the number."""
        sign = self.good_sign(letter) if self.rich else ""
        if not sign:
            return self.words("{count}× {good}", count=count, good=self.good(letter))
        return f"{sign}\N{NO-BREAK SPACE}×{count}" if count > 1 else sign

    def short_goods(self, word: str) -> str:
        """Return the goods of a word for little space: three or more types as numbers only."""
        counts = {letter: word.count(letter) for letter in word}
        if len(counts) < 3:
            return self.goods(word)
        items = [f"{letter} (×{n})" if n > 1 else letter for letter, n in counts.items()]
        return self.words("types {types}", types=", ".join(items))

    def types(self, word: str) -> str:
        """Return the types in a word of goods, one letter each; ``nothing`` for an empty one."""
        return self.words.listing(list(map(self.good, word))) or self.words("nothing")

    def coming(self, goods: str | Sequence[str]) -> str:
        """Return the goods of a word, or the types of the phase's goods in order."""
        if isinstance(goods, str):
            return self.goods(goods)
        return ", ".join((self.rich and self.good_sign(letter)) or letter for letter in goods)

    def phase(self, phase: str | int) -> str:
        """Return a phase: ``A``; a number is its points for completing a region."""
        if isinstance(phase, str):
            return phase
        return CONTENT.phases[CONTENT.phase_points.index(phase)]

    says: ClassVar = {
        "tile": tile,
        "discard": tile,
        "tiles": tiles,
        "colour": colour,
        "region": lambda self, colour: self.colour(colour, NAMES.regions),
        "space": space,
        "depot": depot,
        "loaded": depot,
        "die": die,
        "dice": dice,
        "good": good,
        "goods": coming,
        "phase": phase,
        "item": lambda self, row: self.words(NAMES.score[row]),
    }
    derived: ClassVar[Mapping[str, str]] = {
        "region": "colour",
        "phase": "bonus",
        "goods": "pieces",
    }

    # The table

    def variants(self) -> str:
        """Return the table's differences from the default rules; '' for none.

        Boards are left out, as the table shows them.
        """
        return self.option_values(
            dict(VARIANTS[name] for name in active_variants(self.known.rules))
        )

    def means(self, player: BurgundyPlayer) -> list[str]:
        """Return the player's workers and silverlings."""
        workers = self.counted("workers", player.workers)
        return [workers, self.counted("silverlings", player.silverlings)]

    def board_lines(self) -> Iterator[str]:
        """Yield lines for the players, then for the depots. Estates have their own text."""
        known, order = self.known, ", ".join(map(self.seat, self.known.order))
        facts = {"phase": phase_letter(known), "round": round_of_phase(known), "order": order}
        title = self.words("Phase {phase}, round {round} · turn order: {order}", **facts)
        yield title if known.round else self.words("Set-up")
        yield from map(self._seat_line, known.order)
        if known.round:
            yield from self.depot_lines(marked=True)
        yield self.variants()

    def _seat_line(self, seat: Seat) -> str:
        """Return a line with the player's points and pieces outside the estate."""
        words, player = self.words, self.known.players[seat]
        goods, sold = goods_word(player.goods), sum(player.sold)
        spaces, empty = len(SPACES), player.estate.count(NONE)
        storage = self.tiles(TILE_KEYS[tile] for tile in player.storage)
        parts = [
            self.counted("points", sum(player.points)),
            *self.means(player),
            words("dice: {dice}", dice=" ".join(map(str, player.dice))) if player.dice else "",
            words("storage: {tiles}", tiles=storage) if player.storage else "",
            words("goods: {goods}", goods=self.goods(goods)) if goods else "",
            words.plural("{count} tile sold", "{count} tiles sold", sold) if sold else "",
            words("board {number}", number=player.board) if player.board else "",
            words.plural("{count} space empty", "{count} spaces empty", empty, all=spaces),
        ]
        return f"**{self.seat(seat)}**: {sentence(parts)}"

    def depot_lines(self, marked: bool) -> Iterator[str]:
        """Yield lines for the depots, the goods to come and the bonus tiles left.

        With `marked` the names of depots are bold, otherwise all is plain.
        """
        known, plain, words = self.known, self.plain, self.words
        goods_of = [*known.goods, [0] * SIDES]
        for word, tiles, goods in zip(DEPOT_WORDS, known.depots, goods_of, strict=True):
            stock, name = goods_word(goods), capital(plain.depot(word))
            parts = [plain.tiles(TILE_KEYS[tile] for tile in tiles)] if tiles or not stock else []
            parts += [words("goods: {goods}", goods=plain.goods(stock))] if stock else []
            yield f"{f'**{name}**' if marked else name}: {sentence(parts)}"
        if known.coming:
            yield words.plural(
                "Goods to come: type {goods}",
                "Goods to come: types {goods}",
                len(known.coming),
                goods=", ".join(GOODS_LETTERS[good] for good in known.coming),
            )
        bonuses = [
            words("{colour} {points}", colour=plain.colour(key), points="+".join(map(str, left)))
            for colour, key in enumerate(COLOUR_KEYS)
            if (left := bonuses_left(known, colour))
        ]
        if bonuses:
            yield words("Bonus tiles left: {bonuses}", bonuses=", ".join(bonuses))

    def hand_lines(self) -> list[str]:
        """Return lines for the observer's secret choice and estate."""
        chosen = self.words("Your secret choice"), self.chosen().get("space", "")
        return [*self.titled([chosen]), *self.estate_lines(self.observer)]

    def estate_lines(self, seat: Seat) -> list[str]:
        """Return lines for a seat's pieces, as the observer knows them, and its open regions."""
        # With custom emoji for the signs the text could be too long for a message.
        short = replace(self, words=self.words.signed({}))
        words, known, player = short.words, self.known, self.known.players[seat]
        sold = words.plural("{count} tile", "{count} tiles", sum(player.sold))
        if knows_sold(player):
            sold = short.goods(goods_word(player.sold))
        stored = [TILE_KEYS[tile] for tile in player.storage]
        lines = short.titled(
            [
                (words("Estate board"), str(player.board or "")),
                (words("Dice"), short.dice(player.dice) or "-"),
                (words("Supplies"), words.listing(short.means(player))),
                (words("Goods"), short.goods(goods_word(player.goods))),
                (words("Sold"), sold),
                (words("Storage"), short._described(stored) or words("nothing")),
                (
                    words("Knowledge in the estate"),
                    short._described([f"k{number}" for number in members(player.knowledge)]),
                ),
                (words("Points"), str(sum(player.points))),
            ]
        )
        if end_points := points_to_come(known, seat):
            points = short.counted("points", end_points)
            lines.append(words("+{points} if the game ended now", points=points))
        regions = BOARDS[player.board].regions if player.board else ()
        open_regions = [
            (region, members(region.mask & ~player.covered))
            for region in regions
            if 0 < (region.mask & ~player.covered).bit_count() < len(region.spaces)
        ]
        lines += [
            words(
                "- {region}: {spaces} empty, {points} when complete",
                region=short.colour(COLOUR_KEYS[region.colour], NAMES.regions),
                spaces=" ".join(SPACE_NAMES[space] for space in empty),
                points=short.counted("points", sum(region_points(phase_of(known), region))),
            )
            for region, empty in sorted(open_regions, key=lambda each: len(each[1]))
        ]
        return lines

    def _described(self, keys: Sequence[str]) -> str:
        """Return tiles with their effects: in one line, or as a list in markdown."""
        if not self.rich:
            return "; ".join(map(self.described, keys))
        return "".join(f"\n- {self.tile_sign(key)} {self.described(key)}" for key in keys)

    def alt_lines(self) -> Iterator[str]:
        words, known = self.words, self.known
        facts = {"phase": phase_letter(known), "round": round_of_phase(known)}
        yield words("Phase {phase}, round {round}.", **facts) if known.round else words("Set-up.")
        for seat in known.order:
            player = known.players[seat]
            workers, silverlings = self.means(player)
            yield words(
                "{seat}: {points}, {covered} of {spaces} spaces covered, {workers}, {silverlings}.",
                seat=self.seat(seat),
                points=self.counted("points", sum(player.points)),
                covered=len(SPACES) - player.estate.count(NONE),
                spaces=len(SPACES),
                workers=workers,
                silverlings=silverlings,
            )
        if variants := self.variants():
            yield f"{variants}."
        for word, tiles in zip(DEPOT_WORDS, known.depots, strict=True):
            if tiles:
                names = self.tiles(TILE_KEYS[tile] for tile in tiles)
                yield words("{depot}: {tiles}.", depot=capital(self.depot(word)), tiles=names)

    # Parts of the table

    def part(self, part: str) -> PartText | None:
        """Return the text of a seat's estate, of the depots, or of the observer's estate and the
        depots; None for another part."""
        words, legend = self.words, {key: self.effect(key) for key in KNOWLEDGE}
        if self.known.round and part == DEPOTS:
            return PartText(words("Depots"), self.depot_lines(self.rich), legend)
        if self.known.round and part == TURN and self.observer >= 0:
            lines = [*self.plain.estate_lines(self.observer), *self.depot_lines(self.rich)]
            return PartText(words("Your estate and the depots"), lines, legend)
        if not part.isdecimal() or int(part) >= len(self.known.players):
            return None
        lines = [*self.estate_lines(int(part)), *(self._rows(int(part)) if self.rich else ())]
        return PartText(words("Estate of {name}", name=self.seat(int(part))), lines, legend)

    def _rows(self, seat: Seat) -> list[str]:
        """Return the spaces of an estate, row by row, with the tile or the colour and die.

        It is empty until the seat has a board.
        """
        player, rows = self.known.players[seat], dict[str, list[str]]()
        regions = BOARDS[player.board].region_of if player.board else ()
        for space, region, tile in zip(SPACES, regions, player.estate, strict=False):
            if tile != NONE:
                text = f"{space.name} **{self.tile_name(TILE_KEYS[tile])}**"
            else:
                colour, die = self.words(NAMES.colours[COLOUR_KEYS[region.colour]]), space.number
                text = self.words(
                    "{space} {colour} {die}", space=space.name, colour=colour, die=die
                )
            rows.setdefault(space.name[0], []).append(text)
        return [", ".join(row) for row in rows.values()]

    def legend(self) -> PartText:
        """Explain the signs on the pictures and the effects of buildings."""
        title, _, signs = super().legend()
        texts = {**signs, **{key: self.described(key) for key in BUILDINGS}}
        return PartText(title, texts.values(), texts)

    def rules_facts(self) -> dict[str, str]:
        """Return lists of tiles with their effects.

        The first 14 knowledge tiles help during the game, the others score at its end.
        """
        kinds = {"buildings": BUILDINGS, "powers": KNOWLEDGE[:14], "counting": KNOWLEDGE[14:]}
        return {
            name: "\n".join(
                self.words(
                    "- **{tile}:** {effect}", tile=self.tile_name(key), effect=self.effect(key)
                )
                for key in keys
            )
            for name, keys in kinds.items()
        }


def points_to_come(state: BurgundyState, seat: Seat) -> int:
    """Return the additional points of a seat if the game ended now, as far as they are known."""
    is_over = isinstance(state.frames[-1], BurgundyOver)
    return 0 if is_over else sum(last_points(state, seat).values())
