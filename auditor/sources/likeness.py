"""Decides whether a file that is no log should be one, by its name or its first bytes. Only then is it a finding.

A folder of logs has other files too: notes, scripts, pictures, files of the system. They are ignored and counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.sources.log_files import Source

_LOG = re.compile(r"\.mjlog$|\.mjai$|\.mjson$|\d{10}gm-[0-9a-f]{4}-|\.paipu$", re.IGNORECASE)
"""Names that only logs have: endings of mjlog, mjai and paipu, and Tenhou's own names of games."""
_OFTEN_LOG = re.compile(r"\.(xml|json|jsonl|ndjson|log|db)$", re.IGNORECASE)
"""Endings that logs have, but other files too."""
_PACKED = re.compile(r"(\.(gz|bz2|xz|zst))*(~\d+)?$", re.IGNORECASE)
_UNPACKED = re.compile(r"\.(gz|bz2|xz|zst)(~\d+)?$", re.IGNORECASE)
_ARCHIVE = re.compile(r"\.(zip|tar|tgz|tbz2?|txz|tzst|7z|rar|lzma|lz4|sqlite3?)$", re.IGNORECASE)
"""Endings of archives. A file with this ending that is no archive is damaged, or is another file with a wrong name."""
_ROOT = b"<mjloggm"
_TAGS = re.compile(rb"<(mjloggm|SHUFFLE|TAIKYOKU|INIT|AGARI|RYUUKYOKU)[\s/>]", re.IGNORECASE)
_KEYS = re.compile(
    rb'"(qipai|zimo|dapai|fulou|qijia|baopai|paipu'  # paipu
    rb"|tsumogiri|start_game|start_kyoku|haipai|tehais"  # mjai
    rb"|disp|aka51"  # Tenhou's JSON
    rb"|charid|fandian|init_point|handRecord|handCardEncode|publicObservation|closedTiles|doraIndicators"  # others
    rb')"|"log"\s*:\s*\[\s*\['
)
"""Keys near the beginning of mahjong logs in JSON. Logs in formats that are not read here count as unread logs."""
_ADDRESS = re.compile(rb"tenhou\.net/\d/#json=")
"""An address of Tenhou's viewer with a round in it."""
_RECORD = re.compile(
    rb"\n?\x15\.lq\.GameDetailRecords\x12"
    rb"|[\x01-\x03]..\n(?:\0|\x11\.lq\.ResGameRecord)\x12"
    rb"|(?:\n[\0-\x7f].{0,127}?)?\x1a[\x80-\xff]{1,3}[\x01-\x7f]\n[\x08-\x60][0-9]{6}-"
    rb"|\n\0\x12",
    re.DOTALL,
)
"""How bytes of a log begin that are no text: records of Mahjong Soul, as the server sends them."""
_PAGE = re.compile(rb"<(!doctype\s+html|html)", re.IGNORECASE)
_APPLE = b"\0\x05\x16\x07"
"""First bytes of the files in which macOS stores attributes of another file (AppleDouble)."""


def is_meant(source: Source) -> bool:
    """Say whether a source that is no log should be one: the user named it, or its name or beginning is that of a log.

    A source that could not be read at all counts as one that should be a log.
    """
    if source.named or source.start is None:
        return True
    return not source.start.startswith(_APPLE) and (
        begins_like_one(source.start) or is_named_like_one(source.member or source.path or source.name, source.start)
    )


def is_record(data: bytes) -> bool:
    """Say whether data are the bytes of a record of Mahjong Soul, the one format that is no text."""
    return bool(_RECORD.match(data[:256]))


def is_named_like_one(name: str, start: bytes) -> bool:
    """Say whether a name promises a log or an archive.

    An ending that other files have too counts only if the file is empty, all zeros, or a web page.
    """
    bare = name.partition("?")[0] if "://" in name else name  # a URI, and its options
    name = _PACKED.sub("", re.split(r"[/\\!]", bare)[-1])
    if name.startswith("."):
        return False
    if _LOG.search(name) or _ARCHIVE.search(name):
        return True
    return bool(_OFTEN_LOG.search(name)) and (not start.strip(b"\0") or bool(_PAGE.match(start)))


def is_named_packed(name: str) -> bool:
    """Say whether a name promises a compression that the auditor can unpack."""
    return bool(_UNPACKED.search(name.partition("?")[0] if "://" in name else name))


def begins_like_one(start: bytes) -> bool:
    """Say whether an unpacked file begins like a log, in UTF-8 or UTF-16."""
    text = _narrowed(start)
    if text.startswith(b"<"):
        return bool(_TAGS.search(text)) or (len(text) > 1 and _ROOT.startswith(text.lower()))
    return bool(_KEYS.search(text)) if text.startswith((b"{", b"[")) else bool(_ADDRESS.search(text[:100]))


def _narrowed(start: bytes) -> bytes:
    """Return UTF-16 text of Latin characters as one byte a character; other text as it is."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return start[2:].replace(b"\0", b"").lstrip()
    return start.replace(b"\0", b"") if start[1:4:2] == b"\0\0" else start
