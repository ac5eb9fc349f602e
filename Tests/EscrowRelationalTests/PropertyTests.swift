import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowRelational

@Suite("Random queries answer as native tables do")
struct PropertyTests {
    /// How the virtual tables are served in a round.
    struct Setting: Sendable, CustomTestStringConvertible {
        let name: String
        var engine = Engine.pushdown
        var pushdown = Pushdown.all
        var prunes = false
        var servesOrder = false
        var chunkRows = 2_048
        var heldBytes = 64 << 20
        var testDescription: String { name }
    }

    static let settings = [
        Setting(name: "everything pushed down"),
        Setting(name: "a source that prunes, in small chunks", prunes: true, chunkRows: 7),
        Setting(name: "a source in order", prunes: true, servesOrder: true, chunkRows: 13),
        Setting(name: "no room for loops", heldBytes: 16_000),
        Setting(name: "nothing pushed down", engine: .virtual, pushdown: []),
        Setting(name: "native tables", engine: .materialized, pushdown: [], chunkRows: 11),
        Setting(name: "predicates alone", pushdown: [.columns, .predicates], prunes: true),
        Setting(name: "no index", pushdown: [.columns, .predicates, .order, .limit]),
    ]

    /// What was really used, so that the test cannot pass by testing nothing.
    struct Usage {
        var terms = 0, exact = 0, lists = 0, orders = 0, limits = 0, lookups = 0, held = 0, top = 0
        var pruned = 0, sourceOrders = 0, refused = 0
    }

    @Test("in every way of serving them", arguments: settings)
    func sameRows(_ setting: Setting) throws {
        let rounds = getenv("ESCROW_QUERIES").flatMap { Int(String(cString: $0)) } ?? 500
        let sources = [
            RandomQuery.source("a", rows: 60, seed: 1), RandomQuery.source("b", rows: 25, seed: 2),
        ]
        for source in sources {
            source.prunes = setting.prunes
            source.chunkRows = setting.chunkRows
            if setting.servesOrder { source.servedOrder = [OrderTerm(column: 0)] }
        }
        let native = NativeDatabase(sources)
        var usage = Usage()
        for seed in 0..<rounds {
            let query = RandomQuery(seed: UInt64(seed) &* 7_919)
            try check(query, setting, sources, native, &usage)
        }
        expectUse(usage, setting)
    }

    private func check(
        _ query: RandomQuery, _ setting: Setting, _ sources: [SyntheticSource], _ native: NativeDatabase,
        _ usage: inout Usage
    ) throws {
        let expected = native.rows(query.sql, query.parameters)
        guard let run = try virtual(query.sql, query.parameters, setting, sources) else {
            usage.refused += 1
            #expect(expected == nil, "only the virtual tables fail: \(query.sql)")
            return
        }
        count(run.connection.session, &usage)
        let session = run.connection.session
        #expect(
            session.planned.isSubset(of: session.authorized), "the authorizer missed a column: \(query.sql)")
        guard let expected else {
            Issue.record("only the native tables fail: \(query.sql)")
            return
        }
        let plan = run.connection.queryPlan(query.sql).joined(separator: "\n")
        if query.isTotal {
            #expect(run.rows == expected, "\(query.sql)\n\(query.parameters)\n\(plan)")
        } else if let unlimited = query.unlimited, query.sql.contains(" LIMIT ") {
            #expect(run.rows.count == expected.count, "\(query.sql)\n\(query.parameters)\n\(plan)")
            var bag = native.rows(unlimited, query.parameters) ?? []
            for row in run.rows {
                let at = try #require(bag.firstIndex(of: row), "\(query.sql)\n\(query.parameters)\n\(plan)")
                bag.remove(at: at)
            }
        } else {
            #expect(sorted(run.rows) == sorted(expected), "\(query.sql)\n\(query.parameters)\n\(plan)")
        }
    }

    private func virtual(
        _ sql: String, _ parameters: [String: Cell], _ setting: Setting, _ sources: [SyntheticSource]
    ) throws -> (rows: [[Cell]], connection: Connection)? {
        let trial = try Trial(
            sql, parameters, engine: setting.engine, pushdown: setting.pushdown,
            budget: AccessBudget(heldBytes: setting.heldBytes), tables: sources)
        // A budget is no answer that could be compared, and must not be hit here.
        #expect(trial.failure == nil, "\(sql)")
        return trial.rows.map { ($0, trial.planned) }
    }

    private func sorted(_ rows: [[Cell]]) -> [String] { rows.map { "\($0)" }.sorted() }

    private func count(_ session: Session, _ usage: inout Usage) {
        for (number, tally) in session.tallies {
            let plan = session.plans[number]
            usage.terms += plan.terms.isEmpty ? 0 : 1
            usage.exact += plan.terms.contains(where: \.isExact) ? 1 : 0
            usage.lists += plan.terms.contains { $0.operation == .in } ? 1 : 0
            usage.orders += plan.order.isEmpty ? 0 : 1
            usage.limits += plan.hasLimit ? 1 : 0
            usage.lookups += tally.lookups > 0 ? 1 : 0
            usage.held += tally.heldScans > 0 ? 1 : 0
            usage.top += tally.topRows ? 1 : 0
            usage.pruned += tally.prunes?.contains(true) ?? false ? 1 : 0
            usage.sourceOrders += tally.sourceOrder ?? false ? 1 : 0
        }
    }

    private func expectUse(_ usage: Usage, _ setting: Setting) {
        let uses: [(Int, Bool, String)] = [
            (usage.terms, setting.pushdown.contains(.predicates), "terms"),
            (usage.exact, setting.pushdown.contains(.predicates), "exact terms"),
            (usage.lists, setting.pushdown.contains(.predicates), "lists"),
            (usage.orders, setting.pushdown.contains(.order), "orders"),
            (usage.limits, setting.pushdown.contains(.limit), "limits"),
            (usage.top, setting.pushdown.isSuperset(of: [.order, .limit]), "top rows"),
            (usage.held, setting.pushdown.contains(.index), "held tables"),
            (usage.lookups, setting.pushdown.isSuperset(of: [.index, .predicates]), "lookups"),
            (usage.pruned, setting.prunes, "pruning"),
            (usage.sourceOrders, setting.servesOrder, "source order"),
        ]
        for (count, isExpected, name) in uses {
            #expect(isExpected ? count >= 5 : count == 0, "\(name): used \(count) times")
        }
        #expect(usage.refused < 50)
    }
}
