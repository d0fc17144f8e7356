"""Addresses at which platforms replay games, and the rooms and modes of games."""

from __future__ import annotations

import json
import re

import polars as pl
import pytest

from auditor.log import links
from auditor.readers import rooms
from auditor.readers.rooms import Room
from auditor.sources import log_files
from tests.kit.audits import LOGS, LOGS_OF_THREE, TENHOU, audited_whole, source
from tests.kit.command_line import auditor

ID = "2009060321gm-00b9-0000-e2a25d3e"
UUID = "220714-faa69c2d-8321-4748-b027-0b13edfeb704"
REPLAY = "https://tenhou.net/0/?log="
PAIPU = "https://game.maj-soul.com/1/?paipu="


def link_of(data, name):
    """Read the address of a game from the table of games."""
    return audited_whole([source(data, name)], TENHOU).tables["games"]["link"][0]


@pytest.fixture(scope="module")
def log():
    """Give a shipped game of four players whose table has the type in its name."""
    return next(path for path in LOGS if "gm-0009-0000-" in path.name)


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("{id}.mjlog", REPLAY + "{id}&tw=0"),
        ("{id}&tw=2.mjlog", REPLAY + "{id}&tw=2"),
        ("x/{id}_tw=3.xml", REPLAY + "{id}&tw=3"),
        ("game.mjlog", None),
        ("2009060321gm-00b9-0000-e2a25d3e.mjlog", None),  # the id of a game of three players
    ],
)
def test_the_name_of_a_file_is_the_address_of_the_game(log, name, address):
    """Tenhou's XML has no id; its name has, with the seat of the viewer."""
    named = re.match(r"\d{10}gm-0009-0000-[0-9a-f]+", log.name)[0]
    data = log_files.read(log).data
    assert link_of(data, name.format(id=named)) == (address and address.format(id=named))


@pytest.mark.parametrize(
    ("reference", "room", "address"),
    [
        (ID.replace("00b9", "00a9"), "鳳南喰赤", REPLAY + ID.replace("00b9", "00a9") + "&tw=0"),
        (UUID, "玉の間南喰赤", PAIPU + UUID),
        ("", "", None),
        ("220714-faa69c2d", "玉の間南喰赤", None),
    ],
)
def test_the_reference_of_a_json_log(reference, room, address):
    """Tenhou's JSON names the game of either platform in ``ref``."""
    hand = [11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23, 24]
    seats = [hand, [25], [25], *([hand, [], []] * 3)]
    log = {"ref": reference, "rule": {"disp": room, "aka": 1}, "name": ["A", "B", "C", "D"],
           "log": [[[0, 0, 0], [25000] * 4, [41], [], *seats, ["流局", [0, 0, 0, 0]]]]}  # fmt: skip
    assert link_of(json.dumps(log).encode(), "game.json") == address


def test_the_records_of_mahjong_soul(shared):
    """A record's head has the id; without a head there is no address."""
    paths = sorted(path for path in (shared / "corpus" / "majsoul").rglob("*") if path.is_file())
    games = audited_whole([log_files.read(path) for path in paths], TENHOU).tables["games"]
    assert games.select("source", "link").filter(pl.col("link").is_null()).height == 1
    named = games.filter(pl.col("source").str.contains("190503"))
    assert named["link"].to_list() == [PAIPU + "190503-dcd1287a-12f8-4c51-a2a2-0cb5cd284ca8"]


@pytest.mark.parametrize(
    ("link", "round_", "seat", "address"),
    [
        (REPLAY + ID + "&tw=0", 4, 2, REPLAY + ID + "&tw=2&ts=4"),
        (REPLAY + ID + "&tw=1", 0, None, REPLAY + ID + "&tw=1&ts=0"),
        (REPLAY + ID + "&tw=1", None, 2, REPLAY + ID + "&tw=1"),
        (PAIPU + UUID, 4, 2, PAIPU + UUID),
        (None, 4, 2, None),
    ],
)
def test_the_address_of_a_round(link, round_, seat, address):
    """Tenhou's addresses name a seat and a round; those of Mahjong Soul the game."""
    assert links.round_link(link, round_, seat) == address


def test_show_prints_the_address_at_the_round(tmp_path, log):
    """A finding has the address of the game, seen from the seat, at its round."""
    data = log_files.read(log).data
    win = [*re.finditer(rb'<AGARI [^>]*?ten="(\d+),', data)][2]
    named = re.match(r"\d{10}gm-0009-0000-[0-9a-f]+", log.name)[0]
    (tmp_path / f"{named}.mjlog").write_bytes(data[: win.start(1)] + b"110" + data[win.end(1) :])
    auditor("run", tmp_path, "--out", tmp_path / "out")
    shown = auditor("show", tmp_path / "out", "--code", "W106")[1]
    seat = re.search(rb'who="(\d)"', data[win.start() :])[1].decode()
    nth = data[: win.start()].count(b"<INIT ") - 1
    assert re.sub(r"\s+", "", f"{REPLAY}{named}&tw={seat}&ts={nth}") in re.sub(r"\s+", "", shown)


def test_the_servers_own_name_of_a_room(shared):
    """Tenhou's JSON names the room, and the id has the number of the table: both give the same words."""
    pairs = set()
    for path in sorted((shared / "corpus").glob("tenhou-json-*/**/*.json")):
        text = path.read_text("utf-8")
        for match in re.finditer(r'"ref":\s*"\d{10}gm-([0-9a-f]{4})-(\d+)-', text):
            disp = re.search(r'"disp":\s*"([^"]+)"', text)
            pairs.add((match[1], match[2], json.loads(f'"{disp[1]}"')))
    ordinary = {(kind, disp) for kind, lobby, disp in pairs if int(lobby) == 0}
    assert len(ordinary) >= 9
    for kind, disp in ordinary:
        assert rooms.tenhou(int(kind, 16), "0") == rooms.named(disp), disp
    for kind, lobby, _ in pairs:
        if int(lobby):
            assert rooms.tenhou(int(kind, 16), lobby).room == f"lobby {int(lobby)}"


@pytest.mark.parametrize(
    ("number", "room"),
    [
        (2, Room("bronze", "East")), (6, Room("silver", "South")), (12, Room("jade", "South")),
        (16, Room("throne", "South")), (17, Room("bronze", "East")), (24, Room("jade", "South")), (4, Room()),
    ],
)  # fmt: skip
def test_the_rooms_of_mahjong_soul(number, room):
    """The platform's mode ids (RULES.md 4.5)."""
    assert rooms.mode_id(number) == room


def test_every_shipped_game_has_a_room_and_a_mode():
    """The shipped games are of Tenhou; their tables say where they were played."""
    report = audited_whole([log_files.read(path) for path in (*LOGS, *LOGS_OF_THREE)], TENHOU)
    games = report.tables["games"]
    assert games["room"].null_count() == games["mode"].null_count() == games["link"].null_count() == 0
