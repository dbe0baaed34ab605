"""Computer players of Flandern 1302."""
