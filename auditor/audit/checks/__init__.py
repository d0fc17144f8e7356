"""The checks: one in each file, which has the check's code in its name. CONTRIBUTING.md says how to add one."""
