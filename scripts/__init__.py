"""Tools that a person runs from the project's root, as ``python -m scripts.NAME``; README.md lists them.

A tool reads its arguments, asks the test kit (``tests.kit``), the auditor or the engine, and prints. What tests use too
is in the kit. ``oracles/`` holds the other engines that two of the tools compare with.
"""
