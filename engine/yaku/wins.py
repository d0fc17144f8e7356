"""`Wins`: winning hands, and everything about the moment of winning that yaku and payments depend on."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.tiles.arrays import I8, I16, U8, Bools, Ints
    from engine.tiles.hands import Hands


@dataclass(frozen=True, slots=True)
class Wins:
    """n wins as a struct of arrays; row *i* of every field belongs to win *i*. Seats are 0 to 3.

    Fields after `rule` are optional.

    Attributes
    ----------
    hands
        The hands, winning tile included; n.
    win_kind
        Kind of the winning tile; uint8 [n].
    tsumo
        Won by an own draw; bool [n].
    riichi
        0 none, 1 riichi, 2 double riichi; uint8 [n].
    ippatsu, rinshan, chankan
        Won within a turn of riichi, by the replacement tile of a kan or kita, by robbing a kan; bool [n].
    last_tile
        Won by the last draw (haitei) or on the discard after it (houtei); bool [n].
    first_turn
        Won before any own discard and any call: tenhou or chiihou on tsumo, renhou on ron; bool [n].
    seat_wind, round_wind
        0 East to 3 North; int8 [n].
    dora, ura
        Kinds of the indicators, padded with ``NO_TILE``; uint8 [n, k].
    winner
        Seat of the winner; int8 [n].
    payer
        Seat of the discarder, or of the player whose kan was robbed; the winner's own seat on tsumo. int8 [n].
    dealer
        Seat of the dealer; int8 [n].
    players
        3 or 4; int8 [n].
    honba, sticks
        Honba and riichi sticks that this win collects; of several winners of one tile, usually the first collects all
        (`engine.scoring.payments.share_deposits`). int16 [n].
    rule
        Row of the win's rules in the rule table; int16 [n].
    last_kan
        Place in ``hands.meld_type`` of the kan that was made last; -1 if unknown. The order of melds does not show it:
        a kakan keeps the place of its pon, even if it came long after it. int8 [n].
    open_riichi
        Riichi was declared with the hand shown; bool [n].
    riichi_discard, kan_discard
        The winning tile is the discard with which the payer declared riichi, or the discard that followed a kan of the
        payer; bool [n].
    eighth_win
        The win is the eighth in a row, counted as the rules say; bool [n].
    norths
        How many Norths the winner has set aside (kita); they are no part of `hands`. int8 [n].
    on_kita
        Ron on a North that the payer set aside. `chankan` is false then. bool [n].
    after_kita
        The replacement tile of a `rinshan` was drawn for a kita, not for a kan; bool [n].
    """

    hands: Hands
    win_kind: U8
    tsumo: Bools
    riichi: U8
    ippatsu: Bools
    rinshan: Bools
    chankan: Bools
    last_tile: Bools
    first_turn: Bools
    seat_wind: I8
    round_wind: I8
    dora: U8
    ura: U8
    winner: I8
    payer: I8
    dealer: I8
    players: I8
    honba: I16
    sticks: I16
    rule: I16
    last_kan: I8 = field(default_factory=lambda: np.full(1, -1, dtype=np.int8))
    open_riichi: Bools = field(default_factory=lambda: np.zeros(1, dtype=np.bool_))
    riichi_discard: Bools = field(default_factory=lambda: np.zeros(1, dtype=np.bool_))
    kan_discard: Bools = field(default_factory=lambda: np.zeros(1, dtype=np.bool_))
    eighth_win: Bools = field(default_factory=lambda: np.zeros(1, dtype=np.bool_))
    norths: I8 = field(default_factory=lambda: np.zeros(1, dtype=np.int8))
    on_kita: Bools = field(default_factory=lambda: np.zeros(1, dtype=np.bool_))
    after_kita: Bools = field(default_factory=lambda: np.zeros(1, dtype=np.bool_))

    def __post_init__(self) -> None:
        """Repeat the default of each field that was left out for every win."""
        for name in _MAY_BE_LEFT_OUT:
            value = getattr(self, name)
            if len(value) != len(self.hands):
                object.__setattr__(self, name, np.broadcast_to(value, (len(self.hands),)))

    def __len__(self) -> int:
        """Count the wins."""
        return len(self.hands)

    def __getitem__(self, rows: slice | Ints | Bools) -> Wins:
        """Select wins by a slice, an array of rows or flags."""
        return Wins(*(getattr(self, entry.name)[rows] for entry in fields(self)))

    @classmethod
    def of(cls, hands: Hands, win_kind: U8, **known: object) -> Wins:
        """Build wins; by default a win is a plain ron by a non-dealer off the discard of the left seat.

        Parameters
        ----------
        hands, win_kind
            As the attributes.
        known
            Any other attribute, as an array or as one value for all wins. Without `dealer`, seat 0 deals; without
            `winner`, seat 1 wins. `seat_wind` and `payer` follow from these if they are not given.

        Raises
        ------
        TypeError
            If a name is not an attribute.
        """
        n = len(hands)
        values: dict[str, object] = {**_DEFAULTS, **known}
        arrays: dict[str, npt.NDArray[Any]] = {
            name: _column(values.pop(name), n, dtype) for name, dtype in _DTYPES.items() if name in values
        }
        winner, dealer, players = arrays["winner"], arrays["dealer"], arrays["players"]
        seat_wind = (winner - dealer) % players
        discarder = np.where(arrays["tsumo"], winner, (winner - 1) % players)
        arrays.setdefault("seat_wind", seat_wind.astype(np.int8))
        arrays.setdefault("payer", discarder.astype(np.int8))
        indicators: dict[str, Any] = {name: _indicators(values.pop(name), n) for name in ("dora", "ura")}
        if values:
            raise TypeError(f"a win has no {', '.join(values)}")
        return cls(hands=hands, win_kind=np.asarray(win_kind, np.uint8), **arrays, **indicators)


_MAY_BE_LEFT_OUT = (
    *("last_kan", "open_riichi", "riichi_discard", "kan_discard", "eighth_win"),
    *("norths", "on_kita", "after_kita"),
)

_DTYPES: dict[str, type[np.generic]] = {
    "tsumo": np.bool_,
    "riichi": np.uint8,
    "ippatsu": np.bool_,
    "rinshan": np.bool_,
    "chankan": np.bool_,
    "last_tile": np.bool_,
    "first_turn": np.bool_,
    "seat_wind": np.int8,
    "round_wind": np.int8,
    "winner": np.int8,
    "payer": np.int8,
    "dealer": np.int8,
    "players": np.int8,
    "honba": np.int16,
    "sticks": np.int16,
    "rule": np.int16,
    "last_kan": np.int8,
    "open_riichi": np.bool_,
    "riichi_discard": np.bool_,
    "kan_discard": np.bool_,
    "eighth_win": np.bool_,
    "norths": np.int8,
    "on_kita": np.bool_,
    "after_kita": np.bool_,
}

_DEFAULTS: dict[str, object] = {
    **{name: 0 for name in _DTYPES if name not in ("seat_wind", "payer")},
    "winner": 1,
    "players": 4,
    "last_kan": -1,
    "dora": (),
    "ura": (),
}


def _column(value: object, n: int, dtype: type[np.generic]) -> npt.NDArray[np.generic]:
    return np.broadcast_to(np.asarray(value), (n,)).astype(dtype)


def _indicators(value: object, n: int) -> U8:
    """Give indicators [n, k]; they are given as [n, k], or as the k indicators of every win."""
    kinds = np.asarray(value, dtype=np.uint8)
    return np.broadcast_to(kinds, (n, kinds.shape[-1])).copy()
