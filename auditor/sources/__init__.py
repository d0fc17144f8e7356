"""From names to bytes: files, folders, archives within archives, compressed streams, object stores.

``places`` finds files; ``archives`` cuts archives into members (``members``, ``tars``), each a ``piece`` of work;
``streams`` recognises kinds of files and unpacks compressed ones within limits; ``remote`` opens URIs; ``log_files``
reads one file; ``likeness`` decides whether a file that is no log should be one. No size that a file states about
itself is trusted.

Imports no other room.
"""
