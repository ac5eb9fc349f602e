import EscrowDiagnostics
import EscrowManifest
import EscrowMinimisation
import Testing

/// What a plugin reads more coarsely than it is.
@Suite struct CoarseReadsTests {
    private func manifest(_ reads: String) throws -> Manifest {
        try Manifest.parse(
            try Fixture.replacing("\"Contacts\": [\"birthday\"]", "\"Contacts\": [\(reads)]"),
            file: "plugin.json")
    }

    @Test func termsStandWhereColumnsDo() throws {
        let accepts = try manifest(
            "\"deresolve(birthday, year)\", \"id\", \"truncate(familyName, 3)\", \"hash(familyName, per-app)\", "
                + "\"sample(0.1)\""
        ).accepts
        #expect(accepts.reads.map(\.columns) == [["birthday", "id", "familyName"]])
        #expect(
            accepts.minimisation.terms(of: "Contacts") == [
                "sample(0.1)", "deresolve(birthday, year)", "truncate(familyName, 3)",
                "hash(familyName, per-app)",
            ])
    }

    @Test(arguments: [
        ("\"round(birthday)\"", "E1151"), ("\"drop(birthday)\"", "E1151"),
        ("\"round(Contacts.birthday, 1)\"", "E1151"), ("\"birthday\", \"blur(birthday, 1)\"", "E1151"),
        ("\"sample(Contacts, 0.1)\"", "E1151"), ("\"birthday\", \"deresolve(birthday, year)\"", "E0114"),
        ("\"deresolve(birthday, year)\", \"Birthday\"", "E0114"), ("\"sample(0.1)\"", "E0112"),
        ("\"birthday\", \"aggregate(5)\"", nil),
    ])
    func onlySuchTermsDo(reads: String, code: String?) throws {
        let bytes = try Fixture.replacing("\"Contacts\": [\"birthday\"]", "\"Contacts\": [\(reads)]")
        #expect(Fixture.refusal(bytes)?.code.rawValue == code)
    }

    @Test func aTermThatIsNoneIsToldWithItsPlace() throws {
        let bytes = try Fixture.replacing("[\"birthday\"]", "[\"deresolve(birthday, week)\"]")
        #expect(
            Fixture.refusal(bytes)?.description == """
                error[E1151]: "accepts.reads.Contacts[0]" is no way to read data more coarsely: deresolve goes to minute, \
                hour, day, month or year
                  --> plugin.json:15:29
                help: for example "round(latitude, 1)", "deresolve(timestamp, hour)", "sample(0.1)"
                """)
    }

    @Test(arguments: [
        (
            "\"deresolve(birthday, year)\"", "\"birthday\"",
            "reads Contacts.birthday as it is, it was to the year"
        ),
        (
            "\"deresolve(birthday, year)\"", "\"deresolve(birthday, month)\"",
            "reads Contacts.birthday to the month, it was to the year"
        ),
        (
            "\"birthday\", \"sample(0.1)\"", "\"birthday\", \"sample(0.5)\"",
            "reads of Contacts a sample of 1 in 2 of its rows, it was a sample of 1 in 10 of its rows"
        ),
        (
            "\"birthday\", \"aggregate(5)\"", "\"birthday\"",
            "reads of Contacts all rows, it was only rows of which at least 5 are alike"
        ),
    ])
    func finerIsWiderAndCoarserIsNarrower(coarse: String, fine: String, sentence: String) throws {
        let old = try manifest(coarse).permissions
        let new = try manifest(fine).permissions
        #expect(new.difference(from: old).map(\.sentence) == [sentence])
        #expect(new.difference(from: old).map(\.direction) == [.wider])
        #expect(!new.isWithin(old))
        #expect(old.isWithin(new))
    }

    @Test func anotherTechniqueIsAskedAbout() throws {
        let old = try manifest("\"truncate(birthday, 4)\"").permissions
        let new = try manifest("\"hash(birthday, per-app)\"").permissions
        #expect(new.difference(from: old).map(\.direction) == [.different])
        #expect(!new.isWithin(old) && !old.isWithin(new))
    }
}
