import Glibc
import Testing

@testable import EscrowConsent
@testable import EscrowQuestion

@Suite struct ConsentPromptTests {
    /// Types at a prompt and says what was answered and shown.
    func type(_ text: String, why: String = "") throws -> (answer: ConsentReply, shown: String) {
        let reply = try Typed.ask(
            ConsentQuestion(.sample, reason: why.isEmpty ? .neverAsked : .wider, why: why), text)
        return (reply.reply, reply.shown)
    }

    @Test(
        arguments: [
            ("once\n", .allow(.once)), ("always\n", .allow(.always)), ("no\n", .no),
            ("never\n", .deny(.always)),
            ("  NO \r\n", .no), ("o\n", .allow(.once)), ("a\n", .allow(.always)), ("n\n", .no),
            ("what\nalways\n", .allow(.always)), ("today\n", .allow(.today)), ("no today\n", .deny(.today)),
            ("5 runs\n", .allow(.uses(5))), ("no 2 runs\n", .deny(.uses(2))), ("p\n", .preview),
            ("empty\n", .denyAsEmpty), ("y\n", .allow(.once)), ("Yes\n", .allow(.once)),
            ("t\n", .allow(.today)), ("v\n", .deny(.always)), ("what\nwhich\nn\n", .no),
            ("until 2030-12-31\n", .allow(.until(ConsentTime.end(ofDay: "2030-12-31")!))),
        ] as [(String, ConsentAnswer)])
    func clearAnswersAreTaken(text: String, answer: ConsentAnswer) throws {
        #expect(try type(text).answer == .answer(answer))
    }

    @Test(arguments: [
        "ok\nyy\nye\n", "yes please\n\nsure\n", "once more\nno way\nalways?\n",
        "no always\n0 runs\nuntil 2030-02-30\n",
        "nev\n\u{0}\noncе\n",
    ])
    func unclearAnswersDecideNothing(text: String) throws {
        let (answer, shown) = try type(text)
        #expect(answer == .none)
        #expect(shown.contains("please type a letter or a word of these"))
        #expect(shown.hasSuffix("that is no answer: nothing is decided\n"))
    }

    @Test(arguments: ["", "always", "maybe\n", "?\n", "?\n?\n?\n?\n"])
    func anEndWithoutAnAnswerIsNoAnswer(text: String) throws { #expect(try type(text).answer == .none) }

    @Test(
        arguments: [
            ("limit without Contacts.phoneNumber\n", "less, once: Contacts: phoneNumber left out"),
            ("limit first Contacts=20\n", "less, once: Contacts: the first 20 records"),
            (
                "limit always first Contacts.birthday=3\n",
                "less, always: Contacts: the 3 records with the greatest birthday"
            ),
            (
                "LIMIT today where Contacts: familyName = 'A'; record Contacts=c-1; record Contacts=c-2\n",
                "less, today: Contacts: 2 chosen records and records that meet your condition"
            ),
            (
                "limit\nlimit always coarser truncate(Contacts.phoneNumber, 6)\n",
                "less, always: Contacts: phoneNumber first 6 letters only"
            ),
        ])
    func lessCanBeTyped(text: String, word: String) throws {
        guard case .answer(let answer) = try type(text).answer else {
            Issue.record("no answer")
            return
        }
        #expect(answer.word == word)
    }

    @Test func conditionsOfALimitAreJoined() throws {
        #expect(
            try type("limit where Contacts: a = 1 OR b; where Contacts: c\n").answer
                == .answer(
                    .limit(
                        GrantLimit(rows: ["Contacts": .init(condition: "(a = 1 OR b) AND (c)")]), .once)))
    }

    @Test(arguments: [
        "limit", "limit today", "limit everything", "limit without", "limit without Photos.asset",
        "limit where Photos: 1", "limit where Contacts", "limit record Contacts=", "limit coarser nonsense(",
        "limit without Contacts.id;", "limit tomorrow without Contacts.id",
        "limit first Contacts=0", "limit first Photos=2", "limit first Contacts=1e3", "limit first Contacts",
    ])
    func aLimitThatIsNotClearDecidesNothing(line: String) throws {
        let (answer, shown) = try type(line + "\n")
        #expect(answer == .none)
        let told = """
            please type limit, then once, today or always, then what is served, with ; between, as in: \
            limit today without TABLE.COLUMN; first TABLE=N; or of: without TABLE.COLUMN, \
            coarser TERM, where TABLE: CONDITION, record TABLE=ID, first TABLE=N, \
            first TABLE.COLUMN=N
            allow?
            """
        #expect(shown.replacing("\n    ", with: " ").hasSuffix(told + " \n"))
        #expect(try type("limited\nlimitless\nno limit\n").answer == .none)
    }

    /// What the hint shows is what its reader takes.
    @Test func everyFormOfTheHintIsUnderstood() {
        func filled(_ form: String) -> String {
            form.replacing("TABLE", with: "Contacts").replacing("COLUMN", with: "id")
                .replacing("CONDITION", with: "id = '1'").replacing("TERM", with: "drop(Contacts.id)")
                .replacing("=ID", with: "=c-1").replacing("=N", with: "=3")
        }
        let parts = LimitAnswer.forms.map(filled)
        #expect(LimitAnswer.hint.contains(LimitAnswer.example))
        for line in [filled(LimitAnswer.example)]
            + parts.flatMap({ part in
                ["", "once ", "today ", "always ", "today; ", "Always, "].map { "limit \($0)\(part)" }
            })
        {
            guard case .limit? = LimitAnswer.read(line, for: .sample) else {
                Issue.record("not understood: \(line)")
                continue
            }
        }
    }

    @Test func aLineThatIsTooLongIsUnclear() throws {
        #expect(try type("always" + String(repeating: " ", count: 4000) + "\nno\n").answer != .none)
        #expect(try type(String(repeating: "x", count: 4000) + "\nno\n").answer == .answer(.no))
    }

    @Test func theQuestionIsShownAndThenTheDetailsOnRequest() throws {
        let why = "it is more than you allowed before: it also reads A.b"
        let question = DataflowDescription.sample.question(.wider, why: why, width: 96)
        #expect(
            try type("?\nno\n", why: why).shown
                == (question.joined(separator: "\n") + "\nallow? "
                    + DataflowDescription.sample.explain().joined(separator: "\n") + "\nallow? "))
    }

    @Test func theReasonCannotPaintEither() throws {
        #expect(try !type("no\n", why: "\u{1B}[2Jhello\n\rallow?").shown.contains("\u{1B}"))
    }
}
