import EscrowDatabaseFiles
import EscrowDiagnostics
import Glibc

/// memfd_create(2), which Swift's Glibc does not show.
@_silgen_name("memfd_create")
private func memfd_create(_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32

/// Takes the bytes as a database with a log or a journal: the first byte says which, the next two how long the database
/// is. Every table that is found is read to its end, which must come.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDatabase(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard bytes.count >= 3 else { return 0 }
    let sideEnding = bytes[0] % 3 == 0 ? "" : bytes[0] % 3 == 1 ? "-wal" : "-journal"
    let cut = sideEnding == "" ? bytes.count : min(bytes.count, 3 + (Int(bytes[1]) << 8 | Int(bytes[2])))
    let file = memory(bytes[3..<cut])
    let side = memory(bytes[cut...])
    defer {
        close(file)
        close(side)
    }
    do throws(Diagnostic) {
        let copy = try PrivateCopy(of: file, limit: 1 << 20) { $0 == sideEnding ? dup(side) : -1 }
        let database = try DatabaseFile(copy)
        for table in try database.tables() {
            let columns = try database.columns(of: table)
            guard !columns.isEmpty else { continue }
            let list = columns.prefix(20).map(DatabaseFile.quoted).joined(separator: ", ")
            do throws(Diagnostic) {
                let rows = try database.scan(
                    "SELECT rowid, \(list) FROM \(DatabaseFile.quoted(table)) NOT INDEXED")
                while try rows.next() {
                    for column in 0...min(20, columns.count) {
                        _ = rows.integer(column)
                        _ = rows.real(column)
                        _ = rows.text(column)
                        _ = rows.blob(column)
                    }
                }
            } catch { check(error) }
        }
    } catch { check(error) }
    return 0
}

private func check(_ error: Diagnostic) { precondition(error.exitStatus == .sourceMissing) }

/// The bytes as a file.
private func memory(_ bytes: ArraySlice<UInt8>) -> Int32 {
    let file = "fuzz".withCString { memfd_create($0, 1) }
    precondition(file >= 0)
    bytes.withUnsafeBytes { _ = pwrite(file, $0.baseAddress, $0.count, 0) }
    return file
}
