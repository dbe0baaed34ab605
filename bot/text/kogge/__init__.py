"""The words of Kogge."""
