"""The command line: commands, options, configuration.

In come words from the command line, environment variables and configuration files; out go calls of the other rooms,
text, and an exit code. No command computes anything itself.

``main`` has the commands that run and describe, ``ask`` those that ask a dataset, ``upkeep`` the one that removes logs
from it, ``hands`` those for single hands, ``config_command`` the command ``config``. ``colours`` colours findings. The
other modules are options and how their values are read.

Imports run, show, hands, audit, dataset, sources and base. Heavy imports stand within the commands, so that
``auditor --help`` loads neither Polars nor NumPy.
"""
