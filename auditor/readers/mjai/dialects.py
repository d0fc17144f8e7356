"""The dialects of mjai: how each is recognised, what its results state, and the facts of its platform.

Source: auditor/readers/mjai/FORMAT.md section 5. A claim that a dialect does not make is null, and so not checkable.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """One dialect.

    Parameters
    ----------
    name
        its name, which is also the platform in the table of games
    head
        keys of ``start_game`` that only it has
    reasons
        names of draws that only it uses
    states
        columns of ``claims`` that its results state (``tenpai``: which hands are tenpai at a draw; ``hand``: the
        winner's hand); for the documentation and the tests
    kan_indicator
        when it turns the indicators of kans; None if that is not known
    whole_fu
        whether its fu are rounded up to tens
    feeder
        whether its calls state whose discard they take
    first_mark
        whether the dealer's first discard has a true ``tsumogiri`` if it is the tile drawn

    """

    name: str
    head: frozenset[str] = frozenset()
    reasons: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    kan_indicator: str | None = "before_draw"
    whole_fu: bool = True
    feeder: bool = True
    first_mark: bool = True

    @property
    def hands_shown(self) -> bool:
        """Whether its draws show the hands that are tenpai."""
        return "tenpai" in self.states


def _dialect(name: str, head: str = "", reasons: str = "", states: str = "", **facts: object) -> Dialect:
    return Dialect(name, *(frozenset(text.split()) for text in (head, reasons, states)), **facts)  # type: ignore[arg-type]


RIICHIENV = _dialect(
    "riichienv",
    reasons="exhaustive_draw kyushu_kyuhai suukansansen suucha_riichi sufuurenta",
    states="deltas ura",
    kan_indicator="after_kan",
)
JANSOU = _dialect(
    "jansou",
    head="rules preset",
    reasons="exhaustive yao9 nm kaze4 reach4 kan4 ron3",
    states="deltas ura liable tenpai",
    kan_indicator="before_action",
)
MAHJONG_SOUL = _dialect(
    "mahjong_soul", head="majsoul", states="win_tile_id fu points deltas hand", feeder=False, first_mark=False
)
MORTAL = _dialect("mortal", head="seed", states="deltas ura")
AKOCHAN = _dialect(
    "akochan", states="win_tile_id fu total_han deltas ura tenpai hand", kan_indicator=None, whole_fu=False
)
CONVLOG = _dialect("convlog", head="kyoku_first aka_flag", states="deltas ura")
GIMITE = _dialect(
    "gimite",
    head="uri gametype logs",
    reasons="fanpai kyushukyuhai sufonrenta suchareach sukaikan",
    states="win_tile_id fu total_han yaku points deltas liable ura tenpai hand",
)
OTHER = _dialect("mjai", states="deltas ura")
"""A log without any mark of a dialect; most are simulators that write what Mortal's arena writes."""

DIALECTS = (RIICHIENV, JANSOU, MAHJONG_SOUL, MORTAL, AKOCHAN, CONVLOG, GIMITE, OTHER)


def dialect_of(head: frozenset[str], engine: str, *, reasons: frozenset[str], yaku: bool, han: bool) -> Dialect:
    """Return the dialect of a game.

    Parameters
    ----------
    head
        the keys of its ``start_game``
    engine
        what the object around its events says that played it; empty if nothing does
    reasons
        the reasons that its draws name
    yaku, han
        whether its wins list yaku, and state their han

    """
    for each in DIALECTS:
        if engine.startswith(each.name):
            return each
    if yaku:
        return GIMITE
    if han:
        return AKOCHAN
    for each in DIALECTS:
        if each.head & head or each.reasons & reasons:
            return each
    return OTHER
