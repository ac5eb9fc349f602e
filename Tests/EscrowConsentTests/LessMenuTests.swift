import EscrowDiagnostics
import EscrowMinimisation
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

@Suite struct LessMenuTests {
    /// Counts ten rows of each table, one for each condition, and refuses a condition that is none.
    private static func count(_ limit: GrantLimit) throws(Diagnostic) -> [String: RowCount] {
        guard let rows = limit.rows["Contacts"] else { return ["Contacts": RowCount(10)] }
        if rows.condition == "(nonsense = 1)" {
            throw Diagnostic(.emptyLimit, "nonsense is no condition", help: "write another")
        }
        return ["Contacts": RowCount(rows.first ?? rows.ids?.count ?? 1)]
    }

    /// The columns of one contact, as a limit serves them.
    private static func examples(_ limit: GrantLimit) throws(Diagnostic) -> [ColumnExample] {
        [("id", "c-1"), ("phoneNumber", "+1 202 555 0140"), ("familyName", "Abara")].map {
            name, value in
            let transform = limit.coarser.table("Contacts").transform(of: name)
            let served = transform.isDropped ? nil : String(value.prefix(transform.length ?? 60))
            return ColumnExample(table: "Contacts", name: name, kind: .text, plain: value, value: served)
        }
    }

    private static func records(_ words: String) throws(Diagnostic) -> [RecordExample] {
        [("c-1", "Amara Abara"), ("c-2", "Hiro Dvořák")].filter { words.isEmpty || $0.1.contains(words) }
            .map { RecordExample(table: "Contacts", id: $0.0, words: $0.1) }
    }

    private func type(_ text: String, records: Bool = true) throws -> (ConsentReply, String) {
        let none: (String) throws(Diagnostic) -> [RecordExample] = { _ throws(Diagnostic) in [] }
        return try Typed.ask(
            ConsentQuestion(
                .sample, count: Self.count, examples: Self.examples, records: records ? Self.records : none),
            text)
    }

    @Test(arguments: [
        ("l\nc\nphoneNumber\ny\n", "less, once: Contacts: phoneNumber left out"),
        ("l\nc\n2\ny\n", "less, once: Contacts: phoneNumber left out"),
        ("l\nc Contacts.phoneNumber\ny\n", "less, once: Contacts: phoneNumber left out"),
        ("less\nfewer\n3\nh\nalways\nyes\n", "less, always: Contacts: the first 3 records"),
        ("less\nf 3\nhow long always\nyes\n", "less, always: Contacts: the first 3 records"),
        (
            "l\ns\nfamilyName = 'A'\nh\n5 runs\ny\n",
            "less, 5 runs: Contacts: records that meet your condition"
        ),
        ("l\ns\nAmara\n1\ny\n", "less, once: Contacts: 1 chosen records"),
        ("l\ns\nr\n1, 2\ny\n", "less, once: Contacts: 2 chosen records"),
        (
            "l\nr\ntruncate(Contacts.phoneNumber, 6)\ny\n",
            "less, once: Contacts: phoneNumber first 6 letters only"
        ),
        ("l\nr\ntruncate(phoneNumber, 6)\ny\n", "less, once: Contacts: phoneNumber first 6 letters only"),
        ("l\nr\nphoneNumber\n2\ny\n", "less, once: Contacts: phoneNumber first 3 letters only"),
        ("l\nc 2\nc 1\nu\ny\n", "less, once: Contacts: phoneNumber left out"),
    ])
    func eachStepMakesItLess(text: String, word: String) throws {
        let (reply, shown) = try type(text)
        guard case .answer(let answer) = reply else {
            Issue.record("no answer after\n\(shown)")
            return
        }
        #expect(answer.word == word)
    }

    @Test func whatIsPickedIsServed() throws {
        #expect(
            try type("l\ns\nHiro\n1\ny\n").0
                == .answer(.limit(GrantLimit(rows: ["Contacts": .init(ids: ["c-2"])]), .once)))
    }

    @Test func eachStepShowsWhatItComesTo() throws {
        let shown = try type("l\nc\nphoneNumber\nf\nContacts=3\ny\n").1
            .replacing("\n               ", with: " ")
        #expect(shown.contains("allow this: 3 of 3 columns; about 10 rows of Contacts\n"))
        #expect(
            shown.contains(
                "allow this: 2 of 3 columns; about 3 rows of Contacts; Contacts: the first 3 records; "
                    + "Contacts: phoneNumber left out"))
    }

    /// What a column would look like, before it is chosen and afterwards.
    @Test func theEffectIsSeenOnTheIndividualsOwnValues() throws {
        let shown = try type("l\nr\n2\n3\nf 4\nn\n").1
        #expect(shown.contains("  2     phoneNumber: \"+1 202 555 0140\"\n"), "\(shown)")
        #expect(
            shown.contains(
                """
                  1    first letter only: "+"
                  2    first 3 letters only: "+1"
                  3    first 6 letters only: "+1 202"
                """), "\(shown)")
        #expect(
            shown.contains("  2     phoneNumber: \"+1 202\" in place of \"+1 202 555 0140\"\n"), "\(shown)"
        )
        #expect(shown.contains("  rows  about 4 of about 10 rows of Contacts\n"), "\(shown)")
    }

    /// What the individual never asked to see is not shown.
    @Test func noValueIsShownBefore() throws {
        #expect(!(try type("?\nn\n").1.contains("Abara")))
    }

    @Test(arguments: [
        (
            ColumnExample.Kind.moment, "2026-03-01T12:00:00Z",
            ["deresolve(c, year)", "deresolve(c, month)", "deresolve(c, day)", "deresolve(c, hour)"]
        ),
        (.text, "1996-04-15", ["deresolve(c, year)", "deresolve(c, month)", "hash(c, per-app)"]),
        (.text, "Ada", ["truncate(c, 1)", "truncate(c, 3)", "truncate(c, 6)", "hash(c, per-app)"]),
        (.integer, "12", ["round(c, -3)", "round(c, -2)", "round(c, -1)", "hash(c, per-app)"]),
        (.real, "1.5", ["round(c, -1)", "round(c, 0)", "round(c, 1)"]), (.file, "", ["strip(c)"]),
        (.other, "", []),
    ])
    func eachTypeHasWaysOfItsOwn(kind: ColumnExample.Kind, value: String, terms: [String]) {
        let column = ColumnExample(table: "T", name: "c", kind: kind, value: value)
        #expect(column.coarserChoices.flatMap { $0.spelled("c") } == terms + ["drop(c)"])
    }

    @Test func whatCannotBeServedIsSaidAndLeftOut() throws {
        let (reply, shown) = try type("l\ns\nnonsense\ns\nnonsense = 1\nf\n2\ny\n", records: false)
        #expect(reply == .answer(.limit(GrantLimit(rows: ["Contacts": .init(first: 2)]), .once)))
        #expect(shown.contains("that is no condition, such as phoneNumber LIKE 'A%'\n"))
        #expect(shown.contains("nonsense is no condition\n"))
    }

    /// SQL takes 2026-03-02 for 2021, and every time is greater than that.
    @Test(arguments: ["familyName > 2026-03-02", "familyName <> 'x' OR familyName > 2026-03-02"])
    func aDateWithoutQuotesIsNoDate(text: String) throws {
        let (reply, shown) = try type("l\ns\n\(text)\nn\n")
        #expect(reply == .answer(.no) && shown.contains("a date stands in single quotes: '2026-03-02'\n"))
        #expect(!(try type("l\ns\nfamilyName > '2026-03-02'\nn\n").1.contains("single quotes")))
    }

    @Test(arguments: [
        (ColumnExample.Kind.text, "Ada", "c LIKE 'A%'"), (.text, "1996-04-15", "c >= '2000-01-01'"),
        (.moment, "2026-03-01T12:00:00Z", "c >= '2026-01-01'"), (.real, "1.5", "c > 10"),
        (.other, "", "c IS NOT NULL"),
    ])
    func anExampleFitsItsColumn(kind: ColumnExample.Kind, value: String, words: String) {
        #expect(ColumnExample(table: "T", name: "c", kind: kind, value: value).conditionExample == words)
    }

    @Test(arguments: ["l\nc\n9\nn\n", "l\nc shoeSize\nn\n"])
    func aColumnThatIsNoneIsSaid(text: String) throws {
        let (reply, shown) = try type(text)
        #expect(reply == .answer(.no) && shown.contains("that is none of its columns"))
    }

    @Test func noIsNo() throws {
        #expect(try type("l\nf\n2\nn\n").0 == .answer(.no))
        #expect(try type("l\nno\n").0 == .answer(.no))
    }

    /// Where it is heard, no letter stands in brackets.
    @Test func itCanBeHeard() throws {
        let shown = try TerminalText.$isSpoken.withValue(true) { try type("l\nb\nn\n").1 }
        #expect(shown.contains("c, columns: leave one out"))
        #expect(shown.contains("r, coarser: make one less exact"))
        #expect(!shown.contains("["))
    }

    @Test func backKeepsNothing() throws {
        #expect(try type("l\nf\n2\nq\no\n").0 == .answer(.allow(.once)))
        #expect(try type("l\nf\n2\nb\no\n").0 == .answer(.allow(.once)))
        #expect(try type("l\nf\n2\nu\ny\nn\n").0 == .answer(.no))
    }

    @Test(arguments: [
        "l\ny\ny\ny\n", "l\nwhat\n?\n7\n", "l\nf\n0\nf\nPhotos=2\nf\nx\n", "l\nf\n2\n", "l\nu\nu\nu\n",
        "l\nr\n2\n9\nr\n2\nx\nr\n2\n0\n", "l\ns\nzzz\ns\na\n7\ns\na\nx\n", "l\nr\n2\n",
    ])
    func nothingClearDecidesNothing(text: String) throws { #expect(try type(text).0 == .none) }
}
