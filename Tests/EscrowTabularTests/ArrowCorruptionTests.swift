import EscrowTabular
import Testing

/// Streams damaged at random, with a fixed seed: the reader answers each, and a batch it lets through is sound.
@Suite struct ArrowCorruptionTests {
    @Test func damagedStreamsAreReadOrRefused() throws {
        let schema = try everyTypeSchema()
        var dice = SeededGenerator(seed: 9)
        var writer = ArrowStreamWriter(schema: schema)
        var whole: [UInt8] = []
        for size in [5, 0, 12] {
            whole += try writer.encode(randomBatch(schema, rows: size, using: &dice))
        }
        whole += writer.end()
        let limits = ArrowLimits(messages: 20, rows: 1_000, batchBytes: 1 << 20, totalBytes: 1 << 21)
        var refused = 0
        var read = 0
        for round in 0..<1_500 {
            var stream = whole
            switch round % 3 {
            case 0: stream.removeLast(Int.random(in: 1...whole.count, using: &dice))
            case 1:
                let place = Int.random(in: 0..<whole.count, using: &dice)
                stream[place] ^= UInt8.random(in: 1...255, using: &dice)
            default:
                for _ in 0..<Int.random(in: 2...8, using: &dice) {
                    stream[Int.random(in: 0..<whole.count, using: &dice)] =
                        [0, 1, 0x7F, 0x80, 0xFF]
                        .randomElement(using: &dice) ?? 0
                }
            }
            let pieces = [Int.max, 100, 9].randomElement(using: &dice) ?? 1
            var outcome: (schema: Schema?, batches: [Batch])?
            let error = fault { () throws(TabularError) in
                outcome = try readStream(stream, limits: limits, pieces: pieces)
            }
            if let outcome, error == nil, let schema = outcome.schema {
                read += 1
                // Every value can be touched, and what is written anew is read again.
                var writer = ArrowStreamWriter(schema: schema)
                var again: [UInt8] = []
                for batch in outcome.batches { again += try writer.encode(batch) }
                again += writer.end()
                let second = try readStream(again)
                #expect(canonical(schema, second.batches) == canonical(schema, outcome.batches))
            } else {
                refused += 1
            }
        }
        // Neither kind is rare: all 500 truncations are refused, many flips hit a value or padding.
        #expect(refused >= 500)
        #expect(read >= 100)
    }

    /// A plugin chooses the names and values in its stream, so no sentence may give them back.
    @Test func noSentenceHoldsANameOrAValue() throws {
        let schema = try Schema([
            Field("Rossini", type: .text), Field("Rossini's", type: .blob, origin: "Rossini"),
        ])
        let builder = BatchBuilder(schema: schema)
        for _ in 0..<5 {
            try builder.appendText("Rossini", to: 0)
            try builder.append(cell: .blob(Array("Rossini".utf8)), to: 1)
            try builder.endRow()
        }
        var writer = ArrowStreamWriter(schema: schema, metadata: [("Rossini", "Rossini")])
        let whole = try writer.encode(builder.finish()) + writer.end()
        var dice = SeededGenerator(seed: 12)
        var codes = Set<String>()
        let strict = try Schema([Field("Rossini", type: .text)])
        var sentences = [
            fault { () throws(TabularError) in try readStream(whole, requiring: strict) }?.description
        ]
        for _ in 0..<2_000 {
            var stream = whole
            stream[Int.random(in: 0..<whole.count, using: &dice)] = UInt8.random(
                in: 0...255, using: &dice)
            let error = fault { () throws(TabularError) in try readStream(stream) }
            if let error { codes.insert(error.code.description) }
            sentences.append(error?.description)
        }
        #expect(codes.count >= 8)
        for sentence in sentences.compactMap({ $0 }) { #expect(!sentence.contains("ossin")) }
    }
}
