internal import EscrowSchema
internal import EscrowTabular

/// The tables that health sources serve.
enum HealthSpec {
    /// The positions of the columns of `HealthSamples`.
    enum Sample: Int, CaseIterable {
        case id, kind, startDate, endDate, value, unit, category, sourceName, creationDate, filename
    }

    /// The positions of the columns of `Workouts`.
    enum Workout: Int, CaseIterable {
        case id, activity, startDate, endDate, duration, totalDistance, totalEnergyBurned
        case averageHeartRate, maximumHeartRate, sourceName, creationDate, filename
    }

    static let samples = TableSpec(
        name: "HealthSamples", sourceKind: "health",
        summary: "One row is one thing measured of the person's body: steps, heart rate, sleep, weight.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "A name made of the file's path and the sample's number in it."),
            ColumnSpec(
                "kind", .text, nullable: false,
                "What was measured, as HealthKit calls it: `stepCount`, `heartRate`, `sleepAnalysis`, `bodyMass`."
            ),
            ColumnSpec("startDate", .timestamp, "When it was measured, or when the span began."),
            ColumnSpec("endDate", .timestamp, "When the span ended; the same as `startDate` for a moment."),
            ColumnSpec("value", .real, "The number that was measured, in `unit`."),
            ColumnSpec(
                "unit", .text, "The unit of `value`, for example `count`, `count/min`, `kg` or `%` (0 to 1)."),
            ColumnSpec(
                "category", .text,
                "What was found where it is no number, for example `asleepCore` of `sleepAnalysis`."),
            ColumnSpec("sourceName", .text, "The app or device that measured."),
            ColumnSpec("creationDate", .timestamp, "When the sample was stored."),
            ColumnSpec(
                "filename", .text, nullable: false, cost: .free,
                "The name of the file that the sample is from."),
        ],
        examples: [
            "SELECT substr(startDate, 1, 10) AS day, sum(value) AS steps FROM HealthSamples WHERE kind = 'stepCount' AND startDate >= '2026-01-01' GROUP BY day",
            "SELECT avg(value) AS beatsPerMinute FROM HealthSamples WHERE kind = 'restingHeartRate'",
            "SELECT category, sum(strftime('%s', endDate) - strftime('%s', startDate)) / 3600.0 AS hours FROM HealthSamples WHERE kind = 'sleepAnalysis' GROUP BY category",
        ])

    static let workouts = TableSpec(
        name: "Workouts", sourceKind: "health",
        summary: "One row is one time that the person exercised.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "A name made of the file's path and the workout's number in it."),
            ColumnSpec("activity", .text, "What was done: `running`, `cycling`, `yoga`."),
            ColumnSpec("startDate", .timestamp, "When it began."),
            ColumnSpec("endDate", .timestamp, "When it ended."),
            ColumnSpec("duration", .real, "How long it took without pauses, in seconds."),
            ColumnSpec("totalDistance", .real, "The distance covered, in metres."),
            ColumnSpec("totalEnergyBurned", .real, "The active energy, in kilocalories."),
            ColumnSpec("averageHeartRate", .real, "Beats per minute on average."),
            ColumnSpec("maximumHeartRate", .real, "Beats per minute at most."),
            ColumnSpec("sourceName", .text, "The app or device that recorded it."),
            ColumnSpec("creationDate", .timestamp, "When the workout was stored."),
            ColumnSpec(
                "filename", .text, nullable: false, cost: .free,
                "The name of the file that the workout is from."),
        ],
        examples: [
            "SELECT startDate, activity, duration / 60 AS minutes, totalDistance / 1000 AS kilometres FROM Workouts ORDER BY startDate DESC LIMIT 10",
            "SELECT activity, count(*) AS times, sum(totalEnergyBurned) AS kilocalories FROM Workouts GROUP BY activity",
        ])
}
