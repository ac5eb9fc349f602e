import BenchKey
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import Glibc

/// Measures the ledger on the disk that a folder lies on, one line of JSON for each figure:
///
///     ledger-bench FOLDER APPENDS ENTRIES   all of it
///     ledger-bench scans FOLDER [RECORDS]   what it costs to record which records a scan reads, alone
///     ledger-bench write FOLDER COUNT       one of several processes that append: for the program itself
@main struct LedgerBench {
    static func main() throws {
        let words = Array(CommandLine.arguments.dropFirst())
        if words.count == 3, words[0] == "write", let count = Int(words[2]) {
            try Writers.write(words[1], count)
        } else if words.count == 2, words[0] == "scans" {
            try Scans.measure(words[1])
        } else if words.count == 3, words[0] == "scans", let records = Int(words[2]) {
            try Scans.measure(words[1], sizes: [records])
        } else if words.count == 3, let appends = Int(words[1]), let entries = Int(words[2]) {
            try Writers.measure(words[0], appends: appends)
            try large(words[0], entries)
            try Scans.measure(words[0])
        } else {
            print("usage: ledger-bench FOLDER APPENDS ENTRIES")
            exit(64)
        }
    }

    /// Opening, verifying, proving and erasing in a ledger of so many entries.
    private static func large(_ folder: String, _ entries: Int) throws {
        let folder = folder + "/large"
        let key = try BenchKey()
        let ledger = try Ledger.create(directory: folder, copies: [folder + ".heads"], signer: key)
        try Writers.append(to: ledger, threads: 64, entries)
        let reader = LedgerReader(directory: folder, copies: [folder + ".heads"], verifier: key)
        var status = stat()
        stat(folder + "/log.1", &status)
        Figure.tell([
            "entries": .integer(Int64(entries)),
            "bytesPerEntry": .integer(Int64(status.st_size) / Int64(entries)),
        ])
        func time(_ what: String, _ body: () throws -> Void) throws {
            let figure = try Figure.time(body)
            Figure.tell([
                "what": .string(what), "entries": .integer(Int64(entries)), "seconds": .real(figure.seconds),
                "processorSeconds": .real(figure.processor),
            ])
        }
        try time("open") {
            _ = try Ledger.open(directory: folder, copies: [folder + ".heads"], signer: key)
        }
        try time("verify") { _ = try reader.verify() }
        try time("prove") { _ = try reader.prove(UInt64(entries / 2)) }
        try time("prove consistency") { _ = try reader.proveConsistency(from: UInt64(entries / 3)) }
        try time("erase") { try ledger.erase(SequenceSet([UInt64(entries / 2)])) }
        try time("verify, erased") { _ = try reader.verify() }
    }
}
