"""A sensible computer player of Kogge."""
