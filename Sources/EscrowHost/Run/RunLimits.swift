import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import EscrowSandbox

/// The limits that hold for one run: what the manifest asks for, and nowhere more than the individual's caps.
struct RunLimits: Sendable {
    /// Where the individual's cap is lower than what the manifest asks for.
    private(set) var capped: Set<LimitName>
    private var values: [LimitName: Int]

    init(_ manifest: Manifest, caps: LimitCaps) {
        var values: [LimitName: Int] = [:]
        var capped: Set<LimitName> = []
        for name in LimitName.allCases {
            let asked = name == .rows ? manifest.accepts.rows.maximum : manifest.limits[name]
            let cap = caps[name] ?? asked
            values[name] = min(asked, cap)
            if cap < asked { capped.insert(name) }
        }
        self.values = values
        self.capped = capped
    }

    subscript(_ name: LimitName) -> Int { values[name] ?? name.standard }

    /// The same with no more processor time than the individual's rules leave of today.
    func with(cpuSeconds: Int) -> RunLimits {
        guard cpuSeconds < self[.cpuSeconds] else { return self }
        var limits = self
        limits.values[.cpuSeconds] = cpuSeconds
        limits.capped.insert(.cpuSeconds)
        return limits
    }

    /// The same for the sandbox.
    var sandbox: SandboxLimits {
        SandboxLimits(
            wallSeconds: Double(self[.wallSeconds]), cpuSeconds: self[.cpuSeconds],
            memoryMiB: self[.memoryMiB], outputBytes: self[.outputMiB] << 20, logBytes: self[.logKiB] << 10,
            processes: self[.processes], rows: self[.rows], dataBytes: self[.dataMiB] << 20,
            assets: self[.assets], assetBytes: self[.assetMiB] << 20)
    }

    /// The capped ones in the sandbox's words.
    var cappedInSandbox: Set<Outcome.Limit> {
        let names = Set(capped.map(\.rawValue))
        return Set(Outcome.Limit.allCases.filter { names.contains($0.member) })
    }

    /// For the ledger.
    var json: JSONValue {
        .object(LimitName.allCases.map { ($0.rawValue, .integer(Int64(self[$0]))) })
    }
}

/// The most that the individual lets any plugin use, whatever its manifest asks for.
struct LimitCaps: Sendable {
    private var values: [LimitName: Int] = [:]

    /// No caps.
    init() {}

    subscript(_ name: LimitName) -> Int? { values[name] }

    /// Reads the member `limits` of the configuration. Throws E0019 naming the place in the file.
    init(_ node: JSONNode, file: String) throws(Diagnostic) {
        func failure(_ what: String, _ position: JSONPosition, _ help: String) -> Diagnostic {
            Diagnostic(
                .configurationLimitInvalid, "a limit of the configuration is not understood: \(what)",
                at: .init(file: file, line: position.line, column: position.column), help: help)
        }
        guard case .object(let members) = node.content else {
            throw failure("it is no object", node.position, "for example { \"wallSeconds\": 10 }")
        }
        for member in members {
            // Byte for byte, as all names of members.
            guard
                let name = LimitName.allCases.first(where: {
                    $0.rawValue.utf8.elementsEqual(member.name.utf8)
                })
            else {
                throw failure(
                    "there is no limit \"\(member.name)\"", member.position,
                    "the limits are \(LimitName.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            guard case .integer(let value) = member.value.content, value >= 1, value <= Int64(name.most)
            else {
                throw failure(
                    "\(name.rawValue) is not a whole number from 1 to \(name.most)", member.value.position,
                    "for example { \"\(name.rawValue)\": \(name.standard) }")
            }
            values[name] = Int(value)
        }
    }
}
