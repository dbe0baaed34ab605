"""The rules of all games: pure functions over plain data.

Read `contract` first (actions, decisions, events), then `game` (the interface of a game), `grammar`
(rules and legal moves) and `hidden` (who sees what). Each game is a package.
"""
