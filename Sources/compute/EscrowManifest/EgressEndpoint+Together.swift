import EscrowDiagnostics
import EscrowJSON

/// Requests that leave together: one ask, one moment, and the host's order.
extension EgressEndpoint {
    /// The most bytes of answers that the host holds until the last of them is there.
    static let mostBytesTogether = 64 << 20

    /// Whether a plugin with these endpoints asks once, for all requests of its run.
    public static func areTogether(_ endpoints: [EgressEndpoint]) -> Bool {
        !endpoints.isEmpty && endpoints.allSatisfy(\.isTogether)
    }

    /// Which requests are sent, of each endpoint in an order of the host's, and at which moment; or none at all.
    ///
    /// So it is counted how often each request comes, and not which of them is first; and the moment once a run.
    static func bitsTogether(_ endpoints: [EgressEndpoint]) -> Double {
        let sets = endpoints.reduce(0) {
            $0 + Capacity.bits(sortedListsOf: $1.callBits, upTo: $1.maxCalls)
        }
        return Capacity.bits(of: sets, exceptOneAt: TimeGrid.requests.moments.count)
    }

    /// All endpoints say `together`, or none does: one that is called when the plugin likes would give the others a clock.
    static func checkTogether(
        _ endpoints: [EgressEndpoint], _ reader: borrowing ManifestReader, at node: JSONNode
    ) throws(Diagnostic) {
        guard endpoints.contains(where: \.isTogether) else { return }
        guard areTogether(endpoints) else {
            throw reader.failure(
                .membersContradict, "\"egress\" says \"together\" of some endpoints and not of others",
                at: node,
                help: "all requests of a run leave in one go, or each by itself: say it of all or of none")
        }
        let most = endpoints.reduce(0) { $0 + $1.maxCalls * $1.response.maxBytes }
        guard most <= mostBytesTogether else {
            throw reader.failure(
                .membersContradict,
                "the answers that come \"together\" may have \(most) bytes, more than 64 MiB",
                at: node,
                help:
                    "they are handed over at once: the sum of maxCalls times response.maxBytes is at most 67108864"
            )
        }
    }
}
