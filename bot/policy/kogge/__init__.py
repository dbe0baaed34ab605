"""The computer players of Kogge."""
