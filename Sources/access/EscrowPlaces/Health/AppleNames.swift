internal import EscrowFormats
internal import Glibc

/// Apple's long names, as Swift's HealthKit shortens them.
struct AppleNames {
    /// The name that was shortened last. Exports hold the samples of a kind together, so that one is asked for again and again.
    private var last: (long: [CChar], short: [UInt8]) = ([0], [])

    /// `HKQuantityTypeIdentifierStepCount` is `stepCount`, `HKWorkoutActivityTypeRunning` is `running`. A name of another
    /// shape stays as it is.
    mutating func short(_ long: UnsafePointer<CChar>) -> [UInt8] {
        if strcmp(long, last.long) == 0 { return last.short }
        let short = Self.shortened(XMLText.bytes(long)[...])
        last = (Array(UnsafeBufferPointer(start: long, count: strlen(long) + 1)), short)
        return short
    }

    private static let prefixes = [
        "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataTypeIdentifier", "HKDataType",
        "HKWorkoutActivityType", "HKCategoryValue",
    ]

    private static func shortened(_ long: ArraySlice<UInt8>) -> [UInt8] {
        for prefix in prefixes where long.starts(with: prefix.utf8) && long.count > prefix.utf8.count {
            return lowerFirst(long.dropFirst(prefix.utf8.count))
        }
        return Array(long)
    }

    /// What a sample of a category says: `HKCategoryValueSleepAnalysisAsleepCore` of `sleepAnalysis` is `asleepCore`.
    static func category(_ value: ArraySlice<UInt8>, of kind: [UInt8]) -> [UInt8] {
        let short = shortened(value)
        guard short.starts(with: kind), short.count > kind.count, isCapital(short[kind.count]) else {
            return short
        }
        return lowerFirst(short[kind.count...])
    }

    /// The first word in small letters: `VO2Max` is `vo2Max`, `UVExposure` is `uvExposure`.
    private static func lowerFirst(_ name: ArraySlice<UInt8>) -> [UInt8] {
        var capitals = name.prefix(while: isCapital).count
        // The last capital begins the next word, if small letters follow it.
        if capitals > 1, let next = name.dropFirst(capitals).first, (0x61...0x7A).contains(next) {
            capitals -= 1
        }
        return name.enumerated().map { $0.offset < capitals ? $0.element | 0x20 : $0.element }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
}
