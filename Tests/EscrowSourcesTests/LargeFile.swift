import EscrowSchema
import Glibc

@testable import EscrowTableKit

/// Writes a head, many pieces and a tail; the first piece without its leading comma.
func write(
    _ folder: Folder, _ name: String, _ head: String, _ piece: String, _ count: Int, _ tail: String
) -> String {
    let path = folder.write(name, head)
    let file = fopen(path, "a")!
    for index in 0..<count { fputs(index == 0 ? String(piece.drop { $0 == "," }) : piece, file) }
    fputs(tail, file)
    fclose(file)
    return path
}

/// Scans one column of a table; the number of rows.
func countRows(_ name: String, _ kind: SourceKind, _ path: String, _ column: String) throws -> Int {
    let table = Table(name, kind, path)
    let scan = try table.source.snapshot(assets: table.assets).scan(
        ScanRequest(columns: ColumnMask([table.column(column)])))
    let chunk = ColumnChunk(spec: table.source.spec)
    var count = 0
    while try scan.next(into: chunk) { count += chunk.rowCount }
    return count
}

/// Resident memory now, in KiB, by /proc/self/statm.
func residentKiB() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let parts = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split(separator: " ")
    return (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) * Int(getpagesize()) / 1_024
}
