"""Situations of three players, written round by round. Cases sm-004 to sm-036 of published cases and real logs.

A number such as "10/10" is how many of the cases in real logs of Tenhou agree (engine/RULES.md 4.6). Each log here is
right; then one thing in it is told wrongly, and one check must say so.
"""

from __future__ import annotations

from collections import Counter

import pytest

from auditor.audit.audit_batch import Options
from engine.rules.rule_sets import preset
from tests.kit.audits import audited, audited_whole, codes, log_bytes, source, tally, with_changes
from tests.kit.check_cases.calls import turns
from tests.kit.check_cases.three import DRAWS, HANDS, HEAD, NORTH_WON, RUN, WAITING
from tests.kit.log_writer import ABSENT, name, names

SANMA = preset("tenhou_sanma")
CHANGE = "  change 2000 -2000 0"
PINFU = """0 wins 7s from 1
  fu 30
  points 2000
  yaku pinfu 1, tanyao 1
  change 2000 -2000 0"""


def found(text, **rules):
    """List the codes of a described log, by the rules of the preset with changes."""
    return codes(audited(log_bytes(text), options=Options(SANMA.changed(**rules), ("ALL",))))


def round_of(play, head=HEAD, **holds):
    """Describe a game that ends with one round; the hands are ``of_0`` and so on."""
    hands = "".join(f"{seat[-1]} holds {tiles}\n" for seat, tiles in holds.items())
    return f"\n{head}\n{hands}{play.strip()}\nend\n"


def win(yaku, points, change, *, fu=30, tile="7s", source="1", limit=0):
    """Describe a win by seat 0."""
    of = f" from {source}" if source else ""
    return f"0 wins {tile}{of}\n  fu {fu}\n  points {points}\n  limit {limit}\n  yaku {yaku}\n  change {change}"


TANYAO = "234p 678p 234s 56s 88s"
ALONE = "234p 678p 234s 456s N"
"""Seat 0's hand that waits for a North alone: 2 fu for the wait, none for the pair."""
LED = turns("2E 0W 1E 2S")
DECLARED = f"{LED}\n0 draws F\n0 riichi\n0 discards F\n0 deposit"


# Wins.


def test_a_ron_on_a_kita_is_no_chankan():
    """The North that another seat sets aside can be won, without the yaku chankan (6/6)."""
    robbed = with_changes(NORTH_WON, ("1 discards N", "1 kita N"))
    assert found(robbed) == []
    named = with_changes(robbed, ("East 1\n", "East 1, chankan 1\n"), ("points 1300", "points 2600"))
    assert found(with_changes(named, ("1300 -1300", "2600 -2600"))) == ["W104"]
    assert found(robbed, kita_chankan=True) == ["W104"]


def test_a_robbed_kita_keeps_ippatsu():
    """The kita that is won does not end ippatsu (1/1)."""
    text = round_of(
        f"{DECLARED}\n1 draws N\n1 kita N\n" + win("riichi 1, ippatsu 1", 2600, "3600 -2600 0", fu=40, tile="N"),
        of_0=ALONE,
    )
    assert found(text) == []
    assert found(with_changes(text, ("riichi 1, ippatsu 1", "riichi 1"))) == ["W104"]


def test_another_seats_kita_ends_ippatsu():
    """After a kita of another seat there is no ippatsu (10/10); without any call there is (205/205)."""
    between = "1 draws N\n1 kita N\n1 draws C\n1 discards C"
    text = round_of(
        f"{DECLARED}\n{between}\n2 draws 7s\n2 discards 7s\n"
        + win("riichi 1, pinfu 1, tanyao 1", 3900, "4900 0 -3900", source="2"),
        of_0=TANYAO,
    )
    assert found(text) == []
    ippatsu = (
        ("riichi 1, pinfu", "riichi 1, ippatsu 1, pinfu"),
        ("points 3900", "points 7700"),
        ("4900 0 -3900", "8700 0 -7700"),
    )
    assert found(with_changes(text, *ippatsu)) == ["W104"]
    assert found(with_changes(text, (between, "1:C"), *ippatsu)) == []
    assert found(text, kita_interrupts=False) == ["W104"]
    assert found(with_changes(text, *ippatsu), kita_interrupts=False) == []
    assert found(text, kita_interrupts=None) == found(with_changes(text, *ippatsu), kita_interrupts=None) == []


def test_an_own_kita_ends_ippatsu_and_gives_rinshan():
    """A tsumo after an own kita in the first go-around has rinshan and no ippatsu (6/6), and 20 fu with pinfu (5/5)."""
    yaku = "tsumo 1, riichi 1, rinshan 1, pinfu 1, tanyao 1, dora 1"
    text = round_of(
        f"{DECLARED}\n{turns('1C 2F')}\n0 draws N\n0 kita N\n0 draws 7s\n"
        + win(yaku, 9000, "10000 -3000 -6000", fu=20, source="", limit=2),
        of_0=TANYAO,
    )
    assert found(text) == []
    assert found(with_changes(text, ("riichi 1, rinshan", "riichi 1, ippatsu 1, rinshan"))) == ["W104"]
    assert found(with_changes(text, ("pinfu 1", "pinfu 1, haitei 1"), ("rinshan 1, ", ""))) == ["W104"]
    assert found(text, kita_rinshan_yaku=False) == ["W104"]


@pytest.mark.parametrize("other", [True, False])
def test_a_kita_before_the_first_discard_makes_riichi_plain(other):
    """A riichi with the first discard after a kita of any seat is no double riichi (10/10); else it is (2/2)."""
    set_aside = (
        "2 draws N\n2 kita N\n2 draws E\n2 discards E\n0 draws W" if other else "2:E\n0 draws N\n0 kita N\n0 draws W"
    )
    dora = "" if other else ", dora 1"
    mangan = not other
    change = "9000 -8000 0" if mangan else "8700 -7700 0"
    text = round_of(
        with_changes(set_aside.replace("2:E", "2 draws E\n2 discards E"))
        + "\n0 riichi\n0 discards W\n0 deposit\n1 draws 7s\n1 discards 7s\n"
        + win(f"riichi 1, ippatsu 1, pinfu 1, tanyao 1{dora}", 8000 if mangan else 7700, change, limit=int(mangan)),
        of_0=TANYAO,
    )
    assert found(text) == []
    assert found(with_changes(text, ("yaku riichi 1", "yaku double riichi 2"))) == ["W104"]


def test_an_own_north_set_aside_is_no_discard():
    """A hand that has set a North aside can win a North by ron (3/3)."""
    early = "0 draws N\n0 kita N\n0 draws W\n0 discards W"
    late = turns("1E 2S") + "\n0 draws F\n0 riichi\n0 discards F\n0 deposit\n1 draws N\n1 discards N\n"
    text = round_of(
        f"2 draws E\n2 discards E\n{early}\n{late}"
        + win("riichi 1, ippatsu 1, dora 1", 5200, "6200 -5200 0", fu=40, tile="N"),
        of_0=ALONE,
    )
    assert found(text) == []
    thrown = with_changes(
        text, (early, "0:N"), (", dora 1", ""), ("points 5200", "points 2600"), ("6200 -5200", "3600 -2600")
    )
    assert found(thrown) == ["W103"]


def test_a_passed_kita_makes_furiten_unknown():
    """Whether a passed North that another seat set aside makes furiten is unknown: no finding, not checkable."""
    passed = "1 draws N\n1 kita N\n1 draws C\n1 discards C\n2 draws N\n2 discards N\n"
    text = round_of(
        f"{DECLARED}\n{passed}" + win("riichi 1", 1300, "2300 0 -1300", fu=40, tile="N", source="2"), of_0=ALONE
    )
    report = audited(log_bytes(text), options=Options(SANMA))
    assert codes(report) == []
    assert tally(report, "W103").not_checkable == 1
    assert tally(audited(log_bytes(text), options=Options(SANMA.changed(kita_ron=False))), "W103").not_checkable == 0


def test_two_winners_of_one_tile():
    """Both winners are paid; honba and sticks go to the first in turn order from the discarder (14/14)."""
    first = "0 wins 7s from 2\n  fu 30\n  points 2000\n  yaku pinfu 1, tanyao 1\n  change 3200 0 -2200"
    second = "1 wins 7s from 2\n  fu 30\n  points 2000\n  yaku pinfu 1, tanyao 1\n  change 0 2000 -2000"
    text = round_of(
        f"2 draws 7s\n2 discards 7s\n{first}\n{second}",
        head="table 17\nEast 3.1, dora 9p, sticks 1, scores 40000 33000 31000",
        of_0=TANYAO,
        of_1="345p 567p 345s 56s 88p",
    )
    assert found(text) == []
    assert found(text, max_simultaneous_ron=1) == ["W110"]
    assert found(with_changes(text, ("change 0 2000 -2000", "change 0 2200 -2200"))) == ["P103"]


# Calls, kans, indicators.


def test_chi_by_rule():
    """Where a house has chi, it is of the left neighbour's discard: seat 0's for seat 1, seat 2's for seat 0."""
    called = with_changes(RUN, ("1 draws 9m\n1 discards 9m", "1 chi 3p with 12p\n1 discards C"))
    assert found(called) == ["C107"]
    assert found(called, chi=True) == found(called, chi=None) == []
    by_first = round_of(
        f"{turns('23p')}\n0 chi 3p with 45p\n0 discards 9m\n{turns('1E 2S 0F 17s')}\n"
        "0 wins 7s from 1\n  fu 30\n  points 1000\n  yaku haku 1\n  change 1000 -1000 0",
        of_0="45p 9m 678p 56s 88s PPP",
    )
    assert found(by_first, chi=True) == []
    across = with_changes(by_first, ("2:3p", "2:E\n0:W\n1:3p"), ("1:E\n2:S\n0:F\n", ""))
    assert found(across, chi=True) == ["C101"]


def test_an_open_kan_before_a_kita():
    """The indicator of an open kan is turned after a kita and before its draw (8/8); the kita turns none."""
    kan = f"{turns('2E 0W')}\n1 pon W from 0\n1 discards 1p\n{turns('2S 0C')}\n1 draws W\n1 kakan W\n"
    kita = "1 draws N\n1 kita N\ndora 9s\n1 draws P\n1 discards P\n"
    text = round_of(f"{kan}{kita}{turns('2F 0C 17s')}\n{PINFU}", of_0=TANYAO, of_1="1479p 147s 19m WW ES")
    assert found(text) == []
    assert found(with_changes(text, ("1 kita N\ndora 9s\n1 draws P", "dora 9s\n1 kita N\n1 draws P"))) == ["K112"]
    assert found(with_changes(text, ("dora 9s\n1 draws P", "dora 9s\n1 draws P\ndora P"))) == ["K112"]


def test_a_kita_is_no_kan():
    """Three kans of two seats and a kita abort no round (205/205); a fourth kan would."""
    kans = (
        f"2 draws F\n2 ankan F\ndora 9s\n{turns('2C 0C')}\n1 draws E\n1 ankan E\ndora C\n1 draws S\n1 ankan S\ndora P\n"
    )
    fourth = "1 draws N\n1 kita N\n1 draws C\n1 discards C\n"
    text = round_of(
        f"{kans}{fourth}{turns('2P 09s 17s')}\n{PINFU}",
        of_0=TANYAO,
        of_1="EEE SSS WWW 147p 9m",
        of_2="FFF 147p 147s 19m PN",
    )
    assert found(text) == []
    assert found(with_changes(text, ("1 draws N\n1 kita N\n", "1 draws W\n1 ankan W\ndora 9s\n"))) == ["X106"]


# Draws and aborts.

NEXT = f"""
East 3.1, dora 9p
{WAITING}
{turns("2E 0W")}
1 draws 7s
1 discards 7s
{PINFU.replace("change 2000 -2000", "change 2200 -2200")}
end
"""
NINE = "19m 19p 19s ESWP 25p 5s"
BY_DEALER = f"\n{HEAD}\n2 holds {NINE}\n2 draws 2s\ndraw\n  type yao9\n  tenpai 2{NEXT}"
BY_OTHER = f"\n{HEAD}\n0 holds {NINE}\n2 draws 3s\n2 discards 3s\n0 draws 2s\ndraw\n  type yao9\n  tenpai 0{NEXT}"


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (BY_DEALER, ("2 draws 2s", "2 draws N\n2 kita N\n2 draws 2s")),
        (BY_OTHER, ("2 draws 3s", "2 draws N\n2 kita N\n2 draws 3s")),
    ],
    ids=["own", "other"],
)
def test_no_nine_orphans_after_a_kita(text, change):
    """After a kita of any seat nobody can abort by nine orphans (0/71); else somebody may (69 cases)."""
    assert found(text) == []
    late = with_changes(text, change)
    assert found(late) == ["X105"]
    assert found(late, kita_interrupts=False) == found(late, kita_interrupts=None) == []


READY = (TANYAO, "123p 456p 789p NN 99s", "123s 456s 789s CC 99p")


def whole(hands, orphans_to=None, *, kita=False):
    """Describe a wall in which all discard what they draw; one seat gets only orphans, and may set a North aside."""
    left = Counter(name(tile) for tile in range(136) if tile not in ABSENT)
    left.subtract(["9p", "N", *(tile for hand in hands for tile in names(hand))])
    simples = [tile for tile in left.elements() if tile[0] in "02345678"]
    orphans = [tile for tile in left.elements() if tile[0] not in "02345678"]
    lines = []
    for draw in range(DRAWS - kita):
        seat = (2 + draw) % 3
        tile = (orphans if seat == orphans_to or not simples else simples).pop()
        before = [f"{seat} draws N", f"{seat} kita N"] if kita and draw == 1 else []
        lines += [*before, f"{seat} draws {tile}", f"{seat} discards {tile}"]
    return "\n".join(lines)


def exhausted(hands, wall, tenpai="", change="0 0 0", kind=""):
    """Describe a game in which a wall is exhausted; if the dealer is tenpai, seat 0 wins the next round."""
    holds = "\n".join(f"{seat} holds {hand}" for seat, hand in enumerate(hands))
    shown = f"\n  tenpai {tenpai}" if tenpai else ""
    after = NEXT if "2" in tenpai else "\nend\n"
    return f"\n{HEAD}\n{holds}\n{wall}\ndraw{kind}{shown}\n  change {change}{after}"


@pytest.mark.parametrize(
    ("tenpai", "change", "wrong"),
    [
        ("", "0 0 0", "2000 -1000 -1000"),
        ("0", "2000 -1000 -1000", "3000 -1500 -1500"),
        ("0 1", "1000 1000 -2000", "1500 1500 -3000"),
        ("0 1 2", "0 0 0", "1000 1000 -2000"),
    ],
)
def test_noten_payments(tenpai, change, wrong):
    """Noten seats pay 2,000 points in all; nobody pays if none or all are tenpai (297/297)."""
    hands = [ready if str(seat) in tenpai else far for seat, (ready, far) in enumerate(zip(READY, HANDS, strict=True))]
    text = exhausted(hands, whole(hands), tenpai, change)
    assert found(text) == []
    assert found(with_changes(text, (f"  change {change}\n", f"  change {wrong}\n"))) == ["P106"]


@pytest.mark.parametrize("kita", [False, True])
def test_nagashi_mangan(kita):
    """The dealer pays 4,000, the other seat 2,000 (5/5); an own kita is no obstacle (1/1)."""
    text = exhausted(HANDS, whole(HANDS, 0, kita=kita), change="6000 -2000 -4000", kind="\n  type nm")
    assert found(text) == []
    assert found(with_changes(text, ("6000 -2000 -4000", "8000 -4000 -4000"))) == ["P107"]
    assert found(with_changes(text, ("draw\n  type nm\n  change 6000 -2000 -4000", "draw"))) == ["X107"]


@pytest.mark.parametrize(("draw", "expected"), [(52, []), (53, ["R105"])])
def test_riichi_needs_three_tiles(draw, expected):
    """Riichi is possible with three tiles left (4 of 54 hands), not with two (0 of 134)."""
    hands = [READY[seat] if seat == (1 + draw) % 3 else HANDS[seat] for seat in range(3)]
    lines = whole(hands).splitlines()
    seat = lines[2 * draw - 1][0]
    lines[2 * draw - 1 : 2 * draw] = [f"{seat} riichi", lines[2 * draw - 1], f"{seat} deposit"]
    change = " ".join("2000" if each == int(seat) else "-1000" for each in range(3))
    scores = "table 17\nEast 3.0, dora 9p, scores 43000 32000 30000"
    text = exhausted(hands, "\n".join(lines), seat, change).replace(HEAD, scores)
    text = text.replace("change 2200 -2200", "change 3200 -2200")  # after a draw the dealer's stick is won
    assert found(text) == expected
    assert found(text, riichi_without_next_draw=True) == []


def test_play_goes_on_after_three_like_winds_and_three_riichi():
    """Three first discards of one wind (15/15) and riichi of all three seats (17/17) abort no round."""
    winds = round_of(f"{turns('2W 0W 1W 2E 0C')}\n1 draws 7s\n1 discards 7s\n{PINFU}", of_0=TANYAO)
    assert found(winds) == []
    play = "".join(
        f"{seat} draws {tile}\n{seat} riichi\n{seat} discards {tile}\n{seat} deposit\n"
        for seat, tile in ("2E", "0W", "1F")
    )
    riichi = round_of(
        f"{turns('2S 0S 1S')}\n{play}{turns('2C 0C')}\n1 draws 7s\n1 discards 7s\n"
        + win("riichi 1, pinfu 1, tanyao 1", 3900, "6900 -3900 0"),
        of_0=READY[0],
        of_1=READY[1],
        of_2=READY[2],
    )
    assert found(riichi) == []
    assert found(riichi, abortive_four_riichi=True) == ["X106"]


# The course of the game.


def won(place, scores, winner, payer, points, change):  # noqa: PLR0917
    """Describe a round that a seat wins at once by another's discard: pinfu and tanyao."""
    return f"""{place}, dora 9p{scores}
{winner} holds {TANYAO}
{{first}}
{payer} draws 7s
{payer} discards 7s
{winner} wins 7s from {payer}
  fu 30
  points {points}
  yaku pinfu 1, tanyao 1
  change {change}
"""


LAST = "table 25\n" + won("South 3.0", ", scores 36000 32000 37000", 2, 1, 2900, "0 -2900 2900 ").format(
    first=turns("2E 0W")
)
"""South 3: the dealer, seat 2, wins 2,900 points and has 39,900."""


def test_the_leading_dealer_stops():
    """A dealer who wins the last round and leads with 40,000 points ends the game (46/46), else deals again (85/85)."""
    again = won("South 3.1", "", 0, 1, 2000, "2200 -2200 0").format(first=turns("2E 0W"))
    west = won("West 1.0", "", 2, 1, 2000, "0 -2000 2000").format(first=turns("0E 1W 2S 0W"))
    assert found(f"\n{LAST}{again}{west}end\n") == []
    assert found(f"\n{LAST}end\n") == ["G105"]
    leads = LAST.replace("36000 32000 37000", "36000 31000 38000")
    assert found(f"\n{leads}end\n") == []
    assert found(f"\n{leads}{again}end\n") == ["G104"]
    assert found(f"\n{leads}{again}end\n", agari_yame="none") == []


def test_west_three_is_the_last_round():
    """After West 3 the game ends, though nobody has 40,000 (1/1)."""
    west = won("West 3.0", ", scores 37200 34800 33000", 0, 1, 2000, "2000 -2000 0").format(first=turns("2E 0W"))
    assert found(f"\ntable 25\n{west}end\n") == []
    second = west.replace("West 3.0", "West 2.0").replace("{first}", "")
    assert found(f"\ntable 25\n{second.replace(turns('2E 0W'), turns('1E 2W 0S'))}end\n") == ["G105"]


def test_three_rounds_a_wind():
    """East 3 is followed by South 1, whose dealer is seat 0."""
    east = won("East 3.0", ", scores 35000 35000 35000", 0, 1, 2000, "2000 -2000 0").format(first=turns("2E 0W"))
    south = won("South 1.0", "", 1, 2, 2000, "0 2000 -2000").format(first=turns("0E 1W"))
    assert found(f"\ntable 25\n{east}{south}cut\n") == ["L002"]
    wrong = south.replace("South 1.0", "South 2.0").replace(turns("0E 1W"), turns("1E"))
    assert found(f"\ntable 25\n{east}{wrong}cut\n") == ["G101", "L002"]


@pytest.mark.parametrize(
    ("day", "scores", "points"),
    [
        # Each score to whole thousands, half away from zero; the first takes the rest (279/279).
        ("2020010100", "48100 34400 22500", "43 -6 -37"),
        # Exact tenths (5/5).
        ("2024010100", "75700 22500 6800", "70.7 -17.5 -53.2"),
    ],
)
def test_final_points_by_year(day, scores, points):
    """Final points were whole thousands in 2020, and are tenths in 2024."""
    first, second, third = map(int, scores.split())
    start = f"{first - 2000} {second + 2000} {third}"
    text = f"\n{HEAD}\n{WAITING}\n{turns('2E 0W')}\n1 draws 7s\n1 discards 7s\n{PINFU}\nend\n  points {points} 0\n"
    text = text.replace("40000 35000 30000", start)
    data = log_bytes(text)

    def points_wrong(log):
        report = audited_whole([source(log, f"{day}gm-00b9-0000-01234567.mjlog")], Options(preset("tenhou"), ("G107",)))
        return codes(report)

    assert points_wrong(data) == []
    other = data.replace(f"{third // 100},{float(points.split()[2]):.1f}".encode(), f"{third // 100},-38.0".encode())
    assert other != data
    assert points_wrong(other) == ["G107"]


# What no log of three players has shown: not checkable.


def liable(points, change, by="1"):
    """Describe three dragons, fed by seat 1, and a tsumo of seat 0 for which one seat is liable."""
    fed = "".join(
        f"1 draws {drawn}\n1 discards {tile}\n0 pon {tile} from 1\n0 discards {out}\n"
        for drawn, tile, out in (("9m", "P", "N"), ("9m", "F", "2p"), ("1m", "C", "3p"))
    )
    return round_of(
        f"{turns('2E')}\n0 draws N\n0 discards E\n{fed}{turns('19s 2S')}\n0 draws 7s\n0 wins 7s\n  fu 40\n"
        f"  points {points}\n  limit 5\n  yakuman daisangen\n  change {change}\n" + (f"  liable {by}" if by else ""),
        of_0="PPFFCC 2344p 56s E",
        of_1="147p 144s 19m N PFC 3p",
    )


@pytest.mark.parametrize("points", [24000, 32000])
def test_what_a_liable_seat_pays_for_a_tsumo(points):
    """It pays alone; whether as much as the other two would or as for a ron, no log shows."""
    text = liable(points, f"{points} -{points} 0")
    report = audited(log_bytes(text), options=Options(SANMA))
    assert codes(report) == []
    assert tally(report, "W107").not_checkable == 1
    assert found(liable(points, f"{points} -{points // 2} -{points // 2}")) == ["P101"]
    assert found(with_changes(text, ("  liable 1\n", ""))) == ["P101", "W111"]


@pytest.mark.parametrize(("points", "change"), [(2600, "2600 -1000 -1600"), (2800, "2800 -1100 -1700")])
def test_how_a_lobby_rounds_the_missing_share(points, change):
    """Bit 0x800000 lets the payers of a tsumo halve the missing share; how that rounds is unknown."""
    text = round_of(
        f"{LED}\n" + win("tsumo 1, pinfu 1, tanyao 1", points, change, fu=20, source=""),
        head="table 17\nrules 800000\nEast 3.0, dora 9p, scores 40000 35000 30000",
        of_0=TANYAO,
    ).replace("0 wins 7s", "0 draws 7s\n0 wins 7s")
    assert found(text) == []
    assert found(with_changes(text, (f"points {points}", "points 2000"), (change, "2000 -700 -1300"))) == ["W107"]
    assert "W107" in found(with_changes(text, ("rules 800000\n", "")))


def test_a_draw_before_the_end_of_the_wall_is_no_nagashi_mangan():
    """All discards of seat 1 are orphans; but the last turn is missing, which is one finding."""
    early = "\n".join(whole(HANDS, 1).splitlines()[:-2])
    assert found(exhausted(HANDS, early)) == ["X101"]


def test_a_dealer_who_stays_in_west_behind_another_seat():
    """Whether the game ends once another seat has 40,000 is unknown: it may end, and it may go on."""
    west = won("West 1.0", ", scores 22000 44000 39000", 0, 2, 2900, "2900 0 -2900").format(first=turns("0E 1W"))
    again = won("West 1.1", "", 1, 2, 2000, "0 2200 -2200").format(first=turns("0E 1W"))
    assert found(f"\ntable 25\n{west}end\n") == found(f"\ntable 25\n{west}{again}end\n") == []
    behind = west.replace("22000 44000 39000", "29000 39000 37000")
    assert found(f"\ntable 25\n{behind}end\n") == ["G105"]
