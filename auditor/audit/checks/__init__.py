"""One check a file, its code in its name; auditor/README.md says how to add one."""
