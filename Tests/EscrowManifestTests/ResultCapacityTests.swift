import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import Glibc
import Testing

/// Small result schemas, and every result that the host can write for them: as many as are announced, no more.
@Suite("No result carries more than it says")
struct ResultCapacityTests {
    /// A schema of the kind at hand, with everything that a plugin may try for a field.
    struct Field {
        let text: String
        let attempts: [String]
        /// Whether the attempts find all there is.
        let isWhole: Bool
    }

    @Test("Bounds off the grid of decimals leave no number beside it")
    func boundsOffTheGrid() throws {
        // Told as 13 bits, it carried one in each of 4 096 rows: 0.0049999 rounds to 0.00 and 0.0050001 to 0.01, and each
        // came out as the bound next to it.
        let attack = Self.table(
            [
                Field(
                    text: #""type": "real", "min": 0.0049999, "max": 0.0050001, "decimals": 2"#, attempts: [],
                    isWhole: true)
            ],
            rows: 4_096, orderBy: [])
        #expect(throws: Diagnostic(.membersContradict, "")) { try ResultSchemaTests.schema(attack) }
        // Both bounds lie off the grid, and 0.01 alone between them.
        let near = Field(
            text: #""type": "real", "min": 0.0049999, "max": 0.0150001, "decimals": 2"#, attempts: [],
            isWhole: true)
        let schema = try ResultSchemaTests.schema(Self.record([near]))
        #expect(schema.capacityBits == 0)
        for number in ["0.005", "0.0049999", "0.01", "0.0150001"] {
            let result = try schema.normalize(JSONParser.parse(#"{"f0":\#(number)}"#.utf8))
            #expect(String(decoding: result.bytes, as: UTF8.self) == #"{"f0":0.01}"#)
        }
    }

    @Test(
        "Records, lists and tables of all types: what can be written is what is announced", arguments: 0..<80
    )
    func count(seed: UInt64) throws {
        var random = Seeded(seed)
        let fields = (0..<Int.random(in: 1...2, using: &random)).map { _ in Self.field(&random) }
        let isTable = Bool.random(using: &random)
        let rows = Int.random(in: 1...3, using: &random)
        let names = fields.indices.filter { !fields[$0].text.contains("items") }.map { "f\($0)" }
            .filter { _ in Bool.random(using: &random) }
        let schema = try ResultSchemaTests.schema(
            isTable
                ? Self.table(
                    fields, rows: rows,
                    orderBy: names.map { Bool.random(using: &random) ? $0 : "\($0) desc" })
                : Self.record(fields))
        // What a field tries is found out one field at a time: each way to say a value that is taken.
        var cells: [[String]] = []
        for field in fields { cells.append(try Self.taken(field)) }
        let rowTexts = cells.reduce([[]]) { rows, cells in rows.flatMap { row in cells.map { row + [$0] } } }
        var found: Set<[UInt8]> = []
        func write(_ text: String) throws {
            guard let result = try? schema.normalize(JSONParser.parse(Array(text.utf8))) else { return }
            found.insert(result.bytes)
        }
        if isTable {
            let lines = rowTexts.prefix(14).map { "[\($0.joined(separator: ","))]" }
            var tables: [[String]] = [[]]
            try write(#"{"rows":[]}"#)
            for _ in 0..<rows {
                tables = tables.flatMap { table in lines.map { table + [$0] } }
                guard tables.count <= 3_000 else { break }
                for table in tables { try write(#"{"rows":[\#(table.joined(separator: ","))]}"#) }
            }
        } else {
            for row in rowTexts {
                let members = row.enumerated().map { #""f\#($0.offset)":\#($0.element)"# }
                try write("{\(members.joined(separator: ","))}")
            }
        }
        let bits = log2(Double(found.count))
        #expect(bits <= Double(schema.capacityBits) + 1e-9, "\(found.count) results")
        let isWhole = fields.allSatisfy(\.isWhole) && (!isTable || rowTexts.count <= 14)
        if isWhole {
            #expect(Int((bits - 1e-9).rounded(.up)) == schema.capacityBits, "\(found.count) results")
        }
    }

    @Test("Rows in any order, composed or not, are one result")
    func order() throws {
        let column = Field(text: #""type": "text", "maxLength": 4"#, attempts: [], isWhole: false)
        for orderBy in [[], ["f0"], ["f1 desc"]] {
            let schema = try ResultSchemaTests.schema(
                Self.table([column, column], rows: 4, orderBy: orderBy))
            let rows = [
                [#"["\u00e9","1"]"#, #"["e\u0301","1"]"#], [#"["f","1"]"#],
                [#"["\uac00","2"]"#, #"["\u1100\u1161","2"]"#],
                [#"["f","0"]"#],
            ]
            var found: Set<[UInt8]> = []
            for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]] {
                for spelling in 0..<4 {
                    let texts = order.map { row in
                        rows[row][rows[row].count > 1 ? spelling >> (row / 2) & 1 : 0]
                    }
                    let text = #"{"rows":[\#(texts.joined(separator: ","))]}"#
                    found.insert(try schema.normalize(JSONParser.parse(Array(text.utf8))).bytes)
                }
            }
            #expect(found.count == 1)
        }
    }

    @Test("A large table is announced as what it holds, not as what its rows could hold apart")
    func large() throws {
        let bit = Field(text: #""type": "boolean""#, attempts: [], isWhole: true)
        // Of 4 096 rows of one bit only how many are true, and how many there are, is left: 4 098 · 4 097 / 2.
        #expect(try ResultSchemaTests.schema(Self.table([bit], rows: 4_096, orderBy: [])).capacityBits == 24)
        let number = Field(text: #""type": "integer", "min": 0, "max": 65535"#, attempts: [], isWhole: true)
        // 65 536 + 2 000 over 2 000, by the exact logarithm: 12 990.6.
        let bits = try ResultSchemaTests.schema(Self.table([number], rows: 2_000, orderBy: [])).capacityBits
        #expect((12_991...13_002).contains(bits))
    }

    // MARK: Schemas

    static func record(_ fields: [Field]) -> String {
        let members = fields.enumerated().map { #""f\#($0.offset)": { \#($0.element.text) }"# }
        return #"{ "kind": "record", "maxBytes": 65536, "fields": { \#(members.joined(separator: ", ")) } }"#
    }

    static func table(_ fields: [Field], rows: Int, orderBy: [String]) -> String {
        let columns = fields.enumerated().map { #"{ "name": "f\#($0.offset)", \#($0.element.text) }"# }
        let order = orderBy.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            { "kind": "table", "maxBytes": 65536, "maxRows": \(rows), "orderBy": [\(order)],
              "columns": [\(columns.joined(separator: ", "))] }
            """
    }

    /// Two ways at most to say each value that the field takes.
    static func taken(_ field: Field) throws -> [String] {
        let schema = try ResultSchemaTests.schema(record([field]))
        var ways: [[UInt8]: Int] = [:]
        var taken: [String] = []
        for attempt in field.attempts {
            guard let node = try? JSONParser.parse(Array(#"{"f0":\#(attempt)}"#.utf8)),
                let bytes = try? schema.normalize(node).bytes
            else { continue }
            ways[bytes, default: 0] += 1
            if ways[bytes] ?? 0 == 1 { taken.append(attempt) }
        }
        #expect(!taken.isEmpty)
        return taken
    }

    private static func field(_ random: inout Seeded) -> Field {
        let inner = scalar(&random)
        let isList = Int.random(in: 0..<5, using: &random) == 0 && inner.attempts.count <= 400
        var field = inner
        if isList {
            // Lists of what is taken, up to two of it; as many values as fit into the time.
            let values = Array(((try? taken(inner)) ?? []).prefix(12))
            let whole = ((try? taken(inner)) ?? []).count <= 12 && inner.isWhole
            let lists = [""] + values + values.flatMap { first in values.map { "\(first),\($0)" } }
            field = Field(
                text: #""type": "list", "maxItems": 2, "items": { \#(inner.text) }"#,
                attempts: lists.map { "[\($0)]" }, isWhole: whole)
        }
        guard Bool.random(using: &random) else { return field }
        return Field(
            text: field.text + #", "nullable": true"#, attempts: field.attempts + ["null"],
            isWhole: field.isWhole)
    }

    private static func scalar(_ random: inout Seeded) -> Field {
        let low = Int.random(in: -3...3, using: &random)
        switch Int.random(in: 0..<7, using: &random) {
        case 0:
            return Field(
                text: #""type": "boolean""#, attempts: ["true", "false", "0", "1", "2", "0.0"], isWhole: true)
        case 1:
            let high = low + Int.random(in: 0...4, using: &random)
            return Field(
                text: #""type": "integer", "min": \#(low), "max": \#(high)"#,
                attempts: (-9...9).flatMap { ["\($0)", "\($0).0", #"{"i64":"\#($0)"}"#] }, isWhole: true)
        case 2:
            return Field(
                text: #""type": "integer", "oneOf": [1, 5, -7]"#,
                attempts: (-9...9).map(String.init), isWhole: true)
        case 3, 4:
            // Bounds on the grid, between two of its points, and a hair beside one.
            let decimals = Int.random(in: 0...2, using: &random)
            let scale = pow(10, Double(decimals))
            let hairs: [Double] = [0, 1e-7, -1e-7, 0.3]
            let hair = hairs[Int.random(in: 0..<4, using: &random)]
            let halves = Double(Int.random(in: 2...8, using: &random)) / 2
            let start = Double(low)
            let from: Double = (start + hair) / scale
            let to: Double = (start + halves - hair) / scale
            let text = #""type": "real", "min": \#(from), "max": \#(to), "decimals": \#(decimals)"#
            let sample = record([Field(text: text, attempts: [], isWhole: true)])
            guard (try? ResultSchemaTests.schema(sample)) != nil else { return scalar(&random) }
            var numbers: [Double] = [from, to]
            for step in -80...160 {
                let number: Double = start + Double(step) / 20
                numbers.append(number / scale)
            }
            let around = numbers.flatMap { number in [number, number.nextUp, number.nextDown, -number] }
            let attempts = around.map { "\($0)" }.filter { $0 != "-0.0" }
            return Field(
                text: text, attempts: attempts + ["0", "1", "-1"], isWhole: true)
        case 5:
            return Field(
                text: #""type": "text", "oneOf": ["a", "\u00e9", "K"]"#,
                attempts: [#""a""#, #""\u00e9""#, #""e\u0301""#, #""K""#, #""\u212a""#, #""""#], isWhole: true
            )
        default:
            let isText = Bool.random(using: &random)
            if isText {
                return Field(
                    text: #""type": "text", "maxLength": 2"#,
                    attempts: [
                        #""""#, #""a""#, #""\u00e9""#, #""e\u0301""#, #""K""#, #""\u212a""#, #""a\u200b""#,
                        #""\u202e""#,
                        #""\ufeff""#, #""\u0000""#, #""\u001b""#, #""ab""#, #""abc""#,
                    ], isWhole: false)
            }
            let bytes = (0...255).map { #"{"b64":"\#(Base64.encode([UInt8($0)]))"}"# }
            return Field(
                text: #""type": "blob", "maxLength": 1"#,
                attempts: [#"{"b64":""}"#, #"{"b64":"AAA="}"#] + bytes,
                isWhole: true)
        }
    }
}

/// The same numbers each time.
private struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
