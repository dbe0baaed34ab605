"""The rules of the games: pure functions over plain data, and the contract they share."""
