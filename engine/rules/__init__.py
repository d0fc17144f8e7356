"""Rule sets: every parameter, the presets, and the rules of a batch as arrays.

In: names and values of parameters, such as a parsed rule file; names of presets; rule objects of 電脳麻将. Out:
`RuleSet`, and for a batch `RuleTable`. Imports the rooms ``yaku`` (the rule ``local_yaku`` names yaku) and ``tiles``.

- ``declaration``: how a parameter is declared, and which values it can have
- ``consistency``: rules without effect, and values that contradict each other
- ``parameters``: `RuleSet`, one field for each parameter
- ``majiang``: the rule object of 電脳麻将
- ``preset_files``, ``presets/``: the files of the presets
- ``rule_sets``: the presets as rule sets, their changes over the years, sources of values, differences
- ``rule_table``: `RuleTable`, the rules of a batch as arrays, and which of them are unknown
"""
