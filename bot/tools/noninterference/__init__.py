"""Noninterference: a table and a resampled one, which an observer must not tell apart."""
