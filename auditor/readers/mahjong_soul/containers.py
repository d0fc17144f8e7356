"""Cuts a file into documents: each has one record as bytes, whatever the rendering (FORMAT.md sections 1 and 2).

Bytes stay as they are. JSON and text dumps become bytes: so there is one way from bytes to the tables.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from auditor.readers.json_text import DECODER, SPACE, Number, apart, entries, printable
from auditor.readers.mahjong_soul import dumps
from auditor.readers.mahjong_soul.messages import Faults, classes, encoded
from auditor.readers.mahjong_soul.schema import ANSWER, DETAILS, EVENT_MODES, MESSAGES, PREFIX, RECORD
from auditor.readers.mahjong_soul.wire import LENGTH, top_fields
from auditor.sources.likeness import is_record

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
SHORTEST = 40
"""How many digits the shortest hex or base64 text has that is taken for a record."""
_DUMPED = re.compile(r"""\(\s*['"]\.?(?:lq\.)?(?P<name>\w+)['"]\s*,?""")
"""Matches the beginning of an entry of a text dump."""
_LISTS = ("actions", "records", "details")
"""Keys under which JSON has the list of records."""
_HEADED = re.compile(rf'"head"|"{dumps.GAME}"')
"""What each game of a list of games has."""
_LIVE = "Action"
DEEPEST = 6


@dataclass
class Document:
    """A record as bytes.

    Parameters
    ----------
    within
        the number of its line or entry in the file, from 1; None for the whole file
    head
        bytes of a RecordGame; None if there is none
    details
        bytes of a GameDetailRecords
    faults
        what could not be read: code, what was found, what should be there
    notes
        the same of single records: number of the record, what was found, what should be there

    """

    within: str | None
    head: bytes | None = None
    details: bytes = b""
    faults: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[tuple[int, str, str]] = field(default_factory=list)

    def fault(self, code: str, recorded: str, expected: str) -> Document:
        """Add a fault and return the document."""
        self.faults.append((code, printable(recorded), expected))
        return self


def documents(data: bytes) -> Iterator[Document]:
    """Yield the documents of a file."""
    if data[:1] in (b"{", b"["):
        yield from _of_json(data.decode())
        return
    if is_record(data):
        yield _of_bytes(None, data)
        return
    text = data.decode("utf-8", "backslashreplace")
    if _DUMPED.search(text[:4096]):
        yield _of_dump(text)
        return
    lines = [line.strip(SPACE) for line in text.split("\n")]
    if sum(map(bool, lines)) > 1 and all(_starts(line) for line in lines if line):
        for number, line in enumerate(lines, 1):
            if line:
                yield _of_text(str(number), line)
    else:
        yield _of_text(None, "".join(lines))


def is_encoded(data: bytes) -> bool:
    """Return whether a text begins with hex or base64 of a record."""
    line = data[:4096].split(b"\n")[0].strip().decode("ascii", "replace")
    if _HEX.fullmatch(line[: len(line) // 2 * 2]) and is_record(bytes.fromhex(line[: len(line) // 2 * 2])):
        return True
    raw = _unbased(line[: len(line) // 4 * 4])
    return raw is not None and is_record(raw)


def _starts(line: str) -> bool:
    return line[:1] in "{[" or (len(line) >= SHORTEST and bool(_BASE64.fullmatch(line)))


def _of_text(within: str | None, text: str) -> Document:
    """Return the document of one text: JSON, hex, base64."""
    if text[:1] in ("{", "["):
        return _of_value(within, text)
    raw = None
    if _HEX.fullmatch(text):
        raw = bytes.fromhex(text)
    if raw is None or not is_record(raw):
        raw = _unbased(text)
    if raw is None or not is_record(raw):
        return Document(within).fault("L001", f"text {text[:60]!r}", "a record of Mahjong Soul as hex, base64 or JSON")
    return _of_bytes(within, raw)


def _unbased(text: str) -> bytes | None:
    """Return the bytes of a base64 text; None if it is none. Letters that are missing at its end cost those bytes."""
    text = text.strip(SPACE).rstrip("=").replace("-", "+").replace("_", "/")
    text = text[: len(text) - (len(text) % 4 == 1)]
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


# Bytes.


def _of_bytes(within: str | None, raw: bytes) -> Document:
    """Return the document of bytes: a list of records, or the server's answer with head and list."""
    doc = Document(within)
    if raw[:1] == b"\x15":  # white space before a text is cut off, and a record begins with the byte of a line feed
        raw = b"\n" + raw
    if raw[:1] in (b"\x01", b"\x02", b"\x03"):
        raw = raw[3:]
    _unwrapped(doc, raw, 0)
    if not doc.details and not doc.faults:
        doc.fault("L001", f"{len(raw)} bytes without records", "the records of a game")
    return doc


def _unwrapped(doc: Document, raw: bytes, depth: int) -> None:
    """Fill a document from bytes that are a wrapper, an answer, or a list of records."""
    fields, cut = top_fields(raw)
    by_number = {number: value for number, value in fields if isinstance(value, bytes)}
    name = by_number.get(1, b"")
    if name.startswith(PREFIX.encode()) or (name == b"" and set(by_number) <= {1, 2} and 2 in by_number):
        kind = name.decode("utf-8", "replace").removeprefix(PREFIX)
        content = by_number.get(2, b"")
        if kind in {"", ANSWER} and depth < 2:
            _unwrapped(doc, content, depth + 1)
        elif kind == DETAILS:
            doc.details = content
        else:
            doc.fault("L001", f"a message {name[:60]!r}", f"{PREFIX}{DETAILS} or {PREFIX}{ANSWER}")
    elif 3 in by_number and any(isinstance(value, bytes) and number == 4 for number, value in fields):
        doc.head = by_number[3]
        _unwrapped(doc, by_number[4], depth + 1)
    elif 3 in by_number and (5 in by_number or not fields_of_list(raw)):
        doc.head = by_number[3]
        doc.fault("L002", "a head without records (they lie elsewhere: data_url)", "the records of the game")
    else:
        doc.details = raw
    if cut:
        doc.fault("L002", f"bytes that end within a message (at {cut} of {len(raw)})", "a whole message")


def fields_of_list(raw: bytes) -> bool:
    """Return whether bytes look like a list of records."""
    return b".lq.Record" in raw[:512]


# JSON.


def _of_json(text: str) -> Iterator[Document]:
    """Yield the documents of JSON: an object, a list of objects, or several one after another."""
    lines = [line.strip(SPACE) for line in text.split("\n")]
    whole = [line for line in lines if line]
    if len(whole) > 1 and all(_starts(line) and (line[0] not in "{[" or line[-1] in "}]") for line in whole):
        for number, line in enumerate(lines, 1):
            if line:
                yield _of_text(str(number), line)
        return
    parts = apart(text)
    if len(parts) > 1 and all(part[:1] in "{[" for part in parts):
        for number, part in enumerate(parts, 1):
            yield _of_value(str(number), part)
        return
    if text[:1] == "[":
        listed = entries(text.strip(SPACE))
        if listed and all(entry[:1] == "{" and _HEADED.search(entry) for entry in listed):
            for number, entry in enumerate(listed, 1):
                yield _of_value(str(number), entry)
            return
    yield _of_value(None, text)


def _of_value(within: str | None, text: str) -> Document:
    """Return the document of one JSON text."""
    doc = Document(within)
    try:
        value = DECODER.decode(text.strip(SPACE))
    except ValueError as error:
        return doc.fault("L001", f"no JSON ({error}): {text[:60]!r}", "a record of Mahjong Soul")
    except RecursionError:
        return doc.fault("L001", "JSON that is nested too deep", "a record of Mahjong Soul")
    if dumps.is_dump(value):
        return _of_dumped(doc, dumps.read(value))
    faults = Faults()
    if isinstance(value, dict):
        head = next((value[key] for key in ("head", "record_head") if isinstance(value.get(key), dict)), None)
        if head is not None:
            doc.head = encoded("RecordGame", head, faults)
            _report(doc, faults, None)
    _fill(doc, value)
    if not doc.details and not doc.faults:
        doc.fault("L001", "JSON without the records of a game", "a list of records")
    return doc


def _of_dumped(doc: Document, dump: dumps.Dump) -> Document:
    """Return the document of a game of MajsoulPaipuAnalyzer."""
    faults = Faults()
    doc.head = encoded("RecordGame", dump.head, faults)
    _report(doc, faults, None)
    _encode(doc, list(dumps.records(dump)))
    doc.notes += [(number, printable(recorded), expected) for number, recorded, expected in dump.unread]
    if not dump.records:
        doc.fault("L001", "a dump without rounds", "the rounds of a game")
    return doc


def _fill(doc: Document, value: Any) -> None:  # noqa: ANN401 - JSON is anything
    """Fill a document's details from a JSON value: base64 of them, or the list of records somewhere within."""
    if isinstance(value, dict) and isinstance(value.get("data"), str) and not isinstance(value["data"], Number):
        raw = _unbased(value["data"])
        if raw is None and _HEX.fullmatch(value["data"]):
            raw = bytes.fromhex(value["data"])
        if raw is not None and (is_record(raw) or fields_of_list(raw)):
            head, doc.head = doc.head, None
            _unwrapped(doc, raw, 0)
            doc.head = head if head is not None else doc.head
            return
    listed = _found(value, DEEPEST)
    if listed is None:
        return
    _encode(doc, listed)


def _found(value: Any, depth: int) -> list[Any] | None:  # noqa: ANN401
    """Return the list of records within a JSON value; None if there is none."""
    if isinstance(value, list):
        if value and all(isinstance(each, list) for each in value):
            flat = [each for part in value for each in part]
            return flat if any(_is_record(each) for each in flat) else None
        return value if any(_is_record(each) for each in value) else None
    if not isinstance(value, dict) or not depth:
        return None
    for key in (*(key for key in _LISTS if value.get(key)), *(key for key in value if key not in _LISTS)):
        if key != "head" and (found := _found(value[key], depth - 1)) is not None:
            return found
    return None


def _is_record(value: Any) -> bool:  # noqa: ANN401
    return isinstance(value, dict) and _record(value) is not None


def _record(value: dict[str, Any]) -> tuple[str, Any] | None:
    """Return name and data of an entry of a list of records; None if it is none, such as what a player clicked."""
    result = value.get("result", value)
    if isinstance(result, dict):
        if isinstance(name := result.get("@type"), str):
            return _plain(name), result
        if isinstance(name := result.get("name"), str):
            return _plain(name), result.get("data", {})
    if isinstance(result, str) and "result" in value:
        raw = _unbased(result)
        fields, _ = top_fields(raw or b"")
        by_number = dict(fields)
        if isinstance(name := by_number.get(1), bytes):
            return _plain(name.decode("utf-8", "replace")), by_number.get(2, b"")
    return None


def _plain(name: str) -> str:
    """Return a record's name as the schema has it."""
    bare = name.removeprefix(".").removeprefix("lq.").removeprefix(PREFIX)
    if bare.startswith((RECORD, _LIVE)) or not bare[:1].isupper():
        return bare
    return RECORD + bare


def _encode(doc: Document, listed: list[Any]) -> None:
    """Encode a list of records."""
    out: list[bytes] = []
    faults = Faults()
    number = 0
    for each in listed:
        found = _record(each) if isinstance(each, dict) else None
        if found is None:
            if not isinstance(each, dict) or not set(map(str, each)) & _BESIDE:
                doc.notes.append((number + 1, f"entry {printable(str(each))[:60]}", "a record"))
            continue
        number += 1
        name, data = found
        out.append(_wrapped(doc, number, name, data, faults))
    _report(doc, faults, None)
    doc.details = b"".join(out)


_BESIDE = frozenset(("passed", "type", "user_input", "userInput", "user_event", "userEvent", "game_event", "gameEvent"))
"""Keys of entries that are no records but what players did, which the reader passes over."""


def _wrapped(doc: Document, number: int, name: str, data: Any, faults: Faults) -> bytes:  # noqa: ANN401
    """Return a record as an entry of the old list: field 1 of GameDetailRecords, a wrapper."""
    content = b""
    if isinstance(data, bytes):
        content = data
    elif isinstance(data, str):
        content = _unbased(data) or b""
    elif name in MESSAGES and isinstance(data, dict):
        own = Faults()
        own.unknown = faults.unknown
        content = encoded(name, data, own)
        doc.notes += [(number, recorded, expected) for recorded, expected in own.wrong]
    elif name in MESSAGES:
        doc.notes.append((number, f"{name} {printable(str(data))[:60]}", "an object"))
    elif name not in EVENT_MODES and not isinstance(data, dict):
        doc.notes.append((number, f"{name[:40]} {printable(str(data))[:60]}", "an object"))
    full = (PREFIX + name).encode("utf-8", "replace")
    entry = _field(1, full) + _field(2, content)
    return _field(1, entry)


def _field(number: int, content: bytes) -> bytes:
    length, size = b"", len(content)
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | LENGTH]) + length + bytes([size]) + content


def _report(doc: Document, faults: Faults, number: int | None) -> None:
    for key in faults.unknown:
        doc.fault("L003", f"field {key}", "a field that is known; it is passed over")
    for recorded, expected in faults.wrong:
        if number is None:
            doc.fault("L003", recorded, expected)


# Text dumps.


def _of_dump(text: str) -> Document:
    """Return the document of a text dump: tuples of a name and protobuf's text form."""
    from google.protobuf import text_format  # noqa: PLC0415 - see messages.py

    doc, faults = Document(None), Faults()
    found = list(_DUMPED.finditer(text))
    out = []
    for number, match in enumerate(found, 1):
        end = found[number].start() if number < len(found) else len(text)
        body = text[match.end() : end].strip(f"{SPACE},")
        body = body.removesuffix("]").strip(f"{SPACE},").removesuffix(")")
        name = _plain(match["name"])
        message = classes().get(name)
        content = b""
        if message is not None:
            parsed = message()
            try:
                text_format.Parse(body, parsed, allow_unknown_field=True)
            except (text_format.ParseError, ValueError, RecursionError) as error:
                doc.notes.append((number, printable(f"{name}: {error}")[:120], "protobuf's text form"))
            content = parsed.SerializeToString()
        out.append(_wrapped(doc, number, name, content, faults))
    doc.details = b"".join(out)
    return doc
