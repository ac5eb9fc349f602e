import Testing

@testable import EscrowGroupAnswers

@Suite("Answers of a group") struct AnswerTests {
    static let ones: [String: [Int64]] = ["a": [1], "b": [0], "c": [1], "d": [1], "e": [0], "f": [1]]

    @Test func theSumComesOutAndNothingElse() throws {
        var round = try Round(Self.ones)
        let answer = try round.answer()
        #expect(answer.sums == [4])
        #expect(answer.members == ["a", "b", "c", "d", "e", "f"])
        #expect(answer.faults.isEmpty)
    }

    @Test func aHistogramIsAddedBarByBar() throws {
        var numbers: [String: [Int64]] = [:]
        for index in 0..<7 {
            numbers["m\(index)"] = (0..<12).map { $0 == (index * 5) % 12 ? -1 : 0 }
        }
        var round = try Round(numbers, asker: "m0")
        let answer = try round.answer()
        #expect(answer.sums.reduce(0, +) == -7)
        #expect(answer.sums.count == 12)
    }

    /// Whoever is gone after any word: the others' sum comes out while enough are left, and none
    /// else.
    @Test(arguments: 1...6) func whoGoesIsNotCountedAndStopsNobody(after stage: Int) throws {
        for gone in [Set(["b"]), ["b", "f"]] {
            var round = try Round(Self.ones, least: 3)
            var turn = 0
            while true {
                turn += 1
                if turn == stage { round.gone = gone }
                if try round.step() { continue }
                guard
                    let word = try round.conversation().nextStage(
                        of: Set(round.members.keys), withoutMissing: true)
                else { break }
                try round.say(word)
            }
            let conversation = try round.conversation()
            let left = Set(Self.ones.keys).subtracting(gone)
            guard let third = conversation.members(from: 3) else {
                // Six who gave a key and four who go on: five are needed.
                #expect(gone.count == 2)
                continue
            }
            #expect(left.isSubset(of: third))
            if third.count == 6, conversation.opened.count < 5 {
                #expect(throws: AnswerError.self) { try Answer(conversation) }
            } else {
                let answer = try Answer(conversation)
                #expect(answer.sums == [third.reduce(0) { $0 + Self.ones[$1]![0] }])
            }
        }
    }

    @Test func fewerThanTheQuestionSaysAreNeverAdded() throws {
        var round = try Round(Self.ones, least: 6)
        round.gone = ["c"]
        try round.run()
        #expect(try round.conversation().members(from: 1) == nil)
        #expect(round.texts.count == 6)
        // Not either where the asker says so all the same.
        try round.say(
            Word(question: round.question.id, sender: "a", content: .stage(1, ["a", "b", "d", "e", "f"])))
        #expect(try !round.step())
    }

    /// Two thirds and one more open; one fewer get nothing out of what they hold.
    @Test func tooFewWhoHelpOpenNothing() throws {
        var round = try Round(Self.ones)
        try round.runToStage(3)
        try round.nameStage()
        _ = try round.step(except: ["e", "f"])
        #expect(try round.conversation().opened.count == 4)
        #expect(throws: AnswerError.unopened("a")) { try Answer(round.conversation()) }
        _ = try round.step(except: ["f"])
        #expect(try Answer(round.conversation()).sums == [4])
    }

    @Test func whoOpensAWrongShareIsNamedAndHurtsNobody() throws {
        var round = try Round(Self.ones)
        try round.run()
        let liar = "d"
        let name = "\(round.question.id)/4-opened/d"
        let others = try round.texts.filter { try Word($0, members: round.members).name != name }
        guard
            case .opened(var shares) = try #require(round.words.first { $0.name == name }).content
        else {
            return #expect(Bool(false))
        }
        shares["a"]![shares["a"]!.count - 1] ^= 1
        shares["b"] = shares["c"]
        round.texts = others
        try round.say(Word(question: round.question.id, sender: liar, content: .opened(shares)))
        let answer = try Answer(round.conversation())
        #expect(answer.sums == [4])
        let texts = ["d's share of a's secret is altered", "d's share of b's secret is stale"]
        #expect(answer.faults.map(\.text) == texts)
    }

    /// An asker who tells half of the members that b's number is added, and the others that it is
    /// not: with both of b's secrets b's number would be read.
    @Test func anAskerWhoTellsTwoThingsReadsNobody() throws {
        var round = try Round(Self.ones)
        try round.runToStage(3)
        var (one, two) = (round, round)
        try one.say(
            Word(question: one.question.id, sender: "a", content: .stage(3, ["a", "b", "c", "d", "e", "f"])))
        try two.say(
            Word(question: two.question.id, sender: "a", content: .stage(3, ["a", "c", "d", "e", "f"])))
        // The asker itself helps both; each of the others goes by what it heard.
        _ = try one.step(except: ["d", "e", "f"])
        _ = try two.step(except: ["b", "c"])
        #expect(try one.conversation().opened.count == 3)
        #expect(try two.conversation().opened.count == 4)
        #expect(throws: AnswerError.self) { try Answer(one.conversation()) }
        #expect(throws: AnswerError.self) { try Answer(two.conversation()) }
        // Who went by the one set says the same when it hears the other.
        let said = try one.conversation().opened["c"]
        one.texts = two.texts
        _ = try one.step(except: ["a", "b", "d", "e", "f"])
        #expect(try one.conversation().opened["c"] == said)
    }

    @Test func numbersBeyondTheBoundOrTooManyAreNotGiven() throws {
        for (numbers, error) in [
            ([2] as [Int64], AnswerError.bound), ([1, 0], .count), ([-2], .bound), ([Int64.min], .bound),
        ] {
            var round = try Round(Self.ones)
            round.numbers["c"] = numbers
            #expect(throws: error) { try round.run() }
        }
        for (least, epsilon, bound) in [
            (2, 1, 1), (3, 0, 1), (3, 1, 0), (3, .nan, 1), (3, .infinity, 1),
            (3, 0.001, 1_000_000_001),
        ] {
            #expect(throws: AnswerError.question) {
                try Round(Self.ones, least: least, epsilon: epsilon, bound: Int64(bound))
            }
        }
    }

    @Test func wordsOfOthersAreNotTaken() throws {
        let round = try Round(Self.ones)
        let text = round.texts[0]
        for forged in [
            text.replacing("org.example.count", with: "org.example.names"),
            text.replacing("\"sender\":\"a\"", with: "\"sender\":\"b\""),
            text.replacing("\"sender\":\"a\"", with: "\"sender\":\"z\""), text + " x", "", "{}", "[]",
            text.replacing("\"signature\"", with: "\"more\":1,\"signature\""),
        ] {
            #expect(forged != text)
            #expect(throws: AnswerError.malformed) { try Word(forged, members: round.members) }
        }
        // Nobody but the asker says who is in it.
        var other = round
        while try other.step() {}
        try other.say(Word(question: other.question.id, sender: "b", content: .stage(1, ["a", "b", "c"])))
        #expect(try other.conversation().members(from: 1) == nil)
    }

    /// The same numbers in fifty rounds: what is said of them is spread over all residues.
    @Test func aMaskedNumberSaysNothing() throws {
        var tenths = [Int](repeating: 0, count: 10)
        for _ in 0..<50 {
            var round = try Round(["a": [1], "b": [1], "c": [1]])
            try round.runToStage(3)
            for numbers in try round.conversation().masked.values {
                tenths[Int(numbers[0] / (Residues.modulus / 10 + 1))] += 1
            }
        }
        // Chi-square with nine degrees of freedom: 60 is passed once in several hundred million times; by numbers of
        // which a half of the residues shows nothing it would be 150.
        let square = tenths.reduce(0.0) { $0 + (Double($1) - 15) * (Double($1) - 15) / 15 }
        #expect(tenths.reduce(0, +) == 150)
        #expect(square < 60, "\(tenths)")
    }
}
