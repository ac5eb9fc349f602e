internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// One key as a file tells it.
struct ExposureKey {
    private typealias Column = ExposureSpec.Column

    static let width = 16

    var data: [UInt8] = []
    var rollingStartNumber: Int64?
    var rollingPeriod: Int64?
    var transmissionRiskLevel: Int64?
    var reportType: Int64?
    var daysSinceOnset: Int64?

    /// Whether it is a key; what is none is left out.
    var isValid: Bool { data.count == Self.width }

    func set(_ row: RowBuilder, origin: StaticString, isRevised: Bool = false, region: [UInt8]? = nil) {
        row.set(Column.data, Self.hexadecimal(data)[...])
        row.set(Column.origin, origin.withUTF8Buffer { Array($0) }[...])
        let start = rollingStartNumber.flatMap { Self.spans.contains($0) ? $0 : nil }
        let period = rollingPeriod.flatMap { Self.periods.contains($0) ? $0 : nil }
        row.set(Column.date, Self.time(start))
        if let start, let period { row.set(Column.endDate, Self.time(start + period)) }
        row.set(Column.rollingStartNumber, start)
        row.set(Column.rollingPeriod, period)
        row.set(Column.transmissionRiskLevel, transmissionRiskLevel)
        row.set(Column.reportType, reportType.flatMap(Self.reportType))
        row.set(Column.daysSinceOnsetOfSymptoms, daysSinceOnset)
        row.set(Column.isRevised, isRevised)
        row.set(Column.region, repairing: region?[...])
    }

    /// Spans of ten minutes since 1970 that are a time: the format has 32 bits for them.
    private static let spans: ClosedRange<Int64> = 0...Int64(UInt32.max)
    private static let periods: ClosedRange<Int64> = 0...144

    private static func time(_ span: Int64?) -> Timestamp? {
        span.flatMap { Timestamp(microseconds: $0 * 600_000_000) }
    }

    /// `TemporaryExposureKey.ReportType`, in the words of Apple's framework.
    private static func reportType(_ number: Int64) -> String? {
        switch number {
        case 1: "confirmedTest"
        case 2: "confirmedClinicalDiagnosis"
        case 3: "selfReported"
        case 4: "recursive"
        case 5: "revoked"
        default: nil
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in
            [byte >> 4, byte & 15].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
        }
    }

    /// The bytes of 32 hexadecimal digits; nil for anything else.
    static func bytes(hexadecimal text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count == 2 * width else { return nil }
        var bytes = [UInt8](repeating: 0, count: width)
        for (index, byte) in text.enumerated() {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default: return nil
            }
            bytes[index / 2] = bytes[index / 2] << 4 | digit
        }
        return bytes
    }
}

extension FileProblem {
    /// Keys of a wrong length, or none at all, that were left out.
    static func invalidKeys(_ count: Int) -> FileProblem {
        FileProblem("\(count) keys that are not \(ExposureKey.width) bytes", partial: true)
    }
}
