"""Cuts a file into documents: each has the texts of one or more games, one event a line.

A file has events as lines, in an array, or in an object with the list inside; one game a file, several games one after
another, or one object a line (auditor/readers/mjai/FORMAT.md section 1). Traffic of bots marks what goes in and out.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.readers.json_text import SPACE, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTS = ("mjai_log", "mjai", "events", "log")
"""Keys under which an object has the list of events, the likeliest first."""
DEEPEST = 4
"""How many levels of an object are searched for the list of events."""

_WRAPPED = re.compile(rf'"(?:{"|".join(LISTS)})"\s*:\s*(?=\[\s*\{{)')
_EVENT = re.compile(r'\{\s*(?:"\w+"\s*:\s*(?:"[^"]*"|[\d.]+|true|false|null|\[[^{}]*?\])\s*,\s*)*"type"\s*:')
"""Matches the beginning of an event: an object that has the key ``type`` itself, not only within."""
_MARKED = re.compile(r"^[^\n{\[]{0,60}?(<-|->)[^\n{\[]{0,20}(?=[{\[])", re.MULTILINE)
_WITHIN = re.compile(r'^[^{\n]*[^{\s][^{\n]*(?=\{.*"type")', re.MULTILINE)
"""Words before an event on its line, as programs write them into their own logs."""
_GAP = re.compile(r"\}\s*,\s*\{")
_BEGINS = re.compile(r'"type"\s*:\s*"start_(?:game|kyoku)"')
_GAME = '"start_game"'
_TYPED = '"type"'
_FIRST = 4096
"""The number of bytes within which a first event has its type."""
_CUT = '{"type": '
"""Stands for an entry of a list that is no whole JSON."""


class Document(NamedTuple):
    """The texts of events.

    Parameters
    ----------
    within
        the number of its line in the file, from 1; None for the whole file
    text
        UTF-8: one event a line, with whatever else the lines have
    beside
        the object around the list of events, without the list; None if there is none
    fault
        why it has no events; None if it has

    """

    within: str | None
    text: bytes
    beside: dict[str, Any] | None = None
    fault: str | None = None


def documents(data: bytes) -> Iterator[Document]:
    """Yield the documents of a file.

    If it seems to have one event a line, its lines are left as they are: :func:`mended` looks at them one by one.
    """
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    first = data[:_FIRST].decode(errors="replace")
    if _EVENT.match(first) and first.partition("\n")[0].strip(SPACE) != "{":
        yield Document(None, data)
        return
    text = data.decode()
    line = text[: text.find("\n")] if "\n" in text else text
    if line[:1] == "{" and not _is_event(line):
        yield from _objects(text)
    elif line[:1] == "[" and not (line.rstrip(SPACE)[-1:] == "]" and "\n[" in text):
        yield _array(None, text)
    elif line[:1] == "[" and all(_GAME in each for each in text.split("\n") if each.strip(SPACE)):
        numbered = enumerate(text.split("\n"), 1)
        yield from (_array(str(number), each) for number, each in numbered if each.strip(SPACE))
    else:
        yield Document(None, data)


def _is_event(text: str) -> bool:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "type" in value


def mended(document: Document) -> Document:
    """Return a document without the marks of traffic, without words before events, and with one event a line."""
    return document._replace(text=_lines(document.text.decode()).encode())


def _objects(text: str) -> Iterator[Document]:
    """Yield the documents of a text of objects: JSON Lines, or a single object."""
    lines = [line.strip(SPACE) for line in text.split("\n")]
    if not all(line[:1] == "{" and line[-1:] == "}" for line in lines[:2] if line):
        yield _whole(None, text)
        return
    single = sum(map(bool, lines)) == 1
    for number, line in enumerate(lines, 1):
        if line:
            yield _object(None if single else str(number), line)


def _array(within: str | None, text: str) -> Document:
    """Return the document of an array of events."""
    events = cut(text)
    return _whole(within, text) if events is None else Document(within, events.encode())


def _object(within: str | None, text: str) -> Document:
    """Return the document of an object with a list of events; the list is cut out without decoding it."""
    found = _WRAPPED.search(text)
    end = text.find("}]", found.end()) if found else -1
    if found and end > 0:
        events = cut(text[found.end() : end + 2])
        try:
            beside = json.loads(f"{text[: found.end()]}null{text[end + 2 :]}") if events else None
        except (ValueError, RecursionError):
            beside = None
        if events and isinstance(beside, dict):
            return Document(within, events.encode(), beside)
    return _whole(within, text)


def cut(text: str) -> str | None:
    """Return the entries of a list of objects, one a line; None if they cannot be told apart without decoding."""
    inner = text.strip(SPACE)[1:-1].strip(SPACE)
    if inner[:1] != "{" or inner[-1:] != "}":
        return None
    lines = inner.replace("}, {", "}\n{").replace("},{", "}\n{")
    if "\n" in inner:
        lines = _GAP.sub("}\n{", inner)
    count = lines.count("\n") + 1
    if lines.count("{") == count or all(_closed(line) for line in lines.split("\n")):
        return lines
    return None


def _closed(line: str) -> bool:
    return line[:1] == "{" and line[-1:] == "}" and line.count("{") == line.count("}")


def _whole(within: str | None, text: str) -> Document:
    """Return the document of one JSON value, or of several one after another."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _apart(within, text, error)
    events = _listed(value, DEEPEST)
    if events is None:
        return Document(within, b"", fault="JSON without a list of mjai events")
    beside = {key: each for key, each in value.items() if each is not events} if isinstance(value, dict) else None
    return Document(within, "\n".join(json.dumps(each) for each in events).encode(), beside)


def _apart(within: str | None, text: str, error: Exception) -> Document:
    """Return the document of a text that is no JSON as a whole: a list that is cut, or values one after another."""
    decoder, texts = json.JSONDecoder(), []
    wrapped = _WRAPPED.search(text)
    at = wrapped.end() if wrapped else 0
    while (begin := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError):
            piece = " ".join(text[begin : begin + 60].split())
            texts.append(piece if _TYPED in piece else _CUT + piece)
            break
        texts += [json.dumps(each) for each in (_listed(value, DEEPEST) or [value])]
    if any(_BEGINS.search(each) for each in texts):
        return Document(within, "\n".join(texts).encode())
    return Document(within, b"", fault=printable(f"no JSON ({error}): {text[:60]!r}"))


def _listed(value: Any, depth: int) -> list[Any] | None:  # noqa: ANN401  (JSON is anything)
    """Return the list of events within a JSON value, None if it has none."""
    if isinstance(value, list):
        if any(isinstance(each, dict) and "type" in each for each in value):
            return value
        if value and all(isinstance(each, list) for each in value):
            flat = [event for each in value for event in each]
            return flat if any(isinstance(each, dict) and "type" in each for each in flat) else None
        return None
    if not isinstance(value, dict) or not depth:
        return None
    for key in (*(key for key in LISTS if key in value), *(key for key in value if key not in LISTS)):
        found = _listed(value[key], depth - 1)
        if found and _BEGINS.search(json.dumps(found[:3])):
            return found
    return None


def _lines(text: str) -> str:
    """Return a text of lines without the marks of traffic, and with one event a line."""
    marks = _MARKED.findall(text) if "<-" in text or "->" in text else []
    if marks:
        # The side that tells the deals is the server's; the other has answers, which the server repeats.
        sides = {
            mark: "\n".join(
                line[found.end() :] if (found := _MARKED.match(line)) and found[1] == mark else ""
                for line in text.split("\n")
            )
            for mark in dict.fromkeys(marks)
        }
        text = max(sides.values(), key=lambda side: len(_BEGINS.findall(side)))
    if text.startswith("[") or "\n[" in text:
        lines = []
        for line in text.split("\n"):
            stripped = line.strip(SPACE)
            events = cut(stripped) if stripped.startswith("[{") and stripped.endswith("]") else None
            if events is None and stripped.startswith("[") and _TYPED in stripped:
                events = _whole(None, stripped).text.decode()
            lines.append(line if events is None else events)
        text = "\n".join(lines)
    if "}{" in text:
        text = text.replace("}{", "}\n{")
    if text[:1] != "{" or _WITHIN.search(text):
        text = _WITHIN.sub("", text)
    return text
