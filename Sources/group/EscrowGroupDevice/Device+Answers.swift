public import EscrowDiagnostics
internal import EscrowGroup
public import EscrowGroupAnswers
internal import EscrowJSON
internal import EscrowShareWire

/// Where this device stands in a question.
public enum QuestionState: Sendable, Equatable {
    /// Others have not said what comes next: their nodes; empty where the asker is to say who is in
    /// it.
    case waiting(for: [String])
    case answered(Answer)
}

/// Questions that the members answer together. Their words are objects of a class of its own:
/// servers see of them what they see of others.
extension Device {
    /// On whose behalf this individual's numbers are computed. This device made its node for this
    /// group alone, so a grant holds for no other, whoever began that and whatever it is called
    /// here; the name is what this individual calls the group.
    public var app: String { Self.app(of: profile.id, called: name) }

    static func app(of node: String, called name: String) -> String {
        "org.escrow.group.\(node).\(label(of: name))"
    }

    /// A group's name as an app id may hold it.
    static func label(of name: String) -> String {
        name.lowercased().replacing("_", with: "-")
    }

    /// The questions that are here, in the order of their names.
    public func questions() -> [Question] {
        let words = words()
        return Set(words.map(\.question)).sorted().compactMap { Conversation($0, words)?.question }
    }

    /// Asks all members, this one among them.
    public func ask(
        plugin: String, sql: String?, field: String, count: Int, least: Int, epsilon: Double, bound: Int64,
        at now: Int64
    ) throws(Diagnostic) -> Question {
        let question: Question
        do {
            question = try Question(
                asker: profile.id, plugin: plugin, sql: sql, field: field, count: count, least: least,
                epsilon: epsilon, bound: bound, nonce: ShareName.random())
        } catch {
            throw Diagnostic(
                .questionUnfit, "this cannot be asked of a group",
                help:
                    "3 to 250 members, 1 to 4096 numbers, epsilon from 0.001 to 16, a bound from 1 to 1e12 epsilon"
            )
        }
        try say(Word(question: question.id, sender: profile.id, content: .asked(question)), nil, at: now)
        return question
    }

    /// Goes on with a question as far as it goes now, and says so to the others with the next
    /// ``sync(at:)``.
    ///
    /// - Parameters:
    ///   - withoutMissing: The asker's: who has said nothing so far is left out.
    ///   - budget: How much may come out about this individual.
    ///   - numbers: This member's numbers, by their own escrow; asked for once, when all else is there.
    public func goOn(
        _ id: String, withoutMissing: Bool = false, budget: AnswerBudget, at now: Int64,
        numbers: (Question) throws(Diagnostic) -> [Int64]
    ) throws(Diagnostic) -> QuestionState {
        var withoutMissing = withoutMissing
        while true {
            guard let conversation = Conversation(id, words()) else {
                throw Diagnostic(
                    .noSuchThing, "there is no such question in the group",
                    help: "escrow group questions GROUP")
            }
            let question = conversation.question
            if question.asker == profile.id,
                let word = conversation.nextStage(
                    of: Set(keyring.newest.members.keys), withoutMissing: withoutMissing)
            {
                // One set at a time: whoever is in it has to answer first.
                withoutMissing = false
                try say(word, nil, at: now)
                continue
            }
            var participant: Participant
            if let kept = try store.part("answer/\(id)", Participant.self) {
                participant = kept
            } else {
                // Whoever comes late gives nothing, so nothing is counted.
                guard !conversation.leavesOut(profile.id) else { return .waiting(for: []) }
                let before = try store.part("spent", [AnswerBudget.Spending].self) ?? []
                try budget.spend(question.epsilon, at: now, before: before)
                participant = Participant(question: id, member: profile.id)
            }
            do {
                switch try participant.next(in: conversation, keys: keys, members: keyring.newest.members) {
                case .say(let word): try say(word, participant, at: now)
                case .numbers:
                    let numbers = try numbers(question)
                    let word = try participant.mask(numbers, in: conversation, using: &conduct.random)
                    try say(word, participant, at: now)
                case .wait(let members): return .waiting(for: members)
                case .opened: return .answered(try Answer(conversation))
                }
            } catch let error as Diagnostic {
                throw error
            } catch let error as AnswerError {
                throw Self.refusal(error)
            } catch {
                throw Diagnostic(.ownFault, "a question failed")
            }
        }
    }

    private static func refusal(_ error: AnswerError) -> Diagnostic {
        switch error {
        case .bound:
            Diagnostic(
                .answerNotGiven, "your numbers are greater than the question allows: nothing was given",
                help: "the asker can ask again with a greater bound")
        case .count:
            Diagnostic(
                .answerNotGiven,
                "the plugin's result holds not as many numbers as the question asks for: nothing was given")
        case .unopened(let member):
            Diagnostic(
                .answerNotGiven,
                "the sum does not open: what member \(member) dealt is wrong, or too few opened it")
        default: Diagnostic(.answerNotGiven, "what was said in this question does not fit together")
        }
    }

    // MARK: Words

    /// What is said is kept together with what it follows from.
    func say(_ word: Word, _ participant: Participant?, at now: Int64) throws(Diagnostic) {
        try step { () throws(Diagnostic) in
            if let participant { try store.setPart("answer/\(participant.question)", participant) }
            let id = Grouper<Replica>.wordId(word.name)
            // What cannot be read back would be said again, without an end.
            guard let text = try? word.text(signedBy: keys),
                (try? Word(text, members: keyring.newest.members)) == word,
                grouper.dataStack.version(of: id) == nil
            else {
                throw Diagnostic(
                    .groupUnfit,
                    "a word of a question cannot be said: it is too long, or was said and cannot be read")
            }
            let object = JSONWriter.line(["word": .string(text)])
            do {
                try grouper.sender.update(
                    Grouper<Replica>.answers, id, String(decoding: object, as: UTF8.self), at: now)
            } catch {
                throw Diagnostic(.groupUnfit, "a word of a question cannot be sent")
            }
        }
    }

    private func words() -> [Word] {
        objects(of: Grouper<Replica>.answers).compactMap { id, _, object in
            guard
                let text = try? JSONParser.parse(object, limits: .init(bytes: 16 << 20)).value["word"]?
                    .string,
                let word = try? Word(text, members: keyring.newest.members),
                Grouper<Replica>.wordId(word.name) == id
            else { return nil }
            return word
        }
    }
}
