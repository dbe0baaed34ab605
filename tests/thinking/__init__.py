"""Tests of the search workers and of the strong player."""
