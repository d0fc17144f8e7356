"""The value and payments of a win, plainly computed; and the rest of a game after another payment.

Points of a win are in points, changes of score in hundreds, as in the file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.kit.mutate.fault import NoSite
from tests.kit.mutate.mjlog import SLOTS, Game, Round, Tag, meld

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.kit.mutate.table import Table

DORA, URA, RED = 52, 53, 54
BONUS = {DORA, URA, RED}
STICK = 10
ROUNDED = 0x40000
"""The bit of csrule for final points from scores in whole thousands."""
EAST_AND_SOUTH, SKILL_MATCH = 0x0008, 0x0800
"""Bits of the table type."""
_LIMITS = ((13, 5, 8000), (11, 4, 6000), (8, 3, 4000), (6, 2, 3000), (5, 1, 2000))


def base_points(fu: int, han: int, yakuman: int) -> tuple[int, int]:
    """Return base points and limit code."""
    if yakuman:
        return 8000 * yakuman, 5
    for least, limit, base in _LIMITS:
        if han >= least:
            return base, limit
    raw = fu * 2 ** (han + 2)
    return (2000, 1) if raw >= 2000 else (raw, 0)


def rounded_up(points: int) -> int:
    """Round up to a hundred."""
    return -(-points // 100) * 100


@dataclass(frozen=True)
class Win:
    """An AGARI tag in its round."""

    round: Round
    index: int

    @property
    def tag(self) -> Tag:
        """The tag."""
        return self.round.game.tags[self.index]

    @property
    def who(self) -> int:
        """The winner."""
        return self.tag.seat

    @property
    def payer(self) -> int:
        """The seat that fed the win; the winner on tsumo."""
        return int(self.tag.attributes["fromWho"])

    @property
    def tsumo(self) -> bool:
        """Whether the winner drew the tile."""
        return self.who == self.payer

    @property
    def liable(self) -> int | None:
        """The seat that is liable for a yakuman."""
        return int(self.tag.attributes["paoWho"]) if "paoWho" in self.tag else None

    @property
    def first(self) -> bool:
        """Whether this is the round's first winner, who gets honba and sticks."""
        return self.round.results[0] == self.index

    @property
    def alone(self) -> bool:
        """Whether nobody else wins in this round."""
        return len(self.round.wins) == 1

    @property
    def honba(self) -> int:
        """Honba paid for this win."""
        return self.tag.numbers("ba")[0] if self.first else 0

    @property
    def sticks(self) -> int:
        """Sticks won."""
        return self.tag.numbers("ba")[1]

    @property
    def fu(self) -> int:
        """Recorded fu."""
        return self.tag.numbers("ten")[0]

    @property
    def points(self) -> int:
        """Recorded points."""
        return self.tag.numbers("ten")[1]

    @property
    def limit(self) -> int:
        """Recorded limit code."""
        return self.tag.numbers("ten")[2]

    @property
    def yaku(self) -> dict[int, int]:
        """Recorded yaku with their han, including dora; none for yakuman."""
        pairs = self.tag.numbers("yaku")
        return dict(zip(pairs[::2], pairs[1::2], strict=True))

    @property
    def yakuman(self) -> list[int]:
        """Recorded yakuman."""
        return self.tag.numbers("yakuman")

    @property
    def han(self) -> int:
        """All recorded han."""
        return sum(self.yaku.values())

    @property
    def named(self) -> list[int]:
        """Recorded yaku without dora."""
        return [number for number in self.yaku if number not in BONUS]

    @property
    def open(self) -> bool:
        """Whether the hand has melds: a kita is none."""
        return any(meld(code).shape != "kita" for code in self.tag.numbers("m"))

    @property
    def norths(self) -> list[int]:
        """The tiles that the winner has set aside."""
        melds = [meld(code) for code in self.tag.numbers("m")]
        return sorted(tile for made in melds if made.shape == "kita" for tile in made.tiles)

    @property
    def players(self) -> int:
        """How many play."""
        return self.round.game.table.players

    @property
    def concealed(self) -> list[int]:
        """The shown tiles without melds, the winning tile among them."""
        return self.tag.numbers("hai")

    @property
    def tile(self) -> int:
        """The winning tile."""
        return self.tag.numbers("machi")[0]

    @property
    def changes(self) -> list[int]:
        """Recorded changes of score."""
        return self.tag.numbers("sc")[1::2]

    def list_yaku(self, yaku: dict[int, int]) -> None:
        """Write another list of yaku."""
        self.tag.put("yaku", [number for pair in yaku.items() for number in pair])

    def value(self, fu: int, han: int) -> tuple[int, int]:
        """Return the points and limit code that fu and han (or the recorded yakuman) give."""
        base, limit = base_points(fu, han, len(self.yakuman))
        dealer = self.who == self.round.dealer
        if not self.tsumo:
            return rounded_up(base * (6 if dealer else 4)), limit
        single, double = rounded_up(base), rounded_up(2 * base)
        others = self.players - 1
        return (others * double if dealer else (others - 1) * single + double), limit

    def payments(self, points: int, *, payer: int | None = None, liable: int | None = None,
                 honba: int | None = None, sticks: int | None = None) -> list[int]:  # fmt: skip
        """Return the changes of score, with other seats or deposits than recorded if given."""
        payer = self.payer if payer is None else payer
        honba = self.honba if honba is None else honba
        hundreds, counters = points // 100, (self.players - 1) * honba
        if liable is not None:
            alone = payer in (self.who, liable)
            paid = {payer: 0 if alone else hundreds - hundreds // 2}
            paid[liable] = (hundreds if alone else hundreds // 2) + counters
        elif payer == self.who:
            paid = {seat: share + honba for seat, share in self._shares(hundreds).items()}
        else:
            paid = {payer: hundreds + counters}
        changes = [-paid.get(seat, 0) for seat in SLOTS]
        changes[self.who] += sum(paid.values()) + STICK * (self.sticks if sticks is None else sticks)
        return changes

    def _shares(self, hundreds: int) -> dict[int, int]:
        """Split a tsumo's points; no site if they cannot be split."""
        dealer = self.round.dealer
        others = [seat for seat in self.round.seats if seat != self.who]
        if self.who == dealer:
            share = dict.fromkeys(others, hundreds // len(others))
        else:
            single = (hundreds + 1) // self.players
            double = hundreds - (len(others) - 1) * single
            share = {seat: double if seat == dealer else single for seat in others}
            if 2 * single - share[dealer] not in (0, 1):
                raise NoSite
        if sum(share.values()) != hundreds:
            raise NoSite
        return share

    @property
    def sound(self) -> bool:
        """Whether this module computes the recorded value and payments, so that the win can be spoiled."""
        if self.value(self.fu, self.han) != (self.points, self.limit) or self.liable is not None:
            return False
        return self.payments(self.points) == self.changes

    def pay(self, changes: Sequence[int]) -> None:
        """Write other changes of score, and all later scores with them."""
        carry(self.round.game, self.index, move(self.tag, changes))

    def state(self, points: int, limit: int) -> None:
        """State another value, without paying it."""
        self.tag.put("ten", [self.fu, points, limit])

    def revalue(self, fu: int | None = None) -> None:
        """Write the value that the list of yaku now gives, and pay it."""
        fu = self.fu if fu is None else fu
        points, limit = self.value(fu, self.han)
        self.tag.put("ten", [fu, points, limit])
        self.pay(self.payments(points))


def wins(game: Game) -> list[Win]:
    """Return all wins of a game whose value and payment this module computes."""
    return [win for win in all_wins(game) if win.sound]


def all_wins(game: Game) -> list[Win]:
    """Return all wins of a game."""
    return [Win(round_, index) for round_ in game.rounds for index in round_.wins]


def move(result: Tag, changes: Sequence[int]) -> list[int]:
    """Write other changes of score at a result; return the differences."""
    sc = result.numbers("sc")
    difference = [new - old for new, old in zip(changes, sc[1::2], strict=True)]
    sc[1::2] = changes
    result.put("sc", sc)
    return difference


def carry(game: Game, index: int, difference: Sequence[int], least: int = 0) -> None:
    """Add to all scores after a result, including the final ones; none may fall below the least.

    With 0 as the least, every later riichi must still be affordable.

    Raises
    ------
    NoSite
        if the game would then have continued in another way: a bust, an unaffordable riichi, other ranks
    """
    if any(difference):
        _shift_final(game, difference)
        if not _same_course(game, index, difference):
            raise NoSite
    for tag in game.tags[index + 1 :]:
        shift(tag, difference, least)
    if any(difference) and least == 0 and not all(map(_affordable, game.rounds)):
        raise NoSite


def _affordable(round_: Round) -> bool:
    """Say whether every seat that declares riichi in a round begins it with a stick."""
    ten = round_.init.numbers("ten")
    return all(ten[tag.seat] >= STICK for tag in round_.tags if tag.name == "REACH")


def shift(tag: Tag, difference: Sequence[int], least: int = 0) -> None:
    """Add to the scores in one tag, except final ones."""
    if tag.name in ("INIT", "REACH") and "ten" in tag:
        _replace(tag, "ten", 1, difference, least)
    elif tag.is_result:
        _replace(tag, "sc", 2, difference, least)


def _replace(tag: Tag, attribute: str, step: int, difference: Sequence[int], least: int) -> None:
    numbers = tag.numbers(attribute)
    new = [old + more for old, more in zip(numbers[::step], difference, strict=True)]
    if min(new) < least:
        raise NoSite
    numbers[::step] = new
    tag.put(attribute, numbers)


@dataclass(frozen=True)
class Final:
    """The final scores (in hundreds) and points of a game, by seat; ``tenths`` if points are written with them."""

    tag: Tag
    scores: list[int]
    points: list[float]
    tenths: bool
    table: Table

    @property
    def whole(self) -> bool:
        """Whether points come from scores rounded to thousands, or exact ones; no site if that is unknown."""
        fits = []
        for whole in (False, True):
            points = gained(self.scores, whole, self.table)
            if all(abs(one - other) < 0.01 for one, other in zip(self.points, points, strict=True)):
                fits.append(whole)
        if len(fits) != 1:
            raise NoSite
        return fits[0]

    def write(self, scores: Sequence[int], points: Sequence[float]) -> None:
        """Write other scores and points."""
        texts = [f"{point:.1f}" if self.tenths else f"{point:.0f}" for point in points]
        self.tag.attributes["owari"] = ",".join(
            part for score, point in zip(scores, texts, strict=True) for part in (str(score), point)
        )


def final(game: Game) -> Final:
    """Read the final scores and points; no site at tables with another uma."""
    go = game.first("GO")
    kind = int(go.attributes["type"])
    if kind & SKILL_MATCH or not ("lobby" in go or kind & EAST_AND_SOUTH):
        raise NoSite
    tag = next(tag for tag in reversed(game.tags) if tag.is_result)
    fields = tag.attributes["owari"].split(",")
    tenths = all("." in text for text in fields[1::2])
    scores, points = [int(float(text)) for text in fields[::2]], [float(text) for text in fields[1::2]]
    return Final(tag, scores, points, tenths, game.table)


def rounded(game: Game) -> int:
    """Return the bit of csrule that says how the final points come from the scores."""
    return ROUNDED if final(game).whole else 0


def gained(scores: Sequence[int], whole: bool, table: Table) -> list[float]:
    """Return final points on ranked tables: uma and oka, scores (in hundreds) exact or rounded to thousands."""
    first, *others = order(scores, table)
    uma = dict(zip((first, *others), table.uma, strict=True))
    points = [0.0] * len(scores)
    for seat in table.seats:
        score = scores[seat]
        rounded = (abs(score) + 5) // 10 * (1 if score >= 0 else -1)
        points[seat] = (rounded if whole else score / 10) - table.returned / 10 + uma[seat]
    if not whole:
        points[first] += table.oka
    else:
        missing = table.players * table.returned / 10
        points[first] = sum(scores) / 10 - missing + table.oka - sum(points[seat] for seat in others)
    return points


def put_final(game: Game, scores: Sequence[int], *, whole: bool) -> None:
    """Write final scores, and the points that they give."""
    tag = next(tag for tag in reversed(game.tags) if tag.is_result)
    Final(tag, [], [], tenths=True, table=game.table).write(scores, gained(scores, whole, game.table))


def _shift_final(game: Game, difference: Sequence[int]) -> None:
    """Add to the final scores and points, if the game would still have ended."""
    old = final(game)
    new = [score + more for score, more in zip(old.scores, difference, strict=True)]
    bust = min(old.scores) < 0
    same_order = order(old.scores, game.table) == order(new, game.table)
    target = game.table.returned
    same_end = (max(old.scores) >= target) == (max(new) >= target) and (bust or same_order)
    if bust != (min(new) < 0) or not same_end:
        raise NoSite
    put_final(game, new, whole=old.whole)


def _same_course(game: Game, index: int, difference: Sequence[int]) -> bool:
    """Say whether the game would still have ended: leader and points to end, from the last scheduled round on.

    Scores are those before leftover sticks go to the first.
    """
    scheduled = game.table.players - 1 + (4 if int(game.first("GO").attributes["type"]) & EAST_AND_SOUTH else 0)
    later = [
        tag.numbers("ten")
        for tag in game.tags[index + 1 :]
        if tag.name == "INIT" and tag.numbers("seed")[0] >= scheduled
    ]
    end = ends_with(game.tags)
    if not any(tag.is_result for tag in game.tags[index + 1 :]):
        end = [score - more for score, more in zip(end, difference, strict=True)]
    for old in [*later, end]:
        new = [score + more for score, more in zip(old, difference, strict=True)]
        target = game.table.returned
        if order(old, game.table)[0] != order(new, game.table)[0] or (max(old) >= target) != (max(new) >= target):
            return False
    return True


def ends_with(tags: Sequence[Tag]) -> list[int]:
    """Return the scores after the last result among tags."""
    sc = next(tag for tag in reversed(tags) if tag.is_result).numbers("sc")
    return [score + change for score, change in zip(sc[::2], sc[1::2], strict=True)]


def order(scores: Sequence[int], table: Table) -> list[int]:
    """Return the seats by rank; of seats with equal scores the lower is first."""
    return sorted(table.seats, key=lambda seat: -scores[seat])
