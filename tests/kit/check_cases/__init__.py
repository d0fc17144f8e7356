"""For every check the shortest log that passes and one or more that fail, described in words.

``results``, ``flow``, ``calls`` and ``walls`` hold the cases, by the checks' subjects; ``case`` says what a case is;
``fixtures`` puts all together and writes ``fixtures/checks``.
"""
