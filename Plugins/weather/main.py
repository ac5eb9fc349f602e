"""The weather now, where the person was last: the host fills the place into the request, and this plugin never has it."""

import sys

sys.path.insert(0, __file__.rpartition("/")[0])  # -I keeps a script's own folder out

from escrow_plugin import Refusal, plugin


def compute(run):
    if next(run.tuples(), None) is None:
        raise Refusal("not-enough-data", "no place is known")
    answer = run.fetch("current-weather")
    if answer.status != 200:
        raise Refusal("other", f"the service answered {answer.status}")
    now = answer.json()
    return {
        "condition": now["weather"][0]["main"],
        "temperature": now["main"]["temp"],
        "feelsLike": now["main"]["feels_like"],
        "humidity": now["main"]["humidity"],
        "windSpeed": now["wind"]["speed"],
    }


plugin(compute)
