"""The pictures of Burgundy: the table, each estate large, and the depots large."""
