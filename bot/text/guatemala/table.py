"""The pieces of Guatemala Café in words, and the table as text: boards, plantations, hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar

from bot.game.contract import Fact, Seat
from bot.game.guatemala.buying import STEPS
from bot.game.guatemala.data import (
    COLOUR_KEYS,
    COLOUR_OF_KEY,
    CONTENT,
    EMPTY,
    FACED,
    HUT,
    KINDS,
    POSITION_NAMES,
    POSITIONS,
    ROAD,
    SACK,
    SHIP,
    SIZE,
    SPACE_NAMES,
    WORKER,
    colour_of,
    kind_of,
    piece,
    piece_key,
)
from bot.game.guatemala.plantation import PlantationBoard, board_for, nearest_ports
from bot.game.guatemala.sacks import ANSWERS, NO, YES, crops, lowest_sack
from bot.game.guatemala.state import (
    ALLOWS,
    BLOCKS,
    NONE,
    Blocking,
    GuatemalaOver,
    GuatemalaPlayer,
    GuatemalaState,
    board_of,
)
from bot.text.game_data import GameNames, names
from bot.text.game_words import GameWords, PartText, sentence
from bot.text.markup import bold, clip
from bot.text.words import Forms, Message, msg

KIND_EMOJI = ("👷", "🛖", "🚢", "💰", "🛤️")
COLOUR_EMOJI = {"black": "⚫", "brown": "🟤", "red": "🔴", "beige": "🟡", "white": "⚪"}
NAME_LIMIT = 12
"""Characters of a player's name in a label."""

PRODUCTION = "production"
"""The part of the table with the production board; other parts show the plantation board."""
PLANTATIONS = "plantations"
"""The part with the whole plantation board."""
HALVES = {"left": msg("Left half"), "right": msg("Right half")}

PORTS = tuple(board_for(4).port_of_name)
PLACES = dict.fromkeys(
    name for players in (2, 4) for places in board_for(players).places for name in places
)
"""Every cell, port and road of both boards."""


class GuatemalaNames(GameNames, frozen=True, forbid_unknown_fields=True):
    """The file data/guatemala/names.toml."""

    colours: dict[str, Message]
    pieces: dict[str, Message]
    """By colour and kind: ``red_worker``; also ``road`` and "" for no piece."""
    plantations: dict[str, Message]
    workers: dict[str, Forms]
    kinds: dict[str, Forms]
    zones: dict[str, Message]
    positions: dict[str, Message]
    sides: dict[str, Message]
    edges: dict[str, Message]
    answers: dict[str, Message]


NAMES = names("guatemala", GuatemalaNames)


class GuatemalaTable(GameWords[GuatemalaState]):
    """The pieces and the table in words, the base of `GuatemalaWords`."""

    # Pieces, by their words in the notation

    def space(self, name: str) -> str:
        return f"**{name}**" if self.rich else name

    def place(self, name: str) -> str:
        """Return the name of a place of the plantation board; ports are numbered from the left."""
        if name in PORTS:
            return self.words("Port {number}", number=name.removeprefix("port"))
        return self.space(name) if name in PLACES else self.typed(name)

    says: ClassVar = {
        "space": space,
        "place": place,
        "port": place,
        # The buyer's position: ``row 5 (right)``, or short ``right 5``.
        "position": lambda self, name: self.words(NAMES.positions[name[0]], number=name[1:]),
        "side": lambda self, name: self.words(NAMES.sides[name[0]], number=name[1:]),
        "steps": lambda self, steps: self.counted("steps", int(steps)),
        "answer": lambda self, answer: self.words(NAMES.answers[answer]),
        "colour": lambda self, colour: self.words(NAMES.colours[colour]),
        "plantation": lambda self, colour: self.words(NAMES.plantations[colour]),
        "sack": lambda self, colour: self.piece(piece(SACK, COLOUR_OF_KEY[colour])),
        "hut": lambda self, colour: self.piece(piece(HUT, COLOUR_OF_KEY[colour])),
        "ship": lambda self, colour: self.piece(piece(SHIP, COLOUR_OF_KEY[colour])),
        "spaces": lambda self, spaces: self.counted("roads", len(spaces)),
        "cost": lambda self, price: str(price),
    }
    derived: ClassVar[Mapping[str, str]] = {
        "plantation": "colour",
        "sack": "colour",
        "hut": "colour",
        "ship": "colour",
        "side": "position",
        "cost": "price",
        "item": "piece",
    }
    notation: ClassVar = {
        "position": POSITION_NAMES,
        "steps": STEPS,
        "piece": SPACE_NAMES,
        "place": PLACES,
        "answer": tuple(ANSWERS),
        "colour": COLOUR_KEYS,
    }

    def facts(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Return the facts in words; a colour is said with its piece or workers. Roads have
        none."""
        texts = super().facts(
            {name: facts[name] for name in facts if (name, facts[name]) != ("colour", "")}
        )
        match facts:
            case {"piece": str(kind), "colour": str(colour)}:
                number = piece(KINDS.index(kind), COLOUR_OF_KEY[colour]) if colour else ROAD
                texts |= {"piece": self.piece(number), "item": self.with_sign(number)}
            case {"workers": int(count), "colour": str(colour)}:
                texts["workers"] = self.workers(COLOUR_OF_KEY[colour], count)
        return texts

    # Pieces, by their numbers in the state

    def piece(self, number: int) -> str:
        """Return the name of a piece: ``red worker``, ``road``."""
        return self.words(NAMES.pieces[piece_key(number)])

    def sign(self, number: int) -> str:
        key = "_".join(reversed(piece_key(number).split("_")))
        return self.words.sign(f"guatemala_{key}", KIND_EMOJI[kind_of(number)])

    def with_sign(self, number: int) -> str:
        """Return the name of a piece, in markdown with its sign."""
        return f"{self.sign(number)} {self.piece(number)}" if self.rich else self.piece(number)

    def colour(self, number: int) -> str:
        """Return the colour of a piece, in markdown with the piece's sign."""
        key = COLOUR_KEYS[colour_of(number)]
        if not self.rich:
            return self.fact("colour", key)
        sign = self.words.sign(f"guatemala_{KINDS[kind_of(number)]}_{key}", COLOUR_EMOJI[key])
        return f"{sign} {self.fact('colour', key)}"

    def kind(self, kind: str, count: int) -> str:
        """Return a number of pieces of a kind: ``4 workers``."""
        return self.words.phrase(NAMES.kinds[kind], count, count=count)

    def workers(self, colour: int, count: int) -> str:
        """Return a number of workers of a colour: ``4 red workers``."""
        return self.words.phrase(NAMES.workers[COLOUR_KEYS[colour]], count, count=count)

    def strip(self, strip: int) -> str:
        """Return the name of a strip, from 1: ``Path 2``; without paths its columns."""
        board = board_of(self.known)
        if board.has_paths:
            return self.words("Path {number}", number=strip)
        return self.words("Columns {columns}", columns=columns(board, strip))

    def region(self, region: str) -> str:
        """Return the name of a region of the plantation board: ``Path 2, middle``."""
        zone = self.words(NAMES.zones[region[1:]])
        return self.words("{strip}, {zone}", strip=self.strip(int(region[0])), zone=zone)

    def missing_roads(self, count: int, port: int) -> str:
        """Return a number of missing roads to a port: ``2 roads to Port 1``."""
        name = self.place(board_of(self.known).ports[port].name)
        return self.words.plural(
            "{count} road to {port}", "{count} roads to {port}", count, port=name
        )

    def sacks(self, hand: Iterable[int]) -> str:
        """Return counts of sacks with their colours: ``red ×2, white``; ``none left`` for none."""
        names = [(self.colour(piece(SACK, colour)), count) for colour, count in enumerate(hand)]
        shown = [f"{name} ×{n}" if n > 1 else name for name, n in names if n]
        return ", ".join(shown) or self.words("none left")

    def short_name(self, seat: Seat) -> str:
        """Return the name of a player, clipped for labels; ``you`` for the observer."""
        if seat == self.observer:
            return self.words("you")
        return self.seat(seat) if self.rich else clip(self.seat(seat), NAME_LIMIT)

    def harvests(self, colour: int) -> list[tuple[Seat, int]]:
        """Return the seats that would score for a sack of a colour, and their points.

        The observer is first, the others follow in turn order.
        """
        known, seats = self.known, len(self.known.players)
        scores = [(seat, each.points) for seat, each in enumerate(crops(known, colour))]
        scores.sort(key=lambda each: (each[0] != self.observer, (each[0] - known.turn) % seats))
        return [(seat, points) for seat, points in scores if points]

    def harvest(self, colour: int) -> str:
        """Return the scores for a sack of a colour now: ``you +6, Easy 1 +4``."""
        match self.harvests(colour):
            case []:
                return self.words("no one scores")
            case [(seat, points)] if seat == self.observer:
                return self.words.plural("you score {count}", "you score {count}", points)
            case [(seat, points)]:
                return self.words.plural(
                    "{seat} scores {count}",
                    "{seat} scores {count}",
                    points,
                    seat=self.short_name(seat),
                )
            case several:
                return ", ".join(f"{self.short_name(seat)} +{points}" for seat, points in several)

    # Lines of the production board, and plantations

    def position_after(self, steps: int) -> int:
        """Return the buyer's position after a number of steps."""
        return (self.known.buyer + steps) % POSITIONS

    def line(self, position: int) -> list[int]:
        """Return the pieces in the line of a position."""
        pieces = [self.known.production[space] for space in FACED[position]]
        return [piece for piece in pieces if piece != EMPTY]

    def sack_in(self, position: int) -> int | None:
        """Return the sack in the line of a position; a line has at most one."""
        return next((each for each in self.line(position) if kind_of(each) == SACK), None)

    def offers(self, position: int) -> str:
        """Return the pieces in the line of a position: ``black sack, 4 workers, 1 hut``."""
        counts = Counter(KINDS[kind_of(each)] for each in self.line(position))
        sack = self.sack_in(position)
        pieces = [self.kind(kind, counts[kind]) for kind in NAMES.kinds if counts[kind]]
        sacks = [] if sack is None else [self.piece(sack)]
        return ", ".join([*sacks, *pieces]) or self.words("empty line")

    def owned(self, seat: Seat) -> list[int]:
        """Return the colours of a player's plantations."""
        player = self.known.players[seat]
        return [colour for colour in range(len(COLOUR_KEYS)) if player.cells(colour)]

    def plantations(self, seat: Seat) -> list[str]:
        """Return a line for each plantation of a player."""
        return [self.plantation_line(seat, colour) for colour in self.owned(seat)]

    def plantation_line(self, seat: Seat, colour: int) -> str:
        """Return a plantation in a line: ``4 red workers, hut b2, Port 1: scores 8 points``."""
        words, board, player = self.words, board_of(self.known), self.known.players[seat]
        count, hut = len(player.workers[colour]), player.huts[colour]
        workers = self.workers(colour, count)
        if hut == NONE:
            return words("{workers}, no hut", workers=workers)
        cell = board.names[hut]
        if not count:
            return words("{hut} {cell}, no workers", hut=self.piece(piece(HUT, colour)), cell=cell)
        ports, _, points = crops(self.known, colour)[seat]
        joined = [self.place(board.ports[port].name) for port in ports]
        pieces = ", ".join([workers, words("hut {cell}", cell=cell), *joined])
        return words(
            "{pieces}: scores {points}", pieces=pieces, points=self.counted("points", points)
        )

    def roads_to_port(self, hut: int) -> str:
        """Return the number of missing roads from a hut to its nearest port."""
        nearest = nearest_ports(len(self.known.players), tuple(self.known.roads))
        port, missing = nearest[hut]
        return self.missing_roads(len(missing), port)

    # The table

    def variants(self) -> str:
        """Return the table's differences from the default rules; '' for none.

        The setup is left out, as the table shows it.
        """
        track = self.known.rules.track
        return "" if track == CONTENT.tracks[0] else self.option_values({"track": str(track)})

    def board_lines(self) -> Iterator[str]:
        """Yield lines for the players, the buyer and its next lines, sacks, ports and roads.

        The texts of the parts have the pieces on the boards.
        """
        words, known = self.words, self.known
        if not known.round:
            yield words("Set-up")
        elif isinstance(known.frames[-1], GuatemalaOver):
            yield words("The game ended in round {round}", round=known.round)
        else:
            facts = {"round": known.round, "seat": self.seat(known.turn)}
            yield words("Round {round} · {seat}'s turn", **facts)
        for seat, player in enumerate(known.players):
            means = self._means(player).values()
            yield f"**{self.seat(seat)}**: {sentence([*means, *self.plantations(seat)])}"
        if known.buyer != NONE:
            yield words("**Buyer** at {where}: {offers}", **self._line_facts(0))
            for steps in map(int, STEPS):
                count = self.counted("steps", steps)
                yield words("- {steps}, {where}: {offers}", steps=count, **self._line_facts(steps))
        sacks = [
            words("{colour} (row {row})", colour=self.colour(each), row=space[0])
            for space, each in zip(SPACE_NAMES, known.production, strict=True)
            if each != EMPTY and kind_of(each) == SACK
        ]
        yield words("**Sacks**: {sacks}", sacks=", ".join(sacks) or words("none left"))
        if known.track:
            yield words.plural(
                "{count} sack on the score track, on space {space}: {colours}",
                "{count} sacks on the score track, down to space {space}: {colours}",
                len(known.track),
                space=lowest_sack(known),
                colours=self.sacks(map(known.track.count, range(len(COLOUR_KEYS)))),
            )
        yield from self._port_lines(bold)
        roads = self.counted("roads", len(known.roads))
        yield words("{roads} on the board, {stock} in the supply", roads=roads, stock=known.stock)
        yield self.variants()

    def _line_facts(self, steps: int) -> dict[str, str]:
        """Return the buyer's position after some steps, and the pieces in its line."""
        position = self.position_after(steps)
        where = self.fact("position", POSITION_NAMES[position])
        return {"where": where, "offers": self.offers(position)}

    def _means(self, player: GuatemalaPlayer) -> dict[str, str]:
        """Return a player's points, money and number of sacks, which are public."""
        return {
            "points": self.counted("points", sum(player.points)),
            "money": self.counted("money", player.money),
            "sacks": self.counted("sacks", sum(player.hand)),
        }

    def _port_lines(self, styled: Callable[[str], str]) -> Iterator[str]:
        """Yield a line for each port, its name `styled`, with its ships and the next price."""
        words, board = self.words, board_of(self.known)
        for number in board.open_ports:
            port, docked = board.ports[number], self.known.ports[number]
            ships = ", ".join(self.colour(piece(SHIP, colour)) for colour in docked)
            facts = {"port": styled(self.place(port.name)), "ships": ships or words("no ships")}
            if len(docked) < len(port.prices):
                price = self.counted("price", port.prices[len(docked)])
                yield words("{port}: {ships}; the next one costs {price}", price=price, **facts)
            else:
                yield words("{port}: {ships}; full", **facts)

    def hand_lines(self) -> Iterator[str]:
        """Yield lines for the observer's secret answer, money, points, sacks and plantations."""
        words, board, seat = self.words, board_of(self.known), self.observer
        player = self.known.players[seat]
        for answer in self.chosen().values():
            yield words("**Your secret answer:** {answer}", answer=answer)
        yield from self.titled(
            [
                (words("Money"), self.counted("money", player.money)),
                (words("Points"), str(sum(player.points))),
                (words("Sacks"), self.sacks(player.hand)),
            ]
        )
        for colour in self.owned(seat):
            cells, hut = player.workers[colour], player.huts[colour]
            names = " ".join(board.names[cell] for cell in cells)
            lacks_port = hut != NONE and not crops(self.known, colour)[seat].ports
            parts = [
                self.plantation_line(seat, colour),
                words("workers on {cells}", cells=names) if cells else "",
                self.roads_to_port(hut) if lacks_port else "",
            ]
            yield f"- {sentence(parts)}"
        left = [colour for colour in range(len(COLOUR_KEYS)) if not player.cells(colour)]
        if left:
            colours = ", ".join(self.colour(piece(HUT, colour)) for colour in left)
            yield words("Not planted yet: {colours}", colours=colours)

    def chosen(self) -> Mapping[str, str]:
        """Return the observer's answer about a block while others have not answered."""
        frame = self.known.frames[-1]
        if not isinstance(frame, Blocking) or self.observer < 0:
            return {}
        answer = {ALLOWS: NO, BLOCKS: YES}.get(frame.answers[self.observer])
        return {"answer": self.fact("answer", answer)} if answer else {}

    def alt_lines(self) -> Iterator[str]:
        words, known = self.words, self.known
        yield words("Round {round}.", round=known.round) if known.round else words("Set-up.")
        for seat, player in enumerate(known.players):
            harvest = ", ".join(
                f"{self.colour(piece(HUT, colour))} {crops(known, colour)[seat].points}"
                for colour in self.owned(seat)
            )
            facts = {"seat": self.seat(seat), **self._means(player)}
            if harvest:
                yield words(
                    "{seat}: {points}, {money}, {sacks}; harvests now: {harvest}.",
                    harvest=harvest,
                    **facts,
                )
            else:
                yield words("{seat}: {points}, {money}, {sacks}, no plantations.", **facts)
        if known.buyer != NONE:
            yield words("Buyer at {where}: {offers}.", **self._line_facts(0))
        yield words("{sacks} on the score track.", sacks=self.counted("sacks", len(known.track)))
        if variants := self.variants():
            yield f"{variants}."

    # Parts of the table

    def part(self, part: str) -> PartText | None:
        """Return the text of the production board, of all plantations, or of a part of the
        plantation board."""
        words, parts = self.words, board_of(self.known).parts
        if part == PRODUCTION:
            rows = [self.plain._production_row(row) for row in range(SIZE)]
            lines = [words("A colour by itself is a worker."), *rows]
            return PartText(words("Production board"), lines)
        if part == PLANTATIONS:
            none = words("no plantations")
            owned = [
                f"{self.seat(seat)}: {sentence(self.plantations(seat)) or none}"
                for seat in range(len(self.known.players))
            ]
            ports = self._port_lines(bold if self.rich else str)
            return PartText(words("Plantations"), [*owned, *ports])
        if part not in parts:
            return None
        title = words(HALVES[part]) if part in HALVES else self.strip(parts[part][0])
        regions = [f"{strip}{zone.key}" for strip in parts[part] for zone in CONTENT.zones]
        return PartText(title, map(self._region_line, regions))

    def _production_row(self, row: int) -> str:
        pieces = ", ".join(
            self.colour(each) if kind_of(each) == WORKER else self.piece(each)
            for each in self.known.production[SIZE * row : SIZE * (row + 1)]
        )
        return self.words("Row {number}: {pieces}", number=row + 1, pieces=pieces)

    def _region_line(self, region: str) -> str:
        """Return the huts and workers in a region by owner, and its roads."""
        words, board, parts = self.words, board_of(self.known), list[str]()

        def in_region(places: Iterable[str]) -> str:
            return " ".join(place for place in places if board.region_of(place) == region)

        for seat, player in enumerate(self.known.players):
            for colour in self.owned(seat):
                hut, cells = player.huts[colour], [board.names[n] for n in player.workers[colour]]
                huts, workers = in_region(board.names[hut : hut + 1]), in_region(cells)
                pieces = {
                    self.piece(piece(HUT, colour)): huts,
                    self.workers(colour, len(workers.split())): workers,
                }
                parts += [
                    words("{seat} {piece} {cells}", seat=self.seat(seat), piece=name, cells=places)
                    for name, places in pieces.items()
                    if places
                ]
        if roads := in_region(board.roads[road].name for road in self.known.roads):
            parts.append(words("roads {cells}", cells=roads))
        name = self.region(region)
        return words("{part}: {pieces}", part=name, pieces=sentence(parts) or words("empty"))


def columns(board: PlantationBoard, strip: int) -> str:
    """Return the columns of a strip, from 1: ``a-c``."""
    width = board.columns // board.strips
    return f"{board.names[width * (strip - 1)][0]}-{board.names[width * strip - 1][0]}"
