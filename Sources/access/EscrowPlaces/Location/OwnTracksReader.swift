internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads what OwnTracks records: a JSON message a line, in a `.rec` file behind a time and a word, apart by tabs.
///
/// Only messages of the type `location` are places. https://owntracks.org/booklet/tech/json/
final class OwnTracksReader: PointReader {
    private var lines: BlockReader
    private let onProblem: (FileProblem) -> Void
    private var invalid = 0
    private var damaged = 0
    private var known = 0

    init(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        lines = BlockReader(file, limit: size)
        self.onProblem = onProblem
    }

    func next() -> LocationPoint? {
        while let line = lines.next() {
            // A line that does not fit in a block is no message of a phone.
            guard line.endsLine, !line.continuesLine else {
                damaged += line.endsLine ? 1 : 0
                continue
            }
            let text = lines.buffer[line.range]
            guard let brace = text.firstIndex(of: UInt8(ascii: "{")) else {
                if !text.trimmed.isEmpty { damaged += 1 }
                continue
            }
            do {
                guard var point = try Self.message(text[brace...]) else { continue }
                known += 1
                point.offset = line.offset
                if point.isValid { return point }
                invalid += 1
            } catch {
                damaged += 1
            }
        }
        tell()
        return nil
    }

    private func tell() {
        if let code = lines.failure { onProblem(.unreadable(errno: code)) }
        if invalid > 0 { onProblem(.invalidPoints(invalid)) }
        if damaged > 0 {
            onProblem(FileProblem("\(damaged) lines that are no message", partial: known > 0))
        }
        (invalid, damaged) = (0, 0)
    }

    /// Reads one message; nil if it is no place.
    private static func message(_ text: ArraySlice<UInt8>) throws(JSONTokenizer.Failure) -> LocationPoint? {
        var tokens = JSONTokenizer(text)
        var point = LocationPoint()
        var isLocation = false
        guard try tokens.next() == .beginObject else { return nil }
        try tokens.scalars { name, value in
            switch name {
            case "_type": isLocation = value.text.elementsEqual("location".utf8)
            case "lat": point.latitude = value.number ?? .nan
            case "lon": point.longitude = value.number ?? .nan
            case "acc": point.horizontalAccuracy = value.nonNegative
            case "alt": point.altitude = value.number
            case "vac": point.verticalAccuracy = value.nonNegative
            // Kilometres an hour.
            case "vel": point.speed = value.nonNegative.map { $0 / 3.6 }
            case "cog": point.course = value.number.flatMap { (0...360).contains($0) ? $0 : nil }
            case "tst": point.timestamp = value.seconds
            default: break
            }
        }
        guard try tokens.next() == .end else { return nil }
        return isLocation ? point : nil
    }
}
