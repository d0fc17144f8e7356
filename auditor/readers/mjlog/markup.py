"""Turns XML that other tools have written into the form that Tenhou writes: flat, empty tags, values in double quotes.

XML allows more than Tenhou writes: a prolog, comments, CDATA, ``<T12></T12>`` for ``<T12/>``, values in single quotes,
a ``>`` in a value. Tools that take a log for HTML write names in lower case and add closing tags. This module rewrites
all that before the text is cut into tags. The text keeps its length, so positions remain those of the file. A log as
Tenhou serves it is only searched for these marks and stays as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.readers.mjlog.fields import SPEC
from auditor.readers.mjlog.found import problems_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from auditor.readers.mjlog.tags import Tags

GREATER, QUOTE = b"\x1e", b"\x1f"
"""Replace ``>`` in a value and ``"`` between single quotes, so that tags are not cut there. No XML has these bytes."""

SNIFFED = 4096
_ROOT = re.compile(rb"<mjloggm(?![\w.:-])", re.IGNORECASE)
_ASIDE = re.compile(rb"<!--.*?(?:-->|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)", re.DOTALL)
_DOCTYPE = re.compile(rb"\s*<!DOCTYPE\b[^\[<>]*(?:\[[^\]]*\]\s*)?>", re.IGNORECASE)
_PAIR = re.compile(rb"(<(?!mjloggm\b)([A-Za-z_]\w*)(?:\s[^<]*)?(?<!/))>\s*</\2\s*>")
_CLOSING = re.compile(rb"</(?!mjloggm[\s>])[^<>]*>")
_VALUE = re.compile(rb"(=\s*)(?:\"([^\"<]*)\"|'([^'<]*)')")
_TAG_NAME = re.compile(rb"(?<=<)(/?)([A-Za-z]+)(?=[\d\s/>])")
_ATTRIBUTE_NAME = re.compile(rb"(?<=\s)([A-Za-z]\w*)(?=\s*=\s*\")")
_OF_HTML = re.compile(rb"</?(?:html|head|body)\b[^<>]*>", re.IGNORECASE)
_TAGS = {name.lower().encode(): name.encode() for name in SPEC}
_ATTRIBUTES = {name.lower().encode(): name.encode() for attributes in SPEC.values() for name in attributes}
_END = b"</mjloggm>"
PART = 1 << 17
"""How many bytes, tags or numbers are looked at together. Arrays of this length fit in the cache."""
_HEADER = re.compile(rb"<(?:GO|UN|TAIKYOKU|INIT)[\s/>]")


class Plain(NamedTuple):
    """A log in Tenhou's form, of the same length.

    ``odd`` lists what the format does not have: position in the text, ``recorded`` and ``expected`` of the problem.
    If the log is ``regular``, its tags end where the next ones begin, and the last one is its only closing tag.
    """

    text: bytes
    odd: tuple[tuple[int, str, str], ...] = ()
    regular: bool = True


def is_log(data: bytes) -> bool:
    """Return whether a text is an mjlog.

    It must begin with a tag, because a page or a note that only quotes a log is no log.
    """
    if not data.startswith(b"<"):
        return False
    if _ROOT.search(data, 0, SNIFFED):
        return True
    # A long comment or document type can come before the root.
    return data.startswith((b"<!", b"<?")) and _ROOT.match(_without_prolog(data).lstrip()) is not None


def plain(texts: Sequence[bytes]) -> list[Plain]:
    """Return logs in their plain form. If one is not regular, none counts as regular."""
    regular = _are_regular(texts)
    return [Plain(text) if regular and _other_case(text) is None else _rewritten(text) for text in texts]


def _are_regular(texts: Sequence[bytes]) -> bool:
    """Return whether all logs are regular (:class:`Plain`), and free of comments, prologs and single quotes."""
    buffer = b"".join([text.rstrip() for text in texts])
    if any(sign in buffer for sign in (b"!", b"?", b"'")) or not all(text.rstrip().endswith(_END) for text in texts):
        return False
    code = np.frombuffer(buffer, dtype=np.uint8)
    closings = 0
    for first in range(0, len(code), PART):
        part = code[first : first + PART + 1]
        here, following = part[:-1], part[1:]
        if ((here == ord(">")) != (following == ord("<"))).any():
            return False
        closings += int(np.count_nonzero((here == ord("<")) & (following == ord("/"))))
    return closings == len(texts)


def _rewritten(text: bytes) -> Plain:
    """Return a log in its plain form, whatever form it has."""
    if b"!" in text or b"?" in text:  # one letter is found much faster than two
        text = _without_prolog(text)
    odd: list[tuple[int, str, str]] = []
    if b"'" in text or text.count(b">") != text.count(b"<"):
        text = _VALUE.sub(_quoted, text)
    if (fault := _other_case(text)) is not None:
        text = _ATTRIBUTE_NAME.sub(_attribute_named, _TAG_NAME.sub(_tag_named, _OF_HTML.sub(_blank, text)))
        odd.append(fault)
    if text.find(b"</") != text.rfind(b"</"):
        text = _PAIR.sub(lambda found: (found[1] + b"/>").ljust(len(found[0])), text)
        around = _CLOSING.findall(text)
        if around and not odd:
            name = around[0].decode(errors="replace")
            recorded = (
                f"{name} and others, {len(around)} closing tags" if len(around) > 1 else f"the closing tag {name}"
            )
            odd.append((text.index(around[0]), recorded, "none: a tag ends before the next begins"))
        text = _CLOSING.sub(_blank, text) if around else text
    return Plain(text, tuple(odd), regular=False)


def _without_prolog(text: bytes) -> bytes:
    """Blank out comments, processing instructions, the document type, and the marks of CDATA, but not its text."""
    text = _ASIDE.sub(_aside, text)
    return _DOCTYPE.sub(_blank, text, count=1) if _DOCTYPE.match(text) else text


def _aside(found: re.Match[bytes]) -> bytes:
    if found[1] is None:
        return _blank(found)
    text = found[1].replace(b"<", b"(").replace(b">", b")")
    return (b" " * len(b"<![CDATA[") + text).ljust(len(found[0]))


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _quoted(found: re.Match[bytes]) -> bytes:
    value = found[2] if found[2] is not None else found[3].replace(b'"', QUOTE)
    return found[1] + b'"' + value.replace(b">", GREATER) + b'"'


def _other_case(text: bytes) -> tuple[int, str, str] | None:
    """Return a problem as in ``Plain.odd`` if the names in a log are not in Tenhou's case, else None."""
    if text.startswith(b"<mjloggm ") and b"<GO " in text[:SNIFFED]:  # faster than a search for any name
        return None
    root = _ROOT.search(text)
    if root is None or (root[0] == b"<mjloggm" and _HEADER.search(text)):
        return None
    if root[0] == b"<mjloggm" and not re.search(_HEADER.pattern, text, re.IGNORECASE):
        return None
    return root.start(), "tags in another case than Tenhou's, as HTML tools save them", "names such as GO and INIT"


def _tag_named(found: re.Match[bytes]) -> bytes:
    name = found[2].upper() if len(found[2]) == 1 else _TAGS.get(found[2].lower(), found[2])
    return found[1] + name


def _attribute_named(found: re.Match[bytes]) -> bytes:
    return _ATTRIBUTES.get(found[1].lower(), found[1])


def problems(logs: Sequence[Plain], offsets: Sequence[int], tags: Tags) -> list[pl.DataFrame]:
    """Return everything in ``odd`` as problems (row, code, recorded, expected); ``row`` is the tag at that position."""
    odd = [(game, at + offsets[game], found, right) for game, log in enumerate(logs) for at, found, right in log.odd]
    if not odd:
        return []
    place = tags.game.astype(np.int64) << 32 | tags.pos
    rows = [max(int(np.searchsorted(place, game << 32 | at, side="right")) - 1, 0) for game, at, _, _ in odd]
    return problems_at(rows, [recorded for _, _, recorded, _ in odd], [expected for *_, expected in odd])
