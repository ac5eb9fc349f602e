import EscrowConsent

extension UndecidedRequest {
    /// Questions in the order in which they are shown where not all can be: the first of each app before the second of any, so that
    /// none has all places; of those the apps that are proved before those that only say which they are. Otherwise the oldest first.
    package static func inTurn(_ requests: [UndecidedRequest]) -> [UndecidedRequest] {
        turns(requests.map { ($0.description.app, $0.description.proof) }).map { requests[$0] }
    }

    /// The places of those who ask, in the order of their turns.
    static func turns(_ askers: [(app: String, proof: AppProof)]) -> [Int] {
        var asked: [[String]: Int] = [:]
        let turns = askers.map { asker in
            let key = [asker.app, asker.proof == .claim ? "claim" : "proved"]
            defer { asked[key, default: 0] += 1 }
            return (asked[key, default: 0], asker.proof == .claim ? 1 : 0)
        }
        return askers.indices.sorted {
            (turns[$0].0, turns[$0].1, $0) < (turns[$1].0, turns[$1].1, $1)
        }
    }
}
