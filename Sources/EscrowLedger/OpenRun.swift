import EscrowJSON

/// A run that began and has not ended.
struct OpenRun: Sendable, Equatable {
    let run: String
    /// The sequence number of its intent.
    let sequence: UInt64
    /// Who runs it.
    let process: ProcessIdentity

    /// At most so many at a time.
    static let maximum = 256

    /// As it stands in the line of a checkpoint.
    var json: JSONValue {
        [
            "run": .string(run), "sequence": .integer(Int64(clamping: sequence)),
            "process": .string(process.text),
        ]
    }

    init(run: String, sequence: UInt64, process: ProcessIdentity) {
        self.run = run
        self.sequence = sequence
        self.process = process
    }

    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        run = try object.required("run").requireString()
        sequence = UInt64(clamping: try object.required("sequence").requireInteger())
        process = ProcessIdentity(text: try object.required("process").requireString())
        try object.finish()
    }

    /// The digest that a checkpoint binds.
    static func digest(_ runs: [OpenRun]) -> [UInt8] {
        Hashing.sha256(JSONWriter.line(.array(runs.map(\.json))))
    }
}
