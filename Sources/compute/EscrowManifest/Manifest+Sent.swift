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
        return EgressEndpoint.capacityBits(egress) + endBits
    }

    /// What the closing of a kept connection carries: it closes when the run ends, and its server sees when that is.
    /// After requests that leave together no further one can come, so that their connections close at once.
    private var endBits: Double {
        let egress = requests
        let isEndSeen =
            mostCalls > 1 && !egress.allSatisfy(\.isUnlinkable) && !EgressEndpoint.areTogether(egress)
        return isEndSeen ? resultMoments.bits : 0
    }

    private var mostCalls: Int { requests.reduce(0) { $0 + $1.maxCalls } }

    /// What a run takes of a day's budget before it may ask for anything: how many requests it makes is a choice, and none is one
    /// of them. A run that sends nothing has told that much, too. Requests together are all taken here.
    public var budgetBitsAtStart: Double {
        let egress = requests
        guard !egress.isEmpty else { return 0 }
        return EgressEndpoint.areTogether(egress)
            ? EgressEndpoint.capacityBits(egress) : Capacity.bits(choices: Double(mostCalls) + 1)
    }

    /// What a request takes of it then: its fields, its moment, and which endpoint it is; the first one also when the run ends, which
    /// no server sees of a run that sends nothing. All of a run is at most `sentBits`.
    public func budgetBits(of endpoint: EgressEndpoint, isFirst: Bool) -> Double {
        let egress = requests
        guard endpoint.template.effect == nil, !EgressEndpoint.areTogether(egress) else { return 0 }
        return endpoint.callBits + TimeGrid.requests.bits + Capacity.bits(choices: Double(egress.count))
            + (isFirst ? endBits : 0)
    }

    /// When a result of this plugin is handed over.
    public var resultMoments: TimeGrid { .results(wallSeconds: limits.wallSeconds) }

    /// What an app learns beside the result's own bits: when it comes, and that there is one at all.
    public var besideBits: Int {
        Capacity.whole(Capacity.bits(orNull: result.bits) + resultMoments.bits) - result.capacityBits
    }
}
