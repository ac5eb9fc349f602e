internal import EscrowSchema
internal import EscrowSources
internal import Glibc

/// Feeds one input after the other to the tables of a source, as a file in memory.
struct FileFuzz {
    private let home: String
    private let file: String
    private let tables: [any TableSource]

    /// A source of that kind at `place`, whose tables read `file`; both below a folder of this process's own. A place
    /// without a dot is a folder. `beside` are files without content, also below it.
    init(kind: String, place: String, file: String, beside: [String] = []) {
        var template = Array("/dev/shm/escrow-fuzz-XXXXXX".utf8CString)
        precondition(mkdtemp(&template) != nil, "no temporary folder")
        let home = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        if !place.contains(".") { mkdir("\(home)/\(place)", 0o700) }
        for name in beside { Self.write("\(home)/\(name)", []) }
        let entry = #"{"kind":"\#(kind)","path":"\#(home)/\#(place)","added":"2026-01-01T00:00:00Z"}"#
        Self.write("\(home)/sources.json", Array(#"{"sources":[\#(entry)]}"#.utf8))
        guard let registry = try? SourceRegistry.load(directory: home) else {
            preconditionFailure("no sources")
        }
        tables = registry.tables().filter { $0.spec.sourceKind == kind }
        self.home = home
        self.file = file
    }

    /// Whatever the bytes are: reading them neither traps nor hangs, and which rows there are does not depend on the
    /// columns asked for.
    func read(_ bytes: [UInt8]) {
        Self.write("\(home)/\(file)", bytes)
        for table in tables {
            let all = scan(table, ColumnMask(table.spec.columns.indices))
            let some = scan(table, ColumnMask([0]))
            precondition(
                all == some && Set(all).count == all.count, "which rows there are depends on the columns")
        }
    }

    /// The ids of a scan's rows; every text must be UTF-8 without NUL.
    private func scan(_ table: any TableSource, _ columns: ColumnMask) -> [Int64] {
        guard let snapshot = try? table.snapshot(assets: AssetTable()),
            let scan = try? snapshot.scan(ScanRequest(columns: columns))
        else { return [] }
        let chunk = ColumnChunk(spec: table.spec)
        var ids: [Int64] = []
        while (try? scan.next(into: chunk)) == true {
            for row in 0..<chunk.rowCount {
                ids.append(chunk.rowIDs.integer(row))
                for column in columns.columns {
                    guard case .text(let text) = chunk.cell(row: row, column: column) else { continue }
                    let bytes = chunk.view(of: column).bytes(row)
                    precondition(
                        text.utf8.elementsEqual(bytes) && !bytes.contains(0), "text that is not clean UTF-8")
                }
            }
        }
        return ids
    }

    private static func write(_ path: String, _ bytes: [UInt8]) {
        let file = fopen(path, "w")!
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
