import EscrowDiagnostics
import EscrowMinimisation
import Testing

@Suite("How data is served more coarsely, as a value") struct MinimisationTests {
    static func parse(_ terms: String...) throws -> Minimisation { try Minimisation(parsing: terms) }

    @Test(
        "A term is printed as it is spelled",
        arguments: [
            "round(Location.latitude, 1)", "round(Photos.fileSize, -3)",
            "deresolve(Location.timestamp, hour)",
            "truncate(Contacts.givenName, 1)", "hash(Contacts.id, per-app)", "drop(Contacts.note)",
            "sample(Location, 0.1)", "sample(Location, 0.000001)", "sample(Location, 0.25, person)",
            "aggregate(Location, 5)",
        ])
    func printsAsSpelled(_ term: String) throws {
        #expect(try Self.parse(term).terms == [term])
    }

    @Test(
        "Anything else is refused, and the message repeats nothing of it",
        arguments: [
            "", "round", "round()", "round(Location.latitude)", "round(latitude, 1)",
            "round(Location.latitude, x)",
            "round(Location.latitude, 01)", "round(Location.latitude, +1)", "round(Location.latitude, 13)",
            "round(Location.latitude, 1, 2)", "round(a.b.c, 1)", "deresolve(Location.timestamp, week)",
            "deresolve(Location.timestamp, Hour)", "truncate(Contacts.note, 0)", "hash(Contacts.id)",
            "hash(Contacts.id, global)", "drop(Contacts.note, 1)", "drop(note)", "sample(Location, 1)",
            "sample(Location, 0)", "sample(Location, 0.0)", "sample(Location, .5)", "sample(Location, 1.5)",
            "sample(Location, 0.0000001)", "sample(Location, 0.1, row)", "sample(0.1)",
            "aggregate(Location, 1)",
            "aggregate(Location)", "blur(Location.latitude, 1)", "round (Location.latitude, 1",
            "round(Location.latitude, 1) ", "round(Location.latitude, 1))", "round((Location.latitude, 1)",
            "round(Loc ation.latitude, 1)", "drop(Contacts.né)",
        ])
    func refuses(_ term: String) throws {
        let error = try #require(throws: Diagnostic.self) { try Self.parse(term) }
        #expect(error.code == .noCoarserColumn)
        #expect(term.count < 12 || !"\(error)".contains(term))
    }

    @Test("Within a manifest a term names its column alone")
    func withinAManifest() throws {
        var minimisation = Minimisation()
        #expect(try minimisation.add("round(latitude, 1)", table: "Location") == "latitude")
        #expect(try minimisation.add("sample(0.1)", table: "Location") == nil)
        #expect(minimisation.terms == ["sample(Location, 0.1)", "round(Location.latitude, 1)"])
        #expect(minimisation.terms(of: "location") == ["sample(0.1)", "round(latitude, 1)"])
        #expect(throws: Minimisation.SpellingError.self) {
            try minimisation.add("round(Location.latitude, 1)", table: "Location")
        }
        #expect(throws: Minimisation.SpellingError.self) {
            try minimisation.add("sample(Location, 0.1)", table: "Location")
        }
    }

    @Test(
        "A coarser term is at least as coarse, and not the other way round",
        arguments: [
            ("round(L.x, 0)", "round(L.x, 1)"), ("round(L.x, -2)", "round(L.x, 0)"),
            ("deresolve(L.x, day)", "deresolve(L.x, hour)"),
            ("deresolve(L.x, year)", "deresolve(L.x, minute)"),
            ("truncate(L.x, 1)", "truncate(L.x, 3)"), ("drop(L.x)", "round(L.x, -12)"),
            ("drop(L.x)", "hash(L.x, per-app)"),
            ("sample(L, 0.05)", "sample(L, 0.1)"), ("sample(L, 0.05, person)", "sample(L, 0.1, person)"),
            ("aggregate(L, 6)", "aggregate(L, 5)"),
        ])
    func coarser(_ pair: (String, String)) throws {
        let (coarse, fine) = (try Self.parse(pair.0), try Self.parse(pair.1))
        #expect(coarse.isAtLeastAsCoarse(as: fine))
        #expect(!fine.isAtLeastAsCoarse(as: coarse))
        #expect(coarse.isAtLeastAsCoarse(as: coarse))
        #expect(coarse.isAtLeastAsCoarse(as: .none))
        #expect(!Minimisation.none.isAtLeastAsCoarse(as: fine))
        #expect(coarse.joined(with: fine) == coarse)
        #expect(fine.joined(with: coarse) == coarse)
    }

    @Test(
        "Terms that differ in kind are neither",
        arguments: [
            ("round(L.x, 0)", "hash(L.x, per-app)"), ("truncate(L.x, 1)", "hash(L.x, per-app)"),
            ("sample(L, 0.1)", "sample(L, 0.2, person)"), ("sample(L, 0.1)", "aggregate(L, 5)"),
            ("round(L.x, 0)", "round(L.y, 0)"), ("round(L.x, 0)", "round(M.x, 0)"),
        ])
    func incomparable(_ pair: (String, String)) throws {
        let (left, right) = (try Self.parse(pair.0), try Self.parse(pair.1))
        #expect(!left.isAtLeastAsCoarse(as: right))
        #expect(!right.isAtLeastAsCoarse(as: left))
        let both = left.joined(with: right)
        #expect(both == right.joined(with: left))
        #expect(both.isAtLeastAsCoarse(as: left) && both.isAtLeastAsCoarse(as: right))
    }

    @Test("Names compare as SQL compares them")
    func namesWithoutCase() throws {
        let lower = try Self.parse("round(location.LATITUDE, 1)")
        #expect(lower.isAtLeastAsCoarse(as: try Self.parse("round(Location.latitude, 2)")))
        let both = lower.joined(with: try Self.parse("round(Location.latitude, 0)"))
        #expect(both.terms == ["round(location.LATITUDE, 0)"])
    }

    @Test("Only what a query reads is told of it")
    func restricts() throws {
        let all = try Self.parse(
            "round(Location.latitude, 1)", "drop(Location.trackName)", "sample(Location, 0.1)",
            "drop(Contacts.note)")
        #expect(
            all.restricted(to: ["Location": ["latitude", "timestamp"]]).terms == [
                "sample(Location, 0.1)", "round(Location.latitude, 1)",
            ])
    }

    @Test("The words are plain")
    func words() throws {
        let all = try Self.parse(
            "round(Location.latitude, 1)", "round(Location.longitude, 1)",
            "deresolve(Location.timestamp, hour)",
            "sample(Location, 0.1)", "aggregate(Location, 5)", "truncate(Contacts.familyName, 1)",
            "truncate(Contacts.givenName, 3)", "hash(Contacts.id, per-app)", "drop(Contacts.note)",
            "round(Photos.fileSize, -3)", "round(Photos.altitude, 2)", "sample(Photos, 0.25, person)",
            "sample(Contacts, 0.03)")
        #expect(
            all.words == [
                "Contacts: familyName first letter only; givenName first 3 letters only; "
                    + "id as a pseudonym that no other app is given; note left out; a sample of 3 % of its rows",
                "Location: latitude, longitude rounded to about 11 km; timestamp to the hour; "
                    + "a sample of 1 in 10 of its rows; only rows of which at least 5 are alike",
                "Photos: altitude rounded to 0.01; fileSize rounded to 1000; all or nothing, with a chance of 1 in 4",
            ])
    }
}
