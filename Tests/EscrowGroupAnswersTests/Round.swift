import EscrowGroup

@testable import EscrowGroupAnswers

/// Draws that give no noise; keys and masks are drawn elsewhere.
struct Silence: RandomNumberGenerator {
    func next() -> UInt64 { 0 }
}

/// Members who answer one question in one process: what each says, all the others read, as signed
/// text.
struct Round {
    let question: Question
    let keys: [String: MemberKeys]
    var participants: [String: Participant] = [:]
    var texts: [String] = []
    /// Each member's numbers.
    var numbers: [String: [Int64]]
    /// Who says nothing any more.
    var gone: Set<String> = []
    var random = Silence()

    init(
        _ numbers: [String: [Int64]], asker: String = "a", least: Int = 3, epsilon: Double = 1,
        bound: Int64 = 1
    ) throws {
        question = try Question(
            asker: asker, plugin: "org.example.count", sql: nil, field: "count",
            count: numbers.values.first?.count ?? 1, least: least, epsilon: epsilon, bound: bound,
            nonce: "0123456789abcdef")
        self.numbers = numbers
        keys = numbers.mapValues { _ in MemberKeys() }
        for member in numbers.keys {
            participants[member] = Participant(question: question.id, member: member)
        }
        try say(Word(question: question.id, sender: asker, content: .asked(question)))
    }

    var members: [String: MemberIdentity] { keys.mapValues(\.identity) }

    var words: [Word] { get throws { try texts.map { try Word($0, members: members) } } }

    func conversation() throws -> Conversation {
        guard let conversation = Conversation(question.id, try words) else { throw AnswerError.question }
        return conversation
    }

    mutating func say(_ word: Word) throws {
        guard let keys = keys[word.sender] else { throw AnswerError.keys }
        texts.append(try word.text(signedBy: keys))
    }

    /// One step of each who is there; whether anything was said.
    mutating func step(except: Set<String> = []) throws -> Bool {
        var isMoving = false
        for member in participants.keys.sorted() where !gone.contains(member) && !except.contains(member) {
            let conversation = try conversation()
            var participant = participants[member]!
            switch try participant.next(in: conversation, keys: keys[member]!, members: members) {
            case .say(let word):
                try say(word)
                isMoving = true
            case .numbers:
                try say(try participant.mask(numbers[member]!, in: conversation, using: &random))
                isMoving = true
            case .wait, .opened: break
            }
            participants[member] = participant
        }
        return isMoving
    }

    /// The asker names the next set: all who are there.
    mutating func nameStage() throws {
        guard let word = try conversation().nextStage(of: Set(members.keys), withoutMissing: false) else {
            throw AnswerError.question
        }
        try say(word)
    }

    /// All that is said before the asker names the set of that stage.
    mutating func runToStage(_ stage: Int) throws {
        while try step() {}
        for _ in 1..<stage {
            try nameStage()
            while try step() {}
        }
    }

    /// Everybody goes on, and the asker names the next set of those who are there, until nothing is
    /// said any more.
    mutating func run() throws {
        while true {
            while try step() {}
            guard let word = try conversation().nextStage(of: Set(members.keys), withoutMissing: true) else {
                return
            }
            try say(word)
        }
    }

    mutating func answer() throws -> Answer {
        try run()
        return try Answer(conversation())
    }
}
