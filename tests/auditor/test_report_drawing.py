"""Drawn tables, read back from the SVG and compared with the replay; and the walk through rounds, with each moment."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from itertools import chain, pairwise

import polars as pl
import pytest

from auditor.audit.audit_batch import read
from auditor.audit.frames import Frames
from auditor.log.tile_ids import KIND, NONE, RED, TILE_IDS
from auditor.report import drawing, rows, steps
from auditor.report import tiles as faces
from auditor.show.moment import TableLookup
from auditor.sources import log_files
from engine.tiles.kinds import TILE_NAMES
from tests.kit.audits import CHECKS, TENHOU
from tests.kit.report_svg import boxes, groups

MOMENTS = 500


def frames_of(sources):
    """Read logs of any format; give their frames, one batch of each format."""
    return [Frames(batch.log, pl.DataFrame()) for batch in read(sources, TENHOU.rules)[0]]


def told(tile_id, reds):
    """Name a tile as the drawing names it: copies of a kind look alike, but for red fives."""
    if tile_id >= NONE or tile_id >= TILE_IDS:
        return "back"
    return f"0{'mps'[KIND[tile_id] // 9]}" if reds and RED[tile_id] else TILE_NAMES[KIND[tile_id]]


def drawn_of(moment, seat):
    """Draw a moment and read its SVG back: for each seat its hand, what lies beside it, its river, score and stick."""
    svg = ET.fromstring(drawing.drawn(rows.rows_of(moment), len(moment.seats), seat, moment.dealer))
    parts = {group.get("data-p"): group for group in svg.iter("g") if group.get("data-p")}
    texts = {each.get("data-p"): each.text for each in svg.iter("tspan")}
    return svg, parts, texts


def name_of(tile, reds):
    """Name a tile of a moment, with its mark."""
    return told(tile.tile_id, reds), tile.moved


def melds_in(group, number, players):
    """Read melds from a group of tiles: (kita, [(kind, tiles, source), ...]) as a person at the table sees them."""
    found = []
    for tiles in groups(group):
        flat = [tile for tile in tiles if not tile.stacked]
        turned = [place for place, tile in enumerate(flat) if tile.turned]
        names = sorted(tile.name for tile in tiles)
        if not turned:
            found.append(("closed" if any(tile.dark for tile in tiles) else "alone", names, None))
            continue
        step = {0: players - 1, len(flat) - 1: 1}.get(turned[0], 2)
        found.append(("open", names, (number + step) % players))
    return found


def melds_of(seat, reds):
    """Give the melds of a moment in the form of `melds_in`; the newest lies at the left."""
    found = [("alone", sorted(told(tile.tile_id, reds) for tile in seat.kita), None)] if seat.kita else []
    for meld in reversed(seat.melds):
        names = sorted(told(tile.tile_id, reds) for tile in meld.tiles)
        kind = "closed" if meld.kind == "ankan" else "alone" if meld.source is None else "open"
        found.append((kind, names, None if kind == "closed" else meld.source))
    return found


def compare(moment, seat):
    """Compare every tile of a drawn table with the moment that it shows."""
    svg, parts, texts = drawn_of(moment, seat)
    players, reds = len(moment.seats), moment.reds
    order = [int(group.get("data-seat")) for group in svg.iter("g") if group.get("class") == "seat"]
    turns = [group.get("transform") for group in svg.iter("g") if group.get("class") == "seat"]
    assert order == [(seat + step) % players for step in range(players)]
    # The next seat sits at the right, the one after it opposite, the last at the left.
    assert turns == [f"rotate({angle})" for angle in ((0, -90, 180, 90) if players == 4 else (0, -90, 90))]
    assert (texts["nn"], texts["tt"]) == (str(moment.left), "?" if moment.sticks is None else str(moment.sticks))
    shown = boxes(parts["dd"])
    assert [(tile.name, tile.moved) for tile in shown[: len(moment.indicators)]] == [
        name_of(tile, reds) for tile in moment.indicators
    ]
    assert all(tile.name == "back" for tile in shown[len(moment.indicators) :])
    for number, at in enumerate(moment.seats):
        hand = boxes(parts[f"h{number}"], deep=False)
        tiles = [*at.hand.tiles, *([at.hand.drawn] if at.hand.drawn else [])]
        expected = [name_of(tile, reds) for tile in tiles]
        expected += [] if at.hand.won is None else [(told(at.hand.won, reds), True)]
        assert [(tile.name, tile.moved) for tile in hand] == expected
        gaps = sum(after.left - before.right > 4 for before, after in pairwise(hand))
        apart = (at.hand.drawn is not None) + (at.hand.won is not None)
        assert gaps == (apart if at.hand.tiles else max(apart - 1, 0))
        aside = parts[f"h{number}"].find("g")
        assert ([] if aside is None else melds_in(aside, number, players)) == melds_of(at, reds)
        moved = [tile.name for tile in (boxes(aside) if aside is not None else []) if tile.moved]
        assert sorted(moved) == sorted(
            told(tile.tile_id, reds) for tile in chain(at.kita, *(meld.tiles for meld in at.melds)) if tile.moved
        )
        river = boxes(parts[f"r{number}"])
        assert [(tile.name, tile.turned, tile.called, tile.drawn, tile.moved) for tile in river] == [
            (
                told(each.tile.tile_id, reds),
                each.riichi,
                each.called_by is not None,
                bool(each.tsumogiri),
                each.tile.moved,
            )
            for each in at.river
        ]
        lengths = [sum(tile.row == row for tile in river) for row in sorted({tile.row for tile in river})]
        assert lengths[:-1] == [6] * (len(lengths) - 1)
        score = parts[f"s{number}"]
        text = score.find("text")
        assert text.text == ("?" if at.score is None else f"{at.score:,}".replace("-", "−"))
        assert ("act" in text.get("class")) == at.acts
        assert (score.find("rect") is not None) == at.riichi
        inside(hand, river)


def inside(hand, river):
    """No tile lies beyond the table or upon another."""
    for tile in (*hand, *river):
        assert abs(tile.left) <= drawing.HALF
        assert abs(tile.right) <= drawing.HALF
    for before, after in pairwise(hand):
        assert after.left >= before.right


@pytest.mark.parametrize("games", ["shipped", "shipped_of_three"])
def test_a_drawn_table_equals_the_replay(games, request):
    """At random events of the shipped games, the tiles of the SVG are those of the replay, each where it belongs."""
    _, log = request.getfixturevalue(games)
    lookup = TableLookup(Frames(log, pl.DataFrame()))
    rng = random.Random(7)
    for _ in range(MOMENTS // 2):
        round_ = rng.randrange(len(log.rounds))
        event = rng.choice(steps.events_of(lookup, round_))
        moment = lookup.at(round_, event)
        compare(moment, rng.randrange(len(moment.seats)))


def test_drawn_tables_of_faulty_logs():
    """Where logs go wrong, the drawing still shows what the replay has."""
    for frames in frames_of([log_files.read(path) for path in sorted(CHECKS.glob("*/fail.*"))]):
        lookup = TableLookup(frames)
        for round_ in range(len(frames.log.rounds)):
            for event in steps.events_of(lookup, round_)[-3:]:
                compare(lookup.at(round_, event), 0)


@pytest.mark.long
def test_a_walk_gives_the_rows_of_each_moment(shipped, shipped_of_three):
    """A walk through a round gives the same rows as the tables rebuilt from the beginning, in every event."""
    faulty = frames_of([log_files.read(path) for path in sorted(CHECKS.glob("*/fail.*"))])
    whole = [Frames(log, pl.DataFrame()) for _, log in (shipped, shipped_of_three)]
    rng = random.Random(3)
    for frames, most in [*((each, 1000) for each in faulty), *((each, 20) for each in whole)]:
        lookup = TableLookup(frames)
        count = len(frames.log.rounds)
        for round_ in sorted(rng.sample(range(count), min(most, count))):
            slow = [steps.with_acts(lookup.at(round_, event), event) for event in steps.events_of(lookup, round_)]
            walked = steps.steps_of(lookup, round_)
            assert walked == slow
            filled = [{part: text for part, text in step.items() if text} for step in walked]
            decoded = steps.decoded(steps.encoded(walked))
            assert [{part: text for part, text in step.items() if text} for step in decoded] == filled


def test_every_tile_has_its_own_drawing():
    """37 faces and a back, no two alike, each within its frame."""
    found = re.findall(r'<symbol id="t(\w+)"[^>]*>(.*?)</symbol>', faces.symbols())
    assert [name for name, _ in found] == list(rows.NAMES)
    assert len({picture for _, picture in found}) == len(rows.NAMES) == 38
