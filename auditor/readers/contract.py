"""The contract of a reader: the record that each format's package makes, and the checks on each batch that it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.log.invariants import check_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.log.tables import Log
    from auditor.readers.written.game import Game
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet


@dataclass(frozen=True)
class Reader:
    """A log format: how to recognise it, how to read it, and what it never states.

    Parameters
    ----------
    name
        name of the format, as in the output column ``sources.format``
    is_format
        takes the unpacked bytes of a file and returns whether they are of this format; it looks at their beginning
    parse
        takes files of this format, and a rule set that holds wherever the logs state no rule; returns one log of all
        files. It never raises because of a file's content: whatever it cannot read becomes a row of ``problems``.
    absent
        the columns that the format never states, by table; they are null in every row

    """

    name: str
    is_format: Callable[[bytes], bool]
    parse: Callable[[Sequence[Source], RuleSet], Log]
    absent: Mapping[str, Sequence[str]]

    def read(self, sources: Sequence[Source], base: RuleSet) -> Log:
        """Read files of this format, and check the resulting tables.

        Parameters
        ----------
        sources
            files for which ``is_format`` is true
        base
            rules that hold wherever the logs state none

        Raises
        ------
        ColumnError
            where a table has other columns or types than ``auditor/log/columns.py`` states
        RowError
            where its rows break a rule of ``auditor/log/invariants.py``

        """
        log = self.parse(sources, base)
        check_rows(log)
        return log


@dataclass(frozen=True)
class Writer:
    """How to write games in a format.

    Parameters
    ----------
    ending
        the ending of a file's name
    write
        takes a game; returns its text, and what that does not tell because the log or the format cannot. It raises
        UnwritableError if the format has no form for something in the game.
    needs
        what the format must have although a log can lack it: ``yaku``, ``fu``, ``points``, ``final_points``, and
        ``tenpai``, the hands that are tenpai at a draw

    """

    ending: str
    write: Callable[[Game], tuple[str, list[str]]]
    needs: frozenset[str]
