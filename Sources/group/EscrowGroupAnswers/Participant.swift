internal import Crypto
public import EscrowGroup
internal import EscrowJSON
internal import EscrowSharing

/// One member's part in one question (Bonawitz and others, Practical Secure Aggregation, 2017).
/// What it holds is secret and is kept by the device before any word of it is sent: it says each
/// thing once, whatever others say later.
public struct Participant: Sendable, Codable {
    public let question: String
    public let member: String
    /// The seed of the own mask.
    let own: [UInt8]
    /// The secret key of the pairwise masks.
    let pairs: [UInt8]
    /// The sets that this member went by.
    private var stages: [Int: [String]] = [:]
    private var hasMasked = false

    /// What to do next.
    public enum Step: Sendable, Equatable {
        /// A word to send, after this value is kept.
        case say(Word)
        /// The numbers are needed: call ``mask(_:in:noise:)``.
        case numbers
        /// Who has not said what comes next; empty where the asker is to say who is in it.
        case wait(for: [String])
        /// Enough was opened.
        case opened
    }

    public init(question: String, member: String) {
        self.question = question
        self.member = member
        own = Mask().seed
        pairs = Array(Curve25519.KeyAgreement.PrivateKey().rawRepresentation)
    }

    var publicKey: [UInt8]? {
        (try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: pairs)).map {
            Array($0.publicKey.rawRepresentation)
        }
    }

    private func word(_ content: Word.Content) -> Word {
        Word(question: question, sender: member, content: content)
    }

    /// The next step, from all that was said.
    public mutating func next(
        in conversation: Conversation, keys: MemberKeys, members: [String: MemberIdentity]
    ) throws(AnswerError) -> Step {
        // What was counted against the individual's budget is what is answered.
        guard conversation.question.id == question else { throw .question }
        guard conversation.keys[member] != nil else {
            guard let publicKey else { throw .keys }
            return .say(word(.key(publicKey)))
        }
        // Nobody is told to go by another set than before.
        guard let first = set(1, conversation) else { return waiting(conversation, 1, members) }
        guard first.contains(member), conversation.keys[member] == publicKey else { return .wait(for: []) }
        guard conversation.deals[member] != nil else { return .say(try deal(first, keys, members)) }
        guard let second = set(2, conversation) else { return waiting(conversation, 2, members) }
        if second.contains(member), conversation.masked[member] == nil, set(3, conversation) == nil {
            return .numbers
        }
        guard let third = set(3, conversation) else { return waiting(conversation, 3, members) }
        guard conversation.opened[member] != nil else {
            return .say(open(first, second, third, conversation, keys, members))
        }
        let open = conversation.opened.keys.count { first.contains($0) }
        return open >= Question.threshold(of: first.count)
            ? .opened : .wait(for: second.filter { conversation.opened[$0] == nil })
    }

    /// The set of a stage: the one that this member went by, or the one that the asker says now.
    private mutating func set(_ stage: Int, _ conversation: Conversation) -> [String]? {
        if let before = stages[stage] { return before }
        let said = conversation.members(from: stage)
        stages[stage] = said
        return said
    }

    private func waiting(_ conversation: Conversation, _ stage: Int, _ members: [String: MemberIdentity])
        -> Step
    {
        .wait(for: conversation.turnout(for: stage, of: Set(members.keys))?.missing ?? [])
    }

    // MARK: Dealing

    private static func purpose(_ question: String, _ first: [String]) -> String {
        // The set is said: a share that was dealt under another one does not open.
        "escrow answer deal\n\(question)\n\(Hex.string(Mask.digest(of: first)))"
    }

    /// Both secrets, split: any two thirds of the members and one more give one of them back.
    private func deal(_ first: [String], _ keys: MemberKeys, _ members: [String: MemberIdentity])
        throws(AnswerError) -> Word
    {
        let threshold = Question.threshold(of: first.count)
        guard let scheme = try? Scheme(threshold: threshold, shares: first.count, accepted: first.count),
            let masks = try? scheme.split(own), let secrets = try? scheme.split(pairs)
        else { throw .keys }
        var deals: [String: [UInt8]] = [:]
        for (index, receiver) in first.enumerated() {
            // Who left since gets nothing, and is missing then.
            guard let identity = members[receiver] else { continue }
            let (mask, secret) = (masks[index].bytes, secrets[index].bytes)
            let length = (0..<4).map { UInt8(truncatingIfNeeded: mask.count >> (24 - 8 * $0)) }
            guard
                let sealed = try? keys.seal(
                    length + mask + secret, for: identity, as: Self.purpose(question, first))
            else { throw .keys }
            deals[receiver] = sealed
        }
        return word(.dealt(deals))
    }

    /// The shares that a member dealt to this one.
    private func shares(
        of dealer: String, _ first: [String], _ conversation: Conversation, _ keys: MemberKeys,
        _ members: [String: MemberIdentity]
    ) -> (mask: [UInt8], secret: [UInt8])? {
        guard let identity = members[dealer], let sealed = conversation.deals[dealer]?[member],
            let bytes = try? keys.open(sealed, from: identity, as: Self.purpose(question, first)),
            bytes.count > 4
        else { return nil }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= bytes.count - 4 else { return nil }
        return (Array(bytes[4..<4 + length]), Array(bytes[(4 + length)...]))
    }

    // MARK: Masking

    /// This member's numbers, with its part of the noise, under the own mask and one shared with
    /// each other member of stage 2: those cancel when all are added.
    public mutating func mask(
        _ numbers: [Int64], in conversation: Conversation, using random: inout some RandomNumberGenerator
    ) throws(AnswerError) -> Word {
        let asked = conversation.question
        guard numbers.count == asked.count else { throw .count }
        guard !hasMasked, asked.id == question, let first = stages[1], let others = stages[2] else {
            throw .question
        }
        var rest = UInt64(asked.bound)
        for number in numbers {
            guard number.magnitude <= rest else { throw .bound }
            rest -= number.magnitude
        }
        let noise = DiscreteNoise(asked)
        var sum = numbers.map { Residues.sum(Residues.of($0), Residues.of(noise.part(using: &random))) }
        Self.add(Mask(seed: own).residues(asked.count), to: &sum)
        let set = Mask.digest(of: first)
        for other in others where other != member {
            guard let key = conversation.keys[other],
                let mask = Mask(
                    secret: pairs, of: member, with: (other, key), in: question, among: set)
            else { throw .keys }
            Self.add(mask.residues(asked.count), to: &sum, isNegative: other < member)
        }
        hasMasked = true
        return word(.masked(sum))
    }

    static func add(_ residues: [UInt64], to sum: inout [UInt64], isNegative: Bool = false) {
        for index in sum.indices {
            sum[index] =
                isNegative
                ? Residues.difference(sum[index], residues[index]) : Residues.sum(sum[index], residues[index])
        }
    }

    // MARK: Opening

    /// Of each member one of the two secrets is opened, never both: the mask of those whose numbers
    /// are added, else the key.
    private func open(
        _ first: [String], _ second: [String], _ third: [String], _ conversation: Conversation,
        _ keys: MemberKeys,
        _ members: [String: MemberIdentity]
    ) -> Word {
        var opened: [String: [UInt8]] = [:]
        for dealer in second {
            guard let shares = shares(of: dealer, first, conversation, keys, members) else { continue }
            opened[dealer] = third.contains(dealer) ? shares.mask : shares.secret
        }
        return word(.opened(opened))
    }
}
