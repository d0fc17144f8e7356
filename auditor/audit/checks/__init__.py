"""One check a file, its code in its name; CONTRIBUTING.md says how to add one."""
