import EscrowTabular
import Testing

@Suite struct ArrowRoundTripTests {
    /// A stream of batches of these sizes, and the batches.
    private func stream(_ sizes: [Int], seed: UInt64) throws -> (bytes: [UInt8], batches: [Batch]) {
        let schema = try everyTypeSchema()
        var dice = SeededGenerator(seed: seed)
        var writer = ArrowStreamWriter(schema: schema, metadata: [("purpose", "test")])
        var bytes: [UInt8] = []
        var batches: [Batch] = []
        for size in sizes {
            let batch = try randomBatch(schema, rows: size, using: &dice)
            bytes += try writer.encode(batch)
            batches.append(batch)
        }
        bytes += writer.end()
        #expect(writer.byteCount == bytes.count)
        #expect(writer.rowCount == sizes.reduce(0, +))
        return (bytes, batches)
    }

    @Test(arguments: [[], [0], [1], [0, 3, 0], [7, 8, 9], [63, 64, 65], [1_000, 500]])
    func whatIsWrittenIsRead(_ sizes: [Int]) throws {
        let schema = try everyTypeSchema()
        let (bytes, batches) = try stream(sizes, seed: 1)
        #expect(bytes.count % 8 == 0)
        let read = try readStream(bytes, requiring: schema)
        #expect(read.schema == schema)
        #expect(canonical(schema, read.batches) == canonical(schema, batches))
        for (mine, theirs) in zip(read.batches, batches) { #expect(mine.byteCount == theirs.byteCount) }
    }

    @Test(arguments: [1, 2, 7, 8, 64, 1_000])
    func aStreamMayBeCutAnywhere(_ pieces: Int) throws {
        let schema = try everyTypeSchema()
        let (bytes, batches) = try stream([3, 0, 20], seed: 2)
        let read = try readStream(bytes, requiring: schema, pieces: pieces)
        #expect(canonical(schema, read.batches) == canonical(schema, batches))
    }

    @Test func whatIsReadIsWrittenTheSame() throws {
        let schema = try everyTypeSchema()
        let (bytes, _) = try stream([5, 40], seed: 3)
        var writer = ArrowStreamWriter(schema: schema, metadata: [("purpose", "test")])
        var again: [UInt8] = []
        for batch in try readStream(bytes, requiring: schema).batches {
            again += try writer.encode(batch)
        }
        again += writer.end()
        #expect(again == bytes)
    }

    @Test func nothingIsWrittenButValues() throws {
        // Two builders with different pasts must give the same bytes: padding and nulls hold nothing of the past.
        let schema = try everyTypeSchema()
        var dice = SeededGenerator(seed: 4)
        let used = BatchBuilder(schema: schema, rowCapacity: 2)
        for (column, field) in schema.fields.enumerated() {
            switch field.type {
            case .text, .asset: try used.appendText("a secret of some length", to: column)
            case .blob: try used.append(cell: .blob(Array(repeating: 0xEE, count: 99)), to: column)
            case .boolean: try used.append(1, to: column)
            case .real: try used.append(Double.pi, to: column)
            case .integer, .timestamp: try used.append(0x0EEE_EEEE_EEEE, to: column)
            }
        }
        used.abandonRow()
        let fresh = BatchBuilder(schema: schema, rowCapacity: 64)
        let rows = try randomBatch(schema, rows: 11, nulls: 0.5, using: &dice)
        for builder in [used, fresh] {
            for row in 0..<rows.rowCount {
                for column in schema.fields.indices {
                    try builder.append(cell: rows.cell(row: row, column: column), to: column)
                }
                try builder.endRow()
            }
        }
        var one = ArrowStreamWriter(schema: schema)
        var other = ArrowStreamWriter(schema: schema)
        #expect(try one.encode(used.finish()) == other.encode(fresh.finish()))
    }

    @Test func rowsOfAnotherSchemaAreNotWritten() throws {
        let schema = try everyTypeSchema()
        let other = try Schema([Field("a", type: .integer)])
        var dice = SeededGenerator(seed: 5)
        let batch = try randomBatch(other, rows: 1, using: &dice)
        var writer = ArrowStreamWriter(schema: schema)
        #expect(fault { () throws(TabularError) in try writer.encode(batch) }?.code == .schemaMismatch)
        #expect(writer.byteCount == 0)
    }

    @Test func nothingIsWrittenAfterTheEnd() throws {
        let schema = try Schema([Field("a", type: .integer)])
        var dice = SeededGenerator(seed: 6)
        let batch = try randomBatch(schema, rows: 1, using: &dice)
        var writer = ArrowStreamWriter(schema: schema)
        #expect(writer.end().suffix(8) == [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
        #expect(writer.end().isEmpty)
        #expect(fault { () throws(TabularError) in try writer.encode(batch) }?.code == .afterEnd)
    }
}
