"""A table and its twin, which an observer must not be able to tell apart."""
