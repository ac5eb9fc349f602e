import EscrowDiagnostics
import EscrowSandbox
import Glibc

/// Measures the sandbox by itself: no host, no signature, no ledger.
///
///     sandbox-bench cold PROGRAM N [--input FILE] [--lower WALL]... [--threads N] [--pause MICROSECONDS]
///         [--pace stdin] [--interpreter NAME]
///     sandbox-bench warm PROGRAM N …
///
/// Each run is one line of JSON, in microseconds: `startUs` until the program's first instruction, `firstByteUs` until
/// the first byte of its output was read, `wallUs` until it was reaped; `childCPUUs` of its own processor time. The last
/// line sums up: runs a second, and the processor time of host and children together for each run, which in `warm`
/// includes the processes that were parked meanwhile. The program is a static executable that reads its stdin to the
/// end and writes something.
@main
struct SandboxBench {
    static func main() {
        do {
            try Arguments(CommandLine.arguments).run()
        } catch let error as Diagnostic {
            complain("\(error.code.rawValue): \(error.message)")
        } catch {
            complain("\(error)")
        }
    }

    private static func complain(_ words: String) -> Never {
        let line = Array("sandbox-bench: \(words)\n".utf8)
        _ = write(2, line, line.count)
        exit(1)
    }
}

/// Why nothing was measured.
struct Complaint: Error, CustomStringConvertible {
    let description: String
}

func readFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
        throw Complaint(description: "\(path) cannot be opened: errno \(errno)")
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count <= 0 { return bytes }
        bytes += buffer.prefix(count)
    }
}
