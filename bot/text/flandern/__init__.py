"""Texts of Flandern 1302."""
