import EscrowDiagnostics
import EscrowSandbox
import EscrowTabular
import Testing

@testable import EscrowComputation

/// Rows on their way to a plugin: whole, in order, bounded, and read ahead in batches.
@Suite struct RowStreamTests {
    /// Numbers from 0, and how they were asked for.
    final class Numbers: RowProvider {
        let schema: Schema
        private(set) var reads = 0
        /// Thrown from now on.
        var failure: Diagnostic?
        private let count: Int
        private var next = 0

        init(_ count: Int) throws {
            self.count = count
            schema = try Schema([Field("n", type: .integer, origin: "test")])
        }

        func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
            if let failure { throw failure }
            guard next < count else { return nil }
            reads += 1
            let builder = BatchBuilder(schema: schema)
            do throws(TabularError) {
                for _ in 0..<min(maxRows, count - next) {
                    try builder.append(Int64(next), to: 0)
                    try builder.endRow()
                    next += 1
                }
            } catch { throw Diagnostic(.ownFault, "\(error)") }
            return builder.finish()
        }
    }

    private func take(all limit: Int, from stream: RowStream) throws -> [Int64] {
        var found: [Int64] = []
        while true {
            let (batch, more) = try stream.take(limit: limit)
            #expect(batch.rowCount <= limit)
            for row in 0..<batch.rowCount { found.append(batch.integer(row: row, column: 0)) }
            if !more { return found }
        }
    }

    @Test(arguments: [1, 2, 7, 511, 512, 513, 8191, 8192, 100_000], [0, 1, 511, 512, 513, 9000, 20_000])
    func everyRowComesOnceAndInOrder(limit: Int, count: Int) throws {
        let stream = RowStream(try Numbers(count), rows: count + 1, bytes: .max)
        #expect(try take(all: limit, from: stream) == (0..<Int64(count)).map { $0 })
        #expect(stream.rows == count)
        #expect(stream.bytes == count * 9)
    }

    @Test func aPluginOnAServerIsGivenMoreAtOnce() throws {
        func asks(isFar: Bool) throws -> Int {
            let stream = RowStream(try Numbers(50_000), rows: 50_000, bytes: .max, isFar: isFar)
            var asks = 1
            while try stream.take(limit: 8_192).more { asks += 1 }
            return asks
        }
        #expect(try asks(isFar: false) == 50)
        #expect(try asks(isFar: true) == 10)
    }

    @Test(arguments: [1, 513, 8192], [0, 1, 512, 9000, 40_000])
    func readingAheadChangesNoRow(limit: Int, count: Int) throws {
        let stream = RowStream(try Numbers(count), rows: count + 1, bytes: .max)
        var found: [Int64] = []
        while true {
            let (batch, more) = try stream.take(limit: limit)
            for row in 0..<batch.rowCount { found.append(batch.integer(row: row, column: 0)) }
            guard more else { break }
            stream.prefetch()
            stream.prefetch()
        }
        #expect(found == (0..<Int64(count)).map { $0 })
    }

    @Test func whatIsReadAheadIsTwoBatchesAndNoMore() throws {
        let numbers = try Numbers(1_000_000)
        let stream = RowStream(numbers, rows: 1_000_000, bytes: .max)
        stream.prefetch()
        #expect(numbers.reads == 0, "nothing was asked for")
        _ = try stream.take(limit: 8_192)
        #expect(numbers.reads == 2)
        for _ in 0..<5 { stream.prefetch() }
        #expect(numbers.reads == 3)
        _ = try stream.take(limit: 8_192)
        #expect(numbers.reads == 3, "the next rows were there")
    }

    @Test func aFaultOfRowsReadAheadShowsWhenTheyAreAskedFor() throws {
        let numbers = try Numbers(1_000_000)
        let stream = RowStream(numbers, rows: 1_000_000, bytes: .max)
        _ = try stream.take(limit: 8_192)
        numbers.failure = Diagnostic(.sourceUnreadable, "the source is gone")
        stream.prefetch()
        #expect {
            _ = try stream.take(limit: 8_192)
        } throws: {
            if case RowStream.Stop.failed(let diagnostic) = $0 {
                diagnostic.code == .sourceUnreadable
            } else {
                false
            }
        }
    }

    @Test func rowByRowTheProviderIsAskedForBatches() throws {
        let numbers = try Numbers(20_000)
        _ = try take(all: 1, from: RowStream(numbers, rows: 20_000, bytes: .max))
        #expect(numbers.reads == 40)
    }

    @Test(arguments: [1, 7, 10, 100]) func theLimitOfRowsIsThatManyAndNoMore(limit: Int) throws {
        let exact = RowStream(try Numbers(10), rows: 10, bytes: .max)
        #expect(try take(all: limit, from: exact).count == 10)
        let numbers = try Numbers(1_000_000)
        let more = RowStream(numbers, rows: 10, bytes: .max)
        #expect {
            _ = try take(all: limit, from: more)
        } throws: {
            if case RowStream.Stop.limit(.rows) = $0 { true } else { false }
        }
        #expect(more.rows <= 10)
        // Of a million rows, one more than the limit was read.
        #expect(numbers.reads == 1)
    }

    @Test func theLimitOfBytesIsThatManyAndNoMore() throws {
        let exact = RowStream(try Numbers(10), rows: 10, bytes: 90)
        #expect(try take(all: 3, from: exact).count == 10)
        let less = RowStream(try Numbers(10), rows: 10, bytes: 89)
        #expect {
            _ = try take(all: 3, from: less)
        } throws: {
            if case RowStream.Stop.limit(.data) = $0 { true } else { false }
        }
        #expect(less.rows == 9 && less.bytes == 81)
    }

    @Test func aMinimumIsReadAheadAndNothingIsLost() throws {
        let stream = RowStream(try Numbers(2000), rows: 2000, bytes: .max)
        try stream.require(minimum: 1500, plugin: "p")
        #expect(stream.rows == 0)
        #expect(try take(all: 300, from: stream).count == 2000)
        #expect(throws: Diagnostic(.tooFewRowsForPlugin, "")) {
            try RowStream(try Numbers(9), rows: 100, bytes: .max).require(minimum: 10, plugin: "p")
        }
        #expect {
            try RowStream(try Numbers(900), rows: 5, bytes: .max).require(minimum: 10, plugin: "p")
        } throws: {
            ($0 as? Diagnostic)?.message == "p computes over 10 rows at least, and the limit is 5"
        }
    }

    @Test func aMinimumIsHeldOnlyAsFarAsMemoryIsBounded() throws {
        let numbers = try Numbers(1_000_000)
        let stream = RowStream(numbers, rows: 1_000_000, bytes: .max, waiting: 100_000)
        #expect(throws: Diagnostic(.rowByteLimit, "")) { try stream.require(minimum: 900_000, plugin: "p") }
        // Of 512 rows and ever 1 024 more, at 9 bytes a row, the twelfth batch brought it past 100 000 bytes.
        #expect(numbers.reads == 12)
        let enough = RowStream(try Numbers(1_000_000), rows: 1_000_000, bytes: .max, waiting: 100_000)
        try enough.require(minimum: 8_704, plugin: "p")
    }
}
