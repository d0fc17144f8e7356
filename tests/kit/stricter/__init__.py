"""Violations of stricter rules in self-played games of 電脳麻将, counted by plain loops to compare with an audit.

``calls`` counts kuikae and ankans in riichi, ``flow`` everything about winners, draws, aborts and furiten. Both name
the game and the event of each violation, so that not only numbers are compared.
"""
