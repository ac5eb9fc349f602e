import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowRelational

@Suite("The three engines answer alike")
struct EngineTests {
    /// Statements over each schema.
    private static let statementsPerSchema = 60

    /// What was really used, so that the test cannot pass by testing nothing.
    struct Usage {
        var statements = 0, rows = 0, failing = 0, refused = 0
        var terms = 0, exact = 0, lists = 0, orders = 0, limits = 0, lookups = 0, pruned = 0, reused = 0
    }

    @Test("each row for row as plain tables of SQLite do, over random schemas, data and statements")
    func sameRows() throws {
        // ESCROW_STATEMENTS=300000 for the long mode, ESCROW_SEED=7 for other schemas, ESCROW_SCRIPTS=1 for the tables of
        // a mismatch as a script for SQLite's shell.
        let wanted = Self.number("ESCROW_STATEMENTS") ?? 1_500
        let first = UInt64(Self.number("ESCROW_SEED") ?? 1)
        var usage = Usage()
        var seed = first
        while usage.statements < wanted {
            try compare(schema: seed &* 1_000_003, &usage)
            seed += 1
        }
        print(
            "compared \(usage.statements) statements of \(seed - first) schemas, \(usage.rows) rows: "
                + "\(usage.terms) with terms pushed down (\(usage.exact) exact, \(usage.lists) with IN), "
                + "\(usage.orders) with an order, \(usage.limits) with a limit, \(usage.lookups) with an index, "
                + "\(usage.pruned) pruned by the source; \(usage.failing) end in an error everywhere, "
                + "\(usage.refused) are refused everywhere; \(usage.reused) read kept tables")
        let floor = usage.statements / 100
        let counts = [
            ("terms", usage.terms), ("exact terms", usage.exact), ("lists", usage.lists),
            ("orders", usage.orders),
            ("limits", usage.limits), ("lookups", usage.lookups), ("pruning", usage.pruned),
            ("refusals", usage.refused),
            ("kept tables", usage.reused),
        ]
        for (name, count) in counts { #expect(count >= floor, "\(name): used \(count) times") }
        #expect(usage.rows > usage.statements)
        #expect(usage.failing < usage.statements / 20)
    }

    private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

    private func compare(schema seed: UInt64, _ usage: inout Usage) throws {
        let schema = RandomSchema(seed: seed)
        let native = NativeDatabase(schema.sources)
        let materials = MaterialCache()
        var generator = SeededGenerator(state: seed)
        for number in 0..<Self.statementsPerSchema {
            let statement = RandomStatement(schema, seed: seed &+ UInt64(number))
            usage.statements += 1
            let granted = number % 5 == 0 ? grant(schema, &generator) : nil
            try compare(statement, schema, granted, native, materials, &usage)
        }
    }

    /// A random half of the columns.
    private func grant(_ schema: RandomSchema, _ generator: inout SeededGenerator) -> [String: Set<String>] {
        var granted: [String: Set<String>] = [:]
        for table in schema.tables {
            let names = table.source.spec.columns.map(\.name).filter { _ in
                Int.random(in: 0..<6, using: &generator) > 0
            }
            granted[table.name] = Set(names)
        }
        return granted
    }

    private func compare(
        _ statement: RandomStatement, _ schema: RandomSchema, _ granted: [String: Set<String>]?,
        _ native: NativeDatabase, _ materials: MaterialCache, _ usage: inout Usage
    ) throws {
        var refusals: Set<String> = []
        let expected = native.rows(statement.sql, statement.parameters)
        for engine in Engine.allCases {
            let kept = materials.byteCount
            let trial: Trial
            do {
                trial = try Trial(
                    statement.sql, statement.parameters, engine: engine, granted: granted,
                    tables: schema.sources, materials: materials)
            } catch let error as Diagnostic {
                refusals.insert("\(error.code)")
                #expect(granted != nil || expected == nil, "\(engine) refuses: \(statement.sql)")
                continue
            }
            refusals.insert("none")
            let words: Comment = "\(engine): \(statement.sql) \(statement.parameters)"
            #expect(trial.failure == nil, words)
            let rows = statement.isTotal ? trial.rows?.map { "\($0)" } : trial.rows?.map { "\($0)" }.sorted()
            let wanted = statement.isTotal ? expected?.map { "\($0)" } : expected?.map { "\($0)" }.sorted()
            #expect(rows == wanted, words)
            if rows != wanted, getenv("ESCROW_SCRIPTS") != nil {
                print(
                    NativeDatabase.script(schema.sources), statement.sql, separator: "\n", terminator: ";\n")
            }
            let session = trial.planned.session
            #expect(
                session.planned.isSubset(of: session.authorized), "the authorizer missed a column: \(words)")
            if engine == .pushdown { count(session, &usage) }
            if engine == .materialized, materials.byteCount == kept { usage.reused += 1 }
        }
        #expect(refusals.count == 1, "the engines refuse apart, \(refusals.sorted()): \(statement.sql)")
        if refusals != ["none"] { usage.refused += 1 }
        usage.rows += expected?.count ?? 0
        if expected == nil { usage.failing += 1 }
    }

    private func count(_ session: Session, _ usage: inout Usage) {
        let plans = session.tallies.keys.map { session.plans[$0] }
        func count(_ condition: (ScanPlan) -> Bool) -> Int { plans.contains(where: condition) ? 1 : 0 }
        usage.terms += count { !$0.terms.isEmpty }
        usage.exact += count { $0.terms.contains(where: \.isExact) }
        usage.lists += count { $0.terms.contains { $0.operation == .in } }
        usage.orders += count { !$0.order.isEmpty }
        usage.limits += count(\.hasLimit)
        usage.lookups += session.tallies.values.contains { $0.lookups > 0 } ? 1 : 0
        usage.pruned += session.tallies.values.contains { $0.prunes?.contains(true) ?? false } ? 1 : 0
    }
}
