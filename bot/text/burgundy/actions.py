"""An action said back, whole or as far as it has been built, for a confirmation."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.burgundy.view import View
from bot.game.contract import Action
from bot.text.burgundy.speech import ANY, Speech
from bot.text.words import Message, msg

_PARAMS: Mapping[str, tuple[str, ...]] = {
    "board": ("board",),
    "castle": ("space",),
    "take": ("die", "depot", "tile", "discard"),
    "place": ("die", "tile", "space"),
    "sell": ("die", "good"),
    "workers": ("die",),
    "buy": ("depot", "tile", "discard"),
    "load": ("depot", "goods"),
    "decline": (),
    "end": (),
}
"""What each word of an action is called in the templates below."""

_SAID: Mapping[str, tuple[Message, ...]] = {
    "board": (msg("Choose a board"), msg("Take board {board}")),
    "castle": (msg("Choose the place of your castle"), msg("Castle on {space}")),
    "take": (
        msg("Take a tile"),
        msg("Take a tile with {die}"),
        msg("Take from {depot} with {die}"),
        msg("Take {tile} from {depot} with {die}"),
        msg("Take {tile} from {depot} with {die}, discarding {discard}"),
    ),
    "place": (
        msg("Place a tile"),
        msg("Place a tile with {die}"),
        msg("Place {tile} with {die}"),
        msg("Place {tile} on {space} with {die}"),
    ),
    "sell": (
        msg("Sell goods"),
        msg("Sell goods with {die}"),
        msg("Sell goods of {good} with {die}"),
    ),
    "workers": (msg("Take workers"), msg("Take workers with {die}")),
    "buy": (
        msg("Buy a tile"),
        msg("Buy from {depot}"),
        msg("Buy {tile} from {depot}"),
        msg("Buy {tile} from {depot}, discarding {discard}"),
    ),
    "load": (
        msg("Load goods"),
        msg("Load goods from {depot}"),
        msg("Load {goods} from {depot}"),
    ),
    "decline": (msg("Decline the effect"),),
    "end": (msg("End your turn"),),
}
"""By how many of the words are there."""

_FREE: Mapping[str, tuple[Message, ...]] = {
    "take": (
        msg("Take a tile"),
        msg("Take a tile"),
        msg("Take from {depot}"),
        msg("Take {tile} from {depot}"),
        msg("Take {tile} from {depot}, discarding {discard}"),
    ),
    "place": (
        msg("Place a tile"),
        msg("Place a tile"),
        msg("Place {tile}"),
        msg("Place {tile} on {space}"),
    ),
    "sell": (msg("Sell goods"), msg("Sell goods"), msg("Sell goods of {good}")),
    "workers": (msg("Take workers"), msg("Take workers")),
}
"""The same with a die of any value, of which there is nothing to say."""


def step_text(speech: Speech, action: Action) -> str:
    """The action in words, without a full stop. Raises KeyError for a kind there is not."""
    kind, said = action[0], list(action[1:])
    while said and not said[-1]:
        # An empty last word is nothing: no tile to discard, no new type of goods to load.
        said.pop()
    table = _FREE if said[:1] == [ANY] else _SAID
    facts = {
        name: _fact(speech, name, word) for name, word in zip(_PARAMS[kind], said, strict=False)
    }
    return speech.words(table[kind][len(said)], **facts)


def action_text(speech: Speech, action: Action, view: View) -> str:
    """As `step_text`, with the workers that it costs just now."""
    text = step_text(speech, action)
    cost = workers_for(view, action)
    if not cost:
        return text
    return speech.words("{action} ({workers})", action=text, workers=speech.counted("spent", cost))


def workers_for(view: View, action: Action) -> int:
    """What workers an action costs, as far as it is built; 0 where that is still open."""
    use = next((use for use in view.uses if action[1:2] == (use.die,)), None)
    if use is None:
        return 0
    match action[0], *action[2:]:
        case "take", depot, *_:
            costs = [take.workers for take in use.takes if take.depot == depot]
        case "place", tile, space:
            costs = [p.workers for p in use.places if (p.tile, p.space) == (tile, space)]
        case "sell", good:
            costs = [sale.workers for sale in use.sales if sale.good == good]
        case _:
            return 0
    return costs[0] if costs else 0


def _fact(speech: Speech, name: str, word: str) -> str:
    if name == "goods":
        return speech.types(word)
    return speech.fact("tile" if name == "discard" else name, word)
