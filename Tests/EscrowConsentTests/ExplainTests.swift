import EscrowConsent
import EscrowDiagnostics
import EscrowMinimisation
import Testing

@Suite struct ExplainTests {
    @Test func theSheetSaysWhatFlows() {
        #expect(
            DataflowDescription.sample.explain() == [
                "an app asks for this:",
                "  app          org.example.notes",
                "  known by     its own word: it claims to be this app",
                "  reads        Contacts: id, phoneNumber",
                "  also uses    Contacts: familyName, to filter, join or sort",
                "  purpose      \"Find numbers that nobody can call.\" (data-quality)",
                "  computed by  org.example.phone-check 1.2.0 by \"Example Org\" (key SHA256:k1), on this device",
                "  told         region",
                "  returns      valid, invalid (whole numbers); at most 4096 bytes",
                "  sends        nothing over the network",
                "  capacity     sends nothing; returns at most 40 bits to the app",
                "  goes to      org.example.notes on this computer",
                "  limits       10 s, 64 MiB, no files, no network of its own",
            ])
    }

    @Test func whatIsCoarserIsSaidBeneathWhatIsRead() throws {
        let coarser = try Minimisation(parsing: [
            "truncate(Contacts.phoneNumber, 6)", "hash(Contacts.id, per-app)", "sample(Contacts, 0.1)",
        ])
        let lines = DataflowDescription.sample.with { $0.minimisation = coarser }.explain()
        #expect(
            lines[3...6] == [
                "  reads        Contacts: id, phoneNumber",
                "  also uses    Contacts: familyName, to filter, join or sort",
                "  but only     Contacts: id as a pseudonym that no other app is given; phoneNumber first 6",
                "               letters only; a sample of 1 in 10 of its rows",
            ])
    }

    @Test func everyEgressHasItsLine() {
        let lines = DataflowDescription.sample.with {
            $0.egress = [
                "to api.example.org: region, one of EU, US; at most 1 bit a call", "to b.example.org: a year",
            ]
        }.explain()
        #expect(
            lines.filter { $0.hasPrefix("  sends") } == [
                "  sends        to api.example.org: region, one of EU, US; at most 1 bit a call",
                "  sends        to b.example.org: a year",
            ])
    }

    @Test func countingRowsIsReadingToo() {
        let lines = DataflowDescription.sample.with { $0.reads = [TableUse(table: "Photos", returned: [])] }
            .explain()
        #expect(lines.contains("  reads        how many rows there are in Photos"))
    }

    @Test func longTextsGoOnBeneathThemselves() {
        let lines = DataflowDescription.sample.with {
            $0.purpose.text = Array(repeating: "word", count: 40).joined(separator: " ")
        }.explain()
        let purpose = lines.drop { !$0.hasPrefix("  purpose") }.prefix { !$0.hasPrefix("  computed") }
        #expect(purpose.count == 3)
        #expect(purpose.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 15)) })
        #expect(lines.allSatisfy { $0.count <= 96 })
    }

    /// Letters of two columns: a line is no wider than others, and goes on beneath itself.
    @Test func wideLettersCountAsTheColumnsTheyTake() {
        let lines = DataflowDescription.sample.with {
            $0.purpose.text =
                String(repeating: "電話番号", count: 30) + " 🗓 " + String(repeating: "한국어", count: 30)
            $0.publisher = "日本語の出版社"
        }.explain()
        #expect(lines.allSatisfy { $0.displayWidth <= 96 })
        #expect(lines.contains { (95...96).contains($0.displayWidth) && $0.contains("電話") })
        let shown = lines.map { $0.drop { $0 == " " } }.joined()
        #expect(shown.contains(String(repeating: "電話番号", count: 30)))
        #expect(shown.contains("by \"日本語の出版社\" (key SHA256:k1)"))
    }

    /// Two names that look alike are told apart by what cannot be copied.
    @Test func theKeyStandsBesideEveryPublishersName() {
        let key = "SHA256:" + String(repeating: "k", count: 43)
        for name in ["Example Org", "Ex\u{0430}mple Org"] {
            let lines = DataflowDescription.sample.with {
                $0.publisher = name
                $0.plugin.signerKeyID = key
            }.explain()
            let row = lines.drop { !$0.hasPrefix("  computed by") }.prefix(2).map { $0.drop { $0 == " " } }
            #expect(row.joined(separator: " ").contains("by \"\(name)\" (key \(key))"))
        }
    }

    @Test(arguments: [
        "safe\n  sends        nothing over the network\n  goes to      nobody", "\u{1B}[2J\u{1B}[Hallowed",
        "\u{202E}krowten eht revo gnihton", String(repeating: " ", count: 400) + "sends nothing",
        String(repeating: "long ", count: 400), "x\" (harmless)",
    ])
    func noTextForgesTheSheet(text: String) {
        let hostile = DataflowDescription.sample.with {
            $0.app = text
            $0.purpose = .init(code: text, text: text)
            $0.plugin = .init(id: text, version: text, manifestDigest: "", signerKeyID: "")
            $0.publisher = text
            $0.reads = [TableUse(table: text, returned: [text], used: [text + "2"])]
            $0.parameters = [text]
            $0.returns = text
            $0.target = text
            $0.limits = text
            $0.place = .server(text)
        }
        let lines = hostile.explain()
        let labels = [
            "app", "known by", "reads", "also uses", "purpose", "computed by", "told", "returns", "sends",
            "capacity",
            "goes to",
            "limits",
        ]
        let starts = lines.dropFirst().filter { !$0.hasPrefix(String(repeating: " ", count: 15)) }
        #expect(zip(starts, labels).allSatisfy { $0.hasPrefix("  \($1) ") })
        #expect(starts.count == labels.count)
        #expect(
            lines.allSatisfy { line in !line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }
            })
        #expect(lines.filter { $0.contains("sends        nothing over the network") }.count == 1)
    }

    @Test func undecidedNamesTheNarrowestCommand() throws {
        let scratch = Scratch()
        let decision = try GrantStore(directory: scratch.path).decide(for: .sample)
        let error = Diagnostic.undecided(.sample, decision)
        #expect(error.exitStatus == .undecided)
        #expect(
            error.description == """
                undecided[E0702]: nobody has decided about this dataflow, and there is no terminal to ask on
                note: org.example.notes asks for Contacts.id, Contacts.phoneNumber, Contacts.familyName, \
                for data-quality, computed by org.example.phone-check 1.2.0
                note: what waits for an answer is listed by: escrow pending
                help: decide about this dataflow alone: escrow grant allow --app org.example.notes \
                --plugin org.example.phone-check --reads Contacts.id --reads Contacts.phoneNumber --uses Contacts.familyName
                """)
    }

    @Test func deniedSaysWhereToChangeIt() throws {
        let scratch = Scratch()
        let store = GrantStore(directory: scratch.path)
        let grant = try store.deny(.sample, .init(reason: .settings))
        let standing = Diagnostic.denied(.sample, try store.decide(for: .sample))
        #expect(standing.code == .denied)
        #expect(standing.exitStatus == .denied)
        #expect(standing.help == "take the denial back: escrow grant revoke \(grant.id)")
        let now = Diagnostic.refused(.sample)
        #expect(now.code == .answeredNo)
        #expect(now.exitStatus == .denied)
        #expect(now.message == "you did not allow this dataflow")
    }

    @Test func aCommandIsNoPlaceForTricks() {
        let hostile = DataflowDescription.sample.with { $0.app = "a'; rm -rf ~; echo '\u{1B}[1m" }
        #expect(hostile.grantCommand().contains("--app 'a'\\''; rm -rf ~; echo '\\''‹U+001B›[1m' --plugin"))
    }
}
