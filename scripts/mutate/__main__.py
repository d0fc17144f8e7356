"""``python scripts/mutate LOGS... --per-kind N``: a table of what the auditor makes of planted faults."""

import sys
from pathlib import Path

sys.path[:1] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2])]

from mutate.command import main  # noqa: E402

if __name__ == "__main__":
    main()
