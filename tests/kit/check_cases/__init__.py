"""For every check, the shortest log that passes and at least one that fails, described in words.

``results``, ``flow``, ``calls``, ``walls``, ``stated_walls`` and ``three`` hold the cases, by the checks' subjects;
``case`` defines a case; ``fixtures`` joins all and writes ``fixtures/checks``.
"""
