"""A run: from the names of files to a dataset on disk.

In come places (files, folders, archives, URIs); out comes a dataset, and counts of what is in it.

- ``run_batches`` cuts new and changed files into batches, has them audited, and commits them in order.
- ``crew`` has those who do the batches: this process, or worker processes. ``cluster`` has workers of a Dask cluster,
  and ``on_worker`` is what they do.
- ``unchanged`` finds the files that an earlier run has audited already.
- ``totals`` counts.
- ``noted`` finds out which findings are new and which are gone.
- ``record`` writes the run's own row and its JSON summary.
- ``listener`` lists the events that a run reports while it goes on; ``progress`` prints them.
- ``summary`` is the text at the end.
- ``repeats`` finds games that are in the dataset more than once.
- ``stopping`` handles signals.
- ``forget`` removes sources that left the archive.

Imports audit, dataset, log, sources and base.
"""
