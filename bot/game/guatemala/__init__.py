"""Guatemala Café: plantations, harvests and ships, for two to four players."""
