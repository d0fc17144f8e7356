"""Logs that other tools saved: if an XML parser reads the same document, the reader reads the same log.

The standard library's parser decides: both texts of each pair have the same elements and values for it.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import polars as pl
import pytest

from auditor.readers import mjlog
from tests.kit.audits import CHECKS, TENHOU, audited, audited_apart, source

PLAIN = (CHECKS / "w108_dora" / "pass.mjlog").read_text()
NAMED = PLAIN.replace('n0="%41"', 'n0="a%3Eb"')


def _values(change):
    """Change the value of every attribute, quotes included."""
    return re.sub(r'"[^"]*"', lambda found: change(found[0][1:-1]), PLAIN)


def _after_tags(text):
    """Put something after every tag except the last."""
    return PLAIN.replace(">", f">{text}").removesuffix(text)


SAME = {
    "canonical XML": ET.canonicalize(PLAIN),
    "pairs of tags": re.sub(r"<(\w+)([^<>]*)/>", r"<\1\2></\1>", PLAIN),
    "pairs with space between and within": re.sub(r"<(\w+)([^<>]*)/>", r"<\1\2 > \n</\1 >", PLAIN),
    "some pairs": re.sub(r"<(G\d+)/>", r"<\1></\1>", PLAIN),
    "an XML declaration": f'<?xml version="1.0" encoding="UTF-8"?>\n{PLAIN}',
    "a document type": f'<?xml version="1.0"?><!DOCTYPE mjloggm>{PLAIN}',
    "a document type with entries": f"<!DOCTYPE mjloggm [<!ELEMENT GO EMPTY>\n<!ATTLIST GO a CDATA #IMPLIED>]>{PLAIN}",
    "a long comment first": f"<!--{'<T12/> ' * 2000}-->{PLAIN}",
    "comments between": _after_tags("<!-- <T12/> > -->"),
    "processing instructions between": _after_tags("<?keep <T12/>?>"),
    "CDATA of white space": _after_tags("<![CDATA[ \n ]]>"),
    "lines": _after_tags("\n\t"),
    "single quotes": _values(lambda value: f"'{value}'"),
    "both quotes in a tag": PLAIN.replace('lobby="0"', "lobby='0'"),
    "space in tags": re.sub(r"=", " = ", PLAIN).replace("/>", "\n/>").replace(" lobby", "\r\n\tlobby"),
    "numbers of characters": re.sub(r"(?<=[\",])[0-9](?=[\",])", lambda found: f"&#{ord(found[0])};", PLAIN),
    "a raw > in a value": NAMED.replace("%3E", ">"),
    "an entity in a value": NAMED.replace("%3E", "&gt;"),
    "a raw > in a value between single quotes": NAMED.replace('"a%3Eb"', "'a>b'"),
    "a byte order mark": f"\ufeff{PLAIN}",
}  # fmt: skip


def elements(text):
    """Give the elements as an XML parser reads them: names and values, in order."""
    return [(each.tag, dict(each.items())) for each in ET.fromstring(text.removeprefix("\ufeff").encode()).iter()]


def tables(text):
    """Give the tables of a log, without positions."""
    log = mjlog.READER.read([source(text.encode())], TENHOU.rules)
    assert log.problems.rows() == []
    frames = (
        log.games.drop("game_id", "last_pos"),
        log.rounds,
        log.events,
        log.deals,
        log.deposits,
        log.claims,
        log.shows,
    )
    return [frame.drop("pos", strict=False) for frame in frames]


@pytest.mark.parametrize("name", SAME)
def test_the_same_document_is_the_same_log(name, found):
    """The log has no finding, the same tables and the same event numbers: closing tags and the prolog do not count."""
    like, parsed = (NAMED, NAMED.replace("%3E", "&gt;")) if "in a value" in name else (PLAIN, PLAIN)
    assert elements(SAME[name]) == elements(parsed)
    assert found[name] == ([], "audited")
    for one, other in zip(tables(SAME[name]), tables(like), strict=True):
        assert one.equals(other)


@pytest.fixture(scope="module")
def found():
    """Audit all texts of this module in one batch; give the codes of their findings and their status."""
    spoiled = {name: PLAIN.encode().replace(old, new) for name, (old, new, _) in SPOILED.items()}
    tables = audited_apart({name: text.encode() for name, text in SAME.items()} | spoiled)
    return {name: (parts["findings"]["code"].to_list(), *parts["sources"]["status"]) for name, parts in tables.items()}


class _Saved(HTMLParser):
    """Write a text again as a tool that takes it for HTML."""

    def __init__(self, *, closing):
        super().__init__()
        self.text, self.closing, self.open = "", closing, []

    def handle_starttag(self, tag, attrs):
        self.text += f"<{tag}" + "".join(f' {name}="{value}"' for name, value in attrs) + ">"
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()
        if self.closing:
            self.text += f"</{tag}>"
        else:
            self.text = self.text[:-1] + "/>"

    def handle_endtag(self, tag):
        self.text += f"</{tag}>"


def html(*, closing, nested=False):
    """Give the log as HTML tools save it; with ``nested``, as tools that leave all tags open."""
    saved = _Saved(closing=closing)
    saved.feed(PLAIN)
    if not nested:
        return saved.text
    opened = re.findall(r"<(\w+)[^>]*/>", saved.text)
    inner = saved.text.replace("/>", ">").removesuffix("</mjloggm>")
    return f"<html><head></head><body>{inner}{''.join(f'</{name}>' for name in opened[::-1])}</mjloggm></body></html>"


@pytest.mark.parametrize("saved", [html(closing=False), html(closing=True), html(closing=False, nested=True)])
def test_html_tools(saved):
    """Names in lower case and closed or nested tags are one finding, and the game is read."""
    assert "<GO" not in saved
    assert "fromwho" in saved
    report = audited(saved.encode())
    assert report.tables["findings"]["code"].to_list() == ["L003"]
    assert "another case" in report.tables["findings"]["message"][0]
    events = mjlog.READER.read([source(saved.encode())], TENHOU.rules).events
    assert events.drop("pos").equals(mjlog.READER.read([source(PLAIN.encode())], TENHOU.rules).events.drop("pos"))
    assert len(report.tables["wins"]) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_named(encoding):
    """UTF-16, with or without a byte order mark, is named, with the way to fix it."""
    assert "UTF-16" in source(PLAIN.encode(encoding)).reason


NOT_LOGS = [
    b"<html>the tag &lt;mjloggm&gt;</html>",
    b"<mjloggmx/>",
    b"<!-- <mjloggm --><html/>",
    b"<!DOCTYPE html><p>mjloggm</p>",
]


@pytest.mark.parametrize("data", NOT_LOGS)
def test_a_text_about_a_log_is_no_log(data):
    """A text whose root is another tag is no log, even if it contains one."""
    assert mjlog.is_format(data) == (b"<mjloggm " in data)


PASSED = b"</mjloggm>"
SPOILED = {
    "NUL between tags": (b"<W120/>", b"\0\0\0<W120/>", "L003"),
    "NUL in a value": (b'n0="%41"', b'n0="%41\0"', "L003"),
    "NUL behind all": (PASSED, PASSED + b"\0" * 9, "L003"),
    "the closing tag before the game": (b"<INIT", b"</mjloggm><INIT", "L004"),
    "the closing tag in the game": (b"<W120/>", b"</mjloggm><W120/>", "L004"),
    "the closing tag twice": (PASSED, PASSED * 2, "L004"),
    "a tag behind all": (PASSED, PASSED + b"<W3/>", "L004"),
    "a game behind all": (PASSED, PASSED + PLAIN.encode().removeprefix(b'<mjloggm ver="2.3">'), "L004"),
    "another log behind all": (PASSED, PASSED + PLAIN.encode(), "L003"),
    "a closing tag of nothing": (b"<W120/>", b"<W120/></W121>", "L003"),
    "two closing tags of nothing": (b"<W120/>", b"<W120/></W121></W122>", "L003"),
    "text in CDATA": (b"<INIT", b"<![CDATA[<T5/>]]><INIT", "L003"),
    "an attribute twice, the same": (b'who="0" fromWho', b'who="0" who="0" fromWho', "L003"),
    "an attribute twice, another": (b'lobby="0"', b'lobby="0" lobby="1"', "L003"),
    "an attribute of the root twice": (b'ver="2.3"', b'ver="2.3" ver="2.3"', "L003"),
}


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_documents(name, found):
    """A spoiled document has one finding."""
    old, _, code = SPOILED[name]
    assert PLAIN.encode().count(old) == 1
    assert found[name] == ([code], "audited")


def test_the_closing_tag_moved_to_the_middle():
    """A closing tag in the middle still closes the log: it is not reported as cut off as well."""
    moved = PLAIN.replace("</mjloggm>", "").replace("<W120/>", "</mjloggm><W120/>")
    findings = audited(moved.encode()).tables["findings"]
    assert findings["code"].to_list() == ["L004"]
    assert findings["recorded"].to_list() == ["log of 11 tag(s)"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("12_canonical_xml", []), ("13_lower_case_tags", ["L003"]), ("14_empty_attributes", []), ("15_doctype", []),
        ("endmid", ["L004"]), ("nul", ["L003"]),
    ],
)  # fmt: skip
def test_trials(name, expected, shared):
    """Logs that other tools wrote have exactly these findings."""
    report = audited((shared / "trials" / f"{name}.mjlog").read_bytes())
    assert report.tables["findings"]["code"].to_list() == expected
    assert report.tables["sources"]["status"].to_list() == ["audited"]
    assert len(report.tables["rounds"]) > 0


def test_numbers_of_events_are_those_of_elements():
    """The win is element 15 of the document, whatever is written between the tags."""
    order = [name for name, _ in elements(PLAIN)]
    for text in (PLAIN, SAME["pairs of tags"], SAME["a document type"], SAME["comments between"]):
        events = mjlog.READER.read([source(text.encode())], TENHOU.rules).events
        assert events.filter(pl.col("kind") == "result")["event"].to_list() == [order.index("AGARI")]
