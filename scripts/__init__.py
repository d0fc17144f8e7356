"""Tools that a person runs from the project's root, as ``python -m scripts.NAME``; README.md lists them.

A tool reads its arguments, calls the test kit (``tests.kit``), the auditor or the engine, and prints. Code that tests
use too is in the kit. ``oracles/`` has the other engines for two of the tools.
"""
