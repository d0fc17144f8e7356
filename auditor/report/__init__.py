"""The page that people look at: a night's findings with their tables drawn, and its statistics with plots.

In comes a dataset; out goes one HTML page that needs nothing else.

- ``rows`` writes a table as short texts, a row of tiles each; ``walk`` and ``steps`` do so for every event of a round.
- ``tiles`` and ``drawing`` draw these texts as SVG; ``templates/page.js`` draws the steps from the same texts.
- ``night`` counts what a run did, ``changes`` what is new and gone; ``gather`` has what the page says of each finding.
- ``figures`` are the frames that are plotted, and ``charts`` plots frames, with Altair.
- ``page`` puts everything into the templates, with Jinja2; ``files`` writes pages and plots.

Altair, vl-convert and Jinja2 come with the extra ``report``, which ``extra`` looks for; nothing else of the auditor
needs them. Imports show, audit, dataset, log, base and engine.
"""
