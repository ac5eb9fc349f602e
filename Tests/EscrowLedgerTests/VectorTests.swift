import Crypto
import EscrowJSON
import Foundation
import Testing

@testable import EscrowLedger

/// What programs of other people say of our ledgers and proofs.
@Suite struct VectorTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    /// The folder of all tests.
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    /// Where the vectors are.
    static let vectors = tests.appendingPathComponent("Vectors/ledger").path

    /// Writes the vector anew where the format changes: `ESCROW_WRITE_VECTORS=1`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ESCROW_WRITE_VECTORS"] != nil))
    func writeTheVector() throws {
        let folder = Self.vectors + "/version-2"
        try? FileManager.default.removeItem(atPath: folder)
        let ledger = try Ledger.create(directory: folder, signer: key, fields: ["hostKey": "TEST ONLY"])
        try ledger.append(.sourceAdded, fields: ["source": "contacts", "path": "/home/a/contacts"])
        try ledger.append(.decision, fields: ["app": "org.example.notes", "answer": "once"])
        for (run, end) in [("r-1", LedgerEntry.Kind.runEnd), ("r-2", .runInterrupted)] {
            try ledger.append(.runIntent, run: run, fields: ["app": "org.example.notes"])
            try ledger.append(end, run: run, fields: ["rows": 3])
        }
        try ledger.erase(SequenceSet([2, 5]))
        try ledger.append(.decision, fields: ["app": "org.example.notes", "answer": "no"])
        try FileManager.default.removeItem(atPath: folder + "/lock")
    }

    @Test func aLedgerOfThisFormatIsRead() throws {
        let reader = LedgerReader(directory: Self.vectors + "/version-2", verifier: key)
        let report = try reader.verify()
        #expect(report.count == 9)
        #expect(report.missing == .init(erased: 2, decayed: 0, compacted: 0, lost: 0))
        #expect(
            try reader.entries().map(\.kind.rawValue) == [
                "host-created", "source-added", "decision", "run-intent", "run-end", "run-intent",
                "run-interrupted", "erased", "decision",
            ])
        #expect(try reader.entries().filter { $0.reduced != nil }.map(\.sequence) == [2, 5])
    }

    @Test func aProgramOfNobodysComesToTheSameRoot() throws {
        for size in [1, 2, 7] {
            let folder = Scratch()
            let ledger = try Ledger.create(directory: folder.ledger, signer: key)
            for index in 1..<size {
                try ledger.append(.decision, fields: ["index": .integer(Int64(index)), "x": "é"])
            }
            let report = try LedgerReader(directory: folder.ledger, verifier: key).verify()
            guard
                let text = try Self.run(
                    ["/usr/bin/python3", "/usr/bin/openssl"],
                    [
                        "/usr/bin/python3", Self.vectors + "/verify.py", folder.ledger,
                        Hex.string(key.publicKey),
                    ])
            else { return }
            #expect(text == "\(size) records, root \(report.root)\n")
        }
    }

    @Test func goComesToTheSameTreeProofsAndSignatures() throws {
        guard let oracle = try Self.oracle(scratch.path) else { return }
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        var proofs: [String] = []
        func keep(_ proof: LedgerProof) throws {
            let path = "\(scratch.path)/proof-\(proofs.count)"
            try Data(proof.text.utf8).write(to: URL(fileURLWithPath: path))
            proofs.append(path)
        }
        for size in 2...21 {
            try ledger.append(.decision, fields: ["index": .integer(Int64(size))])
            for sequence in [1, size / 2, size - 1, size] { try keep(try reader.prove(UInt64(sequence))) }
            for old in [1, size / 2, size - 1, size] {
                try keep(try reader.proveConsistency(from: UInt64(old)))
            }
        }
        let report = try reader.verify()
        let text = try Self.run([], [oracle, report.verifierKey, "\(scratch.ledger)/log.1"] + proofs)
        #expect(text == "21 records, 21 checkpoints, \(proofs.count) proofs, root \(report.root)\n")
        // It can say no.
        let wrong = try reader.prove(5).text.replacing("index 4", with: "index 5")
        let path = "\(scratch.path)/wrong"
        try Data(wrong.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try Self.run([], [oracle, report.verifierKey, "\(scratch.ledger)/log.1", path]) == "")
    }

    /// Go's `tlog` and `note` behind a command line; nil where this machine cannot build it.
    static func oracle(_ folder: String) throws -> String? {
        let source = tests.appendingPathComponent("Support/TlogOracle/main.go").path
        let package = "/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog"
        guard FileManager.default.fileExists(atPath: package) else {
            print("SKIP: \(package) is missing (golang-golang-x-mod-dev)")
            return nil
        }
        let program = folder + "/tlog-oracle"
        let built = try run(
            ["/usr/bin/go"], ["/usr/bin/go", "build", "-o", program, source],
            [
                "GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOCACHE": folder + "/cache",
                "HOME": folder, "PATH": "/usr/bin:/bin", "GOFLAGS": "", "CGO_ENABLED": "0",
            ])
        guard built != nil else { return nil }
        try #require(FileManager.default.isExecutableFile(atPath: program))
        return program
    }

    /// What a program prints; nil where one that it takes is missing.
    static func run(
        _ tools: [String], _ words: [String], _ environment: [String: String]? = nil
    ) throws -> String? {
        if let missing = tools.first(where: { !FileManager.default.isExecutableFile(atPath: $0) }) {
            print("SKIP: \(missing) is missing")
            return nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        if let environment { process.environment = environment }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
