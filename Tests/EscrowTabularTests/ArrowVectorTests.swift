import EscrowTabular
import Foundation
import Testing

/// The streams of `Tests/Vectors/arrow`.
@Suite struct ArrowVectorTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors/arrow")
    private static let limits = ArrowLimits(
        bodyBytes: 1 << 20, messages: 16, rows: 1_000, batchBytes: 16 << 10, totalBytes: 32 << 10)

    /// Names of the streams without their `.arrow`.
    private static let names: [String] = {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return files.filter { $0.hasSuffix(".arrow") }.map { String($0.dropLast(6)) }.sorted()
    }()

    private func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: Self.folder.appending(path: name + ".arrow")))
    }

    @Test func theFolderIsComplete() {
        #expect(Self.names.filter { $0.hasPrefix("good.") }.count >= 17)
        #expect(Self.names.filter { !$0.hasPrefix("good.") }.count >= 94)
    }

    @Test(arguments: names.filter { $0.hasPrefix("good.") })
    func goodStreamsAreRead(_ name: String) throws {
        let text = try String(
            contentsOf: Self.folder.appending(path: name + ".arrow.txt"), encoding: .utf8)
        for pieces in [Int.max, 1, 13] {
            let read = try readStream(bytes(name), limits: Self.limits, pieces: pieces)
            #expect(canonical(try #require(read.schema), read.batches) == text)
        }
    }

    @Test(arguments: names.filter { !$0.hasPrefix("good.") })
    func badStreamsAreRefusedByTheirCode(_ name: String) throws {
        let stream = try bytes(name)
        for pieces in [Int.max, 1, 13] {
            let error = fault { () throws(TabularError) in
                try readStream(stream, limits: Self.limits, pieces: pieces)
            }
            #expect(error?.code.description == String(name.prefix { $0 != "." }))
        }
    }

    /// Streams that differ in hidden bytes only come out the same when they are written anew.
    @Test(arguments: [
        ("good.bits-past-the-last-row", "good.nulls"), ("good.value-under-null", "good.nulls"),
        ("good.nan-with-bits", "good.nan"),
    ])
    func hiddenBytesStayBehind(_ name: String, _ plain: String) throws {
        func again(_ name: String) throws -> [UInt8] {
            let read = try readStream(bytes(name))
            var writer = try ArrowStreamWriter(schema: #require(read.schema))
            var stream: [UInt8] = []
            for batch in read.batches { stream += try writer.encode(batch) }
            return stream + writer.end()
        }
        #expect(try bytes(name) != bytes(plain))
        #expect(try again(name) == again(plain))
    }

    @Test func aStreamOfOtherColumnsIsRefused() throws {
        let stream = try bytes("good.text")
        let right = try Schema([Field("t", type: .asset)])
        #expect(try readStream(stream, requiring: right).batches.first?.schema == right)
        let wrong = [
            [Field("u", type: .text)], [Field("t", type: .blob)],
            [Field("t", type: .text), Field("u", type: .text)],
        ]
        for fields in wrong {
            let schema = try Schema(fields)
            let error = fault { () throws(TabularError) in try readStream(stream, requiring: schema) }
            #expect(error?.code == .schemaMismatch)
        }
    }

    @Test func nullsAreRefusedWhereNoneAreAllowed() throws {
        let strict = try Schema([Field("n", type: .integer, nullable: false)])
        let (good, nulls) = try (bytes("good.numbers"), bytes("good.nulls"))
        #expect(try readStream(good, requiring: strict).batches.count == 1)
        let error = fault { () throws(TabularError) in try readStream(nulls, requiring: strict) }
        #expect(error?.code == .unexpectedNull)
        #expect(error?.column == 0)
    }

    @Test func anErrorStays() throws {
        var reader = ArrowStreamReader()
        let (bad, good) = try (bytes("bad-offsets.falling"), bytes("good.text"))
        #expect(fault { () throws(TabularError) in try reader.feed(bad) }?.code == .badOffsets)
        #expect(fault { () throws(TabularError) in try reader.feed(good) }?.code == .badOffsets)
        #expect(fault { () throws(TabularError) in try reader.finish() }?.code == .badOffsets)
    }

    @Test func announcedSizesAreNotBelieved() throws {
        // A reader that took memory for what is announced would stop here: 1 TiB is announced, a few bytes come.
        let limits = ArrowLimits(metadataBytes: .max, bodyBytes: .max)
        let stream = try bytes("message-too-large.body").dropLast(8)
        let error = fault { () throws(TabularError) in try readStream(Array(stream), limits: limits) }
        #expect(error?.code == .truncated)
    }
}
