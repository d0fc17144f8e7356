"""What a server shows and offers the players of a game, followed by plain loops: for the records that the kit writes.

Facts: auditor/readers/mahjong_soul/FORMAT.md. Nothing here is shared with the auditor.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from tests.kit.conversion.tiles import completes
from tests.kit.plain.reference import ORPHANS
from tests.kit.plain.yaku import has_yaku

NORTH = 30
KANS = ("ankan", "kakan", "daiminkan")
TYPES = {"discard": 1, "chi": 2, "pon": 3, "ankan": 4, "daiminkan": 5, "kakan": 6, "riichi": 7, "tsumo": 8, "ron": 9,
         "kyuushu": 10, "kita": 11}  # fmt: skip


@lru_cache(maxsize=1 << 16)
def waits_of(kinds):
    """List the kinds that complete sorted tiles, of which these do not hold all four."""
    return [kind for kind in range(34) if kinds.count(kind) < 4 and completes([*kinds, kind])]


def less(kinds, kind):
    """Give tiles without one of a kind."""
    rest = list(kinds)
    rest.remove(kind)
    return rest


class Watch:
    """Follows one round. ``held`` are the concealed tiles of each seat, which the caller keeps; tiles are ids."""

    def __init__(self, held, name, *, players, dealer, wind, scores, open_tanyao):
        self.held, self.name, self.players, self.scores = held, name, players, scores
        self.winds = [(27 + wind, 27 + (seat - dealer) % players) for seat in range(players)]
        self.open_tanyao = open_tanyao
        self.melds = [[] for _ in range(4)]
        self.river = [set() for _ in range(4)]
        self.passed = [False] * 4
        self.riichi = [False] * 4
        self.declaring = None
        self.first = [True] * 4
        self.quiet = True
        self.kans = 0
        self.after_kan = False

    def kinds(self, seat):
        """Give the kinds of a seat's concealed tiles."""
        return [tile // 4 for tile in self.held[seat]]

    def waits(self, seat, kinds=None):
        """List the kinds that complete a hand, of which it does not hold all four."""
        return waits_of(tuple(sorted(self.kinds(seat) if kinds is None else kinds)))

    def marks(self):
        """Say for each seat whether it is furiten."""
        found = []
        for seat in range(self.players):
            waits = set(self.waits(seat)) if len(self.held[seat]) % 3 == 1 else set()
            found.append(bool(waits & self.river[seat]) or (self.passed[seat] and bool(waits)))
        return found

    def offers(self, listed):
        """Write a list of offers: (name, choices)."""
        return [{"type": TYPES[name], **({"combination": choices} if choices else {})} for name, choices in listed]

    def wins(self, seat, tile, *, tsumo, left, robbed=False):
        """Say whether a complete hand has a yaku."""
        kinds = self.kinds(seat) if tsumo else [*self.kinds(seat), tile // 4]
        if not completes(kinds):
            return False
        if self.riichi[seat] or robbed or (self.after_kan and tsumo) or (left == 0 and not (self.after_kan and tsumo)):
            return True
        return has_yaku(kinds, self.melds[seat], tile // 4, tsumo=tsumo, winds=self.winds[seat],
                        open_tanyao=self.open_tanyao)  # fmt: skip

    def own(self, seat, tile, left):
        """List what a seat may do with the tile that it has drawn."""
        kinds, riichi = self.kinds(seat), self.riichi[seat]
        listed = [] if riichi else [("discard", [])]
        if left and self.kans < 4:
            listed += self.own_kans(seat, tile)
        closed = all(name == "ankan" for name, _ in self.melds[seat])
        if closed and not riichi and left >= self.players and self.scores[seat] >= 1000:
            found = [self.name(each) for each in sorted(self.held[seat]) if self.waits(seat, less(kinds, each // 4))]
            listed += [("riichi", found)] if found else []
        if self.wins(seat, tile, tsumo=True, left=left):
            listed.append(("tsumo", []))
        if self.first[seat] and self.quiet and len(set(kinds) & set(ORPHANS)) >= 9:
            listed.append(("kyuushu", []))
        if self.players == 3 and left and NORTH in kinds and (not riichi or tile // 4 == NORTH):
            listed.append(("kita", []))
        return {"operation_list": self.offers(listed), **({"seat": seat} if seat else {})}

    def own_kans(self, seat, tile):
        """List the kans that a seat may make with the tile that it has drawn."""
        kinds, riichi = self.kinds(seat), self.riichi[seat]
        four = [kind for kind in sorted(set(kinds)) if kinds.count(kind) == 4]
        if riichi:
            before = self.waits(seat, less(kinds, tile // 4))
            four = [
                kind for kind in four
                if kind == tile // 4 and self.waits(seat, [each for each in kinds if each != kind]) == before
            ]  # fmt: skip
        tiles = [[each for each in self.held[seat] if each // 4 == kind] for kind in four]
        pons = [kind[0] for name, kind in self.melds[seat] if name == "pon" and kind[0] in kinds]
        return [
            *([("ankan", [self.choice(each) for each in tiles])] if four else []),
            *([("kakan", ["|".join([self.name(4 * kind + 1)] * 4) for kind in pons])] if pons and not riichi else []),
        ]

    def choice(self, tiles):
        """Write tiles as a choice."""
        return "|".join(sorted(self.name(tile) for tile in tiles))

    def after_call(self, seat, kind, called, others):
        """List what a seat may do after a chi or pon: a discard, but for some kinds."""
        forbidden = [called // 4]
        if kind == "chi":
            tiles = sorted([called // 4, *(each // 4 for each in others)])
            if called // 4 == tiles[0] and tiles[2] % 9 != 8:
                forbidden.append(tiles[2] + 1)
            if called // 4 == tiles[2] and tiles[0] % 9 != 0:
                forbidden.append(tiles[0] - 1)
        names = [self.name(4 * each + 1) for each in forbidden]
        return {"operation_list": self.offers([("discard", names)]), **({"seat": seat} if seat else {})}

    def of_others(self, seat, tile, left, *, kind="discard"):
        """List what the other seats may do with a tile."""
        found = []
        for step in range(1, self.players):
            other = (seat + step) % self.players
            listed = self.calls(other, tile, step) if kind == "discard" and left else []
            furiten = bool(set(self.waits(other)) & self.river[other]) or self.passed[other]
            if kind != "ankan" and not furiten and self.wins(other, tile, tsumo=False, left=left,
                                                             robbed=kind == "kakan"):  # fmt: skip
                listed.append(("ron", []))
            if listed:
                found.append({"operation_list": self.offers(listed), **({"seat": other} if other else {})})
        return found

    def calls(self, seat, tile, step):
        """List the calls that a seat can make of a discard."""
        if self.riichi[seat]:
            return []
        listed, kind = [], tile // 4
        own = sorted(self.held[seat])
        if self.players == 4 and step == 1 and kind < 27:
            found = {
                self.choice(pair): None for pair in combinations(own, 2)
                if self.is_run([*pair, tile]) and self.can_discard(seat, "chi", tile, pair)
            }  # fmt: skip
            if found:
                listed.append(("chi", list(found)))
        same = [each for each in own if each // 4 == kind]
        if len(same) >= 2 and self.can_discard(seat, "pon", tile, same[:2]):
            listed.append(("pon", list({self.choice(pair): None for pair in combinations(same, 2)})))
        if len(same) == 3 and self.kans < 4:
            listed.append(("daiminkan", [self.choice(same)]))
        return listed

    def is_run(self, tiles):
        """Say whether three tiles are a run."""
        low, middle, high = sorted(tile // 4 for tile in tiles)
        return low + 1 == middle == high - 1 and low // 9 == high // 9 and high < 27

    def can_discard(self, seat, kind, called, others):
        """Say whether some discard is legal after a call."""
        rest = list(self.held[seat])
        for each in others:
            rest.remove(each)
        forbidden = self.after_call(0, kind, called, others)["operation_list"][0]["combination"]
        return any(self.name(4 * (each // 4) + 1) not in forbidden for each in rest)

    def discarded(self, seat, tile):
        """Note a discard."""
        self.river[seat].add(tile // 4)
        if self.declaring == seat:
            self.riichi[seat] = True
            self.passed[seat] = False
        elif not self.riichi[seat]:
            self.passed[seat] = False
        self.declaring = None
        self.first[seat] = False
        self.after_kan = False

    def let_pass(self, seat, tile):
        """Note that the others may have let a tile pass."""
        for other in range(self.players):
            if other != seat and tile // 4 in self.waits(other):
                self.passed[other] = True

    def called(self, seat, kind, tile, others):
        """Note a meld or a kita."""
        self.quiet = False
        tiles = sorted(each // 4 for each in (tile, *others))
        if kind == "kakan":
            self.melds[seat].remove(("pon", tiles[:1] * 3))
        if kind != "kita":
            self.melds[seat].append((kind, tiles[:1] * 4 if kind == "kakan" else tiles))
        self.kans += kind in KANS
        self.after_kan = kind in KANS or kind == "kita"
