"""What was spent on one thing in each month, in cents. A month of fewer than three records would show what one of them says."""

import collections
import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import plugin


def compute(run):
    months = collections.defaultdict(list)
    for month, cents in run.tuples():
        months[month].append(cents)
    return [[month, sum(found)] for month, found in sorted(months.items()) if len(found) >= 3]


plugin(compute)
