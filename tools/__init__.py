"""Tools for developers, run as `python -m tools.NAME`. They are not installed."""
