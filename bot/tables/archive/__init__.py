"""A table's past: reading it, its history, imports, exports, reports. No turn is played here."""
