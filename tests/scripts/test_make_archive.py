"""Renamed games are as consistent as the original games."""

import random
import re

import pytest

from scripts import make_archive
from tests.kit import renamed_games as ma
from tests.kit.plain.mjlog_replay import replay

FOLDERS = {4: ma.FIXTURES, 3: ma.FIXTURES_OF_THREE}
TEMPLATES = [template for folder in FOLDERS.values() for template in ma.load_templates(folder)]


def text_of(template):
    """Read the shipped game that a template was made of."""
    (path,) = FOLDERS[template.players].glob(f"{template.name}.*")
    return ma.read_text(path)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_identity_gives_the_same_text(template):
    """The identity changes nothing, so only tile ids are touched."""
    assert template.rename(list(range(136))) == text_of(template)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_renamed_games_replay_with_the_same_features(template):
    """A renamed game replays with the same features."""
    original = text_of(template)
    for seed in range(5):
        text = template.rename(ma.renaming(random.Random(seed), template.players))
        assert text != original
        assert replay(text) == replay(original)
        assert re.sub(r"\d+", "", text) == re.sub(r"\d+", "", original)


def test_renaming_is_one_to_one_and_keeps_kinds_together():
    """Suits change places as a whole, honours stay, red ids are red."""
    for seed in range(50):
        names = ma.renaming(random.Random(seed))
        assert sorted(names) == list(range(136))
        assert {names[red] for red in ma.RED_IDS} == set(ma.RED_IDS)
        assert all(names[tile] // 4 == names[tile - tile % 4] // 4 for tile in range(136))
        assert all(names[tile] // 4 == tile // 4 for tile in range(108, 136))
        assert all(names[tile] // 4 % 9 == tile // 4 % 9 for tile in range(108))


def test_the_man_suit_of_three_players_stays():
    """With three players 1m and 9m keep their suit, and the two others change places at times."""
    tables = [ma.renaming(random.Random(seed), 3) for seed in range(50)]
    assert all(names[tile] // 36 == 0 for names in tables for tile in range(36))
    assert {names[36] // 36 for names in tables} == {1, 2}


def test_a_share_of_the_games_has_three_players(tmp_path):
    """The share is a chance for each game; without it the archive is as before."""
    ma.make_archive(60, tmp_path / "mixed", three=0.5)
    ma.make_archive(20, tmp_path / "three", three=1)
    count = [sum("three players" in replay(ma.read_text(path)) for path in (tmp_path / name).iterdir())
             for name in ("mixed", "three")]  # fmt: skip
    assert 15 < count[0] < 45
    assert count[1] == 20


def test_games_with_ryuuiisou_are_left_out():
    """The shipped game with 緑一色, which depends on a suit, is no template."""
    skipped = [path for path in ma.FIXTURES.iterdir() if ma.holds_ryuuiisou(ma.read_text(path))]
    assert len(skipped) == 1
    assert sum(template.players == 4 for template in TEMPLATES) == len(list(ma.FIXTURES.iterdir())) - 1


def test_a_seed_fixes_the_archive(tmp_path):
    """Two runs agree byte for byte; a longer archive starts with the shorter one; another seed differs."""
    for name, count, seed in (("a", 20, 1), ("b", 20, 1), ("long", 30, 1), ("other", 20, 2)):
        ma.make_archive(count, tmp_path / name, seed=seed)
    archive = {
        folder.name: {path.name: path.read_bytes() for path in folder.iterdir()} for folder in tmp_path.iterdir()
    }
    assert archive["a"] == archive["b"]
    assert len(archive["a"]) == 20
    assert archive["a"].items() <= archive["long"].items()
    assert not archive["a"].keys() & archive["other"].keys()


def test_packed_archives_hold_the_same_games(tmp_path):
    """The option changes only the compression."""
    ma.make_archive(3, tmp_path / "plain")
    make_archive.main(["3", str(tmp_path / "packed"), "--gzip"])
    plain = {path.name: ma.read_text(path) for path in (tmp_path / "plain").iterdir()}
    packed = {path.name.removesuffix(".gz"): ma.read_text(path) for path in (tmp_path / "packed").iterdir()}
    assert plain == packed
    assert all(path.suffix == ".gz" for path in (tmp_path / "packed").iterdir())
