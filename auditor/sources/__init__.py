"""From names to bytes: files, folders, archives within archives, compressed streams, object stores.

``places`` finds files; ``archives`` cuts archives into members (``members``, ``tars``); ``streams`` tells what bytes
are and undoes compression within limits; ``remote`` opens URIs; ``log_files`` reads one piece; ``likeness`` says of
what is no log whether it should be one. What a file says of its own size is never believed.

Imports no other room.
"""
