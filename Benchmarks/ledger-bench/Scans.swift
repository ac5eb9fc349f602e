import EscrowHost
import EscrowJSON
import EscrowRelational
import EscrowSchema
import EscrowSources
import EscrowTabular
import Glibc

/// What it costs to record which records a scan reads: the same query with and without, by turns.
///
/// The recorder is the one that runs have; its end, the sorted set as text, belongs to the cost.
enum Scans {
    private static let queries = [
        ("contacts", "SELECT givenName, familyName FROM Contacts"),
        ("contacts", "SELECT id, givenName, familyName FROM Contacts"),
        ("location", "SELECT latitude, longitude FROM Location"),
        ("location", "SELECT timestamp, latitude, longitude FROM Location"),
    ]

    static func measure(_ folder: String, rounds: Int = 15) throws {
        for rows in [1_000, 10_000, 100_000] {
            for (kind, sql) in queries {
                let home = "\(folder)/\(kind)-\(rows)"
                if mkdir(home, 0o700) == 0 {
                    let path = home + (kind == "contacts" ? "/a.vcf" : "/a.json")
                    write(kind == "contacts" ? contacts(rows) : points(rows), path)
                    var registry = try SourceRegistry.load(directory: home)
                    try registry.add(kind: kind, path: path)
                    try registry.save()
                }
                let tables = try SourceRegistry.load(directory: home).tables()
                var plain: [Double] = []
                var recorded: [Double] = []
                // The first round only warms the caches. The order changes, so that neither is always the second.
                for round in 0...rounds {
                    for recording in round % 2 == 0 ? [false, true] : [true, false] {
                        let figure = try Figure.time { _ = try scan(sql, tables, recording, rows) }
                        guard round > 0 else { continue }
                        if recording {
                            recorded.append(figure.processor)
                        } else {
                            plain.append(figure.processor)
                        }
                    }
                }
                Figure.tell([
                    "scan": .string(sql), "rows": .integer(Int64(rows)),
                    "plainMs": .real(Figure.median(plain) * 1e3),
                    "recordedMs": .real(Figure.median(recorded) * 1e3),
                    "least": .real((recorded.min() ?? 0) / (plain.min() ?? 1)),
                    "median": .real(Figure.median(recorded) / Figure.median(plain)),
                ])
            }
        }
    }

    /// Reads all rows; returns how many bytes the record of it takes.
    private static func scan(
        _ sql: String, _ tables: [any TableSource], _ recording: Bool, _ rows: Int
    ) throws -> Int {
        let recorder = recording ? ReadRecorder() : nil
        let access = try Access(
            AccessRequest(sql: sql), tables: recorder?.watch(tables) ?? tables, assets: AssetTable())
        while let batch = try access.next(maxRows: 8_192, maxBytes: 1 << 20) { _ = batch.rowCount }
        guard access.delivered.rows == rows else {
            print("the scan read \(access.delivered.rows) rows")
            exit(1)
        }
        return recorder.map { JSONWriter.line($0.json).count } ?? 0
    }

    private static func contacts(_ count: Int) -> [UInt8] {
        var text: [UInt8] = []
        for index in 0..<count {
            text += Array(
                "BEGIN:VCARD\nVERSION:3.0\nN:Last\(index);First;;;\nFN:First Last\(index)\nUID:u\(index)\nTEL:+4790\(index)\nEND:VCARD\n"
                    .utf8)
        }
        return text
    }

    private static func points(_ count: Int) -> [UInt8] {
        var text = Array("{\"locations\": [\n".utf8)
        for index in 0..<count {
            text += Array(
                "{\"latitudeE7\": \(603_800_000 + index * 13), \"longitudeE7\": \(53_300_000 + index * 7), \"accuracy\": 19, \"timestampMs\": \"\(1_577_836_800_000 + index * 60_000)\"}\(index + 1 < count ? "," : "")\n"
                    .utf8)
        }
        return text + Array("]}\n".utf8)
    }

    private static func write(_ bytes: [UInt8], _ path: String) {
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
