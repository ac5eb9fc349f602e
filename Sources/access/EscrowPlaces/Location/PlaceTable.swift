internal import EscrowFormats

/// The places of a table in text (RFC 4180): a header that names a column of latitudes and one of longitudes, and a row for each
/// place. Fields are separated as the header's are, by commas, semicolons or tabs. `stops.txt` of GTFS is such a table.
enum PlaceTable {
    /// Why a text is no such table.
    struct Failure: Error, Sendable {
        let why: String
        var line: Int?
    }

    private static let latitudes: Set<String> = ["latitude", "lat", "stop_lat"]
    private static let longitudes: Set<String> = ["longitude", "lon", "lng", "long", "stop_lon"]
    /// No header and no coordinate is longer.
    private static let longestField = 4_096

    /// Reads all rows, one more than the most at most; counts those without a valid place.
    static func read(_ bytes: [UInt8], most: Int) throws(Failure) -> (places: [PlaceFile.Place], leftOut: Int)
    {
        var rows = Rows(bytes)
        guard let header = try rows.next() else { throw Failure(why: "it is empty") }
        let names = header.map { String(decoding: $0[...].trimmed, as: UTF8.self).lowercased() }
        guard let latitude = names.firstIndex(where: latitudes.contains),
            let longitude = names.firstIndex(where: longitudes.contains)
        else { throw Failure(why: "its first line names no column of latitudes and of longitudes", line: 1) }
        var found: (places: [PlaceFile.Place], leftOut: Int) = ([], 0)
        while found.places.count <= most, let row = try rows.next() {
            // An empty line is no row.
            if row.count == 1, row[0].isEmpty { continue }
            func number(_ column: Int, _ limit: Double) -> Double? {
                guard row.indices.contains(column), let value = DecimalNumber.read(row[column][...].trimmed),
                    value.magnitude <= limit
                else { return nil }
                return value
            }
            if let north = number(latitude, 90), let east = number(longitude, 180) {
                found.places.append((north, east))
            } else {
                found.leftOut += 1
            }
        }
        return found
    }

    /// Goes from row to row.
    private struct Rows {
        private let bytes: [UInt8]
        private var position: Int
        private var line = 1
        private let separator: UInt8

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            let header = bytes.prefix { $0 != 0x0A }
            separator =
                header.first { [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09].contains($0) }
                ?? UInt8(ascii: ",")
        }

        /// The next row's fields, without quotes; nil at the end.
        mutating func next() throws(Failure) -> [[UInt8]]? {
            guard position < bytes.count else { return nil }
            var fields: [[UInt8]] = []
            var field: [UInt8] = []
            var isQuoted = false
            let began = line
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                if byte == 0x0A { line += 1 }
                if isQuoted {
                    if byte != UInt8(ascii: "\"") {
                        field.append(byte)
                    } else if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
                        field.append(byte)
                        position += 1
                    } else {
                        isQuoted = false
                    }
                } else if byte == UInt8(ascii: "\""), field.isEmpty {
                    isQuoted = true
                } else if byte == separator {
                    fields.append(field)
                    field = []
                } else if byte == 0x0A {
                    break
                } else {
                    field.append(byte)
                }
                guard field.count <= PlaceTable.longestField, fields.count <= 1_000 else {
                    throw Failure(why: "a row of it is too long", line: began)
                }
            }
            guard !isQuoted else { throw Failure(why: "a quote is not closed", line: began) }
            // A line may end with a carriage return, too.
            if field.last == 0x0D { field.removeLast() }
            return fields + [field]
        }
    }
}

/// The reader of tables, for the fuzzer.
@_spi(Fuzzing) public enum PlaceBytes {
    /// Reads a table: what is accepted lies on the globe, and no more of it than asked for.
    public static func readTable(_ bytes: [UInt8]) {
        guard let found = try? PlaceTable.read(bytes, most: 100) else { return }
        precondition(found.places.count <= 101, "more places than asked for")
        precondition(
            found.places.allSatisfy { $0.latitude.magnitude <= 90 && $0.longitude.magnitude <= 180 },
            "a place is nowhere")
    }
}
