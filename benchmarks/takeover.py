"""How soon the rooms of a worker who is gone have another one: killed, frozen, or cut off from the database.

    python benchmarks/takeover.py                     40 of each
    python benchmarks/takeover.py --times 200

Two workers on a PostgreSQL of their own that syncs, three people in each of their rooms who play as fast as they are
answered, as in `tests/cluster/test_crash.py`. Counted from the moment at which a worker is struck until nothing that
awaits something is without a living worker, who is thought to live for three seconds; then everything that was
acknowledged is looked for on disk.
"""

import argparse
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tests.cluster.test_crash import Stage
from tests.helpers.postgres import running_postgres


def main() -> None:
    """Strike workers, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=40)
    asked = parser.parse_args()
    with running_postgres(safe=True, on_port=True) as server:
        stage = Stage(server, server.port)
        for number in range(asked.times):
            for strike in (stage.kill_worker, stage.freeze_worker, stage.cut_off_worker):
                stage.play(20)
                strike(number % 2)
        stage.play(20)
        stage.close()
        faults = stage.faults()
    print("| a worker is | times | 50 %, s | 99 % | slowest |\n|---|---:|---:|---:|---:|")
    for happening, took in stage.took.items():
        cuts = statistics.quantiles(took, n=100, method="inclusive")
        print(f"| {happening} | {len(took)} | {cuts[49]:.2f} | {cuts[98]:.2f} | {max(took):.2f} |")
    print(f"{len(stage.history.acknowledged)} commands acknowledged, {len(faults)} faults", *faults, sep="\n")


if __name__ == "__main__":
    main()
