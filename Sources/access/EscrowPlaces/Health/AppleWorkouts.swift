internal import EscrowFormats
internal import EscrowTableKit

/// `Workout` elements as rows of `Workouts`.
///
/// Until iOS 15 the totals are attributes of the workout; from iOS 16 on they are `WorkoutStatistics` within it.
final class AppleWorkouts: AppleElements {
    private typealias Column = HealthSpec.Workout

    var row: RowBuilder?
    private let file: FilesTable.File
    private var names = AppleNames()
    private var number = 0
    private var isWorkout = false
    private var distance: Double?

    init(_ file: FilesTable.File) { self.file = file }

    /// What a unit of a total is in metres, kilocalories or seconds.
    private static let metres = [
        "m": 1, "km": 1_000, "cm": 0.01, "mi": 1_609.344, "yd": 0.9144, "ft": 0.3048, "in": 0.0254,
    ]
    private static let kilocalories = [
        "kcal": 1, "Cal": 1, "cal": 0.001, "kJ": 1 / 4.184, "J": 1 / 4_184.0,
    ]
    private static let seconds = ["s": 1.0, "min": 60, "hr": 3_600, "ms": 0.001, "d": 86_400]
    private static let perMinute = ["count/min": 1.0, "count/s": 60]

    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream) {
        switch stream.depth {
        case 1:
            if !XMLText.equal(name, "HealthData") { stream.refuse("the root element is not HealthData") }
        case 2:
            isWorkout = XMLText.equal(name, "Workout")
            guard isWorkout, let row else { return }
            number += 1
            row.place = stream.offset
            distance = nil
            set(attributes, row)
        case 3:
            guard isWorkout, let row, XMLText.equal(name, "WorkoutStatistics") else { return }
            addStatistics(attributes, row)
        default: break
        }
    }

    func characters(_ bytes: UnsafeRawBufferPointer) {}

    func end(_ name: UnsafePointer<CChar>, in stream: XMLStream) {
        guard stream.depth == 2, let row else { return }
        if isWorkout { row.set(Column.totalDistance, distance) } else { row.ruleOut() }
        isWorkout = false
        passOn(row, stream)
    }

    /// The value of an attribute; nil if it is not there.
    private func find(_ name: StaticString, _ attributes: XMLAttributes) -> UnsafePointer<CChar>? {
        var index = 0
        while let key = attributes[index], let value = attributes[index + 1] {
            if XMLText.equal(key, name) { return value }
            index += 2
        }
        return nil
    }

    private func set(_ attributes: XMLAttributes, _ row: RowBuilder) {
        if let type = find("workoutActivityType", attributes) {
            row.set(Column.activity, names.short(type)[...])
        }
        let start = AppleTime.read(find("startDate", attributes))
        let end = AppleTime.read(find("endDate", attributes))
        row.set(Column.startDate, start)
        row.set(Column.endDate, end)
        let duration = AppleAttributes.number(
            find("duration", attributes), unit: find("durationUnit", attributes), in: Self.seconds)
        row.set(Column.duration, duration)
        distance = AppleAttributes.number(
            find("totalDistance", attributes), unit: find("totalDistanceUnit", attributes), in: Self.metres)
        row.set(
            Column.totalEnergyBurned,
            AppleAttributes.number(
                find("totalEnergyBurned", attributes), unit: find("totalEnergyBurnedUnit", attributes),
                in: Self.kilocalories))
        row.set(Column.sourceName, AppleAttributes.text(find("sourceName", attributes)))
        row.set(Column.creationDate, AppleTime.read(find("creationDate", attributes)))
        row.set(Column.filename, file.name)
        row.set(Column.id, StableID.name(file.path, part: number))
    }

    private func addStatistics(_ attributes: XMLAttributes, _ row: RowBuilder) {
        guard let type = find("type", attributes) else { return }
        let unit = find("unit", attributes)
        let kind = names.short(type)
        if kind.starts(with: "distance".utf8) {
            // A triathlon has several.
            let part = AppleAttributes.number(find("sum", attributes), unit: unit, in: Self.metres)
            if let part { distance = (distance ?? 0) + part }
        } else if kind.elementsEqual("activeEnergyBurned".utf8) {
            row.set(
                Column.totalEnergyBurned,
                AppleAttributes.number(find("sum", attributes), unit: unit, in: Self.kilocalories))
        } else if kind.elementsEqual("heartRate".utf8) {
            row.set(
                Column.averageHeartRate,
                AppleAttributes.number(find("average", attributes), unit: unit, in: Self.perMinute))
            row.set(
                Column.maximumHeartRate,
                AppleAttributes.number(find("maximum", attributes), unit: unit, in: Self.perMinute))
        }
    }
}
