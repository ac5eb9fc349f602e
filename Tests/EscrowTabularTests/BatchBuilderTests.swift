import Testing

@testable import EscrowTabular

@Suite struct BatchBuilderTests {
    let schema: Schema

    init() throws {
        schema = try Schema(ColumnType.allCases.map { Field($0.rawValue, type: $0) })
    }

    private func column(_ type: ColumnType) throws -> Int {
        try #require(schema.column(named: type.rawValue))
    }

    @Test func valuesOfEveryTypeComeBack() throws {
        let builder = BatchBuilder(schema: schema)
        try builder.append(.min, to: column(.integer))
        try builder.append(-1.5, to: column(.real))
        try builder.appendText("Müller 🙂", to: column(.text))
        try builder.append(cell: .blob([0, 255]), to: column(.blob))
        try builder.append(1, to: column(.boolean))
        try builder.append(-1, to: column(.timestamp))
        try builder.appendText("photo:1", to: column(.asset))
        try builder.endRow()
        try builder.endRow()
        let batch = builder.finish()
        #expect(batch.rowCount == 2)
        #expect(try batch.cell(row: 0, column: column(.integer)) == .integer(.min))
        #expect(try batch.cell(row: 0, column: column(.real)) == .real(-1.5))
        #expect(try batch.cell(row: 0, column: column(.text)) == .text("Müller 🙂"))
        #expect(try batch.cell(row: 0, column: column(.blob)) == .blob([0, 255]))
        #expect(try batch.cell(row: 0, column: column(.boolean)) == .integer(1))
        #expect(try batch.cell(row: 0, column: column(.timestamp)) == .integer(-1))
        #expect(
            try batch.timestamp(row: 0, column: column(.timestamp))?.iso8601 == "1969-12-31T23:59:59.999Z"
        )
        #expect(try batch.cell(row: 0, column: column(.asset)) == .text("photo:1"))
        for index in schema.fields.indices {
            #expect(batch.cell(row: 1, column: index) == .null)
            #expect(batch.nullCount(column: index) == 1)
        }
    }

    @Test func aBuilderIsUsedAgainAfterFinish() throws {
        let builder = BatchBuilder(schema: schema, rowCapacity: 1)
        for round in 0..<3 {
            for row in 0..<100 {
                try builder.append(Int64(row * round), to: column(.integer))
                if row % 3 > 0 { try builder.appendText(String(row), to: column(.text)) }
                try builder.endRow()
            }
            let counted = builder.byteCount
            let batch = builder.finish()
            #expect(batch.byteCount == counted)
            #expect(builder.rowCount == 0 && builder.byteCount == 0)
            #expect(batch.rowCount == 100)
            #expect(try batch.nullCount(column: column(.text)) == 34)
            #expect(try batch.integer(row: 99, column: column(.integer)) == Int64(99 * round))
            #expect(try batch.text(row: 98, column: column(.text)) == "98")
            #expect(try batch.text(row: 99, column: column(.text)) == "")
        }
    }

    @Test func valuesOfAnotherTypeAreRefused() throws {
        let builder = BatchBuilder(schema: schema)
        let cells: [ColumnType: [Cell]] = [
            .integer: [.real(1), .text("1"), .blob([1])],
            .real: [.text("1"), .blob([1]), .integer(.max)],
            .text: [.integer(1), .real(1), .blob([1])],
            .asset: [.integer(1), .real(1), .blob([1])],
            .blob: [.integer(1), .real(1), .text("1")],
            .boolean: [.real(1), .text("1"), .blob([1])],
            .timestamp: [.real(1), .blob([1])],
        ]
        #expect(cells.count == ColumnType.allCases.count)
        for (type, wrong) in cells {
            for cell in wrong {
                let column = try column(type)
                #expect(
                    fault { () throws(TabularError) in try builder.append(cell: cell, to: column) }?.code
                        == .wrongType)
            }
        }
        try builder.endRow()
        #expect(builder.finish().rowCount == 1)
    }

    @Test func valuesOutOfRangeAreRefused() throws {
        let builder = BatchBuilder(schema: schema)
        let (boolean, timestamp, text) = try (column(.boolean), column(.timestamp), column(.text))
        #expect(
            fault { () throws(TabularError) in try builder.append(2, to: boolean) }?.code == .notBoolean)
        #expect(
            fault { () throws(TabularError) in try builder.append(.max, to: timestamp) }?.code
                == .notTimestamp)
        #expect(
            fault { () throws(TabularError) in try builder.appendText("now", to: timestamp) }?.code
                == .notTimestamp)
        let broken: [UInt8] = [0x61, 0xC3]
        #expect(
            fault { () throws(TabularError) in
                var refused: TabularError?
                broken.withUnsafeBytes { raw in
                    do throws(TabularError) { try builder.appendText(raw, to: text) } catch {
                        refused = error
                    }
                }
                if let refused { throw refused }
            }?.code == .notUTF8)
    }

    @Test func aRowHasOneValueAColumn() throws {
        let builder = BatchBuilder(schema: schema)
        let integer = try column(.integer)
        try builder.append(1, to: integer)
        #expect(
            fault { () throws(TabularError) in try builder.append(2, to: integer) }?.code == .valueTwice)
        #expect(
            fault { () throws(TabularError) in try builder.appendNull(to: integer) }?.code == .valueTwice)
    }

    @Test func aColumnWithoutNullsRefusesThem() throws {
        let strict = try Schema([Field("a", type: .text, nullable: false), Field("b", type: .integer)])
        let builder = BatchBuilder(schema: strict)
        try builder.append(1, to: 1)
        let error = fault { () throws(TabularError) in try builder.endRow() }
        #expect(error?.code == .unexpectedNull)
        #expect(
            error?.description == "column 0, row 0: the column holds no nulls, but this value is null")
        #expect(
            fault { () throws(TabularError) in try builder.appendNull(to: 0) }?.code == .unexpectedNull)
    }

    @Test func anAbandonedRowLeavesNothing() throws {
        let builder = BatchBuilder(schema: schema)
        let (text, integer) = try (column(.text), column(.integer))
        try builder.appendText("kept", to: text)
        try builder.endRow()
        let before = builder.byteCount
        try builder.appendText("dropped", to: text)
        try builder.appendNull(to: integer)
        builder.abandonRow()
        #expect(builder.byteCount == before)
        try builder.append(7, to: integer)
        try builder.endRow()
        try builder.appendText("begun, never ended", to: text)
        let batch = builder.finish()
        #expect(batch.rowCount == 2)
        #expect(batch.cell(row: 1, column: text) == .null)
        #expect(batch.cell(row: 1, column: integer) == .integer(7))
        #expect(batch.nullCount(column: integer) == 1)
    }

    @Test func bytesAreCheckedBeforeTheyAreCopied() throws {
        let one = try Schema([Field("a", type: .text)])
        let builder = BatchBuilder(schema: one, byteLimit: 10)
        try builder.appendText("0123456789", to: 0)
        try builder.endRow()
        #expect(
            fault { () throws(TabularError) in try builder.appendText("x", to: 0) }?.code
                == .batchTooLarge)
        try builder.appendText("", to: 0)
        try builder.endRow()
        #expect(builder.rowCount == 2)
        _ = builder.finish()
        try builder.appendText("0123456789", to: 0)
    }

    @Test func integersBecomeFloatsOnlyIfExact() throws {
        let one = try Schema([Field("a", type: .real)])
        let builder = BatchBuilder(schema: one)
        try builder.append(Int64(1) << 53, to: 0)
        try builder.endRow()
        #expect(
            fault { () throws(TabularError) in try builder.append((Int64(1) << 53) + 1, to: 0) }?.code
                == .wrongType)
        #expect(builder.finish().real(row: 0, column: 0) == 9_007_199_254_740_992)
    }

    @Test func everyNaNIsTheSame() throws {
        let one = try Schema([Field("a", type: .real)])
        let builder = BatchBuilder(schema: one)
        try builder.append(Double(nan: 0x1234, signaling: false), to: 0)
        try builder.endRow()
        #expect(builder.finish().real(row: 0, column: 0).bitPattern == Double.nan.bitPattern)
    }

    @Test func wholeColumnsAreScanned() throws {
        let two = try Schema([Field("i", type: .integer), Field("r", type: .real)])
        let builder = BatchBuilder(schema: two)
        for row in 0..<100 {
            if row % 2 == 0 { try builder.append(Int64(row), to: 0) }
            try builder.append(Double(row), to: 1)
            try builder.endRow()
        }
        let batch = builder.finish()
        #expect(batch.withIntegers(column: 0) { $0.reduce(0, +) } == 2_450)
        #expect(batch.withReals(column: 1) { $0.reduce(0, +) } == 4_950)
    }

    @Test func schemasAreChecked() {
        #expect(throws: TabularError(.nameTooLong)) {
            try Schema([Field(String(repeating: "n", count: Schema.maximumNameBytes + 1), type: .integer)]
            )
        }
        #expect(throws: TabularError(.columnCount)) { try Schema([]) }
        #expect(throws: TabularError(.columnCount)) {
            try Schema((0...Schema.maximumColumns).map { Field("c\($0)", type: .integer) })
        }
        #expect(throws: TabularError(.duplicateName)) {
            try Schema([Field("a", type: .integer), Field("b", type: .integer), Field("a", type: .text)])
        }
    }
}
