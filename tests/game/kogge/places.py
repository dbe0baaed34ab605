"""The numbers of Kogge's cities by name, and options that many tests use."""

from __future__ import annotations

TONSBERG, STOCKHOLM, ABO, REVAL, RIGA, DANZIG, STRALSUND, LUBECK, KOPENHAGEN = range(9)

HIDDEN = {"goods": "hidden"}
OPEN = {"goods": "open"}
ITALIAN = {"edition": "italian"}
