import EscrowDiagnostics
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

@Suite struct QuestionTests {
    static let phoneCheck = DataflowDescription.sample.with {
        $0.title = "Phone check"
        $0.learns = ["how many are valid US numbers", "WHICH contacts those are"]
        $0.allowance = "16 MiB of text"
        $0.reads = [TableUse(table: "ContactPhoneNumbers", returned: ["contactID", "phoneNumber"])]
    }

    private func lines(
        _ description: DataflowDescription, _ reason: ConsentReason = .neverAsked, why: String = "",
        width: Int = 80
    ) -> [String] {
        description.question(
            reason, why: why, rows: ["ContactPhoneNumbers": RowCount(1_204)], width: width)
    }

    /// As a screen reader reads it: sentences, no columns, no brackets.
    @Test func itCanBeHeard() {
        TerminalText.$isSpoken.withValue(true) {
            #expect(
                lines(Self.phoneCheck) == [
                    "The app Notes wants to check your contacts' phone numbers    (org.example.notes)",
                    "",
                    "Known by: its own word: it claims to be this app",
                    "It learns: \"how many are valid US numbers\", \"WHICH contacts those are\"",
                    "At most: 16 MiB of text",
                    "It never sees: anything else of your contacts' phone numbers (about 1,200):",
                    "    \"Phone check\" 1.2.0 by \"Example Org\" reads their contactID and phoneNumber",
                    "    here, in a sandbox",
                    "Internet: nothing is sent",
                    "",
                    "Type o for once, t for today, a for always, n for no, v for never, p to see",
                    "    first exactly what it gets, l for less, question mark for all details.",
                ])
            let danger = lines(Self.phoneCheck.with { $0.alarms = ["it is a copy"] })
            #expect(danger[2] == "DANGER: it is a copy")
        }
    }

    @Test func itLeadsWithWhoAndWhat() {
        #expect(
            lines(Self.phoneCheck) == [
                "The app Notes wants to check your contacts' phone numbers    (org.example.notes)",
                "",
                "  Known by       its own word: it claims to be this app",
                "  It learns      \"how many are valid US numbers\", \"WHICH contacts those are\"",
                "  At most        16 MiB of text",
                "  It never sees  anything else of your contacts' phone numbers (about 1,200):",
                "                 \"Phone check\" 1.2.0 by \"Example Org\" reads their contactID and",
                "                 phoneNumber here, in a sandbox",
                "  Internet       nothing is sent",
                "",
                "  [o]nce  [t]oday  [a]lways   [n]o  ne[v]er",
                "  [p]review exactly what it gets   [l]ess   [?] all details",
            ])
    }

    @Test func whatIsNewIsSaid() {
        let more = lines(Self.phoneCheck, .wider, why: "it also reads Contacts.birthday")
        #expect(more.contains("  NEW            it also reads Contacts.birthday"))
        let before = lines(Self.phoneCheck, .expired, why: "you allowed it, and that is over")
        #expect(before.contains("  Before         you allowed it, and that is over"))
        #expect(!before.contains { $0.hasPrefix("  NEW") })
    }

    @Test func whatWeighsMoreLooksHeavier() throws {
        var heavy = Self.phoneCheck
        heavy.send("to api.example.org")
        heavy.internet =
            "SENDS at most 17 bits a run, nothing from your data as the publisher says, to api.example.org"
        heavy.alarms = ["it hands your data itself to the app"]
        heavy.purpose.code = "data-copy"
        let lines = lines(heavy)
        #expect(lines[0].hasPrefix("The app Notes wants to COPY your contacts' phone numbers"))
        #expect(lines[2] == "  DANGER         it hands your data itself to the app")
        #expect(
            lines.contains {
                $0.hasPrefix("  Internet       SENDS at most 17 bits a run, nothing from your data")
            })
        // What has been sent cannot be looked at first.
        #expect(!lines.joined().contains("[p]review"))
    }

    @Test func oneThatNobodyDescribedStillSaysWhatItSends() {
        var sending = DataflowDescription.sending
        sending.internet = ""
        #expect(lines(sending).contains("  Internet       SENDS: see [?]"))
    }

    @Test(arguments: [
        (0, "about 0"), (8, "about 8"), (99, "about 99"), (104, "about 100"), (1_204, "about 1,200"),
        (1_996, "about 2,000"), (1_050_000, "about 1,100,000"),
    ])
    func countsAreEstimates(count: Int, words: String) { #expect(RowCount(count).words == words) }

    @Test func whatIsStillCountedIsMore() {
        #expect(RowCount(12_999, isMore: true).words == "more than 12,000")
    }

    @Test func anAppWithoutAnIDIsQuoted() {
        #expect(
            lines(Self.phoneCheck.with { $0.app = "Notes; y" })[0].hasPrefix("The app \"Notes; y\" wants"))
    }
}
