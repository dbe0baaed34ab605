"""The caches of pictures and their parts."""

from __future__ import annotations

import re
from functools import _lru_cache_wrapper
from importlib import import_module
from pkgutil import walk_packages

from bot import render
from bot.render.cache import PARTS, PICTURES, ByteBudget, LRUCache, size_of
from bot.render.sprites import Backdrop, Sprite, ground
from tests.render.compare import forget

LIMIT = 64 << 20
"""Maximum bytes of both caches."""
ENTRY = 256
LARGE = re.compile(r"Sprite|Backdrop|Image|Mask|Font|bytes")
"""Return types that need a cache limited by bytes."""


def test_caches_share_a_budget() -> None:
    budget = ByteBudget(4 * (ENTRY + 10))
    letters: LRUCache[str] = LRUCache(budget)
    numbers: LRUCache[int] = LRUCache(budget)
    for key in "abc":
        letters.put(key, key.upper(), 10)
    assert letters.get("a") == "A"
    numbers.put("b", 2, ENTRY + 20)
    assert [letters.get(key) for key in "abc"] == ["A", None, "C"]
    assert numbers.get("b") == 2
    numbers.put("b", 3, 5 * ENTRY)
    assert (letters.get("a"), numbers.get("b"), budget.used) == (None, None, 0)
    # A replaced value counts once.
    for _ in range(9):
        letters.put("a", "A", 10)
    assert (letters.get("a"), budget.used) == ("A", ENTRY + 10)


def test_all_caches_of_pictures_together_have_a_limit_of_64_mib() -> None:
    assert PARTS.limit + PICTURES.limit <= LIMIT
    found = []
    for module in walk_packages(render.__path__, "bot.render."):
        for name, function in vars(import_module(module.name)).items():
            if isinstance(function, _lru_cache_wrapper):
                returns = function.__wrapped__.__annotations__["return"]
                if LARGE.search(returns):
                    found.append(f"{module.name}.{name} caches {returns} without a limit in bytes")
    assert found == []


def test_large_sprites_and_backdrops_are_compressed_without_loss() -> None:
    image = ground(700, 300, "#3a7bd5", lambda pen: pen.ellipse((9, 9, 400, 280), "#c43020"))
    backdrop = Backdrop(image)
    assert backdrop.image.tobytes() == image.tobytes()
    assert 20 * size_of(backdrop) < size_of(image)
    mask = image.convert("L")
    for size, share in ((300, 20), (20, 1)):
        box = (0, 0, size, size)
        sprite = Sprite(image.crop(box), mask.crop(box))
        assert sprite.image.tobytes() == image.crop(box).tobytes()
        assert sprite.mask.tobytes() == mask.crop(box).tobytes()
        assert share * size_of(sprite) <= 5 * size * size + 2048
    forget()
    assert PARTS.used == PICTURES.used == 0
