"""What only those who work on the program run, as `python -m tools.NAME`; not part of a package."""
