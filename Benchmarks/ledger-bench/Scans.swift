import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowRelational
import EscrowSchema
import EscrowSources
import EscrowTabular
import Glibc

/// What it costs to record which records a scan reads: the same query with and without, by turns.
///
/// The recorder is the one that runs have. What grows with the scan, and what is written of it once at the end (the sorted
/// set as text), are told apart and together.
enum Scans {
    private struct Query {
        let kind: String
        let sql: String
        /// Whether the query itself reads the column that tells records apart.
        let readsKey: Bool
    }

    private static let queries = [
        Query(kind: "contacts", sql: "SELECT givenName, familyName FROM Contacts", readsKey: false),
        Query(kind: "contacts", sql: "SELECT id, givenName, familyName FROM Contacts", readsKey: true),
        Query(kind: "location", sql: "SELECT latitude, longitude FROM Location", readsKey: false),
        Query(kind: "location", sql: "SELECT timestamp, latitude, longitude FROM Location", readsKey: true),
        Query(kind: "photos", sql: "SELECT filename, fileSize FROM Photos", readsKey: false),
        Query(kind: "photos", sql: "SELECT id, filename, fileSize FROM Photos", readsKey: true),
    ]

    /// All queries over so many records of each kind.
    static func measure(
        _ folder: String, sizes: [Int] = [1_000, 10_000, 100_000], rounds: Int = 21
    ) throws {
        for rows in sizes {
            for query in queries {
                let tables = try ScanSamples.tables(query.kind, rows, in: folder)
                try measure(query, tables, rows, rounds)
            }
        }
    }

    private static func measure(
        _ query: Query, _ tables: [any TableSource], _ rows: Int, _ rounds: Int
    ) throws {
        // As many scans a figure as make it some milliseconds.
        let scans = max(1, 10_000 / rows)
        var plain: [Double] = []
        var scan: [Double] = []
        var whole: [Double] = []
        var bytes = 0
        // The first round only warms the caches. The order changes, so that neither is always the second.
        for round in 0...rounds {
            var times = [0.0, 0.0, 0.0]
            for recording in round % 2 == 0 ? [false, true] : [true, false] {
                for _ in 0..<scans {
                    let recorder = recording ? ReadRecorder() : nil
                    let read = try Figure.time { try Self.scan(query.sql, tables, recorder, rows) }
                    let end = Figure.time { bytes = recorder.map { JSONWriter.line($0.json).count } ?? bytes }
                    times[recording ? 1 : 0] += read.processor / Double(scans)
                    if recording { times[2] += (read.processor + end.processor) / Double(scans) }
                }
            }
            guard round > 0 else { continue }
            plain.append(times[0])
            scan.append(times[1])
            whole.append(times[2])
        }
        let ratios = zip(whole, plain).map { $0 / $1 }.sorted()
        Figure.tell([
            "scan": .string(query.sql), "readsKey": .bool(query.readsKey), "rows": .integer(Int64(rows)),
            "rounds": .integer(Int64(rounds)), "plainMs": .real(Figure.median(plain) * 1e3),
            "scanRecordedMs": .real(Figure.median(scan) * 1e3),
            "endMs": .real(Figure.median(zip(whole, scan).map { $0 - $1 }) * 1e3),
            "endBytes": .integer(Int64(bytes)),
            "scanRatio": .real(Figure.median(zip(scan, plain).map { $0 / $1 })),
            "ratio": .real(Figure.median(ratios)), "ratioP10": .real(ratios[ratios.count / 10]),
            "ratioP90": .real(ratios[ratios.count - 1 - ratios.count / 10]),
        ])
    }

    /// Reads all rows.
    private static func scan(
        _ sql: String, _ tables: [any TableSource], _ recorder: ReadRecorder?, _ rows: Int
    ) throws {
        let access = try Access(
            AccessRequest(sql: sql), tables: recorder?.watch(tables) ?? tables, assets: AssetTable())
        while let batch = try access.next(maxRows: 8_192, maxBytes: 1 << 20) { _ = batch.rowCount }
        guard access.delivered.rows == rows else {
            print("the scan read \(access.delivered.rows) rows")
            exit(1)
        }
    }
}
