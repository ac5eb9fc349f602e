import EscrowDiagnostics
import EscrowJSON

/// What the host vouches for: so many records, with this root. Its exact bytes are signed.
struct Head: Sendable, Equatable {
    /// The ledger's own random id, so that the head of one cannot be put beside the records of another.
    var ledger: String
    /// The tree of all records.
    var frontier: MerkleFrontier
    /// The commitment to the last record.
    var last: [UInt8]
    /// The length of the log with the last record, in bytes.
    var bytes: Int64
    /// The time of the last record: the floor for every check against a date.
    var time: LedgerTime
    /// Runs that began and have not ended.
    var open: [OpenRun]

    /// A run that began.
    struct OpenRun: Sendable, Equatable {
        let run: String
        let sequence: UInt64
        let process: ProcessIdentity
    }

    /// At most so many runs at a time: bounds the head.
    static let maximumOpen = 256

    /// How many records there are.
    var size: UInt64 { frontier.size }

    private static let payloadType = "application/vnd.escrow.ledger-head.v1+json"

    /// The bytes that are signed for a payload: DSSE's pre-authentication encoding, whose type keeps a signature over a
    /// head from being taken for one over anything else.
    static func message(_ payload: [UInt8]) -> [UInt8] {
        Array("DSSEv1 \(payloadType.utf8.count) \(payloadType) \(payload.count) ".utf8) + payload
    }

    /// One line of JSON.
    var payload: [UInt8] {
        JSONWriter.line([
            "v": 1, "ledger": .string(ledger), "size": .integer(Int64(clamping: size)),
            "root": .string(Hex.string(frontier.root)), "last": .string(Hex.string(last)),
            "bytes": .integer(bytes), "time": .string(time.description),
            "frontier": .array(frontier.peaks.map { .string(Hex.string($0)) }),
            "open": .array(
                open.map {
                    [
                        "run": .string($0.run), "sequence": .integer(Int64(clamping: $0.sequence)),
                        "process": .string($0.process.text),
                    ]
                }),
        ])
    }

    /// Reads a payload whose signature is good; nil where it contradicts itself.
    init?(payload: [UInt8]) {
        guard let draft = try? Draft(payload), draft.version == 1, draft.size > 0, draft.bytes > 0,
            let time = LedgerTime(draft.time), let last = Hex.read(draft.last.utf8), last.count == 32
        else { return nil }
        let peaks = draft.frontier.compactMap { Hex.read($0.utf8) }
        guard peaks.count == draft.frontier.count,
            let frontier = MerkleFrontier(size: UInt64(draft.size), peaks: peaks),
            Hex.string(frontier.root) == draft.root
        else { return nil }
        self.init(
            ledger: draft.ledger, frontier: frontier, last: last, bytes: draft.bytes, time: time,
            open: draft.open)
    }

    /// Puts a head together.
    init(
        ledger: String, frontier: MerkleFrontier, last: [UInt8], bytes: Int64, time: LedgerTime,
        open: [OpenRun]
    ) {
        self.ledger = ledger
        self.frontier = frontier
        self.last = last
        self.bytes = bytes
        self.time = time
        self.open = open
    }

    private struct Draft {
        let version: Int64
        let ledger: String
        let size: Int64
        let root: String
        let last: String
        let bytes: Int64
        let time: String
        var frontier: [String] = []
        var open: [OpenRun] = []

        init(_ payload: [UInt8]) throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(payload, limits: .init(depth: 4)))
            version = try object.required("v").requireInteger()
            ledger = try object.required("ledger").requireString()
            size = try object.required("size").requireInteger()
            root = try object.required("root").requireString()
            last = try object.required("last").requireString()
            bytes = try object.required("bytes").requireInteger()
            time = try object.required("time").requireString()
            for peak in try object.required("frontier").requireArray() {
                frontier.append(try peak.requireString())
            }
            for item in try object.required("open").requireArray() {
                var run = try JSONObjectReader(item)
                open.append(
                    OpenRun(
                        run: try run.required("run").requireString(),
                        sequence: UInt64(clamping: try run.required("sequence").requireInteger()),
                        process: ProcessIdentity(text: try run.required("process").requireString())))
                try run.finish()
            }
            try object.finish()
        }
    }
}
