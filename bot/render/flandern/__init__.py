"""The pictures of Flandern 1302."""
