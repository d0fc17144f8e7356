"""Renamed games are as consistent as the original games."""

import random
import re

import pytest

from scripts import make_archive
from tests.kit import renamed_games as ma
from tests.kit.plain.mjlog_replay import replay

TEMPLATES = ma.load_templates()


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_identity_gives_the_same_text(template):
    """The identity changes nothing, so only tile ids are touched."""
    (path,) = ma.FIXTURES.glob(f"{template.name}.*")
    assert template.rename(list(range(136))) == ma.read_text(path)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.name)
def test_renamed_games_replay_with_the_same_features(template):
    """A renamed game replays with the same features."""
    (path,) = ma.FIXTURES.glob(f"{template.name}.*")
    original = ma.read_text(path)
    for seed in range(5):
        text = template.rename(ma.renaming(random.Random(seed)))
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


def test_games_with_ryuuiisou_are_left_out():
    """The shipped game with 緑一色, which depends on a suit, is no template."""
    skipped = [path for path in ma.FIXTURES.iterdir() if ma.holds_ryuuiisou(ma.read_text(path))]
    assert len(skipped) == 1
    assert len(TEMPLATES) == len(list(ma.FIXTURES.iterdir())) - 1


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
