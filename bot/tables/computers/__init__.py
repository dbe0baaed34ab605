"""Computer players and standing orders at work. How they choose is not here: policies are handed
in."""
