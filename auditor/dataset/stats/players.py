"""The table ``auditor stats DIR players``: one row a player, with figures of the named statistics as columns."""

from __future__ import annotations

NAME = "players"
TITLE = "one row a player: figures of other statistics as columns (of dealers: with --by dealer in rates)"

COLUMNS: dict[str, tuple[str, str]] = {
    "win": ("rates", "win"),
    "tsumo": ("wins", "tsumo"),
    "deal_in": ("rates", "deal_in"),
    "riichi": ("rates", "riichi"),
    "call": ("rates", "call"),
    "dama": ("wins", "dama"),
    "open_win": ("open", "win"),
    "open_deal_in": ("open", "deal_in"),
    "win_turn": ("wins", "turn"),
    "won": ("points", "won"),
    "dealt_in": ("points", "dealt_in"),
    "tsumo_paid": ("points", "tsumo_paid"),
    "change": ("points", "change"),
    "limit": ("wins", "limit"),
    "riichi_win": ("riichi", "win"),
    "riichi_deal_in": ("riichi", "deal_in"),
    "riichi_turn": ("riichi", "turn"),
    "ippatsu": ("riichi", "ippatsu"),
    "first_riichi": ("riichi", "first"),
    "chasing_riichi": ("riichi", "chasing"),
    "furiten_riichi": ("riichi", "furiten"),
    "tenpai": ("tenpai", "reached"),
    "tenpai_turn": ("tenpai", "turn"),
    "dealt_shanten": ("tenpai", "dealt"),
    "tenpai_at_draw": ("draws", "tenpai"),
    "longest_dealership": ("dealerships", "longest"),
    "first": ("placement", "first"),
    "second": ("placement", "second"),
    "third": ("placement", "third"),
    "fourth": ("placement", "fourth"),
    "top2": ("placement", "top2"),
    "place": ("placement", "place"),
    "below_zero": ("placement", "below_zero"),
    "final_points": ("placement", "final_points"),
    "stable_dan": ("placement", "stable_dan"),
}
"""The columns, each a measure of a named statistic; ``games`` and ``rounds`` stand before them."""


def doc() -> str:
    """Return the description of the table: a line of its own, and one for each column."""
    lines = [f"{NAME}: {TITLE}", "  games            games with a round", "  rounds           rounds played"]
    lines += [f"  {column:<16} {measure} of {name}" for column, (name, measure) in COLUMNS.items()]
    return "\n".join([*lines, "  --by             a further split, besides the player"])
