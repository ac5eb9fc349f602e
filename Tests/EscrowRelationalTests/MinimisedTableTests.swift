import EscrowDiagnostics
import EscrowMinimisation
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowRelational

@Suite("What a query sees of a table that is served more coarsely") struct MinimisedTableTests {
    static let hash = KeyedHash(mixingDigest)

    static func wrap(
        _ source: any TableSource, _ terms: [String], granted: Set<String>? = nil
    ) throws -> any TableSource {
        try MinimisedTable.wrap(source, Minimisation(parsing: terms), granted: granted, hash: hash)
    }

    // MARK: random queries

    static let minimisations: [[String]] = [
        ["truncate(a.t, 1)", "round(a.r, 0)", "round(a.k, -1)", "truncate(b.t, 1)"],
        ["hash(a.id, per-app)", "hash(b.id, per-app)", "hash(a.t, per-app)", "hash(b.t, per-app)"],
        ["drop(a.t)", "drop(a.x)", "drop(b.k)", "deresolve(a.u, year)"],
        ["sample(a, 0.5)", "truncate(a.u, 2)"],
        ["sample(a, 0.3, person)", "sample(b, 0.6, person)"],
        [
            "aggregate(a, 2)", "drop(a.id)", "drop(a.u)", "drop(a.x)", "truncate(a.t, 1)", "round(a.k, -12)",
            "round(a.r, -12)",
        ],
        [
            "aggregate(b, 2)", "sample(b, 0.9)", "drop(b.id)", "drop(b.u)", "drop(b.x)", "drop(b.t)",
            "drop(b.r)",
        ],
        ["round(a.k, -3)", "hash(a.k, per-app)", "truncate(b.u, 3)", "hash(b.u, per-app)", "sample(b, 0.7)"],
    ]

    /// What is used of the engine in a round.
    struct Setting: Sendable {
        var engine = Engine.pushdown
        var pushdown = Pushdown.all
        var prunes = false
        var servesOrder = false
        var chunkRows = 2_048
        var heldBytes = 64 << 20
    }

    static let settings = [
        Setting(), Setting(prunes: true, servesOrder: true, chunkRows: 7), Setting(heldBytes: 16_000),
        Setting(engine: .virtual), Setting(engine: .materialized, chunkRows: 11),
    ]

    @Test("Random queries answer as over a plain table of the coarse values", arguments: minimisations)
    func sameRows(_ terms: [String]) throws {
        let rounds = getenv("ESCROW_QUERIES").flatMap { Int(String(cString: $0)) } ?? 30
        let sources = [
            RandomQuery.source("a", rows: 60, seed: 1), RandomQuery.source("b", rows: 25, seed: 2),
        ]
        let oracle = MinimisedOracle(minimisation: try Minimisation(parsing: terms))
        let coarse = sources.map { oracle.source($0) }
        #expect(coarse.map(\.rows) != sources.map(\.rows))
        let native = NativeDatabase(coarse)
        var compared = 0
        for (number, setting) in Self.settings.enumerated() {
            let tables = try sources.map { source in
                source.prunes = setting.prunes
                source.chunkRows = setting.chunkRows
                source.servedOrder = setting.servesOrder ? [OrderTerm(column: 0)] : []
                return try Self.wrap(source, terms)
            }
            for seed in 0..<rounds {
                let query = RandomQuery(seed: UInt64(seed + number * rounds) &* 104_729)
                compared += try compare(query, setting, tables, native) ? 1 : 0
            }
        }
        #expect(compared > rounds * 3)
        // Where ids are pseudonyms or nulls the tests still order by them; where all is equal they prove less.
        #expect(coarse.contains { !$0.rows.isEmpty } || terms.contains { $0.contains("person") })
    }

    /// Whether both answered, the same rows.
    private func compare(
        _ query: RandomQuery, _ setting: Setting, _ tables: [any TableSource], _ native: NativeDatabase
    ) throws -> Bool {
        let expected = native.rows(query.sql, query.parameters)
        let trial = try Trial(
            query.sql, query.parameters, engine: setting.engine, pushdown: setting.pushdown,
            budget: AccessBudget(heldBytes: setting.heldBytes), tables: tables)
        #expect(trial.failure == nil, "\(query.sql)")
        let rows = trial.rows
        guard let rows, let expected else {
            #expect(rows == nil && expected == nil, "only one of the two fails: \(query.sql)")
            return false
        }
        // Coarse ids are not unique, so no order is total here, and a LIMIT may pick others of equal rows.
        if query.sql.contains(" LIMIT ") {
            #expect(rows.count == expected.count, "\(query.sql)")
        } else {
            #expect(rows.map { "\($0)" }.sorted() == expected.map { "\($0)" }.sorted(), "\(query.sql)")
        }
        return true
    }

    // MARK: attempts at the raw value

    static let contacts = SyntheticSource(
        TableSpec(
            name: "Contacts", sourceKind: "synthetic", summary: "people",
            columns: [
                ColumnSpec("id", .text, nullable: false, "id"), ColumnSpec("name", .text, "name"),
                ColumnSpec("phone", .text, "phone"), ColumnSpec("lat", .real, "latitude"),
                ColumnSpec("seen", .timestamp, "moment"),
            ], examples: []),
        rows: [
            [
                .text("c1"), .text("Ada"), .text("+4917001"), .real(48.1372),
                .text("2026-11-21T09:48:17.123Z"),
            ],
            [
                .text("c2"), .text("Alan"), .text("+4917002"), .real(48.1511),
                .text("2026-11-21T09:12:00.000Z"),
            ],
            [.text("c3"), .text("Grace"), .text("+4917003"), .real(-33.86), .null],
        ])

    static let terms = [
        "hash(Contacts.id, per-app)", "truncate(Contacts.name, 1)", "drop(Contacts.phone)",
        "round(Contacts.lat, 0)", "deresolve(Contacts.seen, hour)",
    ]

    private func rows(
        _ sql: String, _ parameters: [String: Cell] = [:], terms: [String] = terms,
        granted: Set<String>? = nil
    ) throws -> [[Cell]] {
        let table = try Self.wrap(Self.contacts, terms, granted: granted)
        return try Access(
            AccessRequest(
                sql: sql, parameters: parameters, granted: granted.map { ["Contacts": $0] }),
            tables: [table], assets: AssetTable()
        ).allRows()
    }

    @Test(
        "Nothing that names the raw value finds it, wherever the query names it",
        arguments: [
            "SELECT 1 FROM Contacts WHERE id = 'c1'", "SELECT 1 FROM Contacts WHERE id IN ('c1', 'c2')",
            "SELECT 1 FROM Contacts WHERE name = 'Ada'", "SELECT 1 FROM Contacts WHERE name LIKE 'Ad%'",
            "SELECT 1 FROM Contacts WHERE name GLOB 'Al*'",
            "SELECT 1 FROM Contacts WHERE name > 'B' AND name < 'G'",
            "SELECT 1 FROM Contacts WHERE phone = '+4917001'",
            "SELECT 1 FROM Contacts WHERE phone IS NOT NULL",
            "SELECT 1 FROM Contacts WHERE phone LIKE '%1'",
            "SELECT 1 FROM Contacts WHERE lat > 48.1 AND lat < 49",
            "SELECT 1 FROM Contacts WHERE lat <> 48 AND lat <> -34",
            "SELECT 1 FROM Contacts WHERE lat BETWEEN 48.13 AND 48.14",
            "SELECT 1 FROM Contacts WHERE seen > '2026-11-21T09:48'",
            "SELECT 1 FROM Contacts WHERE seen LIKE '%:48:%'",
            "SELECT 1 FROM Contacts WHERE strftime('%M', seen) <> '00'",
            "SELECT 1 FROM Contacts WHERE length(name) > 1",
            "SELECT 1 FROM Contacts c JOIN (SELECT 'Ada' AS n) p ON p.n = c.name",
            "SELECT 1 FROM (SELECT 'Ada' AS n) p JOIN Contacts c ON c.name = p.n AND c.lat = 48.1372",
            "SELECT 1 FROM Contacts a JOIN Contacts b ON a.name = b.name AND b.id = 'c1'",
            "SELECT 1 FROM Contacts WHERE name = 'A' OR name = 'Ada' GROUP BY name HAVING max(name) = 'Alan'",
            "SELECT 1 FROM Contacts WHERE EXISTS (SELECT 1 FROM Contacts d WHERE d.phone = '+4917001')",
            "SELECT 1 WHERE (SELECT max(lat) FROM Contacts) > 48",
            "SELECT 1 WHERE (SELECT min(seen) FROM Contacts) > '2026-11-21T09:00:00.000Z'",
            "SELECT 1 WHERE (SELECT group_concat(name, '') FROM Contacts) LIKE '%da%'",
            "SELECT 1 WHERE (SELECT sum(length(phone)) FROM Contacts) > 0",
            "SELECT 1 FROM (SELECT name, lag(name) OVER (ORDER BY lat) AS before FROM Contacts) WHERE length(before) > 1",
            "SELECT name FROM Contacts WHERE name = 'Ada' UNION ALL SELECT phone FROM Contacts WHERE phone > ''",
            "SELECT 1 FROM Contacts WHERE CASE WHEN phone > '' THEN 1 ELSE 0 END",
            "SELECT 1 FROM Contacts WHERE name = 'Ada' COLLATE NOCASE",
        ])
    func rawValuesAreNotFound(_ sql: String) throws {
        #expect(try rows(sql).isEmpty)
    }

    @Test("A parameter with the raw value finds nothing either")
    func parametersFindNothing() throws {
        for column in ["id", "name", "phone", "lat", "seen"] {
            let position = try #require(Self.contacts.spec.column(named: column))
            let raw = Self.contacts.rows[0][position]
            #expect(try rows("SELECT 1 FROM Contacts WHERE \(column) = :v", ["v": raw]).isEmpty)
            #expect(try rows("SELECT 1 FROM Contacts WHERE \(column) IS :v", ["v": raw]).isEmpty)
            #expect(try rows("SELECT \(column) FROM Contacts").allSatisfy { $0 != [raw] })
        }
    }

    @Test(
        "Row numbers and columns behind the query's back stay refused",
        arguments: [
            "SELECT rowid FROM Contacts", "SELECT name FROM Contacts ORDER BY _rowid_",
            "SELECT oid FROM Contacts",
            "SELECT 1 FROM Contacts NATURAL JOIN (SELECT '+4917001' AS phone)",
            "SELECT 1 FROM Contacts JOIN (SELECT 'Ada' AS name) USING(name)",
        ])
    func wallsStand(_ sql: String) throws {
        #expect(throws: Diagnostic.self) { try rows(sql) }
    }

    @Test("A source is asked for no term and no order of a coarse column, and never for a dropped one")
    func nothingRawReachesTheSource() throws {
        let source = SyntheticSource(Self.contacts.spec, rows: Self.contacts.rows)
        source.prunes = true
        source.servedOrder = [OrderTerm(column: 1)]
        let table = try Self.wrap(source, Self.terms)
        for sql in [
            "SELECT phone FROM Contacts WHERE name = 'Ada' ORDER BY name",
            "SELECT count(phone) FROM Contacts",
            "SELECT name FROM Contacts WHERE lat > 48 AND seen < '2027' AND id = 'c1' AND phone = 'x' ORDER BY lat LIMIT 1",
            "SELECT DISTINCT name FROM Contacts", "SELECT * FROM Contacts",
        ] {
            _ = try Access(AccessRequest(sql: sql), tables: [table], assets: AssetTable()).allRows()
        }
        #expect(!source.requested.contains(2))
        #expect(source.requests.count >= 4)
        for request in source.requests {
            #expect(request.predicates.isEmpty)
            #expect(request.order.isEmpty)
        }
    }

    @Test("Terms on other columns still reach the source")
    func plainTermsReachTheSource() throws {
        let source = SyntheticSource(Self.contacts.spec, rows: Self.contacts.rows)
        source.prunes = true
        let table = try Self.wrap(source, ["drop(Contacts.phone)"])
        let rows = try Access(
            AccessRequest(sql: "SELECT lat FROM Contacts WHERE name = 'Ada'"), tables: [table],
            assets: AssetTable()
        ).allRows()
        #expect(rows == [[.real(48.1372)]])
        #expect(source.requests.map(\.predicates.count) == [1])
    }

    @Test("Pseudonyms join with each other, and not with those of another key")
    func pseudonymsJoin() throws {
        let pairs = try rows("SELECT a.name FROM Contacts a JOIN Contacts b ON a.id = b.id ORDER BY a.name")
        #expect(pairs == [[.text("A")], [.text("A")], [.text("G")]])
        let other = try MinimisedTable.wrap(
            Self.contacts, Minimisation(parsing: Self.terms), granted: nil,
            hash: KeyedHash { mixingDigest(UnsafeRawBufferPointer(rebasing: $0.dropLast())) })
        let foreign = try Access(
            AccessRequest(sql: "SELECT id FROM Contacts"), tables: [other], assets: AssetTable()
        ).allRows()
        let own = try rows("SELECT id FROM Contacts")
        #expect(Set(own.map { "\($0)" }).isDisjoint(with: Set(foreign.map { "\($0)" })))
    }

    @Test("Which rows are in groups does not depend on what a query reads or asks for")
    func groupsAreTheSameForAllQueries() throws {
        let terms = [
            "aggregate(Contacts, 2)", "drop(Contacts.id)", "truncate(Contacts.name, 1)",
            "drop(Contacts.phone)",
            "round(Contacts.lat, 0)", "deresolve(Contacts.seen, day)",
        ]
        #expect(try rows("SELECT name FROM Contacts", terms: terms) == [[.text("A")], [.text("A")]])
        #expect(try rows("SELECT count(*) FROM Contacts", terms: terms) == [[.integer(2)]])
        #expect(try rows("SELECT 1 FROM Contacts WHERE lat < 0", terms: terms).isEmpty)
        #expect(try rows("SELECT 1 FROM Contacts WHERE seen IS NULL", terms: terms).isEmpty)
        #expect(try rows("SELECT name, lat, seen FROM Contacts LIMIT 1", terms: terms).count == 1)
        // Only the columns that may be read decide who is alike.
        let few = ["aggregate(Contacts, 2)", "truncate(Contacts.name, 1)"]
        #expect(try rows("SELECT name FROM Contacts", terms: few, granted: ["name"]).count == 2)
        #expect(try rows("SELECT name FROM Contacts", terms: few, granted: ["name", "phone"]).isEmpty)
    }

    @Test("A sample is the same in every query, and cannot be added up")
    func samplesAreStable() throws {
        let source = RandomQuery.source("a", rows: 60, seed: 1)
        let table = try Self.wrap(source, ["sample(a, 0.5)"])
        func ids(_ sql: String) throws -> [[Cell]] {
            try Access(AccessRequest(sql: sql), tables: [table], assets: AssetTable()).allRows()
        }
        let all = try ids("SELECT id FROM a ORDER BY id")
        #expect((15...45).contains(all.count))
        #expect(try ids("SELECT id FROM a WHERE id >= 0 ORDER BY id") == all)
        #expect(try ids("SELECT id FROM a UNION SELECT id FROM a ORDER BY id") == all)
        #expect(try ids("SELECT count(*) FROM a") == [[.integer(Int64(all.count))]])
    }

    @Test(
        "A transform that does not fit is refused before any data is touched",
        arguments: [
            "round(Contacts.name, 1)", "truncate(Contacts.lat, 1)", "hash(Contacts.lat, per-app)",
            "hash(Contacts.seen, per-app)", "deresolve(Contacts.lat, hour)", "truncate(Contacts.seen, 4)",
            "drop(Contacts.nosuch)",
        ])
    func misfitsAreRefused(_ term: String) throws {
        let error = try #require(throws: Diagnostic.self) { try Self.wrap(Self.contacts, [term]) }
        #expect(error.code == .transformUnfit)
    }

    @Test("Files are not handed out in groups")
    func assetsAreNotGrouped() throws {
        let photos = SyntheticSource(
            TableSpec(
                name: "Photos", sourceKind: "synthetic", summary: "photos",
                columns: [ColumnSpec("asset", .asset, "file"), ColumnSpec("size", .integer, "bytes")],
                examples: []),
            rows: [])
        let terms = ["aggregate(Photos, 2)"]
        #expect(throws: Diagnostic.self) { try Self.wrap(photos, terms) }
        #expect(throws: Never.self) { try Self.wrap(photos, terms, granted: ["size"]) }
        #expect(throws: Never.self) { try Self.wrap(photos, terms + ["drop(Photos.asset)"]) }
    }

    @Test("A table of which nothing is asked is the table itself")
    func nothingToDo() throws {
        #expect(try Self.wrap(Self.contacts, ["drop(Other.x)"]) is SyntheticSource)
    }
}
