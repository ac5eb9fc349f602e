import EscrowBackup
import EscrowDiagnostics
import Glibc

/// A backup's header and its contents are read or refused, whatever their bytes are, in pieces of any size; and no path
/// that was accepted leads out of the folder.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    _ = try? BackupHeader(Array(bytes.prefix(BackupHeader.size)))
    let whole = parse(bytes, pieces: max(count, 1))
    let pieces = parse(bytes, pieces: Int(bytes.first ?? 0) % 7 + 1)
    precondition(whole == pieces, "pieces of another size give other entries")
    return 0
}

/// The paths and the sizes of what was accepted, and whether all of it was.
private func parse(_ bytes: [UInt8], pieces: Int) -> [String] {
    var parser = ArchiveParser()
    var found: [String] = []
    var written = 0
    var at = 0
    do throws(Diagnostic) {
        while at < bytes.count {
            let next = min(at + pieces, bytes.count)
            try parser.feed(Array(bytes[at..<next])) { entry throws(Diagnostic) in
                switch entry {
                case .folder(let path), .file(let path, _, _):
                    precondition(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."))
                    found.append(path)
                case .bytes(let piece): written += piece.count
                case .end: found.append("end")
                }
            }
            at = next
        }
    } catch {
        // How many bytes of a file were handed on before the error depends on the pieces.
        return found + ["refused"]
    }
    return found + [String(written), parser.isDone ? "done" : "more"]
}
