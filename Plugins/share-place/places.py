"""Places by their names, without a network: GeoNames' cities, which `places.tsv` has (CC BY 4.0)."""

import math


def load(folder):
    """Name, country, latitude, longitude and population of each."""
    with open(folder + "/places.tsv", encoding="utf-8") as file:
        for line in file:
            name, country, latitude, longitude, people = line.rstrip("\n").split("\t")
            yield name, country, float(latitude), float(longitude), int(people)


def kilometres(a, b, c, d):
    """The distance on the sphere."""
    a, b, c, d = map(math.radians, (a, b, c, d))
    h = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 12742 * math.asin(math.sqrt(h))


def nearest(folder, latitude, longitude):
    """The place whose people reach farthest this way: a suburb of a few hundred does not hide the town."""
    return min(load(folder), key=lambda place: kilometres(latitude, longitude, place[2], place[3]) / max(place[4], 1) ** 0.25)


def search(folder, words, latitude, longitude):
    """Places whose names begin so, the nearest first."""
    begin = words.casefold()
    found = [place for place in load(folder) if place[0].casefold().startswith(begin)]
    return sorted(found, key=lambda place: kilometres(latitude, longitude, place[2], place[3]))
