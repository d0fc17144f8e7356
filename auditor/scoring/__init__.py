"""The results of rounds and games: wins, payments, draws, aborts, the next round, the end of the game.

In: a log and its replay. Out: frames with recorded values beside expected ones.

Imports replay and log, and the engine.
"""
