"""What writers of formats share: a game as Python objects (``game``), and numbers for tiles (``copies``).

Each format's package has a ``writer`` beside its reader. It states nothing that the log does not state: no points are
recomputed, no missing event is made up; what the log or the format cannot tell is named.
"""
