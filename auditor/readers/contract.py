"""What a reader is: the record that each format's package makes, and what is checked of every batch that it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.log.invariants import check_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.log.tables import Log
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet


@dataclass(frozen=True)
class Reader:
    """A log format: how it is recognised, how it is read, what it never says.

    Parameters
    ----------
    name
        of the format, as the output column ``sources.format`` has it
    is_format
        says whether an unpacked file with this content is of this format; looks at its beginning
    parse
        reads files of this format, all at once; the rule set holds for what the logs do not say. It never raises for
        what a file contains: what it cannot read becomes a row of ``problems``.
    absent
        by table, the columns that the format never says; they are null in every row

    """

    name: str
    is_format: Callable[[bytes], bool]
    parse: Callable[[Sequence[Source], RuleSet], Log]
    absent: Mapping[str, Sequence[str]]

    def read(self, sources: Sequence[Source], base: RuleSet) -> Log:
        """Read files of this format, and check what comes out.

        Parameters
        ----------
        sources
            files of which ``is_format`` is true
        base
            rules for whatever the logs do not say

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
