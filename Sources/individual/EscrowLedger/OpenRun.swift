import EscrowJSON

struct OpenRun: Sendable, Equatable {
    let run: String
    let sequence: UInt64
    /// The name of the file that its process keeps locked, see `Holder`; empty where that does not matter.
    let holder: String

    static let maximum = 256

    /// As it stands in the line of a checkpoint.
    var json: JSONValue {
        [
            "run": .string(run), "sequence": .integer(Int64(clamping: sequence)),
            "process": .string(holder),
        ]
    }

    init(run: String, sequence: UInt64, holder: String) {
        self.run = run
        self.sequence = sequence
        self.holder = holder
    }

    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        run = try object.required("run").requireString()
        sequence = UInt64(clamping: try object.required("sequence").requireInteger())
        holder = try object.required("process").requireString()
        try object.finish()
    }

    /// The digest that a checkpoint binds.
    static func digest(_ runs: [OpenRun]) -> [UInt8] {
        Hashing.sha256(JSONWriter.line(.array(runs.map(\.json))))
    }
}
