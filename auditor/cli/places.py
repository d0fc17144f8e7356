"""Arguments of commands that read a dataset. If a file or a variable sets ``dir``, nobody needs to type the folder.

Then ``auditor stats rates`` names the statistic, not the folder.
"""

from __future__ import annotations

import os
from typing import Any

from typer.core import TyperArgument, TyperCommand

FIRST = "DIR"


class Placed(TyperCommand):
    """A command whose first argument, the folder of a dataset, may be left out if a file or a variable sets it.

    It is taken as left out if exactly all other arguments are typed. Otherwise arguments are read from the left.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401  (typer gives its type no name)
        """Read the arguments; the folder comes last if it is left out."""
        before = self.params
        arguments = [param for param in before if isinstance(param, TyperArgument)]
        if len(arguments) > 1 and arguments[0].metavar == FIRST and not ctx.resilient_parsing:
            first, *others = arguments
            given = self._given(ctx, args)
            if given == len(others) and _elsewhere(ctx, first) and not all(_elsewhere(ctx, each) for each in others):
                self.params = [*(param for param in before if param is not first), first]
        try:
            return super().parse_args(ctx, args)
        finally:
            self.params = before

    def _given(self, ctx: Any, args: list[str]) -> int:  # noqa: ANN401  (as above)
        """Return how many arguments the command line has."""
        texts, _, order = self.make_parser(ctx).parse_args(args=list(args))
        arguments = {param.name for param in order if isinstance(param, TyperArgument)}
        return sum(isinstance(texts.get(name), str) for name in arguments)


def _elsewhere(ctx: Any, argument: TyperArgument) -> bool:  # noqa: ANN401  (as above)
    variable = argument.envvar if isinstance(argument.envvar, str) else ""  # config_command.py sets one for each
    return argument.name in (ctx.default_map or {}) or bool(os.environ.get(variable))
