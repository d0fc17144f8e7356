"""From names to bytes: files, folders, archives within archives, compressed streams, object stores.

``places`` finds files; ``archives`` cuts archives into members (``members``, ``tars``); ``streams`` recognises kinds
of files and unpacks compressed ones within limits; ``remote`` opens URIs; ``log_files`` reads one file; ``likeness``
says of a file that is no log whether it should be one. A size that a file states of itself is never relied on.

Imports no other room.
"""
