"""Which meld a winner made a kan last: the replay knows, the order of the melds does not show it."""

from __future__ import annotations

import polars as pl
import pytest

from auditor.audit.frames import Frames
from auditor.readers import mjlog
from tests.kit.audits import TENHOU, log_bytes, source

START = """
East 4.0, dora 9p
0 holds PPP FF CC 234m 55s 9m
3 draws 7s
3 discards 7s
"""
PON = """
0 draws 1m
0 discards 1m
1 draws F
1 discards F
0 pon F from 1
0 discards 9m
"""
DAIMINKAN = """
1 draws P
1 discards P
0 daiminkan P from 1
0 draws {0}
"""
KAKAN = """
1 draws 1s
1 discards 1s
2 draws 2s
2 discards 2s
3 draws 3s
3 discards 3s
0 draws F
0 kakan F
0 draws {0}
"""
END = """
0 wins {0} from 0
  fu 60
  points 8000
  yaku rinshan 1
  change 8000 -8000 0 0
end
"""


def last_kan(text):
    """Give the place of the last kan of the one winner."""
    log = mjlog.READER.read([source(log_bytes(text))], TENHOU.rules)
    return Frames(log, pl.DataFrame()).win_contexts.wins.last_kan.tolist()


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            (
                PON,
                "1 draws 4s\n1 discards 4s\n2 draws 5s\n2 discards 5s\n3 draws 6s\n3 discards 6s\n0 draws 9s\n",
                END.format("9s"),
            ),
            -1,
        ),
        ((PON, DAIMINKAN.format("6s"), END.format("6s")), 1),
        ((PON, DAIMINKAN.format("6s"), "0 discards 6s\n", KAKAN.format("8s"), END.format("8s")), 0),
        ((PON, KAKAN.format("8s"), "0 discards 8s\n", DAIMINKAN.format("6s"), END.format("6s")), 1),
    ],
)
def test_last_kan(parts, expected):
    """A pon that becomes a kan after a daiminkan is the last kan, although it is the first meld."""
    assert last_kan(START + "".join(parts)) == [expected]
