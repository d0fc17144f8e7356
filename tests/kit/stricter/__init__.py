"""Violations of stricter rules in self-played games of 電脳麻将, counted by plain loops, for comparison with an audit.

``calls`` counts kuikae and ankans in riichi, ``flow`` the rules of winners, draws, aborts and furiten. Both give the
game and the event of each violation, so that more than numbers is compared.
"""
