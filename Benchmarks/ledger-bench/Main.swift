import Crypto
import Dispatch
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import Glibc
import Synchronization

/// Measures the ledger on the disk that a folder lies on: `ledger-bench FOLDER APPENDS ENTRIES`.
///
/// Entries a second, each acknowledged only when it is on the disk, by 1, 2, 4, 8 and 16 threads; then opening, verifying,
/// proving and erasing in a ledger of ENTRIES entries. One line of JSON for each.
@main struct LedgerBench {
    static func main() throws {
        let words = CommandLine.arguments
        guard words.count == 4, let appends = Int(words[2]), let entries = Int(words[3]) else {
            print("usage: ledger-bench FOLDER APPENDS ENTRIES")
            exit(64)
        }
        let key = BenchKey()
        for threads in [1, 2, 4, 8, 16] {
            let folder = "\(words[1])/threads-\(threads)"
            let ledger = try Ledger.create(directory: folder, copies: [folder + ".heads"], signer: key)
            let took = try measure(ledger, threads: threads, appends: appends)
            tell([
                "threads": .integer(Int64(threads)),
                "entriesPerSecond": .real((Double(appends) / took).rounded()),
            ])
        }
        let folder = "\(words[1])/large"
        let ledger = try Ledger.create(directory: folder, copies: [folder + ".heads"], signer: key)
        _ = try measure(ledger, threads: 64, appends: entries)
        let reader = LedgerReader(directory: folder, copies: [folder + ".heads"], verifier: key)
        var status = stat()
        stat(folder + "/log.1", &status)
        tell([
            "entries": .integer(Int64(entries)),
            "bytesPerEntry": .integer(Int64(status.st_size) / Int64(entries)),
        ])
        try time("open", entries) {
            _ = try Ledger.open(directory: folder, copies: [folder + ".heads"], signer: key)
        }
        try time("verify", entries) { _ = try reader.verify() }
        try time("prove", entries) { _ = try reader.prove(UInt64(entries / 2)) }
        try time("prove consistency", entries) { _ = try reader.proveConsistency(from: UInt64(entries / 3)) }
        try time("erase", entries) { try ledger.erase(SequenceSet([UInt64(entries / 2)])) }
        try time("verify, erased", entries) { _ = try reader.verify() }
    }

    /// Appends decisions as large as those of a run, and returns the seconds that it took.
    private static func measure(_ ledger: Ledger, threads: Int, appends: Int) throws -> Double {
        let text = String(repeating: "x", count: 400)
        let failed = Flag()
        let start = now()
        let group = DispatchGroup()
        // Threads of their own: concurrentPerform would use no more than there are processors.
        let queue = DispatchQueue(label: "writers", attributes: .concurrent)
        for thread in 0..<threads {
            queue.async(group: group) {
                for index in stride(from: thread, to: appends, by: threads) {
                    do {
                        try ledger.append(
                            .decision, fields: ["index": .integer(Int64(index)), "text": .string(text)])
                    } catch {
                        failed.raise()
                    }
                }
            }
        }
        group.wait()
        guard !failed.isRaised else {
            print("an append failed")
            exit(1)
        }
        return now() - start
    }

    private static func time(_ what: String, _ entries: Int, _ body: () throws -> Void) throws {
        let start = now()
        try body()
        tell(["what": .string(what), "entries": .integer(Int64(entries)), "seconds": .real(now() - start)])
    }

    private static func tell(_ value: JSONValue) {
        print(String(decoding: JSONWriter.line(value), as: UTF8.self))
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A key for this run alone.
private struct BenchKey: HeadSigner {
    private let key = Curve25519.Signing.PrivateKey()
    let keyID = "SHA256:BENCH"
    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        do { return Array(try key.signature(for: message)) } catch {
            throw Diagnostic("E0001", "the key cannot sign")
        }
    }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.publicKey.isValidSignature(signature, for: message)
    }
}

/// Raised by any thread.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    func raise() { flag.store(true, ordering: .relaxed) }
    var isRaised: Bool { flag.load(ordering: .relaxed) }
}
