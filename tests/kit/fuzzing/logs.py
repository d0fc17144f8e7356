"""Mutants of logs: XML or JSON logs with one or a few changes that no platform writes."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tests.kit.fuzzing.values import NUMBERS, TEXTS, damaged, odd_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

_TAG = re.compile(r"<[^<>]*>")
_ATTRIBUTE = re.compile(r'([A-Za-z0-9]+)="([^"]*)"')


def xml(text: str, rng: Random) -> bytes:
    """Give an XML log with one to three changes of tags, attributes or bytes."""
    data = text.encode()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if rng.random() < 0.2:
            data = damaged(data, rng)
        else:
            data = _changed_tag(data.decode(errors="surrogateescape"), rng).encode(errors="surrogateescape")
    return data


def record(data: bytes, rng: Random) -> bytes:
    """Give a Mahjong Soul record, bytes or a text, with some bytes changed, left out, added or repeated."""
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        if not data:
            break
        at, other = rng.randrange(len(data)), rng.randrange(len(data))
        size = rng.choice((1, 2, 9, 60))
        new = rng.choice((
            bytes([rng.randrange(256)]),
            bytes([data[at] ^ 1 << rng.randrange(8)]),
            rng.choice((b"\0", b"\1", b"\x7f", b"\x80", b"\xff")),
            b"",
            data[other : other + size],
            rng.randbytes(size),
        ))  # fmt: skip
        keep = at if rng.random() < 0.3 else at + rng.choice((1, 1, size))
        data = data[:at] + new + (b"" if rng.random() < 0.03 else data[keep:])
    return data


SEAT_3 = (
    (r"<[TUV](\d+)", r"<W\1"), (r"<[DEF](\d+)", r"<G\1"), (r'who="\d"', 'who="3"'), (r'oya="\d"', 'oya="3"'),
    (r'fromWho="\d"', 'fromWho="3"'), (r'hai3="[^"]*"', 'hai3="4,5,6,7,8,9,10,11,12,13,14,15,17"'),
    (r' hai3="[^"]*"', ""), (r'hai3="[^"]*"', 'hai3=""'), (r'(ten="[^"]*),\d+"', r'\1,250"'),
    (r'(sc="[^"]*),-?\d+"', r'\1,-40"'),
    (r'seed="\d+', 'seed="7'), (r'(owari="[^"]*),[^,"]*,[^,"]*"', r'\1"'), (r'(ten="[^"]*),\d+"', r'\1"'),
)  # fmt: skip
"""Places of seat 3, which does not exist with three players, and what is written there instead."""
KITA, THREE_PLAYERS = 0x20, 0x10


def sanma(text: str, rng: Random) -> bytes:
    """Give an mjlog whose number of players, seat 3 or kita are odd; half of them with other changes as well."""
    how = rng.randrange(4)
    if how == 0:
        text = re.sub(r'<GO type="(\d+)"', lambda found: f'<GO type="{int(found[1]) ^ THREE_PLAYERS}"', text, count=1)
    elif how == 1:
        pattern, instead = rng.choice(SEAT_3)
        text = _replaced(text, pattern, lambda found: found.expand(instead), rng)
    elif how == 2:
        odd = rng.choice(
            (rng.randrange(256) << 8 | KITA | rng.randrange(4), KITA, 0xFF20, 120 << 8, -KITA, 1 << 16 | KITA)
        )
        text = _replaced(text, r' m="(\d+)', lambda found: f' m="{rng.choice((odd, f"{odd},{found[1]}"))}', rng)
    else:
        kita = f'<N who="{rng.randrange(4)}" m="{rng.randrange(120, 124) << 8 | KITA}" />'
        text = _replaced(text, r"<[A-Z]\d+/>", lambda found: rng.choice((kita, found[0] + kita, kita * 3)), rng)
    return xml(text, rng) if rng.random() < 0.5 else text.encode()


def _replaced(text: str, pattern: str, instead: Callable[[re.Match[str]], str], rng: Random) -> str:
    """Replace one of the places that match, or all of them."""
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    if rng.random() < 0.1:
        return re.sub(pattern, instead, text)
    one = rng.choice(found)
    return text[: one.start()] + instead(one) + text[one.end() :]


def _changed_tag(text: str, rng: Random) -> str:
    tags = list(_TAG.finditer(text))
    if not tags:
        return text + rng.choice(TEXTS)
    # Tags of play are many and short; most of the information is in the others.
    long = [tag for tag in tags if "=" in tag[0]]
    tag = rng.choice(long if long and rng.random() < 0.7 else tags)
    other = rng.choice(tags)
    how = rng.randrange(8)
    if how == 0:
        return text[: tag.start()] + text[tag.end() :]
    if how == 1:
        return text[: tag.end()] + other[0] + text[tag.end() :]
    if how == 2:
        return text[: tag.start()] + other[0] + text[tag.end() :]
    if how == 3:
        name = re.match(r"</?([A-Za-z]*)", tag[0])
        old = name[1] if name else ""
        new = rng.choice((old.lower(), old + "X", old + rng.choice(NUMBERS), "", "AGARI", "INIT", "N", "T0", "!", "?"))
        return text[: tag.start()] + tag[0].replace(old, new, 1) + text[tag.end() :]
    return text[: tag.start()] + _changed_attribute(tag[0], rng) + text[tag.end() :]


def _changed_attribute(tag: str, rng: Random) -> str:
    attributes = list(_ATTRIBUTE.finditer(tag))
    if not attributes:
        return tag[:1] + rng.choice(("", "T", "D", "N", "Z")) + rng.choice(NUMBERS) + tag[-2:]
    one = rng.choice(attributes)
    how = rng.randrange(8)
    if how == 0:
        return tag[: one.start()] + tag[one.end() :]
    if how == 1:
        return tag[: one.end()] + f' {one[1]}="{odd_text(one[2], rng)}"' + tag[one.end() :]
    if how == 2:
        return tag[: one.start(1)] + rng.choice(("who", "ten", "m", "x")) + tag[one.end(1) :]
    return tag[: one.start(2)] + odd_text(one[2], rng) + tag[one.end(2) :]


def paipu(line: str, rng: Random) -> bytes:
    """Give a JSON log with one to three changes of its values, keys or bytes."""
    if rng.random() < 0.15:
        return damaged(line.encode(), rng)
    log = json.loads(line)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        log = changed(log, rng)
    text = json.dumps(log, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.1:
        text = text.replace('"l": ', f'"l": {rng.choice(NUMBERS)}, "l": ', 1)
    if rng.random() < 0.1:
        text = text.replace("\n", " ").replace(rng.choice(("Random", '"m', "zimo")), rng.choice(TEXTS[:40]), 1)
    return text.encode(errors="surrogatepass")


def tenhou_json(text: str, rng: Random) -> bytes:
    """Give a game in Tenhou's JSON with one to three changes, or its rounds one a line, one of them changed."""
    if rng.random() < 0.15:
        return damaged(text.encode(), rng)
    log = json.loads(text)
    if rng.random() < 0.2:
        head = {key: log[key] for key in ("name", "rule", "ref")}
        lines = [json.dumps(head | {"log": [each]}, ensure_ascii=rng.random() < 0.5) for each in log["log"]]
        place = rng.randrange(len(lines))
        lines[place] = json.dumps(changed(json.loads(lines[place]), rng))
        if rng.random() < 0.5:
            before = rng.choice(("https://tenhou.net/6/#json=", "East 1: ", "\ufeff", "// ", rng.choice(TEXTS)))
            lines = [before + (quote(line) if rng.random() < 0.3 else line) for line in lines]
        return "\n".join(lines).encode(errors="surrogatepass")
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        log = changed(log, rng)
    written = json.dumps(log, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.1:
        written = written.replace('"log": ', rng.choice(('"log": 7, "log": ', '"log": [], "log": ', "")), 1)
    return written.encode(errors="surrogatepass")


def _places(node: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        yield (*at, key)
        yield from _places(node[key], (*at, key))


def changed(log: Any, rng: Random) -> Any:
    """Remove, copy, rename or replace one value of a JSON log in place; return the log."""
    places = list(_places(log))
    if not places:
        return _odd_value(log, rng)
    # In a deep log most places are events, so half of the changes are near the root.
    upper = [place for place in places if len(place) <= 3]
    *way, key = rng.choice(upper if upper and rng.random() < 0.4 else places)
    parent = log
    for step in way:
        parent = parent[step]
    how = rng.randrange(6)
    if how == 0:
        del parent[key]
    elif how == 1:
        *way, other = rng.choice(places)
        node = log
        for step in way:
            node = node[step]
        parent[key] = copy.deepcopy(node[other])
    elif how == 2 and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(rng.choice(parent)))
    elif how == 2:
        parent[rng.choice((f"{key}x", "l", "p", "m", "fanshu", ""))] = parent[key]
    else:
        parent[key] = _odd_value(parent[key], rng)
    return log


def _odd_value(old: Any, rng: Random) -> Any:
    if isinstance(old, str) and rng.random() < 0.6:
        return odd_text(old, rng)
    return rng.choice((
        None, True, False, 0, 1, -1, 4, 0.7, 1e300, float("nan"), float("inf"), 2**31, 2**63, 2**64, -(2**70), 10**40,
        "", "0", "x", "\ud800", "z8", "m1_*", [], {}, [[]], [None], {"l": 0}, {"": None}, [old], {"p": old},
        _nested(rng.choice((5, 200, 2000))), rng.choice(TEXTS), rng.choice(NUMBERS),
    ))  # fmt: skip


def _nested(depth: int) -> Any:
    node: Any = []
    for _ in range(min(depth, 400)):
        node = [node]
    return node
