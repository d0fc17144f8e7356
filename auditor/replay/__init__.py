"""What happens at the table, event by event: hands, turns, calls, kans, riichi, furiten, walls.

In: a canonical log. Out: arrays with one entry for each event, and frames: who holds which tiles, whose turn it is,
how far each hand is from winning, which actions are legal. There is no loop over events: hands are running sums by seat
(``running_sums``), and whatever depends on earlier events is a running maximum or count.

Imports log, and the engine.
"""
