import EscrowDiagnostics
import Testing

@testable import EscrowConsent

@Suite struct LessMenuTests {
    /// Counts ten rows of each table, one for each condition, and refuses a condition that is none.
    private static func count(_ limit: GrantLimit) throws(Diagnostic) -> [String: RowCount] {
        guard let rows = limit.rows["Contacts"] else { return ["Contacts": RowCount(10)] }
        if rows.condition == "(nonsense)" {
            throw Diagnostic(.emptyLimit, "nonsense is no condition", help: "write another")
        }
        return ["Contacts": RowCount(rows.first ?? 1)]
    }

    private func type(_ text: String) throws -> (ConsentReply, String) {
        try Typed.ask(ConsentQuestion(.sample, count: Self.count), text)
    }

    @Test(arguments: [
        ("l\nc\nphoneNumber\ny\n", "less, once: Contacts: phoneNumber left out"),
        ("less\nfewer\n3\nh\nalways\nyes\n", "less, always: Contacts: the first 3 records"),
        (
            "l\ns\nfamilyName = 'A'\nh\n5 runs\ny\n",
            "less, 5 runs: Contacts: records that meet your condition"
        ),
        (
            "l\nr\ntruncate(Contacts.phoneNumber, 6)\ny\n",
            "less, once: Contacts: phoneNumber first 6 letters only"
        ),
    ])
    func eachStepMakesItLess(text: String, word: String) throws {
        guard case .answer(let answer) = try type(text).0 else {
            Issue.record("no answer")
            return
        }
        #expect(answer.word == word)
    }

    @Test func eachStepShowsWhatItComesTo() throws {
        let shown = try type("l\nc\nphoneNumber\nf\nContacts=3\ny\n").1
        #expect(shown.contains("allow what is left: 3 of 3 columns; about 10 rows of Contacts\n"))
        #expect(
            shown.replacing("\n               ", with: " ").contains(
                "allow what is left: 2 of 3 columns; about 3 rows of Contacts; instead of about 10 rows of "
                    + "Contacts; Contacts: the first 3 records; Contacts: phoneNumber left out"))
    }

    @Test func whatCannotBeServedIsSaidAndLeftOut() throws {
        let (reply, shown) = try type("l\ns\nnonsense\nf\n2\ny\n")
        #expect(reply == .answer(.limit(GrantLimit(rows: ["Contacts": .init(first: 2)]), .once)))
        #expect(shown.contains("nonsense is no condition\n"))
    }

    @Test func noIsNo() throws {
        #expect(try type("l\nf\n2\nn\n").0 == .answer(.no))
        #expect(try type("l\nno\n").0 == .answer(.no))
    }

    /// Where it is heard, no letter stands in brackets.
    @Test func itCanBeHeard() throws {
        let shown = try TerminalText.$isSpoken.withValue(true) { try type("l\nb\nn\n").1 }
        #expect(shown.contains("c, columns: leave one out: "))
        #expect(shown.contains("r, coarser: make one less exact"))
        #expect(!shown.contains("["))
    }

    @Test func backKeepsNothing() throws {
        #expect(try type("l\nf\n2\nq\no\n").0 == .answer(.allow(.once)))
        #expect(try type("l\nf\n2\nb\no\n").0 == .answer(.allow(.once)))
    }

    @Test(arguments: ["l\ny\ny\ny\n", "l\nwhat\n?\n7\n", "l\nf\n0\nf\nPhotos=2\nf\nx\n", "l\nf\n2\n"])
    func nothingClearDecidesNothing(text: String) throws { #expect(try type(text).0 == .none) }
}
