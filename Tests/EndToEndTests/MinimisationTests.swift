import Foundation
import Testing

/// A plugin sees no more than its manifest asks for and the individual lets through, whatever query it is given.
@Suite struct MinimisationTests {
    static let app = "org.example.test"

    static let echo = Result { () throws -> Echo in
        let echo = try Echo()
        let installed = try echo.install([
            (
                "\"Location\": [\"latitude\", \"timestamp\"]",
                "\"Location\": [\"round(latitude, 1)\", \"deresolve(timestamp, hour)\"]"
            )
        ])
        try #require(installed.status == 0, "\(installed.words)")
        try echo.allow(app)
        return echo
    }

    @Test func aManifestThatAsksForLessGetsLess() throws {
        let rows = try Self.echo.get().see(Self.app).rows
        #expect(rows.count > 100)
        for row in rows {
            guard case .number(let latitude) = row[0] else {
                Issue.record("no latitude")
                continue
            }
            #expect((latitude * 10).rounded() / 10 == latitude)
            if case .text(let moment) = row[1] { #expect(moment.hasSuffix(":00:00.000Z")) }
        }
        #expect(rows.contains { $0[1] != .null })
    }

    @Test func anAppsQueryFindsNoMore() throws {
        let echo = try Self.echo.get()
        for condition in [
            "latitude = 60.390176", "latitude > 60.39 AND latitude < 60.395",
            "latitude <> 60.4 AND latitude > 60.37 "
                + "AND latitude < 60.43", "timestamp LIKE '%:30.000Z'",
            "timestamp > '2026-03-01T08:00:00.000Z' "
                + "AND timestamp < '2026-03-01T09:00:00.000Z'",
        ] {
            let sql = "SELECT latitude, timestamp FROM Location WHERE \(condition)"
            #expect(try echo.see(Self.app, "echo", ["--sql", sql]).rows.isEmpty, "\(condition)")
        }
        let all = "SELECT latitude, timestamp FROM Location WHERE latitude = 60.4"
        #expect(try !echo.see(Self.app, "echo", ["--sql", all]).rows.isEmpty)
    }

    @Test func theIndividualCanImposeMore() throws {
        let echo = try Self.echo.get()
        let rows = try echo.see(
            Self.app, "echo",
            ["--coarser", "drop(Location.latitude)", "--coarser", "deresolve(Location.timestamp, year)"]
        ).rows
        #expect(rows.allSatisfy { $0[0] == .null })
        #expect(Set(rows.map { $0[1] }).isSubset(of: [.text("2026-01-01T00:00:00.000Z"), .null]))
        // A wish that is finer than the manifest's own changes nothing.
        let finer = try echo.see(Self.app, "echo", ["--coarser", "round(Location.latitude, 5)"]).rows
        #expect(finer == (try echo.see(Self.app).rows))
    }

    @Test func theSheetAndTheLedgerSaySo() throws {
        let echo = try Self.echo.get()
        let outcome = try echo.run(Self.app, "echo", ["--coarser", "sample(Location, 0.5)"])
        #expect(outcome.status == 0)
        let sheet = try echo.escrow.run(
            "run", "echo", "--app", Self.app, "--coarser", "sample(Location, 0.5)", "--dry-run")
        #expect(
            sheet.output.contains(
                """
                  reads        Location: latitude, timestamp
                  but only     Location: latitude rounded to about 11 km; timestamp to the hour; a sample of 1
                               in 2 of its rows

                """), "\(sheet.output)")
        let grants = try echo.escrow.run("grant", "list", "--format", "json").output
        #expect(grants.contains("round(Location.latitude, 1)"), "\(grants)")
        // All of it: the other tests of the suite run in this home meanwhile.
        let ledger = try echo.escrow.run("ledger", "list", "--last", "100000", "--format", "json").output
        #expect(ledger.contains("round(Location.latitude, 1)"))
        #expect(ledger.contains("sample(Location, 0.5)"))
    }

    @Test func aNewVersionThatReadsMoreCloselyIsAskedAbout() throws {
        let echo = try Echo()
        let coarse = ("[\"latitude\", \"timestamp\"]", "[\"round(latitude, 1)\", \"timestamp\"]")
        let first = try echo.install([coarse])
        try #require(first.status == 0, "\(first.words)")
        try echo.allow(Self.app)
        #expect(try echo.run(Self.app).status == 0)
        func release(_ version: String, _ sequence: Int, _ reads: String) throws {
            let installed = try echo.install([
                ("[\"latitude\", \"timestamp\"]", reads), ("1.0.0", version),
                ("\"sequence\": 1", "\"sequence\": \(sequence)"), (">=0.1.0 <\(version)", ">=0.1.0 <1.0.0"),
            ])
            try #require(installed.status == 0, "\(installed.words)")
        }
        try release("1.1.0", 2, "[\"round(latitude, 0)\", \"deresolve(timestamp, day)\"]")
        #expect(try echo.run(Self.app).status == 0)
        try release("1.2.0", 3, "[\"round(latitude, 2)\", \"timestamp\"]")
        let asked = try echo.run(Self.app)
        #expect(asked.status == 11)
        #expect(
            asked.words.contains("it reads more closely than round(Location.latitude, 1)"), "\(asked.words)")
    }

    @Test func pseudonymsAreOneAppsAndOnePublishersOwn() throws {
        let echo = try Echo()
        try echo.addPublisher("other")
        let people = [
            ("\"name\": \"latitude\", \"type\": \"real\"", "\"name\": \"id\", \"type\": \"text\""),
            (", { \"name\": \"timestamp\", \"type\": \"timestamp\" }", ""),
            (
                "\"Location\": [\"latitude\", \"timestamp\"]",
                "\"Contacts\": [\"hash(id, per-app)\"]"
            ), ("SELECT latitude, timestamp FROM Location", "SELECT id FROM Contacts"),
        ]
        for (name, key) in [("echo", "tester"), ("twin", "other"), ("sister", "tester")] {
            let installed = try echo.install(people, key: key, name: name)
            try #require(installed.status == 0, "\(installed.words)")
            for app in ["org.example.one", "org.example.two"] { try echo.allow(app, name) }
        }
        func ids(_ app: String, _ name: String) throws -> Set<Echo.Sight.Cell> {
            Set(try echo.see(app, name).rows.map { $0[0] })
        }
        let one = try ids("org.example.one", "echo")
        #expect(one.count > 5)
        for case .text(let id) in one { #expect(id.count == 16 && id.allSatisfy(\.isHexDigit)) }
        #expect(try ids("org.example.one", "echo") == one)
        #expect(try ids("org.example.one", "sister") == one)
        #expect(try ids("org.example.two", "echo").isDisjoint(with: one))
        #expect(try ids("org.example.one", "twin").isDisjoint(with: one))
    }

    @Test func aTransformThatDoesNotFitIsTheAuthorsToMend() throws {
        let refused = try Echo().install([
            ("[\"latitude\", \"timestamp\"]", "[\"hash(latitude, per-app)\", \"timestamp\"]")
        ])
        #expect(refused.status == 13)
        #expect(refused.words.contains("hash does not fit Location.latitude, which is of type real"))
    }

    @Test func theOwnerCanLookFirst() throws {
        let outcome = try Self.echo.get().escrow.run(
            "access", "SELECT DISTINCT latitude FROM Location", "--coarser", "round(Location.latitude, -1)",
            "--format", "ndjson")
        #expect(
            outcome.output.split(separator: "\n").allSatisfy {
                ["{\"latitude\":60.0}", "{\"latitude\":60}"].contains($0)
            },
            "\(outcome.output)")
    }
}
