import Crypto
import EscrowJSON
import Foundation
import Testing

@testable import EscrowLedger

@Suite struct VectorTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    /// Where the vectors are.
    static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Vectors/ledger").path

    @Test func aLedgerOfVersionOneIsRead() throws {
        let reader = LedgerReader(directory: Self.vectors + "/version-1", verifier: key)
        let report = try reader.verify()
        #expect(report.count == 6)
        #expect(
            try reader.entries().map(\.kind.rawValue) == [
                "host-created", "source-added", "decision", "run-intent", "run-end", "repaired",
            ])
    }

    @Test func aProgramOfNobodysComesToTheSameRoot() throws {
        for size in [1, 2, 7] {
            let folder = Scratch()
            let ledger = try Ledger.create(directory: folder.ledger, signer: key)
            for index in 1..<size {
                try ledger.append(.decision, fields: ["index": .integer(Int64(index)), "x": "é"])
            }
            let report = try LedgerReader(directory: folder.ledger, verifier: key).verify()
            guard let text = try run(folder.ledger) else { return }
            #expect(text == "\(size) records, root \(report.root)\n")
        }
    }

    /// What verify.py says; nil where this machine cannot run it.
    private func run(_ folder: String) throws -> String? {
        let tools = ["/usr/bin/python3", "/usr/bin/openssl"]
        if let missing = tools.first(where: { !FileManager.default.isExecutableFile(atPath: $0) }) {
            print("SKIP: \(missing) is missing")
            return nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tools[0])
        process.arguments = [
            Self.vectors + "/verify.py", folder, Hex.string(key.key.publicKey.rawRepresentation),
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
