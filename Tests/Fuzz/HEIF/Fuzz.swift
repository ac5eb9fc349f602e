internal import EscrowSchema
internal import EscrowSources
internal import Glibc

/// The file that each input is written to, in memory; and a list of sources that names it.
private let home: String = {
    var template = Array("/dev/shm/escrow-fuzz-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary folder")
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    mkdir(path + "/a", 0o700)
    return path
}()

private func write(_ name: String, _ bytes: [UInt8]) {
    let file = fopen(home + "/" + name, "w")!
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
}

private let tables: [any TableSource] = {
    let entry = #"{"kind":"photos","path":"\#(home)/a","added":"2026-01-01T00:00:00Z"}"#
    write("sources.json", Array(#"{"sources":[\#(entry)]}"#.utf8))
    guard let registry = try? SourceRegistry.load(directory: home) else { preconditionFailure("no sources") }
    return registry.tables().filter { $0.spec.sourceKind == "photos" }
}()

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

/// Whatever a HEIF file holds, reading it neither traps nor hangs.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHEIF(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    write("a/a.heic", bytes)
    for table in tables {
        let all = scan(table, ColumnMask(table.spec.columns.indices))
        let some = scan(table, ColumnMask([0]))
        precondition(
            all == some && Set(all).count == all.count, "which rows there are depends on the columns")
    }
    return 0
}
