import EscrowDiagnostics
import EscrowMinimisation
import EscrowRelational
import EscrowSchema
import EscrowTabular
import Testing

@Suite("deresolve, round_to, pseudonym and in_sample in a query") struct CoarseFunctionTests {
    private func one(_ expression: String, _ value: Cell = .null, hash: KeyedHash? = KeyedHash(mixingDigest))
        throws -> Cell
    {
        let uses = expression.contains(":v")
        let rows = try Access(
            AccessRequest(
                sql: "SELECT \(expression) AS x", parameters: uses ? ["v": value] : [:], hash: hash),
            tables: [], assets: AssetTable()
        ).allRows()
        return try #require(rows.first?.first)
    }

    @Test("deresolve keeps a moment or a date down to a part")
    func deresolve() throws {
        let moment = Cell.text("2026-11-21T09:48:17.123Z")
        #expect(try one("deresolve(:v, 'hour')", moment) == .text("2026-11-21T09:00:00.000Z"))
        #expect(try one("deresolve(:v, 'year')", .text("1996-04-15")) == .text("1996"))
        #expect(try one("deresolve(:v, 'year')", .text("--04-15")) == .null)
        #expect(try one("deresolve(:v, 'year')", .null) == .null)
        #expect(try one("deresolve(:v, 'year')", .integer(1996)) == .text("1996"))
    }

    @Test("round_to rounds numbers of both kinds, to tens and hundreds as well")
    func roundTo() throws {
        #expect(try one("round_to(:v, 1)", .real(48.1372)) == .real(48.1))
        #expect(try one("round_to(:v, -3)", .integer(22_341)) == .integer(22_000))
        #expect(try one("round_to(:v, -1)", .text("1234")) == .integer(1_230))
        #expect(try one("round_to(:v, 0)", .null) == .null)
        #expect(try one("round_to(:v, 0)", .text("x")) == .null)
    }

    @Test("pseudonym is stable, and none that a coarse table makes")
    func pseudonym() throws {
        let hash = KeyedHash(mixingDigest)
        guard case .text(let text) = try one("pseudonym(:v)", .text("c1")) else {
            Issue.record("no text")
            return
        }
        #expect(text.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        #expect(try one("pseudonym(:v)", .text("c1")) == .text(text))
        #expect(text != String(decoding: hash.pseudonym(.pseudonym, text: Array("c1".utf8)), as: UTF8.self))
        #expect(try one("pseudonym(:v)", .null) == .null)
        guard case .integer(let number) = try one("pseudonym(:v)", .integer(7)) else {
            Issue.record("no number")
            return
        }
        #expect((0..<(1 << 53)).contains(number) && number != hash.pseudonym(.pseudonym, integer: 7))
    }

    @Test("in_sample takes the same records each time, and all of a smaller sample")
    func inSample() throws {
        let source = RandomQuery.source("a", rows: 60, seed: 1)
        func ids(_ share: String) throws -> Set<[Cell]> {
            Set(
                try Access(
                    AccessRequest(
                        sql: "SELECT id FROM a WHERE in_sample(id, \(share))", hash: KeyedHash(mixingDigest)),
                    tables: [source], assets: AssetTable()
                ).allRows())
        }
        let half = try ids("0.5")
        #expect((15...45).contains(half.count))
        #expect(try ids("0.5") == half)
        #expect(try ids("0.2").isSubset(of: half))
    }

    @Test(
        "What they cannot work with is an error that names no value",
        arguments: [
            "deresolve(:v, 'week')", "deresolve(:v, NULL)", "round_to(1.5, 13)", "round_to(1.5, 'x')",
            "in_sample(:v, 1)",
            "in_sample(:v, 0.0)", "in_sample(:v, 7.5)",
        ])
    func misuse(_ expression: String) throws {
        let error = try #require(throws: Diagnostic.self) { try one(expression, .text("secret")) }
        #expect(error.code == .notComputable && !"\(error)".contains("secret"))
    }

    @Test("Without a key there are no pseudonyms and no samples")
    func withoutAKey() {
        #expect(throws: Diagnostic(.notComputable, "")) { try one("pseudonym(:v)", .text("x"), hash: nil) }
        #expect(throws: Diagnostic(.notComputable, "")) {
            try one("in_sample(:v, 0.5)", .text("x"), hash: nil)
        }
    }
}
