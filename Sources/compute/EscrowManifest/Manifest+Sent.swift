/// What leaves by a manifest's endpoints, and how much all of it can carry.
extension Manifest {
    /// Endpoints from which something leaves this machine.
    public var requests: [EgressEndpoint] { egress.filter { $0.template.effect == nil } }

    /// Endpoints by which something is done on this machine.
    public var effects: [EgressEndpoint] { egress.filter { $0.template.effect != nil } }

    /// An upper bound of the bits that the requests of a run can carry, and when they leave.
    public var sentBits: Double {
        // What is done on this machine goes to nobody, and shifts no moment of a request.
        let egress = requests
        guard !egress.isEmpty else { return 0 }
        let calls = egress.reduce(0) { $0 + $1.maxCalls }
        // A connection that is kept for a further call closes when the run ends, and its server sees when that is.
        // After requests that leave together none can come, so that their connections close at once.
        let isEndSeen =
            calls > 1 && !egress.allSatisfy(\.isUnlinkable) && !EgressEndpoint.areTogether(egress)
        return EgressEndpoint.capacityBits(egress) + (isEndSeen ? resultMoments.bits : 0)
    }

    /// When a result of this plugin is handed over.
    public var resultMoments: TimeGrid { .results(wallSeconds: limits.wallSeconds) }

    /// What an app learns beside the result's own bits: when it comes, and that there is one at all.
    public var besideBits: Int {
        Capacity.whole(Capacity.bits(orNull: result.bits) + resultMoments.bits) - result.capacityBits
    }
}
