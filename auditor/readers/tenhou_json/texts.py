"""A file's text → the JSON values in it, however people wrap Tenhou's JSON (auditor/readers/tenhou_json/FORMAT.md 1).

A file is one value, several one after another, or lines: JSON, addresses of Tenhou's viewer with JSON behind
``#json=``, and words around them.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import unquote

from auditor.readers.json_text import PLAIN_DECODER, SPACE, after_space, entries

LOG = re.compile(r'"log"\s*:\s*\[\s*')
"""The beginning of the list of rounds."""
_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*')
_BEGIN = re.compile(r"[{\[]")
_ADDRESS = "#json="
_LEFT_OUT = f"{SPACE},"


class Text(NamedTuple):
    """A part of a file: its number there (None if it is the whole), its text, and its JSON value (None for no JSON)."""

    within: str | None
    text: str
    value: Any = None


def texts(text: str) -> list[Text]:
    """Return the parts of a file that are JSON or should be."""
    text = text.strip(SPACE)
    value, bare = decoded(text), text
    if value is None and text[:1] in {"{", "[", "/"} and "//" in text:
        bare = _COMMENT.sub(lambda found: "" if found[0].startswith("//") else found[0], text).strip(SPACE)
        value = decoded(bare)
    if value is not None:
        return [Text(None, bare, value)]
    return _lines(text) or _apart(bare)


def decoded(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the value of a JSON text; None if it is none, or if something stands behind it."""
    try:
        return PLAIN_DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def in_address(text: str) -> Text | None:
    """Return the JSON in an address of Tenhou's viewer; None if the text has no such address."""
    found = text.find(_ADDRESS)
    if found < 0:
        return None
    inner = text[found + len(_ADDRESS) :]
    inner = unquote(inner) if inner[:1] == "%" else inner
    try:
        # The address may go on behind the JSON, with the round or the seat to show.
        value, end = PLAIN_DECODER.raw_decode(inner)
    except (ValueError, RecursionError):
        return Text(None, inner)
    return Text(None, inner[:end], value)


def _lines(text: str) -> list[Text]:
    """Return the lines of a file that are JSON or should be; none if they are not what the file is made of."""
    found, words, whole, begun = [], [], 0, 0
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip(_LEFT_OUT)
        if not stripped or stripped.startswith("//"):
            continue
        read = _line(stripped)
        if read is None:
            words.append(Text(str(number), stripped))
            continue
        found.append(read._replace(within=str(number)))
        if LOG.search(read.text):
            whole += _ADDRESS in stripped or isinstance(read.value, dict | list)
            begun += read.text.startswith("{")
    if not whole and begun < 2:
        return []
    # Among mostly JSON, a line without any is a damaged one; otherwise it is of the words around the games.
    return sorted([*found, *words], key=lambda each: int(each.within or 0)) if len(found) > len(words) else found


def _line(text: str) -> Text | None:
    """Return the JSON of a line, with or without words before it; None for a line of words."""
    addressed = in_address(text)
    if addressed is not None:
        return addressed
    begin, log = 0 if text[0] in "{[" else text.find("{"), LOG.search(text)
    if begin != 0 and log is None:
        return None
    begin = begin if log is None or begin < log.start() else 0
    return Text(None, text[max(begin, 0) :], decoded(text[max(begin, 0) :]))


def _apart(text: str) -> list[Text]:
    """Return the entries of an array, or the values that follow one another; the last one may break off."""
    if text.startswith("[") and text[after_space(text, 1) :].startswith(("{", '"')):
        return [Text(str(number), each, decoded(each)) for number, each in enumerate(entries(text), 1)]
    found: list[Text] = []
    end = 0
    while (mark := _BEGIN.search(text, end)) is not None:
        begin = mark.start()
        try:
            value, end = PLAIN_DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            found.append(Text(str(len(found) + 1), text[begin:] if found else text))
            break
        found.append(Text(str(len(found) + 1), text[begin:end], value))
    return [each._replace(within=None) for each in found] if len(found) == 1 else found or [Text(None, text)]
