import EscrowConsent

extension UndecidedRequest {
    /// Questions in the order in which they are shown where not all can be: the first of each app before the second of any, so that
    /// none has all places; of those the apps that are proved before those that only say which they are. Otherwise the oldest first.
    package static func inTurn(_ requests: [UndecidedRequest]) -> [UndecidedRequest] {
        turns(requests.map { Asker($0.description.app, $0.description.proof) }).map { requests[$0] }
    }

    /// The places of those who ask, in the order of their turns.
    static func turns(_ askers: [Asker]) -> [Int] {
        var asked: [Asker: Int] = [:]
        let turns = askers.map { asker in
            defer { asked[asker, default: 0] += 1 }
            return (asked[asker, default: 0], asker.isProved ? 0 : 1)
        }
        return askers.indices.sorted {
            (turns[$0].0, turns[$0].1, $0) < (turns[$1].0, turns[$1].1, $1)
        }
    }
}
