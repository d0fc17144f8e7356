"""A run: from the names of files to a dataset on disk.

In come places (files, folders, archives, URIs); out comes a dataset, and counts of what is in it.

``run_batches`` cuts what is new into batches and audits them, in worker processes if asked; ``unchanged`` knows what an
earlier run has done already; ``totals`` counts; ``record`` writes the run's own row; ``listener`` says what a run
tells while it goes on, ``progress`` and ``summary`` print that; ``repeats`` finds games met in two batches;
``stopping`` answers signals.

Imports audit, dataset, log, sources and base.
"""
