import EscrowTabular
import Foundation
import Testing

/// pyarrow on the other side, both ways; without it these tests say SKIP.
@Suite struct PyArrowTests {
    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Vectors/arrow/peer.py"
        ).path

    /// Runs python3 and gives back its status and what it wrote to stderr.
    private func python(_ arguments: [String]) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// Whether pyarrow is there; says SKIP if it is not.
    private func hasPyArrow() throws -> Bool {
        let answer = try python(["-c", "import pyarrow"])
        if answer.status != 0 {
            print("SKIP: pyarrow cannot be imported: \(answer.errors.suffix(200))")
        }
        return answer.status == 0
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "escrow-arrow-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func files(_ folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "arrow" }.sorted { $0.path < $1.path }
    }

    @Test func whatPyArrowWritesIsReadOrRefusedByName() throws {
        guard try hasPyArrow() else { return }
        try withFolder { folder in
            let made = try python([Self.script, "make", folder.path])
            try #require(made.status == 0, "\(made.errors)")
            let streams = try files(folder)
            #expect(streams.count > 30)
            for stream in streams {
                let name = stream.lastPathComponent
                let expected = try String(
                    contentsOf: stream.deletingPathExtension().appendingPathExtension("txt"), encoding: .utf8)
                let read = try readStream(Array(Data(contentsOf: stream)), pieces: 65_536)
                let schema = try #require(read.schema)
                #expect(canonical(schema, read.batches) == expected, "\(name)")
            }
            let refused = try files(folder.appending(path: "refused"))
            #expect(refused.count > 20)
            for stream in refused {
                let bytes = try Array(Data(contentsOf: stream))
                let error = fault { () throws(TabularError) in try readStream(bytes) }
                let name = stream.deletingPathExtension().lastPathComponent
                #expect(error?.description.hasSuffix(": \(name)") == true, "\(name): \(error as Any)")
            }
        }
    }

    @Test func whatIsWrittenPyArrowReads() throws {
        guard try hasPyArrow() else { return }
        let everyType = try everyTypeSchema()
        let text = try Schema([Field("t", type: .text), Field("b", type: .blob)])
        let wide = try Schema((0..<Schema.maximumColumns).map { Field("c\($0)", type: .text) })
        let cases: [(name: String, schema: Schema, sizes: [Int])] = [
            ("no-batches", everyType, []), ("empty-batch", everyType, [0]),
            ("mixed", everyType, [0, 1, 7, 0]),
            ("bytes", everyType, [8, 9, 64, 65]), ("many", everyType, Array(repeating: 3, count: 300)),
            ("long", everyType, [5_000]), ("wide", wide, [2, 100]), ("text", text, [1_000]),
        ]
        try withFolder { folder in
            var expected: [(path: String, text: String)] = []
            func write(_ name: String, _ schema: Schema, _ batches: [Batch]) throws {
                var writer = ArrowStreamWriter(
                    schema: schema, metadata: [("access", "a-1"), ("purpose", "é")])
                var bytes: [UInt8] = []
                for batch in batches { bytes += try writer.encode(batch) }
                bytes += writer.end()
                let path = folder.appending(path: name).path
                try Data(bytes).write(to: URL(fileURLWithPath: path))
                expected.append((path, canonical(schema, batches)))
            }
            var dice = SeededGenerator(seed: 8)
            for one in cases {
                let batches = try one.sizes.map { try randomBatch(one.schema, rows: $0, using: &dice) }
                try write(one.name, one.schema, batches)
            }
            let builder = BatchBuilder(schema: text)
            for length in [3 << 20, 0, 5 << 20] {
                try builder.appendText(String(repeating: "ü", count: length / 2), to: 0)
                try builder.append(cell: .blob(Array(repeating: 0xFF, count: length)), to: 1)
                try builder.endRow()
            }
            try write("large", text, [builder.finish()])
            let dumped = try python([Self.script, "dump"] + expected.map(\.path))
            try #require(dumped.status == 0, "\(dumped.errors)")
            for (path, text) in expected {
                let theirs = try String(contentsOf: URL(fileURLWithPath: path + ".txt"), encoding: .utf8)
                #expect(theirs == text, "\(path)")
            }
        }
    }
}
