"""Games of three players that riichienv keeps the rules of, and scores; this module plays and records them.

The players win when they can, and differ in what they aim for. A seed fixes a game.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import riichienv
from riichienv import ActionType, GameRule, HandEvaluator3P, RiichiEnv

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Action = Any
    Event = dict[str, Any]

PLAYERS = 3
AIMS = ("plain", "plain", "pairs", "kans", "orphans", "nagashi", "honours", "suit", "silent", "careless")
CALL_CHANCE = {"plain": 0.3, "pairs": 1.0, "kans": 1.0, "honours": 0.9, "suit": 0.7, "silent": 0.5, "careless": 0.5}
KAN_CHANCE = {"kans": 1.0, "pairs": 0.6, "plain": 0.5, "honours": 0.6}
KITA_CHANCE = {"careless": 0.4, "nagashi": 0.4}

ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
HONOURS, DRAGONS = 27, 31
RED_IDS = (52, 88)

WINS = (ActionType.TSUMO, ActionType.RON)
CALLS = (ActionType.PON, ActionType.DAIMINKAN)
OWN_KANS = (ActionType.ANKAN, ActionType.KAKAN)
WITH_TILES = {"dahai", "pon", "daiminkan", "ankan", "kakan", "kita"}
WITHOUT_PLAY = {"start_game", "end_game", "end_kyoku"}


class Player:
    """A player with one aim. It wins whenever it can; chance decides between equal moves."""

    def __init__(self, aim: str, rng: random.Random) -> None:
        self.aim, self.rng = aim, rng

    def act(self, hand: Sequence[int], actions: Sequence[Action], drawn: int | None) -> Action:
        """Choose one of the legal actions."""
        special = self._special(actions)
        if special is not None:
            return special
        if calls := offered(actions, *CALLS):
            action = self.rng.choice(calls)
            return action if self.rng.random() < self._eager(action.tile // 4) else offered(actions, ActionType.PASS)[0]
        discards = offered(actions, ActionType.DISCARD)
        if not discards:
            return self.rng.choice(offered(actions, ActionType.PASS) or actions)
        if self.aim == "careless" and drawn is not None and self.rng.random() < 0.3:
            return self.rng.choice(discards)
        return min(discards, key=lambda action: (self._distance(hand, action.tile), self.rng.random()))

    def _special(self, actions: Sequence[Action]) -> Action | None:
        """Choose a win, nine orphans, kita, an own kan or riichi; or none of them."""
        draws = () if self.aim in ("orphans", "honours") else (ActionType.KYUSHU_KYUHAI,)
        for kind in (*WINS, *draws):
            if found := offered(actions, kind):
                return found[0]
        riichi = 0.0 if self.aim in ("silent", "nagashi") else 0.9
        for kinds, chance in (
            ((ActionType.KITA,), KITA_CHANCE.get(self.aim, 0.97)),
            (OWN_KANS, KAN_CHANCE.get(self.aim, 0.2)),
            ((ActionType.RIICHI,), riichi),
        ):
            if (found := offered(actions, *kinds)) and chance and self.rng.random() < chance:
                return self.rng.choice(found)
        return None

    def _eager(self, kind: int) -> float:
        """Give the chance to claim a tile of this kind."""
        if self.aim == "plain" and kind >= DRAGONS:
            return 0.9
        if self.aim == "honours" and kind not in ORPHANS:
            return 0.2
        return CALL_CHANCE.get(self.aim, 0.0)

    def _distance(self, hand: Sequence[int], tile: int) -> float:
        """Say how far from its aim the hand is without this tile; the least is best."""
        rest = list(hand)
        rest.remove(tile)
        kinds = [each // 4 for each in rest]
        counts = {kind: kinds.count(kind) for kind in kinds}
        distance = 10.0 * riichienv.calculate_shanten_3p(rest)
        if self.aim == "nagashi":
            return distance - 100 * (tile // 4 in ORPHANS)
        if self.aim == "orphans":
            different = len(ORPHANS & counts.keys())
            return -10.0 * different - (sum(kind in ORPHANS for kind in kinds) > different)
        if self.aim == "pairs":
            return -float(sum((0, 0, 4, 9, 9)[count] for count in counts.values()))
        if self.aim == "honours":
            return distance - sum(10 * count**1.5 for kind, count in counts.items() if kind >= HONOURS)
        if self.aim == "suit":
            return distance - 12 * max(sum(kind // 9 == suit or kind >= HONOURS for kind in kinds) for suit in range(3))
        return distance + 0.1 * (tile in RED_IDS) + 0.01 * (tile // 4 not in ORPHANS)


def offered(actions: Sequence[Action], *kinds: ActionType) -> list[Action]:
    """List the legal actions of these kinds, in the order of the kinds."""
    return [action for kind in kinds for action in actions if int(action.action_type) == int(kind)]


def claims(before: RiichiEnv, actions: Mapping[int, Action], seat: int) -> Event:
    """Record what the engine says of a win.

    It forgets that when it deals the next round. So a copy plays the last step with everybody in debt, which ends
    the game.
    """
    copy = before.clone()
    copy.set_scores([-1000] * PLAYERS)
    copy.step(actions)
    result = copy.win_results[seat]
    return {
        "yaku": [yaku.id for yaku in result.yaku_list()],
        "han": result.han,
        "fu": result.fu,
        "yakuman": result.yakuman,
        "liable": result.pao_payer,
    }


def tenpai(env: RiichiEnv, actions: Mapping[int, Action]) -> list[bool]:
    """Say who will be tenpai after these actions, while the engine has not dealt the next round."""
    ready = []
    for seat in range(PLAYERS):
        hand = list(env.hands[seat])
        action = actions.get(seat)
        if action is not None and action.action_type == ActionType.DISCARD:
            hand.remove(action.tile)
        ready.append(len(hand) % 3 == 1 and HandEvaluator3P(hand, env.melds[seat]).is_tenpai())
    return ready


class Recorder:
    """Turn the engine's log into rounds, with the ids of tiles, which the log does not have."""

    def __init__(self, env: RiichiEnv) -> None:
        self.env, self.read = env, 0
        self.rounds: list[Event] = []

    def step(self, actions: Mapping[int, Action], before: RiichiEnv) -> None:
        """Record what the engine has logged since the state before these actions."""
        log = self.env.mjai_log
        for event in log[self.read :]:
            if event["type"] == "start_kyoku":
                self.rounds.append(self._opened(event))
            elif event["type"] not in WITHOUT_PLAY:
                self.rounds[-1]["events"].append(event | self._more(event, actions, before))
        self.read = len(log)

    @staticmethod
    def _more(event: Event, actions: Mapping[int, Action], before: RiichiEnv) -> Event:
        if event["type"] in WITH_TILES:
            action = actions[event["actor"]]
            return {"tile": action.tile} | ({"own": list(action.consume_tiles)} if action.consume_tiles else {})
        if event["type"] == "hora":
            return claims(before, actions, event["actor"])
        return {"tenpai": tenpai(before, actions)} if event["type"] == "ryukyoku" else {}

    def _opened(self, start: Event) -> Event:
        """Start a round, in which the dealer has drawn already."""
        env = self.env
        hands = [list(hand) for hand in env.hands]
        hands[env.oya].remove(env.drawn_tile)
        return {"start": start, "hands": hands, "wall": [*env.wall, env.drawn_tile], "events": []}


def play(seed: int, mode: str) -> Event:
    """Play one game."""
    rng = random.Random(seed)
    aims = [rng.choice(AIMS) for _ in range(PLAYERS)]
    players = [Player(aim, rng) for aim in aims]
    env = RiichiEnv(game_mode=mode, seed=100 * seed, rule=GameRule.default_tenhou())  # each round has the next seed
    seen = env.reset()
    recorder = Recorder(env)
    recorder.step({}, env)
    while not env.done():
        actions = {
            seat: players[seat].act(env.hands[seat], view.legal_actions(), env.drawn_tile)
            for seat, view in seen.items()
        }
        before = env.clone()
        seen = env.step(actions)
        recorder.step(actions, before)
    game = {"id": f"{mode}-{seed}", "engine": "riichienv 0.4.11", "mode": mode, "seed": seed, "aims": aims}
    return game | {"rounds": recorder.rounds, "scores": env.scores(), "ranks": env.ranks()}
