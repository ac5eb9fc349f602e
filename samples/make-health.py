#!/usr/bin/env python3
"""Makes the invented health data in this folder, as Apple Health would export it. The result is the same on every run.

Usage: python3 samples/make-health.py
"""
import datetime, os, random

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(20260301)
ZONE = "+0100"


def stamp(when):
    return f"{when:%Y-%m-%d %H:%M:%S} {ZONE}"


def record(kind, start, end, value, unit=None, source="Ada's watch"):
    unit = f' unit="{unit}"' if unit else ""
    return (f' <Record type="HK{kind}" sourceName="{source}"{unit} creationDate="{stamp(end)}"'
            f' startDate="{stamp(start)}" endDate="{stamp(end)}" value="{value}"/>')


def main():
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<!DOCTYPE HealthData [", "<!ELEMENT HealthData ANY>", "]>",
           '<HealthData locale="en_NO">', f' <ExportDate value="2026-03-15 08:00:00 {ZONE}"/>']
    days = [datetime.datetime(2026, 3, 1 + day) for day in range(14)]
    minutes = lambda count: datetime.timedelta(minutes=count)
    for day in days:
        for hour in range(7, 22, 3):
            start = day + minutes(60 * hour + rng.randrange(40))
            out.append(record("QuantityTypeIdentifierStepCount", start, start + minutes(15), rng.randrange(80, 1900), "count"))
    for day in days:
        for hour in range(0, 24, 4):
            start = day + minutes(60 * hour + rng.randrange(60))
            rate = rng.randrange(50, 62) if hour < 7 else rng.randrange(62, 110)
            out.append(record("QuantityTypeIdentifierHeartRate", start, start, rate, "count/min"))
    for day in days:
        start = day + minutes(8 * 60)
        out.append(record("QuantityTypeIdentifierRestingHeartRate", start, start, rng.randrange(52, 60), "count/min"))
    for day in days[1:]:
        start = day - minutes(rng.randrange(30, 90))
        for stage in ["Core", "Deep", "Core", "REM"]:
            end = start + minutes(rng.randrange(60, 130))
            value = f"HKCategoryValueSleepAnalysisAsleep{stage}"
            out.append(record("CategoryTypeIdentifierSleepAnalysis", start, end, value))
            start = end
    for index, day in enumerate(days[::5]):
        start = day + minutes(7 * 60 + 10)
        out.append(record("QuantityTypeIdentifierBodyMass", start, start, 71.4 - index / 5, "kg", "Scale"))
    for day, kind, metres in [(days[2], "Running", 5200), (days[6], "Cycling", 18400), (days[9], "Running", 7100)]:
        start = day + minutes(17 * 60 + rng.randrange(30))
        length = metres / (2.7 if kind == "Running" else 6)
        end = start + datetime.timedelta(seconds=round(length) + 45)
        distance = "DistanceWalkingRunning" if kind == "Running" else "DistanceCycling"
        out += [f' <Workout workoutActivityType="HKWorkoutActivityType{kind}" duration="{length / 60:.3f}" durationUnit="min"'
                f' sourceName="Ada\'s watch" creationDate="{stamp(end)}" startDate="{stamp(start)}" endDate="{stamp(end)}">',
                f'  <WorkoutStatistics type="HKQuantityTypeIdentifier{distance}" sum="{metres / 1000}" unit="km"/>',
                f'  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="{metres // 15}" unit="kcal"/>',
                '  <WorkoutStatistics type="HKQuantityTypeIdentifierHeartRate"'
                f' average="{rng.randrange(130, 150)}" maximum="{rng.randrange(160, 180)}" unit="count/min"/>', " </Workout>"]
    out.append("</HealthData>")
    os.makedirs(os.path.join(HERE, "health"), exist_ok=True)
    with open(os.path.join(HERE, "health", "export.xml"), "w") as file:
        file.write("\n".join(out) + "\n")


main()
