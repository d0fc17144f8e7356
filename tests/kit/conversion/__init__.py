"""Self-played games of other engines written as Tenhou logs.

Of 電脳麻将, with four players: ``games`` whole games, ``rounds`` a round, ``tiles`` tiles. Of riichienv, with three:
``sanma_games`` and ``sanma_rounds``. ``readme`` reads the tables of ``fixtures/README.md``.
"""
