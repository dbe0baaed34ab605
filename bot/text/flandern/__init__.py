"""The words of Flandern 1302."""
