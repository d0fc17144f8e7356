"""What happens at the table, event by event: hands, turns, calls, kans, riichi, furiten, walls.

In comes a canonical log. Out come arrays beside its events: who holds what, whose turn it is, how far each hand is from
winning, what is legal. There is no loop over events: hands are running sums by seat (``running_sums``), and what has a
memory is a running maximum or count.

Imports log, and the engine.
"""
