"""How fast the program is and how that grows: what docs/performance.md shows."""
