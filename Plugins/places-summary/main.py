"""Distance walked and places visited, day by day: no coordinate leaves."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from math import asin, cos, radians, sin, sqrt

from escrow_plugin import plugin

EARTH_KM = 6371.0088  # mean radius, IUGG
KM_PER_DEGREE = EARTH_KM * radians(1)
WALKING_KMH = 8.0  # what is faster was driven or flown, or is a jump of the receiver
LONGEST_GAP_S = 600  # nobody knows what happened in a longer one


def compute(run):
    days, last = {}, None
    for latitude, longitude, timestamp in run.tuples():
        if timestamp is None:
            continue
        point = (radians(latitude), radians(longitude), timestamp)
        day = days.setdefault(timestamp[:10], [0.0, set()])
        day[1].add(cell(latitude, longitude))
        if last is not None:
            seconds, km = gap(last[2], timestamp), distance(last, point)
            if 0 < seconds <= LONGEST_GAP_S and km <= WALKING_KMH * seconds / 3600:
                day[0] += km
        last = point
    return [[day, walked, len(cells)] for day, (walked, cells) in sorted(days.items())]


def cell(latitude, longitude):
    """The square of one kilometre that a place is in: rows by latitude, each divided by its own length."""
    row = int((latitude + 90) * KM_PER_DEGREE)
    around = max(1.0, 360 * KM_PER_DEGREE * cos(radians((row + 0.5) / KM_PER_DEGREE - 90)))
    return row, int((longitude + 180) / 360 * around)


def distance(a, b):
    """Kilometres along the great circle, by the haversine formula."""
    h = sin((b[0] - a[0]) / 2) ** 2 + cos(a[0]) * cos(b[0]) * sin((b[1] - a[1]) / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(min(1.0, h)))


def gap(a, b):
    """Seconds from one `2026-03-01T12:00:00.000Z` to the next; one of another day but the following counts as long."""
    seconds = seconds_of_day(b) - seconds_of_day(a)
    if a[:10] == b[:10]:
        return seconds
    return seconds + 86400 if a[:10] < b[:10] and seconds + 86400 <= LONGEST_GAP_S and follows(a, b) else LONGEST_GAP_S + 1


def follows(a, b):
    """Whether the day of `b` is the one after that of `a`."""
    from datetime import date, timedelta

    return date.fromisoformat(a[:10]) + timedelta(days=1) == date.fromisoformat(b[:10])


def seconds_of_day(text):
    return int(text[11:13]) * 3600 + int(text[14:16]) * 60 + float(text[17:23])


plugin(compute)
