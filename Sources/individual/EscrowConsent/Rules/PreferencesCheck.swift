/// What there is to read, to find rules about things that do not exist.
public struct Catalogue: Sendable {
    /// The columns of each table.
    public var columns: [String: Set<String>]
    /// What the device tells of itself now.
    public var device: DeviceState?
    /// The names of the escrow servers that this home knows.
    public var servers: Set<String>

    /// Names tables and their columns, and servers.
    public init(columns: [String: Set<String>], device: DeviceState? = nil, servers: Set<String> = []) {
        self.columns = columns
        self.device = device
        self.servers = servers
    }
}

/// Something about the rules that cannot be what was meant.
public struct Finding: Sendable, Equatable {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A permit that one forbid wholly covers.
        case contradiction
        /// A rule that matches no dataflow.
        case neverFires = "never-fires"
        /// A rule that changes nothing, since another says at least as much.
        case redundant
        /// A rule about what this device does not tell.
        case cannotBeEvaluated = "cannot-be-evaluated"
        /// A name of something that is not there.
        case noReferent = "no-referent"
    }

    /// What it is.
    public let kind: Kind
    /// The rule; empty for what is said of the trust zone.
    public let rule: String
    /// The other rule, where there is one.
    public let other: String?
    /// One sentence.
    public let message: String
}

extension Preferences {
    /// Finds contradictions, rules that can never fire, and rules that change nothing; empty where all is well.
    ///
    /// What it finds is so. It does not find everything: a permit that two forbids cover together passes.
    public func check(against catalogue: Catalogue) -> [Finding] {
        var findings: [Finding] = []
        for server in trustZone.servers where !catalogue.servers.contains(server) {
            findings.append(
                Finding(
                    kind: .noReferent, rule: "", other: nil,
                    message: "the trust zone names a server that this home does not know: \(server)"))
        }
        for rule in rules {
            for place in rule.placesWithoutReferent(catalogue) {
                findings.append(
                    Finding(
                        kind: .noReferent, rule: rule.id, other: nil,
                        message: "\(rule.id) names a place that this home does not know: \(place)"))
            }
            if let why = rule.reasonItNeverFires(catalogue) {
                findings.append(
                    Finding(
                        kind: .neverFires, rule: rule.id, other: nil,
                        message: "\(rule.id) can never fire: \(why)"))
                continue
            }
            if rule.effect == .permit,
                let forbid = rules.first(where: { $0.effect == .forbid && $0.covers(rule) })
            {
                findings.append(
                    Finding(
                        kind: .contradiction, rule: rule.id, other: forbid.id,
                        message: "\(rule.id) permits nothing: \(forbid.id) forbids all that it permits"))
            } else if let other = rules.first(where: { $0.makesRedundant(rule) && !isTwin(rule, before: $0) })
            {
                findings.append(
                    Finding(
                        kind: .redundant, rule: rule.id, other: other.id,
                        message: "\(rule.id) changes nothing: \(other.id) says at least as much"))
            }
            if let device = catalogue.device {
                for word in rule.unknown(to: device) {
                    findings.append(
                        Finding(
                            kind: .cannotBeEvaluated, rule: rule.id, other: nil,
                            message: "this device does not tell \(word): \(rule.id) \(rule.fateUnevaluated)"))
                }
            }
        }
        return findings
    }

    /// Of two rules that say the same, the first is none too many.
    private func isTwin(_ rule: Rule, before other: Rule) -> Bool {
        guard rule.makesRedundant(other) else { return false }
        let places = [rule.id, other.id].map { id in rules.firstIndex { $0.id == id } ?? 0 }
        return places[0] < places[1]
    }
}

extension Rule {
    /// Whether this rule is about every dataflow that a permit is about.
    fileprivate func covers(_ permit: Rule) -> Bool {
        when.allSatisfy { mine in
            mine.alwaysHolds || permit.when.contains { $0.implies(mine, isPermit: true) }
        }
    }

    /// Whether another rule of the same effect has no effect of its own beside this one.
    fileprivate func makesRedundant(_ other: Rule) -> Bool {
        guard other.id != id, other.effect == effect, other.goal == goal, asks == other.asks || !asks else {
            return false
        }
        guard needs == other.needs, missing == other.missing || missing == .refuse else { return false }
        return when.allSatisfy { mine in
            mine.alwaysHolds || other.when.contains { $0.implies(mine, isPermit: false) }
        }
    }

    /// The places of its conditions that are neither this device nor a server that is known.
    fileprivate func placesWithoutReferent(_ catalogue: Catalogue) -> [String] {
        when.flatMap { condition -> [String] in
            guard case .words(.place, let list) = condition else { return [] }
            return list.words.filter { word in
                word != "device"
                    && !(word.hasPrefix("server:") && catalogue.servers.contains(String(word.dropFirst(7))))
            }
        }
    }

    /// Why no dataflow can match it; nil if one can.
    fileprivate func reasonItNeverFires(_ catalogue: Catalogue) -> String? {
        for condition in when {
            switch condition {
            case .hours(let range) where range.isEmpty:
                return "its hours begin and end at \(HourRange.text(range.from))"
            case .words(.table, let list):
                let unknown = list.words.filter { catalogue.columns[$0] == nil }
                if unknown.count == list.words.count {
                    return "there is no table \(unknown.joined(separator: ", "))"
                }
            case .words(.column, let list):
                let unknown = list.words.filter { !catalogue.hasColumn($0) }
                if unknown.count == list.words.count {
                    return "there is no column \(unknown.joined(separator: ", "))"
                }
            default: break
            }
        }
        if let no = contradictionWithin { return no }
        return nil
    }

    /// Two conditions of the rule that no dataflow meets at once.
    private var contradictionWithin: String? {
        var tables: WordList?
        var columns: WordList?
        var sends: Bool?
        var hasEndpoints = false
        for condition in when {
            switch condition {
            case .words(.table, let list): tables = list
            case .words(.column, let list): columns = list
            case .words(.endpoint, _): hasEndpoints = true
            case .flag(.sends, let wanted): sends = wanted
            default: break
            }
        }
        if effect == .permit, let tables, let columns,
            columns.words.allSatisfy({ !tables.contains(String($0.prefix { $0 != "." })) })
        {
            return "none of its columns lies in one of its tables"
        }
        if effect != .permit, hasEndpoints, sends == false { return "what sends nothing has no endpoint" }
        return nil
    }

    /// The things it looks at that a device does not tell.
    fileprivate func unknown(to device: DeviceState) -> [String] {
        var words: [String] = []
        for condition in when + needs {
            switch condition {
            case .flag(.charging, _) where device.charging == nil:
                words.append("whether it is on external power")
            case .flag(.metered, _) where device.metered == nil:
                words.append("whether its network is metered")
            case .quantity(.battery, _) where device.battery == nil: words.append("how full its battery is")
            case .quantity(.cpuPressure, _) where device.cpuPressure == nil:
                words.append("how busy its processors are")
            default: break
            }
        }
        return words
    }

    /// What becomes of a dataflow where this rule cannot be evaluated.
    fileprivate var fateUnevaluated: String {
        switch (effect, missing) {
        case (.permit, _): "permits nothing"
        case (.prefer, _): "says nothing of where it computes"
        case (.forbid, _): "forbids whatever else it is about"
        case (.require, .wait): "lets whatever it is about wait"
        case (.require, .refuse): "refuses whatever it is about"
        }
    }
}

extension Condition {
    /// Whether every dataflow meets it. A whole day may be written as hours.
    fileprivate var alwaysHolds: Bool {
        if case .hours(let range) = self { range.isWholeDay } else { false }
    }

    /// Whether every dataflow that meets this condition meets another. `isPermit`: this one is a permit's and means "nothing
    /// but", the other a forbid's and means "any of".
    fileprivate func implies(_ other: Condition, isPermit: Bool) -> Bool {
        switch (self, other) {
        case (.purpose(_, let mine), .purpose(_, let theirs)):
            return mine.allSatisfy { code in
                theirs.contains { PurposeTree.isWithin(code, branch: $0) }
                    || (isPermit && PurposeTree.node(code)?.isUnbounded == true)
            }
        case (.words(.column, let columns), .words(.table, let tables)):
            return columns.words.allSatisfy { tables.contains(String($0.prefix { $0 != "." })) }
        case (.words(let subject, let mine), .words(let about, let theirs)):
            // A dataflow that sends nothing meets a permit's list of endpoints and no forbid's.
            if isPermit, subject == .endpoint { return false }
            return subject == about && mine.isWithin(theirs)
        case (.flag(let mine, let wanted), .flag(let theirs, let other)):
            return mine == theirs && wanted == other
        case (.quantity(let mine, let range), .quantity(let theirs, let other)):
            return mine == theirs && other.contains(range.lowerBound) && other.contains(range.upperBound)
        case (.hours(let mine), .hours(let theirs)): return mine.isWithin(theirs)
        default: return false
        }
    }
}

extension Catalogue {
    fileprivate func hasColumn(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2, let known = columns[parts[0]] else { return false }
        return known.contains(parts[1]) || parts[1] == "count(*)"
    }
}
