"""A dataset on disk: what its tables are, how parts are written and proven, how they are asked.

``schema`` states every table: columns, types, units, meaning. ``store`` writes parts so that a crash loses none;
``manifest`` lists the files of each part with their digests; ``repair`` mends a damaged dataset; ``lock`` keeps two
runs apart. ``opened`` gives lazy tables and SQL, ``stats`` statistics, ``compare`` the difference of two datasets,
``formats`` the kinds of file that a table is given out as.

Imports log (types of columns) and base.
"""
