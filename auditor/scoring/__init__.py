"""What rounds and games should come to: wins, payments, draws, aborts, the next round, the end of the game.

In come a log and its replay; out come frames that set what is recorded beside what is expected.

Imports replay and log, and the engine.
"""
