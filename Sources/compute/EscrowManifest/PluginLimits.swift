import EscrowDiagnostics

/// What a plugin may use up, as its manifest says. The individual's own caps may be lower.
public struct PluginLimits: Sendable, Hashable {
    private var values: [LimitName: Int] = [:]

    /// Takes the values that differ from the standard.
    public init(_ values: [LimitName: Int]) {
        for name in LimitName.ofManifest { self.values[name] = values[name] ?? name.standard }
    }

    /// The value of a limit; for rows, which stand in `accepts`, the standard.
    public subscript(_ name: LimitName) -> Int { values[name] ?? name.standard }

    /// Seconds from start to end.
    public var wallSeconds: Int { self[.wallSeconds] }
    /// Mebibytes of memory.
    public var memoryMiB: Int { self[.memoryMiB] }
}

extension PluginLimits {
    init(_ reader: consuming ManifestReader?, resultBytes: Int) throws(Diagnostic) {
        // Four times: what a result takes in JSON, and what the host asks it to be divided into.
        let output = LimitName.outputMiB.standard + (4 * resultBytes + (1 << 20) - 1) >> 20
        var given: [LimitName: Int] = [.outputMiB: min(output, LimitName.outputMiB.most)]
        guard var reader else {
            self.init(given)
            return
        }
        for name in LimitName.ofManifest {
            guard let value = try reader.optionalInteger(name.rawValue, in: 1...Int64(name.most)) else {
                continue
            }
            given[name] = Int(value)
        }
        try reader.finish()
        self.init(given)
    }
}
