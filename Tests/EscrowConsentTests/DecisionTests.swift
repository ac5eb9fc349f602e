import EscrowConsent
import EscrowMinimisation
import Testing

@Suite struct DecisionTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }
    let sample = DataflowDescription.sample

    /// What the store says, as a word and the reason.
    func decision(_ description: DataflowDescription) throws -> String {
        let decision = try store.decide(for: description)
        return decision.state == .notDetermined ? decision.why : decision.state.rawValue
    }

    @Test func nothingIsDecidedByItself() throws {
        #expect(try decision(sample) == "nobody has decided about this dataflow yet")
    }

    @Test func onceIsStoredNowhere() throws {
        #expect(store.once(for: sample, terms: .init(.once, reason: .prompt)).scope == .once)
        #expect(try store.list().isEmpty)
    }

    @Test func aGrantHoldsForTheDataflowAndAnyWithinIt() throws {
        try store.allow(sample, .init(reason: .prompt))
        #expect(try decision(sample) == "authorized")
        #expect(
            try decision(sample.with { $0.reads = [TableUse(table: "Contacts", returned: ["id"])] })
                == "authorized")
        // A column that may be returned may also be used; one that may only be used may not be returned.
        #expect(
            try decision(
                sample.with { $0.reads = [TableUse(table: "Contacts", returned: [], used: ["phoneNumber"])] })
                == "authorized")
        #expect(try decision(sample.with { $0.parameters = [] }) == "authorized")
        #expect(try decision(sample.with { $0.limits = "less" }) == "authorized")
        #expect(try decision(sample.with { $0.minimumRows = 6 }) == "authorized")
    }

    @Test func aGrantOfCoarseDataHoldsForCoarserDataOnly() throws {
        func coarse(_ terms: String...) throws -> DataflowDescription {
            let coarser = try Minimisation(parsing: terms)
            return sample.with { $0.minimisation = coarser }
        }
        try store.allow(
            try coarse("truncate(Contacts.phoneNumber, 6)", "sample(Contacts, 0.1)"), .init(reason: .prompt))
        #expect(
            try decision(sample)
                == "it is more than you allowed before: it reads more closely than sample(Contacts, 0.1), "
                + "truncate(Contacts.phoneNumber, 6)")
        #expect(try decision(try coarse("truncate(Contacts.phoneNumber, 6)")) != "authorized")
        #expect(
            try decision(try coarse("truncate(Contacts.phoneNumber, 7)", "sample(Contacts, 0.1)"))
                != "authorized")
        #expect(
            try decision(try coarse("truncate(Contacts.phoneNumber, 6)", "sample(Contacts, 0.1)"))
                == "authorized")
        #expect(
            try decision(try coarse("drop(Contacts.phoneNumber)", "sample(Contacts, 0.05)")) == "authorized")
        // Of a column that a dataflow does not read nothing is asked.
        let other = try coarse("sample(Contacts, 0.1)").with {
            $0.reads = [TableUse(table: "Contacts", returned: ["id"])]
        }
        #expect(try decision(other) == "authorized")
        // The wish survives the file.
        #expect(
            try store.list().map(\.minimisation.terms) == [
                ["sample(Contacts, 0.1)", "truncate(Contacts.phoneNumber, 6)"]
            ])
        // What was allowed as it is may be had more coarsely.
        try store.allow(sample, .init(reason: .prompt))
        #expect(try decision(try coarse("drop(Contacts.phoneNumber)")) == "authorized")
    }

    @Test func whateverIsMoreIsAskedAboutAndNamed() throws {
        try store.allow(sample, .init(reason: .prompt))
        let changes: [(String, (inout DataflowDescription) -> Void)] = [
            ("it also reads Contacts.familyName", { $0.reads[0].returned.append("familyName") }),
            ("it also uses Contacts.birthday", { $0.reads[0].used.append("birthday") }),
            (
                "it also reads Photos.asset",
                { $0.reads.append(TableUse(table: "Photos", returned: ["asset"])) }
            ),
            ("it also uses Photos", { $0.reads.append(TableUse(table: "Photos", returned: [])) }),
            ("its purpose is another one", { $0.purpose.text += "!" }),
            ("its purpose is another one", { $0.purpose.code = "x" }),
            ("it is also told other", { $0.parameters?.append("other") }),
            ("its result is another one", { $0.resultDigest = "sha256:r2" }),
            ("it runs on the server home", { $0.place = .server("home") }),
            ("it computes over as few as 4 rows", { $0.minimumRows = 4 }),
            ("it is a script now, and sees an interpreter's files", { $0.isScript = true }),
            ("its publisher shows its code to nobody", { $0.isConfidential = true }),
            ("another key signed it", { $0.plugin.signerKeyID = "SHA256:k2" }),
        ]
        for (difference, change) in changes {
            #expect(try decision(sample.with(change)) == "it is more than you allowed before: \(difference)")
        }
    }

    @Test func otherAppsPluginsAndTargetsShareNothing() throws {
        try store.allow(sample, .init(reason: .prompt))
        let changes: [(inout DataflowDescription) -> Void] = [
            { $0.app = "org.example.other" }, { $0.plugin.id = "org.example.other" },
            { $0.target = "elsewhere" },
        ]
        for change in changes {
            #expect(try decision(sample.with(change)) == "nobody has decided about this dataflow yet")
        }
    }

    @Test func anotherVersionThatAsksForNoMoreIsCarriedOver() throws {
        let grant = try store.allow(sample, .init(reason: .prompt))
        let newer = sample.with {
            $0.plugin.version = "1.3.0"
            $0.plugin.manifestDigest = "sha256:bb"
        }
        #expect(try decision(newer) == "authorized")
        #expect(grant.isCarriedOver(to: newer.dataflow))
        #expect(!grant.isCarriedOver(to: sample.dataflow))
        #expect(try store.claim(newer).state == .authorized)
        let noted = try #require(try store.list().first)
        #expect(noted.plugin.manifestDigest == "sha256:bb")
        #expect(noted.plugin.version == "1.3.0")
        #expect(noted.useCount == 1)
        #expect(noted.lastUsedAt?.hasSuffix("Z") == true)
    }

    @Test func aDenialHoldsForWhateverTakesItInAndForEveryVersion() throws {
        try store.deny(sample, .init(reason: .prompt))
        #expect(try decision(sample) == "denied")
        #expect(try decision(sample.with { $0.reads[0].returned.append("birthday") }) == "denied")
        #expect(try decision(sample.with { $0.plugin.signerKeyID = "SHA256:k2" }) == "denied")
        #expect(try decision(sample.with { $0.purpose.text = "other words" }) == "denied")
        // Less than what was denied is another question.
        let less = sample.with { $0.reads = [TableUse(table: "Contacts", returned: ["id"])] }
        #expect(try decision(less) == "nobody has decided about this dataflow yet")
    }

    @Test func aDenialWithoutColumnsDeniesAllOfThem() throws {
        try store.deny(sample.with { $0.reads = [] }, .init(reason: .settings))
        #expect(try decision(sample) == "denied")
    }

    @Test func aDenialWinsWhateverTheOrder() throws {
        let less = sample.with { $0.reads = [TableUse(table: "Contacts", returned: ["id"])] }
        try store.deny(less, .init(reason: .prompt))
        #expect(try decision(sample) == "denied")
        try store.allow(sample, .init(reason: .prompt))
        #expect(try decision(sample) == "authorized")
        try store.deny(less, .init(reason: .prompt))
        #expect(try decision(sample) == "denied")
        #expect(try decision(less) == "denied")
    }

    @Test func whatIsRevokedIsUndecidedAgain() throws {
        let yes = try store.allow(sample, .init(reason: .prompt))
        try store.revoke(yes.id)
        #expect(try decision(sample) == "nobody has decided about this dataflow yet")
        let no = try store.deny(sample, .init(reason: .prompt))
        try store.revoke(no.id)
        #expect(try decision(sample) == "nobody has decided about this dataflow yet")
    }
}
