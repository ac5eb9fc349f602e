/// The agents that the individual lets have raw data: this device always, and whom the individual named.
public struct TrustZone: Sendable, Equatable {
    /// Names of escrow servers.
    public var servers: [String]
    /// Ids of apps.
    public var apps: [String]
    /// Host names that requests may be sent to without leaving the zone.
    public var endpoints: [String]

    /// Names the agents; this device need not be named.
    public init(servers: [String] = [], apps: [String] = [], endpoints: [String] = []) {
        self.servers = servers
        self.apps = apps
        self.endpoints = endpoints
    }

    /// Where a dataflow goes.
    public func classify(
        purpose: String, target: String, place: String, endpoints hosts: [String]
    ) -> Crossing {
        var leaving: [String] = []
        if target.hasPrefix("app:"), !apps.contains(String(target.dropFirst(4))) {
            leaving.append(String(target.dropFirst(4)))
        } else if target.hasPrefix("server:"), !servers.contains(String(target.dropFirst(7))) {
            leaving.append(target)
        }
        if place.hasPrefix("server:"), !servers.contains(String(place.dropFirst(7))) { leaving.append(place) }
        let outside = Set(hosts).subtracting(endpoints).sorted()
        let pattern: DataflowPattern =
            if PurposeTree.node(purpose)?.isUnbounded == true {
                .confidential
            } else if DataflowPattern.crossIndividualPurposes.contains(purpose) {
                .crossIndividual
            } else if !outside.isEmpty {
                .externalCall
            } else {
                .inside
            }
        return Crossing(pattern: pattern, leaving: leaving + outside)
    }
}

/// The four patterns that dataflows follow (Personal Dataflow Sovereignty, section 3.5).
public enum DataflowPattern: String, Sendable, CaseIterable {
    /// Computed wholly inside the trust zone.
    case inside
    /// Computed inside the zone, with requests to servers outside it.
    case externalCall = "external-call"
    /// Computed over the data of many people.
    case crossIndividual = "cross-individual"
    /// Computed where the individual cannot see it: a plain copy of the data leaves.
    case confidential

    /// Purposes that combine many people's data by their nature.
    static let crossIndividualPurposes: Set<String> = ["social-matching", "model-training"]

    /// The pattern in a few words.
    public var words: String {
        switch self {
        case .inside: "computed inside your trust zone"
        case .externalCall: "computed inside your trust zone, with requests to servers outside it"
        case .crossIndividual: "for a computation over many people's data"
        case .confidential: "a plain copy: what is computed from it, you cannot see"
        }
    }
}

/// Whether a dataflow leaves the trust zone, and by whom it is received.
public struct Crossing: Sendable, Equatable {
    /// Which of the four patterns it is.
    public let pattern: DataflowPattern
    /// The agents outside the zone that receive something of it.
    public let leaving: [String]

    /// Whether anything leaves.
    public var crosses: Bool { !leaving.isEmpty }

    /// One sentence for the sheet.
    public var sentence: String {
        let end = crosses ? "crosses your trust zone: \(leaving.joined(separator: ", "))" : "stays inside it"
        return "\(pattern.words); \(end)"
    }
}
