"""Hands that somebody wrote down: one explained, a table of them scored beside what a client claims.

In come texts and tables of hands; out go explanations and scored tables. ``parsing`` reads the texts in the engine's
grammar, ``contradictions`` finds impossible hands, ``read`` returns wins and problems. ``explain`` explains one hand,
and ``text`` writes the explanation. ``files`` reads a table, ``table`` scores it, and ``report`` summarises the result.

Imports dataset (kinds of file), log (names of yaku) and base, and the engine.
"""
