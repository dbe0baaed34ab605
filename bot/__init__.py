"""Board games played by chat, on Discord or on a laptop without it."""
