"""Faults of whole files: unreadable ones and cut ones (L001, L002)."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import fault, pick

if TYPE_CHECKING:
    import random

    from tests.kit.mutate.mjlog import Game


@fault("L001", "empty file")
def empty(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Write an empty file."""
    game.raw = b""


@fault("L001", "nothing but white space")
def blank(game: Game, rng: random.Random) -> None:
    """Write only lines and blanks."""
    game.raw = b" \r\n\t" * rng.randint(1, 400)


@fault("L001", "binary rubbish")
def rubbish(game: Game, rng: random.Random) -> None:
    """Put random bytes of the same length."""
    game.raw = rng.randbytes(len(str(game)))


@fault("L001", "an HTML page")
def page(game: Game, rng: random.Random) -> None:
    """Save an error page under the log's name."""
    status = pick(rng, ("404 Not Found", "403 Forbidden", "503 Service Unavailable", "ログが見つかりません"))
    start = pick(rng, ("<!DOCTYPE html>\n<html>", "<html>", "\n<!doctype HTML><html lang=ja>"))
    game.raw = f"{start}<head><title>{status}</title></head><body><h1>{status}</h1></body></html>\n".encode()


@fault("L001", "UTF-16")
def utf16(game: Game, rng: random.Random) -> None:
    """Save the log as an editor's "Unicode"."""
    game.raw = str(game).encode(pick(rng, ("utf-16", "utf-16-le", "utf-16-be")))


@fault("L001", "another encoding")
def shift_jis(game: Game, rng: random.Random) -> None:
    """Write a name in Shift_JIS, not percent-encoded."""
    name = pick(rng, ("天鳳", "雀士", "牌譜", "東風戦"))
    start, end = str(game).split('n0="', 1)
    game.raw = f'{start}n0="'.encode() + name.encode("shift_jis") + end[end.index('"') :].encode()


@fault("L001", "damaged gzip")
def damaged_gzip(game: Game, rng: random.Random) -> None:
    """Put random bytes after a gzip header."""
    game.raw = gzip.compress(str(game).encode(), mtime=0)[:10] + b"\xff" + rng.randbytes(2000)


def _inside(game: Game, index: int, rng: random.Random) -> None:
    """Cut the file within a tag, of which at least one character is kept and one lost."""
    whole = "".join(map(str, game.tags[:index]))
    tag = str(game.tags[index]).rstrip()
    game.raw = (game.head + whole + tag[: rng.randrange(1, len(tag) - 1)]).encode()


@fault("L002", "cut within a draw or discard")
def cut_in_move(game: Game, rng: random.Random) -> int:
    """Cut the file within a tag of play."""
    round_ = pick(rng, game.rounds)
    _inside(game, pick(rng, [index for index in range(round_.start, round_.end) if game.tags[index].move]), rng)
    return round_.nth


@fault("L002", "cut within a result")
def cut_in_result(game: Game, rng: random.Random) -> int:
    """Cut the file within AGARI or RYUUKYOKU."""
    round_ = pick(rng, game.rounds)
    _inside(game, round_.results[0], rng)
    return round_.nth


@fault("L002", "cut within a deal")
def cut_in_deal(game: Game, rng: random.Random) -> None:
    """Cut the file within INIT: the finding may be in the round before or in the one that begins."""
    _inside(game, pick(rng, game.rounds).start, rng)


@fault("L002", "cut within a call or riichi")
def cut_in_call(game: Game, rng: random.Random) -> int:
    """Cut the file within N, REACH or DORA."""
    sites = [(round_, index) for round_ in game.rounds for index in range(round_.start, round_.end)
             if game.tags[index].name in ("N", "REACH", "DORA")]  # fmt: skip
    round_, index = pick(rng, sites)
    _inside(game, index, rng)
    return round_.nth


@fault("L002", "cut after a tag of play")
def cut_between(game: Game, rng: random.Random) -> int:
    """Cut the file between two tags of a round."""
    round_ = pick(rng, game.rounds)
    del game.tags[pick(rng, range(round_.start + 1, round_.results[0])) :]
    return round_.nth


@fault("L002", "cut after a tag of play, and closed")
def cut_and_closed(game: Game, rng: random.Random) -> int:
    """Leave out everything from a tag of a round to the closing tag."""
    round_ = pick(rng, game.rounds)
    last = game.rounds[-1].end
    del game.tags[pick(rng, range(round_.start + 1, round_.results[0])) : last]
    return round_.nth


@fault("L002", "cut after a result")
def cut_after_result(game: Game, rng: random.Random) -> None:
    """Cut the file after a round that was not the last."""
    del game.tags[pick(rng, game.rounds[:-1]).end :]


@fault("L002", "result missing from a round in the middle")
def result_missing(game: Game, rng: random.Random) -> int:
    """Remove the results of a round that was not the last."""
    round_ = pick(rng, game.rounds[:-1])
    for index in reversed(round_.results):
        del game.tags[index]
    return round_.nth


@fault("L002", "final scores missing")
def owari_missing(game: Game, rng: random.Random) -> None:  # noqa: ARG001
    """Remove owari."""
    last = game.rounds[-1]
    del game.tags[last.results[-1]].attributes["owari"]


@fault("L002", "gzip cut in the middle")
def gzip_cut(game: Game, rng: random.Random) -> None:
    """Cut the compressed file."""
    packed = gzip.compress(str(game).encode(), mtime=0)
    game.raw = packed[: rng.randrange(len(packed) // 3, len(packed) - 200)]


@fault("L002", "gzip cut in its trailer")
def gzip_trailer_cut(game: Game, rng: random.Random) -> None:
    """Cut the compressed file in its last eight bytes: all text is there, without a valid checksum."""
    game.raw = gzip.compress(str(game).encode(), mtime=0)[: -rng.randint(1, 8)]
