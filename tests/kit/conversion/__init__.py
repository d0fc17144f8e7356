"""Self-played games of 電脳麻将 written as Tenhou logs: ``games`` whole games, ``rounds`` a round, ``tiles`` tiles."""
