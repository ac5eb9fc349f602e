internal import Crypto
internal import EscrowSharing

/// What comes out of a question: the sum over all members whose numbers were added, with noise, and
/// nothing else.
public struct Answer: Sendable, Equatable {
    public let sums: [Int64]
    /// Whose numbers are in it.
    public let members: [String]
    /// What was wrong when masks were opened.
    public let faults: [Fault]

    /// A share that does not fit the others. Whoever opened it may have altered it, or whoever dealt
    /// it may have given them another than the rest: nobody else can tell.
    public struct Fault: Sendable, Equatable {
        public let openedBy: String
        public let dealtBy: String
        public let what: String

        /// Both by name, so that nobody takes the one for guilty.
        public var text: String { "\(openedBy)'s share of \(dealtBy)'s secret is \(what)" }
    }

    /// Adds what members said, and takes the masks off.
    ///
    /// - Throws: ``AnswerError/unopened(_:)`` with the member whose secret does not open, ``AnswerError/question`` before all was said.
    public init(_ conversation: Conversation) throws(AnswerError) {
        guard let first = conversation.members(from: 1), let second = conversation.members(from: 2),
            let third = conversation.members(from: 3),
            let scheme = try? Scheme(
                threshold: Question.threshold(of: first.count), shares: first.count, accepted: first.count)
        else { throw .question }
        let count = conversation.question.count
        var faults: [Fault] = []
        /// A member's secret, from the shares of the others.
        func secret(of dealer: String) throws(AnswerError) -> [UInt8] {
            let replies = first.enumerated().compactMap { index, helper in
                conversation.opened[helper]?[dealer].map {
                    Reply(server: helper, number: UInt8(index + 1), bytes: $0)
                }
            }
            let combination = Combination(replies, scheme: scheme)
            guard let secret = combination.message, secret.count == 32 else { throw .unopened(dealer) }
            for (helper, fault) in combination.faults.sorted(by: { $0.key < $1.key }) {
                faults.append(Fault(openedBy: helper, dealtBy: dealer, what: "\(fault)"))
            }
            return secret
        }

        var sum = [UInt64](repeating: 0, count: count)
        for member in third {
            Participant.add(conversation.masked[member] ?? [], to: &sum)
            Participant.add(Mask(seed: try secret(of: member)).residues(count), to: &sum, isNegative: true)
        }
        let set = Mask.digest(of: first)
        for gone in second where !third.contains(gone) {
            let key = try secret(of: gone)
            guard let pair = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key),
                Array(pair.publicKey.rawRepresentation) == conversation.keys[gone]
            else { throw .unopened(gone) }
            for member in third {
                guard let other = conversation.keys[member],
                    let mask = Mask(
                        secret: key, of: gone, with: (member, other), in: conversation.question.id,
                        among: set)
                else { throw .unopened(gone) }
                // What each added for the one who is gone is taken off again.
                Participant.add(mask.residues(count), to: &sum, isNegative: gone > member)
            }
        }
        sums = sum.map(Residues.value(of:))
        members = third
        self.faults = faults
    }
}
