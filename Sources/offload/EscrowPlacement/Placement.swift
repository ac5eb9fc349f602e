public import EscrowConsent
public import EscrowJSON

/// Where a run that names no place computes, and why: what `--server auto` chose, in numbers.
public struct Placement: Sendable, Equatable {
    /// A place that the run could compute at.
    public struct Candidate: Sendable, Equatable {
        public var place: Place
        /// How it stands with the individual: allowed, undecided, or why it is out.
        public var standing: Standing
        /// Runs of this plugin there that are remembered.
        public var runs: Int
        /// How long it will take, in seconds.
        public var seconds: Double
        /// Processor time of this device.
        public var cpuSeconds: Double
        /// Bytes that go over the network.
        public var bytes: Double
    }

    public enum Standing: Sendable, Equatable {
        case allowed
        case undecided
        case out(String)
    }

    public internal(set) var candidates: [Candidate]
    /// What counts, the most important first.
    public let goals: [Rule.Goal]
    /// Rules of the individual's that say so; none: the device's state does, or nothing.
    public let rules: [String]
    /// Bytes of Ds that this run is expected to have: the median of the last five; 0 before the first.
    public let expectedBytes: Double
    /// Which of the candidates.
    public internal(set) var chosen: Int

    public var place: Place { candidates[chosen].place }

    /// What a network is taken to carry in a second before anything was sent over it: 100 Mbit/s.
    static let unknownNetwork = 12_500_000.0
    /// What a server is taken to need before the first byte, in seconds.
    static let unknownStart = 0.1
    /// A place that was never tried is taken to compute in half the time of one that was: so it is tried once where that could
    /// gain something, and from then on its own runs speak.
    static let hope = 0.5
    /// The share of the time of a remote run in which this device's network is at work, in processor seconds for a second.
    static let waiting = 0.2

    /// Predicts, and chooses.
    ///
    /// - Parameters:
    ///   - past: runs of the plugin by place, the newest last.
    ///   - recent: bytes of Ds of the last runs, any place.
    package init(
        _ places: [(place: Place, standing: Standing)], past: [Place: [PlaceModel.Past]], recent: [Double],
        goals: [Rule.Goal], rules: [String], device: DeviceState
    ) {
        let sizes = recent.suffix(5).sorted()
        let bytes = sizes.isEmpty ? 0 : sizes[sizes.count / 2]
        var goals = goals
        if goals.isEmpty {
            let isLow = device.charging == false && (device.battery ?? 100) < 30
            goals = isLow ? [.battery, .speed] : [.speed]
        }
        // Of places that are equally good the sooner one.
        if !goals.contains(.speed) { goals.append(.speed) }
        let known = past.filter { !$0.value.isEmpty }.mapValues(PlaceModel.init)
        let best = known.map { $0.value.seconds(for: bytes) }.min()
        candidates = places.map { place, standing in
            let isHere = place == .device
            let model = known[place]
            let transport = isHere ? 0 : Self.unknownStart + bytes / Self.unknownNetwork
            var seconds = model?.seconds(for: bytes) ?? transport + (best ?? 0) * Self.hope
            if isHere { seconds *= Self.stretch(device.cpuPressure) }
            let own = known[.device]?.cpuSeconds(for: bytes) ?? seconds
            return Candidate(
                place: place, standing: standing, runs: model?.runs ?? 0, seconds: seconds,
                cpuSeconds: isHere ? own : seconds * Self.waiting,
                bytes: isHere || device.metered == false ? 0 : bytes)
        }
        self.goals = goals
        self.rules = rules
        expectedBytes = bytes
        chosen = 0
        let usable = Self.indices(candidates) { $0 == .allowed }
        let askable = Self.indices(candidates) { $0 == .undecided }
        let among = usable.isEmpty ? askable : usable
        chosen = among.min { isBetter(candidates[$0], candidates[$1]) } ?? 0
    }

    /// How much longer a run takes here than past ones did, while others wait for the processors: of a share of the time in which
    /// something waits, in percent, a run gets the rest. What is not known stretches nothing.
    private static func stretch(_ pressure: Int?) -> Double {
        100 / Double(100 - min(90, max(0, pressure ?? 0)))
    }

    private static func indices(_ candidates: [Candidate], _ isSo: (Standing) -> Bool) -> [Int] {
        candidates.indices.filter { isSo(candidates[$0].standing) }
    }

    /// By the goals, one after the other; the first place, this device, wins a tie.
    private func isBetter(_ one: Candidate, _ other: Candidate) -> Bool {
        for goal in goals {
            let (a, b) = (Self.measure(one, goal), Self.measure(other, goal))
            if a != b { return a < b }
        }
        return false
    }

    private static func measure(_ candidate: Candidate, _ goal: Rule.Goal) -> Double {
        switch goal {
        case .speed: candidate.seconds
        case .battery: candidate.cpuSeconds
        case .cost: candidate.bytes
        }
    }

    /// Why, in one sentence.
    public var why: String {
        let reason = goals.dropLast(goals.count > 1 ? 1 : 0).map(\.rawValue).joined(separator: ", then ")
        let source = rules.isEmpty ? "" : ", by your rules \(rules.joined(separator: ", "))"
        let count = candidates.filter { if case .out = $0.standing { false } else { true } }.count
        return "\(place.words), the best of \(count) for \(reason)\(source)"
    }

    public var lines: [String] {
        ["place      \(why)"]
            + candidates.map { candidate in
                let standing =
                    switch candidate.standing {
                    case .allowed: "allowed"
                    case .undecided: "undecided"
                    case .out(let why): "not: \(PlainText.neutral(why, longest: 200))"
                    }
                let known =
                    candidate.runs == 0 ? "never tried" : "from \(candidate.runs) runs"
                return "           \(candidate.place.spelling): \(Self.milliseconds(candidate.seconds)) ms, "
                    + "\(Self.milliseconds(candidate.cpuSeconds)) ms of this processor, "
                    + "\(Int(candidate.bytes)) bytes to pay for; \(known); \(standing)"
            }
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((min(seconds, 1e6) * 1000).rounded()) }

    public var json: JSONValue {
        [
            "place": .string(place.spelling), "why": .string(why),
            "goals": .array(goals.map { .string($0.rawValue) }),
            "rules": .array(rules.map(JSONValue.string)),
            "expectedBytes": .integer(Int64(expectedBytes)),
            "candidates": .array(
                candidates.map { candidate in
                    let standing =
                        switch candidate.standing {
                        case .allowed: "allowed"
                        case .undecided: "undecided"
                        case .out: "out"
                        }
                    return [
                        "place": .string(candidate.place.spelling), "standing": .string(standing),
                        "runs": .integer(Int64(candidate.runs)),
                        "predictedMs": .integer(Int64(Self.milliseconds(candidate.seconds))),
                        "cpuMs": .integer(Int64(Self.milliseconds(candidate.cpuSeconds))),
                        "bytes": .integer(Int64(candidate.bytes)),
                    ]
                }),
        ]
    }
}
