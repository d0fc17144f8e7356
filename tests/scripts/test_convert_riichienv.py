"""The shipped logs of three players are consistent, and the converter makes them from their sources."""

import copy
import gzip
import re

import pytest

from tests.kit.conversion import sanma_games as cs
from tests.kit.conversion.games import read_games, render
from tests.kit.conversion.readme import FIXTURES, table_rows
from tests.kit.conversion.sanma_rounds import successor
from tests.kit.conversion.tiles import RefusedError
from tests.kit.plain.mjlog_replay import replay
from tests.kit.renamed_games import read_text

FOLDER = "tenhou-3p"
LOGS = sorted((FIXTURES / "logs" / FOLDER).iterdir())
SOURCE = FIXTURES / "sources" / "riichienv.jsonl.gz"
MANIFEST = FIXTURES / "sources" / "manifest-riichienv.csv"
WANTED = """
kita,2 kita in a turn,3 kita in a turn,4 kita in a turn,kita in riichi,rinshan after kita,ron on a kita
kita and a kan,kita before a kan's indicator,pon,daiminkan,ankan,kakan,ankan in riichi,red five melded
riichi,ron on a riichi tile,double riichi,ippatsu,chankan,rinshan,haitei,houtei,kan ura
draw with 0 tenpai,draw with 1 tenpai,draw with 2 tenpai,draw with 3 tenpai,yao9,kan4,nm,double ron
mangan,haneman,baiman,sanbaiman,yakuman,counted yakuman,compound yakuman,chiitoi
red fives,no red fives,no open tanyao,East only,hanchan,bust,extra wind
"""
GAMES = {game["id"]: game for game in read_games([SOURCE])}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_log_replays_and_shows_the_features_listed(path):
    """Tiles, hands, melds, kita, indicators, dora, payments and scores agree; the README names the game's features."""
    assert replay(read_text(path)) - {"three players"} == table_rows(FOLDER)[path.name]


def test_logs_cover_every_wanted_feature():
    """The logs together have every feature of three players that a reader and a scorer should meet."""
    assert set(re.split(r"[,\n]", WANTED.strip())) <= set().union(*table_rows(FOLDER).values())


def test_table_lists_exactly_the_files():
    """The README lists exactly the files that exist."""
    assert set(table_rows(FOLDER)) == {path.name for path in LOGS}


def test_sources_give_the_shipped_files():
    """Converting the shipped sources again changes nothing."""
    made = {}
    for game, (kind, style) in cs.read_manifest(MANIFEST).items():
        made[cs.file_name(GAMES[game], kind, style)] = render(cs.convert(GAMES[game], kind, style), style)
    assert {name: unpacked(data) for name, data in made.items()} == {
        path.name: unpacked(path.read_bytes()) for path in LOGS
    }


def unpacked(data: bytes) -> bytes:
    """Unpack gzip, because its bytes depend on the library and the text does not."""
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def test_the_second_reader_replays_real_logs(shared):
    """The replay that judges these files accepts every real log of three players."""
    for path in sorted((shared / "corpus" / "tenhou-mjlog-3p" / "Agony5757+mahjong").iterdir()):
        assert "three players" in replay(read_text(path))


def test_riichienv_plays_the_games_again():
    """The shipped sources are what riichienv makes from the seeds in their names."""
    pytest.importorskip("riichienv")
    from scripts.oracles.riichienv_games import play

    for game in list(GAMES.values())[:3]:
        assert play(game["seed"], game["mode"]) == game


def wins(game):
    """Give the wins of a recorded game."""
    return [event for round_ in game["rounds"] for event in round_["events"] if event["type"] == "hora"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda game: game["rounds"][0]["start"].update(scores=[35000, 35000, 34000]), "scores differ"),
        (lambda game: game["rounds"][0]["wall"].pop(), "108 tiles"),
        (lambda game: game["rounds"][0]["events"][0].update(pai="C"), "where the log has"),
        (lambda game: wins(game)[0].update(han=wins(game)[0]["han"] + 1), "claimed as"),
        (lambda game: wins(game)[0].update(ura_markers=["1m", "1m", "1m"]), "ura indicators"),
        (lambda game: wins(game)[0].update(deltas=[each + 100 for each in wins(game)[0]["deltas"]]), "balance"),
        (lambda game: wins(game)[0].update(liable=1), "liability"),
        (lambda game: game.update(scores=[35000, 35000, 35000]), "final scores"),
    ],
)
def test_a_damaged_source_is_refused(change, reason):
    """A game that contradicts its wall, its own sums or Tenhou is refused."""
    game = copy.deepcopy(GAMES["3p-red-half-1209"])
    change(game)
    with pytest.raises(RefusedError, match=reason):
        cs.convert(game, cs.TYPES[game["mode"]], "plain")


@pytest.mark.parametrize(("bit", "reason"), [(cs.NO_REDS, "red five"), (cs.NO_OPEN_TANYAO, "open tanyao"), (8, "type")])
def test_a_game_of_another_table_is_refused(bit, reason):
    """Who wins with a red five or an open tanyao does not play at a table without them."""
    refused = []
    for game in GAMES.values():
        try:
            cs.convert(game, cs.TYPES[game["mode"]] ^ bit, "plain")
        except RefusedError as error:
            refused.append(str(error))
    assert refused
    assert all(reason in each for each in refused)


@pytest.mark.parametrize(
    ("scores", "ranks", "tenths", "points"),
    [
        ([71600, -17900, 51300], [1, 3, 2], False, [67, -78, 11, 0]),  # the end of a real game
        ([41500, 31500, 32000], [1, 3, 2], False, [36, -28, -8, 0]),  # halves go away from zero
        ([-1500, 50000, 56500], [3, 2, 1], False, [-62, 10, 52, 0]),
        ([41500, 31500, 32000], [1, 3, 2], True, [36.5, -28.5, -8.0, 0]),
    ],
)
def test_final_points(scores, ranks, tenths, points):
    """The first takes what the others give."""
    assert [*cs.final_points(scores, ranks, tenths=tenths), 0] == points


@pytest.mark.parametrize(("indicator", "dora"), [(0, 8), (8, 0), (17, 9), (25, 26), (30, 27), (29, 30), (33, 31)])
def test_dora_of_three_players(indicator, dora):
    """1m and 9m follow each other; west makes north dora."""
    assert successor(indicator) == dora
