"""Finds missing attributes. Some tags always have them; others need them because of the rest of the tag or log."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log import tables
from auditor.readers.mjlog.found import problems_at
from auditor.readers.mjlog.results import lists_ura

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

    Bools = npt.NDArray[np.bool_]

_NEEDED = {
    "SHUFFLE": ("seed",),
    "GO": ("type",),
    "TAIKYOKU": ("oya",),
    "INIT": ("seed", "ten", "oya", "hai0", "hai1", "hai2", "hai3"),
    "N": ("who", "m"),
    "REACH": ("who", "step"),
    "DORA": ("hai",),
    "BYE": ("who",),
    "AGARI": ("ba", "hai", "machi", "ten", "doraHai", "who", "fromWho", "sc"),
    "RYUUKYOKU": ("ba", "sc"),
}
"""Attributes that each tag has in all 1,554 logs of FORMAT.md (2009 to 2023)."""

_OF_LAST_SEAT = ("hai3", "n3")
"""Those that a log of three players can leave out."""
_PLAYERS = ("rate", "sx")
"""Attributes that a UN with all players has besides the names. It also has ``dan``, except in games for gold."""
_SHOWN = {"reach4": 4, "ron3": 3, "yao9": 1}
"""The number of hands that a draw of this type always shows."""
_DATED = "mt19937ar-sha512-n288-base64"
"""The beginning of seeds from 2010 on. In these logs every paid stick has scores; in older ones only some have."""


def attributes(values: Values, tags: Tags) -> list[pl.DataFrame]:
    """Return each tag that lacks attributes as a problem (row, code, recorded, expected)."""
    lacks = [
        _Lack(name, attribute, values.rows(name)[~values.has(name, attribute)])
        for name, needed in _NEEDED.items()
        for attribute in needed
    ]
    lacks += [*_lacks_of_table(values), *_lacks_of_wins(values), _lacks_of_draws(values, tags)]
    lacks += [_lacks_of_sticks(values, tags), *(_lacks_of_deals(values, tags, name) for name in ("shuffle", "chip"))]
    attributes_of: dict[tuple[int, str], list[str]] = {}
    for lack in lacks:
        rows = lack.rows
        if lack.attribute in _OF_LAST_SEAT:
            rows = rows[values.players[tags.game[rows]] == tables.SEATS]
        for row in rows.tolist():
            attributes_of.setdefault((row, lack.name), []).append(lack.attribute)
    recorded = [f"{name} without {', '.join(lacking)}" for (_, name), lacking in attributes_of.items()]
    return problems_at([row for row, _ in attributes_of], recorded, "all attributes that the tag needs")


class _Lack(NamedTuple):
    """The rows of the tags of this name that lack this attribute."""

    name: str
    attribute: str
    rows: npt.NDArray[np.uint32]


def names_table(values: Values) -> Bools:
    """Return bool[UN tags]: which name all players. A UN with a single name means that this player is back."""
    named: Bools = np.sum([values.has("UN", f"n{seat}") for seat in range(tables.SEATS)], axis=0) > 1
    return named | values.has("UN", "rate") | values.has("UN", "sx")


def _lacks_of_table(values: Values) -> list[_Lack]:
    rows, table = values.rows("UN"), names_table(values)
    names = [values.has("UN", f"n{seat}") for seat in range(tables.SEATS)]
    ranked = values.has("UN", "dan") | values.has("UN", "gold")
    return [
        *(_Lack("UN", f"n{seat}", rows[table & ~named]) for seat, named in enumerate(names)),
        *(_Lack("UN", attribute, rows[table & ~values.has("UN", attribute)]) for attribute in _PLAYERS),
        _Lack("UN", "dan", rows[table & ~ranked]),
        _Lack("UN", "a name", rows[~table & ~np.any(names, axis=0)]),
    ]


def _lacks_of_wins(values: Values) -> list[_Lack]:
    """Return the wins without yaku, and the wins that list ura dora but no ura dora indicators."""
    rows = values.rows("AGARI")
    # An empty list counts as missing. An unreadable value does not: it has its own problem.
    no_yaku, no_yakuman, no_ura = (
        ~values.has("AGARI", name) | (values.lists("AGARI", name).count == 0)
        for name in ("yaku", "yakuman", "doraHaiUra")
    )
    without_ura = lists_ura(values.lists("AGARI", "yaku")) & no_ura
    return [_Lack("AGARI", "yaku", rows[no_yaku & no_yakuman]), _Lack("AGARI", "doraHaiUra", rows[without_ura])]


def _lacks_of_draws(values: Values, tags: Tags) -> _Lack:
    shown = np.sum([values.has("RYUUKYOKU", f"hai{seat}") for seat in range(tables.SEATS)], axis=0)
    rows, kinds = values.rows("RYUUKYOKU"), values.places("RYUUKYOKU", "type")
    least = np.zeros(len(rows), dtype=np.int64)
    least[kinds >= 0] = [_SHOWN.get(kind, 0) for kind in values.texts_at(kinds[kinds >= 0])]  # only aborts have a type
    return _Lack("RYUUKYOKU", "hands shown", rows[shown < np.minimum(least, values.players[tags.game[rows]])])


def _lacks_of_sticks(values: Values, tags: Tags) -> _Lack:
    """Return the paid sticks without scores, in logs from 2010 on and in logs whose other sticks have them."""
    rows, scored = values.rows("REACH"), values.has("REACH", "ten")
    paid = values.lists("REACH", "step").number() == 2
    unscored = rows[paid & ~scored]
    if not len(unscored):
        return _Lack("REACH", "ten", unscored)
    dated = [(seed or "").startswith(_DATED) for seed in values.column("SHUFFLE", "seed").to_list()]
    seeds = values.rows("SHUFFLE")[np.array(dated, dtype=bool)]
    always = np.concatenate([tags.game[rows[paid & scored]], tags.game[seeds]])
    return _Lack("REACH", "ten", unscored[np.isin(tags.game[unscored], always)])


def _lacks_of_deals(values: Values, tags: Tags, name: str) -> _Lack:
    """Return the deals without this attribute in logs whose other deals have it."""
    rows, has = values.rows("INIT"), values.has("INIT", name)
    return _Lack("INIT", name, rows[~has & np.isin(tags.game[rows], tags.game[rows[has]])])
