"""Code that every room may use and that knows nothing of mahjong.

``printing`` escapes text and fits it to the terminal. ``columns`` sets columns of text side by side. ``choices`` has
the values that options allow. ``steps`` reports the progress of a batch.

Imports no other room.
"""
