import EscrowJSON
import EscrowTabular
import EscrowWire
import Testing

@Suite struct FilterTests {
    private static func batch() throws -> Batch {
        let builder = BatchBuilder(
            schema: try Schema([
                .init("i", type: .integer), .init("t", type: .text), .init("b", type: .blob),
                .init("f", type: .boolean), .init("m", type: .timestamp), .init("r", type: .real),
            ]))
        try builder.append(.max, to: 0)
        try builder.appendText("a \"b\",\nc", to: 1)
        try builder.append(cell: .blob([0, 255]), to: 2)
        try builder.append(1, to: 3)
        try builder.append(0, to: 4)
        try builder.append(-Double.infinity, to: 5)
        try builder.endRow()
        try builder.appendText("", to: 1)
        try builder.endRow()
        return builder.finish()
    }

    private static func input(_ form: FilterForm) throws -> String {
        let batch = try batch()
        var encoder = FilterEncoder(form: form, schema: batch.schema)
        return String(decoding: encoder.start() + (try encoder.encode(batch)) + encoder.end(), as: UTF8.self)
    }

    @Test func linesOfJSONNameTheColumns() throws {
        #expect(
            try Self.input(.ndjson) == #"""
                {"i":{"i64":"9223372036854775807"},"t":"a \"b\",\nc","b":{"b64":"AP8="},"f":true,"m":"1970-01-01T00:00:00.000Z","r":{"f64":"-inf"}}
                {"i":null,"t":"","b":null,"f":null,"m":null,"r":null}

                """#)
    }

    @Test func commaSeparatedValuesTellNullFromEmptyText() throws {
        #expect(
            try Self.input(.csv)
                == "i,t,b,f,m,r\n9223372036854775807,\"a \"\"b\"\",\nc\",AP8=,true,1970-01-01T00:00:00.000Z,-inf\n,\"\",,,,\n"
        )
    }

    @Test func anArrowFilterGetsOneWholeStream() throws {
        let batch = try Self.batch()
        var encoder = FilterEncoder(form: .arrow, schema: batch.schema)
        var reader = ArrowStreamReader(requiring: batch.schema)
        let read = try reader.feed(encoder.start() + encoder.encode(batch) + encoder.end())
        try reader.finish()
        #expect(read.map(\.rowCount) == [2])
    }

    private static let columns: [(name: String, type: ColumnType)] = [("n", .integer), ("t", .text)]

    private static func rows(_ text: String, _ form: FilterForm, maxRows: Int = 3) throws -> [[JSONValue]] {
        let reader = FilterResult(
            kind: .table, form: form, columns: columns, maxRows: maxRows, resultBytes: 1_000)
        guard case .rows(let rows) = try reader.decode(Array(text.utf8)) else { return [] }
        return rows
    }

    @Test(arguments: [
        "{\"n\":1,\"t\":\"a,b\"}\n[2,null]\n", "{\"t\":\"a,b\",\"n\":1}\n{\"n\":2}",
    ])
    func readsATableFromLinesOfJSON(text: String) throws {
        #expect(try Self.rows(text, .ndjson) == [[1, "a,b"], [2, nil]])
    }

    @Test(arguments: ["n,t\n1,\"a,b\"\n2,\n", "n,t\r\n1,\"a,b\"\r\n2,", "\"n\",\"t\"\n1,\"a,b\"\n2,\n"])
    func readsATableFromCSV(text: String) throws {
        #expect(try Self.rows(text, .csv) == [[1, "a,b"], [2, nil]])
    }

    @Test(arguments: [
        ("t,n\n", FilterForm.csv, WireError.Code.wrongResult), ("n,t\n1\n", .csv, .wrongResult),
        ("n,t\n1,a,b\n", .csv, .wrongResult), ("n,t\n1,\"a\n", .csv, .wrongResult), ("", .csv, .noResult),
        ("n,t\n1,a\"b\n", .csv, .wrongResult), ("n,t\n1,\"a\"b\n", .csv, .wrongResult),
        ("n,t\n1.5,a\n", .csv, .wrongResult), ("n,t\n1,a\rb\n", .csv, .wrongResult),
        ("n,t\n1,\n2,\n3,\n4,\n", .csv, .resultTooLarge), ("1\n", .ndjson, .wrongResult),
        ("{\"n\":1,\"x\":2}\n", .ndjson, .wrongResult), ("[1]\n", .ndjson, .wrongResult),
        ("{\"n\":1\n", .ndjson, .wrongResult), ("[1,\"a\"]\n\n[2,\"b\"]\n", .ndjson, .noResult),
        ("[1,null]\n[1,null]\n[1,null]\n[1,null]\n", .ndjson, .resultTooLarge),
    ])
    func refusesATableThatIsNotTheDeclaredOne(text: String, form: FilterForm, code: WireError.Code) {
        #expect(throws: WireError(code, line: 0, "")) { try Self.rows(text, form) }
    }

    @Test func aRecordIsOneObject() throws {
        let reader = FilterResult(kind: .record, form: .ndjson, resultBytes: 100)
        guard case .json(let node) = try reader.decode(Array("{\n  \"n\": 1\n}\n".utf8)) else {
            Issue.record("no record")
            return
        }
        #expect(node.value == ["n": 1])
        for (text, code) in [("[1]", WireError.Code.wrongResult), ("{}{}", .wrongResult), (" \n", .noResult)]
        {
            #expect(throws: WireError(code, line: 0, "")) { try reader.decode(Array(text.utf8)) }
        }
        #expect(throws: WireError(.resultTooLarge, line: 0, "")) {
            try reader.decode([UInt8](repeating: 0x20, count: 2_000))
        }
    }

    @Test func aTextLosesOneLineEnd() throws {
        let reader = FilterResult(kind: .text, form: .ndjson, resultBytes: 100)
        for (text, expected) in [("a\n", "a"), ("a\n\n", "a\n"), ("a", "a"), ("", "")] {
            guard case .bytes(let bytes, nil) = try reader.decode(Array(text.utf8)) else {
                Issue.record("no text")
                return
            }
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
        }
    }
}
