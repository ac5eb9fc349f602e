/// All that was said in one question, as far as it is here and fits.
public struct Conversation: Sendable {
    public let question: Question
    public private(set) var keys: [String: [UInt8]] = [:]
    private(set) var deals: [String: [String: [UInt8]]] = [:]
    private(set) var masked: [String: [UInt64]] = [:]
    private(set) var opened: [String: [String: [UInt8]]] = [:]
    private var stages: [Int: [String]] = [:]

    /// - Returns: nil where the question itself is not among the words.
    public init?(_ id: String, _ words: [Word]) {
        let own = words.filter { $0.question == id }
        let asked = own.compactMap { word -> Question? in
            guard case .asked(let question) = word.content, question.id == id, question.asker == word.sender
            else {
                return nil
            }
            return question
        }
        guard asked.count == 1 else { return nil }
        question = asked[0]
        for word in own {
            switch word.content {
            case .asked: break
            case .key(let key) where key.count == 32: keys[word.sender] = key
            case .dealt(let deal): deals[word.sender] = deal
            case .masked(let numbers) where numbers.count == question.count: masked[word.sender] = numbers
            case .opened(let shares): opened[word.sender] = shares
            case .stage(let number, let members) where word.sender == question.asker: stages[number] = members
            case .key, .masked, .stage: break
            }
        }
    }

    /// Of how many members at least each set is: as many as the question says, and enough to open
    /// what was dealt.
    func fewest(_ first: [String]) -> Int { max(question.least, Question.threshold(of: first.count)) }

    /// Who is in the question from a stage on, in one order; nil while that is not said, or where
    /// it may not be so.
    func members(from stage: Int) -> [String]? {
        guard let said = stages[stage], Set(said).count == said.count, said.count <= Question.mostMembers
        else { return nil }
        let sorted = said.sorted()
        if stage == 1 {
            return sorted.count >= question.least && sorted.allSatisfy { keys[$0] != nil } ? sorted : nil
        }
        guard let first = members(from: 1), let before = members(from: stage - 1),
            sorted.count >= fewest(first),
            Set(sorted).isSubset(of: before)
        else { return nil }
        return sorted.allSatisfy { (stage == 2 ? deals[$0] != nil : masked[$0] != nil) } ? sorted : nil
    }

    /// Whether the question goes on without a member: it is said who is in it.
    public func leavesOut(_ member: String) -> Bool { members(from: 1).map { !$0.contains(member) } ?? false }

    /// Who has said what the next stage needs, and who of those who could has not.
    func turnout(for stage: Int, of all: Set<String>) -> (here: [String], missing: [String])? {
        let could: [String]
        let here: Set<String>
        switch stage {
        case 1: (could, here) = (all.sorted(), Set(keys.keys))
        case 2: (could, here) = (members(from: 1) ?? [], Set(deals.keys))
        default: (could, here) = (members(from: 2) ?? [], Set(masked.keys))
        }
        guard !could.isEmpty else { return nil }
        return (could.filter { here.contains($0) }, could.filter { !here.contains($0) })
    }

    /// The asker's next word, if one is due: the next set, once all are there, or those who are, if
    /// that is said to be enough.
    ///
    /// - Parameter all: the members of the group.
    public func nextStage(of all: Set<String>, withoutMissing: Bool) -> Word? {
        guard let stage = (1...3).first(where: { stages[$0] == nil }),
            let (here, missing) = turnout(for: stage, of: all), missing.isEmpty || withoutMissing
        else { return nil }
        let needed = stage == 1 ? question.least : fewest(members(from: 1) ?? [])
        guard here.count >= needed, here.count <= Question.mostMembers else { return nil }
        return Word(question: question.id, sender: question.asker, content: .stage(stage, here))
    }
}
