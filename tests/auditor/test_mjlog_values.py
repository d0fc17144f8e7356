"""Attributes of mjlog: each missing attribute and each impossible value is one finding.

Counts over logs of 2009 to 2023 show which attributes a tag always has: auditor/readers/mjlog/FORMAT.md sections 3, 4,
7, 8.
"""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest

from auditor.audit import audit_batch
from auditor.readers.mjlog.melds import exist
from tests.kit.audits import CHECKS, FIXTURES, TENHOU, audited, audited_apart, source

SHORT = (CHECKS / "w108_dora" / "pass.mjlog").read_bytes()
LONG = (FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog").read_bytes()
KYUUSHU = (CHECKS / "x105_abort_without_cause" / "pass.mjlog").read_bytes()


def findings_of(data):
    """Give the findings of a log as (code, recorded)."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return audited(data).tables["findings"].select("code", "recorded").rows()


def tags(data, name):
    """List the places (start, end) of a tag in a log."""
    return [found.span() for found in re.finditer(rf"<{name}[\s/][^<]*".encode(), data)]


def changed(data, name, old, new="", nth=0):
    """Replace a pattern in one tag of a log."""
    start, end = tags(data, name)[nth]
    text, count = re.subn(old.encode(), lambda _: new.encode(), data[start:end], count=1)
    assert count == 1, data[start:end]
    return data[:start] + text + data[end:]


ALWAYS = [
    *(("SHUFFLE", each) for each in ("seed",)),
    *(("GO", each) for each in ("type",)),
    *(("UN", each) for each in ("n0", "n1", "n2", "n3", "dan", "rate", "sx")),
    *(("TAIKYOKU", each) for each in ("oya",)),
    *(("INIT", each) for each in ("seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3")),
    *(("N", each) for each in ("who", "m")),
    *(("REACH", each) for each in ("who", "step")),
    *(("DORA", each) for each in ("hai",)),
    *(("AGARI", each) for each in ("ba", "hai", "machi", "ten", "yaku", "doraHai", "who", "fromWho", "sc")),
]


@pytest.fixture(scope="module")
def found():
    """Audit in one batch each log that lacks an attribute or has an impossible value; give the findings."""
    lacking = {each: changed(LONG, each[0], rf'\s{each[1]}="[^"]*"') for each in ALWAYS}
    beyond = {each: changed(SHORT, each[0], rf'{each[1]}="[^"]*"', f'{each[1]}="{each[2]}"') for each in BEYOND}
    drawn = {tag: SHORT.replace(b"<W120/><G120/>", f"<{tag}/><G120/>".encode()) for tag in DRAWS_OF_NO_TILE}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = audited_apart(lacking | beyond | drawn)
    return {each: parts["findings"].select("code", "recorded").rows() for each, parts in tables.items()}


@pytest.mark.parametrize(("name", "attribute"), ALWAYS)
def test_an_attribute_that_a_tag_always_has(name, attribute, found):
    """A missing attribute is one finding that names it."""
    assert found[name, attribute] == [("L003", f"{name} without {attribute}")]


@pytest.mark.parametrize("attribute", ["ba", "sc"])
def test_an_abort_has_counters_and_scores(attribute):
    """An abort must have counters and scores."""
    found = findings_of(changed(KYUUSHU, "RYUUKYOKU", rf'\s{attribute}="[^"]*"'))
    assert found == [("L003", f"RYUUKYOKU without {attribute}")]


def test_nine_orphans_are_shown():
    """An abort by nine orphans must show its hand."""
    assert findings_of(changed(KYUUSHU, "RYUUKYOKU", r'\shai\d="[^"]*"')) == [("L003", "RYUUKYOKU without hands shown")]


def test_sticks_with_and_without_scores():
    """Sticks of 2009 have no scores, which is no fault. A stick without scores among others that have them is one."""
    paid = next(nth for nth, (start, end) in enumerate(tags(LONG, "REACH")) if b'step="2"' in LONG[start:end])
    seeds = ("", "mt19937ar-sha512-n288,0", "mt19937ar-sha512-n288-base64,AAAA")
    unsaid, early, late = (changed(LONG, "SHUFFLE", r'\sseed="[^"]*"', f' seed="{seed}"') for seed in seeds)
    for log in (unsaid, early, late):
        assert findings_of(changed(log, "REACH", r'\sten="[^"]*"', nth=paid)) == [("L003", "REACH without ten")]
    unsaid, early, late = (re.sub(rb'(<REACH[^>]*?) ten="[^"]*"', rb"\1", log) for log in (unsaid, early, late))
    assert findings_of(unsaid) == findings_of(early) == []
    # Seeds of the last form are from 2010 or later, when all sticks had scores.
    assert set(findings_of(late)) == {("L003", "REACH without ten")}


def test_a_win_with_ura_dora_states_the_indicators():
    """A win with ura dora in its list of yaku must state the ura indicators; so must every win in riichi."""
    bare = changed(SHORT, "AGARI", r'\sdoraHaiUra="[^"]*"')
    assert findings_of(bare) == [("L003", "AGARI without doraHaiUra")]
    assert findings_of(changed(SHORT, "AGARI", r'doraHaiUra="[^"]*"', 'doraHaiUra=""')) == [
        ("L003", "AGARI without doraHaiUra")
    ]


def test_somebody_is_back_without_a_name():
    """A UN during play must name the player who returns."""
    assert findings_of(SHORT.replace(b"<W120/>", b"<UN /><W120/>")) == [("L003", "UN without a name")]
    assert findings_of(SHORT.replace(b"<W120/>", b'<UN n2="%43"/><W120/>')) == []


@pytest.mark.parametrize("attribute", ["m", "yakuman"])
def test_lists_that_bots_leave_empty(attribute):
    """An empty list states that there is nothing."""
    assert findings_of(changed(SHORT, "AGARI", r"\swho=", f' {attribute}="" who=')) == []


def test_no_yaku_at_all():
    """A win with two empty lists of yaku is one finding, because no win has no yaku."""
    assert findings_of(changed(SHORT, "AGARI", r'yaku="[^"]*"', 'yaku="" yakuman=""')) == [
        ("L003", "AGARI without yaku")
    ]


BEYOND = [
    ("AGARI", "ten", "30,12000,300"), ("AGARI", "ten", "99999,12000,2"), ("AGARI", "ten", "30,99999999999999999999,2"),
    ("AGARI", "ten", "-30,12000,2"), ("AGARI", "ten", "30,12000.5,2"), ("AGARI", "ba", "0,100"),
    ("AGARI", "sc", "9999999,130,250,0,250,-120,200,0"), ("AGARI", "doraHai", "136"), ("AGARI", "doraHaiUra", "-1"),
    ("AGARI", "yaku", "21,2,2,1,7,1,8,1,52,1,53,300"), ("AGARI", "who", "4"), ("AGARI", "machi", "１"),
    ("AGARI", "hai", "4,8,٣"), ("AGARI", "owari", "10000100000,52.0,250,5.0,130,-37.0,200,-20.0"),
    ("AGARI", "owari", "420,1e99,250,5,130,-37,200,-20"), ("AGARI", "owari", "420,nan,250,5,130,-37,200,-20"),
    ("AGARI", "owari", "420,inf,250,5,130,-37,200,-20"), ("INIT", "seed", "3,0,0,6,0,60"),
    ("INIT", "seed", "16,0,0,0,0,60"), ("INIT", "seed", "3,0,0,0,0,136"), ("INIT", "ten", "300,250,250,99999999999"),
    ("INIT", "oya", "\U0001f432"), ("REACH", "step", "3"),
    ("UN", "dan", "0,0,0,21"), ("UN", "rate", "1e400,1500.00,1500.00,1500.00"), ("UN", "rate", "nan,1,1,1"),
    ("UN", "sx", "M,M,M"), ("TAIKYOKU", "oya", ""), ("GO", "type", "99999999999999999999"), ("GO", "type", "１"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "attribute", "value"), BEYOND)
def test_values_beyond(name, attribute, value, found):
    """An impossible value is one finding that repeats it; nothing raises or warns."""
    rows = found[name, attribute, value]
    assert [code for code, _ in rows] == ["L003"]
    assert f'{attribute}="{value}"' in rows[0][1]


DRAWS_OF_NO_TILE = ["W１２０", "W٣", "W136", "W99999999999", "W-1", "W1.5", "W"]


@pytest.mark.parametrize("tag", DRAWS_OF_NO_TILE)
def test_a_draw_of_no_tile(tag, found):
    """The seat of a draw with an impossible tile is known, so the next events are in order."""
    assert found[tag] == [("L003", f"<{tag}/>" if "136" not in tag else "<W136>")]


def codes_of(bits):
    """Change these bits in the code of the first call of the long log."""
    call = next(code for code in map(int, re.findall(rb'<N who="\d" m="(\d+)"', LONG)) if code & 4)
    return call, call ^ bits


def test_spare_bits_of_a_meld():
    """Bit 9 of a chi has no meaning and is 0 (section 5)."""
    call, other = codes_of(1 << 9)
    assert findings_of(LONG.replace(f'm="{call}"'.encode(), f'm="{other}"'.encode(), 1)) == [("L003", f'N m="{other}"')]


MELDS = {
    "pon": (0x0009, [0x10, 0x80, 0x100]),  # the first kind, called from the right
    "kakan": (0x0011, [0x80, 0x100]),
    "ankan": (0x0000, [0x40, 0x80]),
    "daiminkan": (0x0001, [0x40, 0x80]),
    "kita": (120 << 8 | 0x20, [0x40, 0x80, 0x1]),
    "chi": (0x0007, [0x200]),
}


@pytest.mark.parametrize("kind", MELDS)
def test_meld_codes(kind):
    """A code with a spare bit or with a tile after the last one is L003."""
    code, spare = MELDS[kind]
    assert exist(np.array([code]))[0]
    assert not exist(np.array([code | bit for bit in spare])).any()
    beyond = {"pon": 102 << 9, "kakan": 102 << 9, "ankan": 136 << 8, "daiminkan": 136 << 8, "kita": 136 << 8}
    if kind in beyond:
        assert not exist(np.array([code & 0xFF | beyond[kind]]))[0]
        assert exist(np.array([code & 0xFF | beyond[kind] - (1 << (9 if kind in ("pon", "kakan") else 8))]))[0]


def test_hundreds_of_results():
    """Three hundred wins in a round do not overflow a column of counts."""
    start, end = tags(SHORT, "AGARI")[0]
    assert findings_of(SHORT[:start] + SHORT[start:end].removesuffix(b"</mjloggm>") * 300 + SHORT[start:end])


ODD = [
    "",
    "-1",
    "99999999999999999999",
    "0.5",
    "nan",
    "1e400",
    "１",
    "x",
    "&#49;",
    "&#xD800;",
    "9" * 3000,
    "1,2,3,4,5",
    ",",
    "\x00",
]


def test_no_value_anywhere_raises():
    """Every attribute takes every odd value in turn: nothing raises or warns."""
    at = [found.span(1) for found in re.finditer(rb'"([^"]*)"', SHORT)]
    logs = [
        source(SHORT[:start] + value.encode() + SHORT[end:], f"{start}-{place}")
        for start, end in at
        for place, value in enumerate(ODD)
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = audit_batch.audit(logs, TENHOU)
    assert set(report.tables["sources"]["status"]) == {"audited"}
    assert len(report.tables["games"]) == len(logs)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("crash_limit", ['AGARI ten="30,0,6000"']), ("crash_meld_kan_tile", ['N m="48704"']),
        ("crash_owari", ['owari="10000100000,51.0,324,12.0,-3,-50.0,265,-13.0"']), ("crash_unicode_digit", ["<T１/>"]),
        ("silent_noyaku", ["AGARI without yaku"] * 6), ("silent_ura_twice", ["8s#103 8s#103"]),
    ],
)  # fmt: skip
def test_trials(name, expected, shared):
    """Trial logs with one impossible value, or one missing statement."""
    found = findings_of((shared / "trials" / f"{name}.mjlog").read_bytes())
    assert [recorded for _, recorded in found] == expected


def test_real_logs_lack_nothing(corpus):
    """Logs of 2009 to 2023 have no impossible value, no missing attribute and no odd form."""
    _, log = corpus
    assert log.problems.filter(log.problems["code"] == "L003").rows() == []
