"""What every room may use and what knows nothing of mahjong.

``printing`` is where text goes out: escaped, and made to fit the terminal. ``columns`` sets columns of text side by
side. ``choices`` are the words that a person chooses among. ``steps`` says how far a batch is.

Imports no other room.
"""
