import EscrowDiagnostics
package import EscrowJSON
package import EscrowManifest
package import EscrowSandbox

/// The limits that hold for one run: what the manifest asks for, and nowhere more than the individual's caps.
package struct RunLimits: Sendable {
    /// Where the individual's cap is lower than what the manifest asks for.
    package private(set) var capped: Set<LimitName>
    private var values: [LimitName: Int]

    package init(_ manifest: Manifest, caps: LimitCaps) {
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

    package subscript(_ name: LimitName) -> Int { values[name] ?? name.standard }

    /// The same with no more processor time than the individual's rules leave of today.
    package func with(cpuSeconds: Int) -> RunLimits {
        guard cpuSeconds < self[.cpuSeconds] else { return self }
        var limits = self
        limits.values[.cpuSeconds] = cpuSeconds
        limits.capped.insert(.cpuSeconds)
        return limits
    }

    /// The same for the sandbox.
    package var sandbox: SandboxLimits {
        SandboxLimits(
            wallSeconds: Double(self[.wallSeconds]), cpuSeconds: self[.cpuSeconds],
            memoryMiB: self[.memoryMiB], outputBytes: self[.outputMiB] << 20, logBytes: self[.logKiB] << 10,
            processes: self[.processes], rows: self[.rows], dataBytes: self[.dataMiB] << 20,
            assets: self[.assets], assetBytes: self[.assetMiB] << 20)
    }

    /// The capped ones in the sandbox's words.
    package var cappedInSandbox: Set<Outcome.Limit> {
        let names = Set(capped.map(\.rawValue))
        return Set(Outcome.Limit.allCases.filter { names.contains($0.member) })
    }

    /// For the ledger.
    package var json: JSONValue {
        .object(LimitName.allCases.map { ($0.rawValue, .integer(Int64(self[$0]))) })
    }
}
