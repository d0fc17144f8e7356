"""One mjai game in every wrapper that people share is the same game; texts of other kinds are not taken for it."""

from __future__ import annotations

import gzip
import json

import pytest

from auditor.readers import mjai, reader_of
from tests.kit.audits import FIXTURES, TENHOU, source

TEXT = (FIXTURES / "mjai" / "convlog.mjson").read_text("utf-8")
EVENTS = [json.loads(line) for line in TEXT.splitlines()]
META = [event | {"meta": {"q": [{"a": 1}, {"b": 2}], "s": "}, {"}} for event in EVENTS]


def spaced(events):
    """Write events as lines, as Python writes JSON."""
    return "\n".join(map(json.dumps, events))


def each(events, form):
    """Write each event in a form of its own."""
    return "\n".join(form(json.dumps(event)) for event in events)


WRAPPED = {
    "lines": TEXT,
    "lines with blanks": spaced(EVENTS),
    "CRLF": spaced(EVENTS).replace("\n", "\r\n"),
    "keys in another order": spaced(dict(sorted(event.items())) for event in EVENTS),
    "unknown keys": spaced(event | {"logs": [None] * 4, "zz": {"a": [1, {"b": 2}]}} for event in EVENTS),
    "answers of a bot beside events": spaced(META),
    "no start_game": spaced(EVENTS[1:]),
    "array": json.dumps(EVENTS),
    "compact array": json.dumps(EVENTS, separators=(",", ":")),
    "indented array": json.dumps(EVENTS, indent=2),
    "array, one event a line": "[\n" + ",\n".join(map(json.dumps, EVENTS)) + "\n]\n",
    "array with nested objects": json.dumps(META),
    "array of arrays": json.dumps([EVENTS]),
    "array of rounds": json.dumps([EVENTS[:100], EVENTS[100:]]),
    "arrays, one a line": "\n".join(json.dumps(EVENTS[at : at + 5]) for at in range(0, len(EVENTS), 5)),
    "object": json.dumps({"a": 1, "events": EVENTS, "b": "x"}),
    "indented object": json.dumps({"a": 1, "events": EVENTS}, indent=1),
    "nested object": json.dumps({"a": {"game": {"mjai": EVENTS}}}),
    "object with another key": json.dumps({"x": 1, "stuff": EVENTS}),
    "report": json.dumps({"engine": "Mortal", "review": {"kyokus": [{"end_status": [{"type": "hora"}]}]},
                          "split_logs": [{"log": [[1]]}], "mjai_log": EVENTS}),
    "values one after another": "".join(map(json.dumps, EVENTS)),
    "indented values one after another": "\n".join(json.dumps(event, indent=1) for event in EVENTS),
    "traffic of a client": each(EVENTS, lambda text: f'<-\t{text}\n->\t{{"type": "none", "actor": 1}}'),
    "traffic of a server": each(EVENTS, lambda text: f'-> 2 [{text}]\n<- {{"type": "dahai", "actor": 2, "pai": "1m"}}'),
    "drawn tables": each(EVENTS, lambda text: f"{text}\n[0]      tehai: 1m 2m 3m\n     ho:  \n----"),
    "words before": each(EVENTS, lambda text: f"Processing input: {text}"),
    "words at the beginning": f"a log of some program\n\n{spaced(EVENTS)}",
    "comments": f"// a comment\n{spaced(EVENTS)}",
}  # fmt: skip


def read(data):
    """Read a file's bytes with the reader that its content decides."""
    file = source(data, "log.json")
    found = reader_of(file)
    assert found is mjai.READER
    return found.read([file], TENHOU.rules)


@pytest.fixture(scope="module")
def game():
    """Give the game as its lines are read."""
    return read(TEXT.encode())


def same(found, game):
    """Say whether two logs are the same but for the numbers of lines."""
    for name in ("rounds", "events", "melds", "deals", "claims", "shows"):
        tables = [getattr(log, name) for log in (found, game)]
        one, other = (table.drop("event", strict=False) for table in tables)
        assert one.equals(other), name
    return True


@pytest.mark.parametrize("wrapper", WRAPPED)
def test_the_same_game_in_every_wrapper(game, wrapper):
    """Whatever stands around the events, the game is the same, and nothing is reported."""
    found = read(WRAPPED[wrapper].encode())
    assert same(found, game)
    assert found.problems.rows() == []
    assert found.games["within"].to_list() == [None]


def test_compressed(game):
    """A compressed file needs no name that says so."""
    assert same(read(gzip.compress(TEXT.encode())), game)


@pytest.mark.parametrize(
    ("text", "within"),
    [
        (f"{TEXT}{TEXT}", ["1", str(len(EVENTS) + 1)]),
        (f"{json.dumps({'events': EVENTS})}\n" * 2, ["1", "2"]),
        (f"{json.dumps(EVENTS)}\n" * 2, ["1", "2"]),
    ],
)
def test_two_games(text, within):
    """Games that follow one another, as lines, objects or arrays, are two games, told by the line where each begins."""
    log = read(text.encode())
    assert log.games["within"].to_list() == within
    assert len(log.rounds) == 2 * len(read(TEXT.encode()).rounds)
    assert log.problems.rows() == []


@pytest.mark.parametrize("text", [TEXT, json.dumps(EVENTS), json.dumps({"events": EVENTS})])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_cut_texts_are_read_as_far_as_they_go(text, share):
    """A file that breaks off gives the rounds before, and one problem."""
    log = read(text[: int(len(text) * share)].encode())
    whole = read(TEXT.encode())
    assert log.rounds["dora"].to_list() == whole.rounds["dora"].to_list()[: len(log.rounds)]
    assert len(log.rounds) > 0
    assert log.problems["code"].to_list() == ["L002"]


@pytest.mark.parametrize(
    "text",
    [
        '{"pred":[[{"info":{"msg":{"type":"start_kyoku"}}}]]}',
        'TEXT = """{"type":"start_game"}\n{"type":"start_kyoku"}\n"""\n\nx = 1\ny = 2\nz = 3\n',
        '# mjai\n\nA log begins like this:\n\n{"type":"start_kyoku"}\n\nand so on.\n',
        '{"type":"module","scripts":{"start_game":"node"}}',
    ],
)
def test_other_texts_are_not_taken(text):
    """Reports with such messages within, programs and documents that quote a log are no logs."""
    assert reader_of(source(text.encode(), "a.txt")) is None
