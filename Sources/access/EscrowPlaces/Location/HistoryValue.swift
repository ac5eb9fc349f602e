internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// A string or number of a location history.
struct HistoryValue {
    let text: [UInt8]
    let isNumber: Bool

    /// The number, whether it is written as one or in a string.
    var number: Double? { DecimalNumber.read(text[...]) }
    var nonNegative: Double? { number.flatMap { $0 >= 0 ? $0 : nil } }

    /// Degrees times ten million. Some exports wrapped at 32 bits, a known flaw: what lies beyond the circle is moved
    /// back.
    var degreesE7: Double {
        guard isNumber, let value = number else { return .nan }
        return (value > 1_800_000_000 ? value - 4_294_967_296 : value) / 1e7
    }

    var time: Timestamp? { isNumber ? nil : GPXTime.read(text[...]) }

    /// Seconds since 1970.
    var seconds: Timestamp? {
        guard let value = number.flatMap({ Int64(exactly: $0.rounded(.towardZero)) }) else { return nil }
        let microseconds = value.multipliedReportingOverflow(by: 1_000_000)
        return microseconds.overflow ? nil : Timestamp(microseconds: microseconds.partialValue)
    }

    /// Milliseconds since 1970, written as a string.
    var milliseconds: Timestamp? {
        guard let value = Int64(String(decoding: text, as: UTF8.self)) else { return nil }
        let microseconds = value.multipliedReportingOverflow(by: 1_000)
        return microseconds.overflow ? nil : Timestamp(microseconds: microseconds.partialValue)
    }

    /// `48.833657°, 2.256223°`, or `geo:48.8,2.2`.
    var pair: (Double, Double) {
        var text = text[...]
        if text.starts(with: "geo:".utf8) { text = text.dropFirst(4) }
        let parts = text.split(separator: UInt8(ascii: ","), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (.nan, .nan) }
        func degrees(_ part: ArraySlice<UInt8>) -> Double {
            var part = part.trimmed
            if part.suffix(2).elementsEqual("°".utf8) { part = part.dropLast(2) }
            return DecimalNumber.read(part.trimmed) ?? .nan
        }
        return (degrees(parts[0]), degrees(parts[1]))
    }
}

extension JSONTokenizer {
    /// Reads the members of the open object up to its end; values that are objects or arrays are passed over, and so are
    /// those that were cut.
    mutating func scalars(_ visit: (String, HistoryValue) -> Void) throws(Failure) {
        while true {
            guard try next() == .name else { return }
            let name = String(decoding: text, as: UTF8.self)
            let token = try next()
            switch token {
            case .string, .number:
                if !isCut { visit(name, HistoryValue(text: text, isNumber: token == .number)) }
            default: try skip(token)
            }
        }
    }
}

extension JSONTokenizer.Failure {
    func problem(line: Int) -> FileProblem {
        let reason =
            switch self {
            case .syntax: "not readable as JSON from here on"
            case .tooDeep: "nested more than \(JSONTokenizer.depthLimit) deep"
            case .truncated: "the file ends in the middle"
            case .unreadable(let code): FileProblem.unreadable(errno: code).reason
            }
        return FileProblem(reason, line: line, partial: true)
    }
}
