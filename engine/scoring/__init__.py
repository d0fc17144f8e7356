"""Scores: fu, limits, points, payments, exhaustive draws, and the end of a game.

In: `engine.yaku.wins.Wins` (or draws, or final scores) and the rules of the batch as
`engine.rules.rule_table.RuleTable`. Out: arrays with one entry for each win, draw or game. Imports the rooms
``rules``, ``yaku``, ``shapes`` and ``tiles``.

Scoring uses Tenhou's value for an unknown rule (see `engine.rules.rule_table`).

- ``fu``, ``limits``: fu of a reading; mangan to yakuman, and base points
- ``shares``: what each seat pays, with three players also for the missing seat
- ``payments``: who pays whom, pao, honba and sticks of several winners
- ``score``: fu, han, limit, points and payments of the best reading of each win
- ``points``: limit and points from given fu and han, without a hand
- ``draws``, ``standings``: noten payments and nagashi mangan; places and final points
"""
