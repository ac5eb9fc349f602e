import EscrowJSON
import EscrowTabular
import EscrowWire

/// The host of a transcript: its rows and assets behind a session.
struct TranscriptHost {
    var session: Session
    /// What the host wrote and nobody has looked at yet.
    var written: [UInt8]
    /// How it ended, as the header `end` spells it.
    var end: String?
    private let transcript: Transcript
    private let schema: Schema
    private let rows: [[JSONValue]]
    private var next = 0

    init(_ transcript: Transcript) throws {
        self.transcript = transcript
        session = try transcript.session()
        schema = try transcript.schema()
        rows = try transcript.rows()
        written = session.start()
    }

    /// Takes bytes from the plugin, cut into pieces of at most `size`.
    mutating func receive(_ bytes: [UInt8], cutInto size: Int) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            for event in try session.receive(piece) { try handle(event) }
        }
    }

    private mutating func handle(_ event: SessionEvent) throws {
        switch event {
        case .rows(let max, _):
            let builder = BatchBuilder(schema: schema)
            let last = min(rows.count, next + max)
            for row in rows[next..<last] {
                for (column, cell) in row.enumerated() { try PluginCase.append(cell, column, builder) }
                try builder.endRow()
            }
            next = last
            for piece in try session.answer(batch: builder.finish(), more: next < rows.count) {
                written += piece
            }
        case .asset(let id):
            let found = transcript.header.first { $0.name == "asset" && $0.value.hasPrefix(id + " ") }
            if let parts = found?.value.split(separator: " "), let bytes = Base64.decode(Array(parts[2].utf8))
            {
                written += session.answer(asset: bytes.count, mediaType: String(parts[1]))
                written += bytes
            } else {
                written += session.answer(
                    error: "unknown-asset", message: "no row of this run held that handle")
            }
        case .fetch: written += session.answer(error: "egress-undeclared", message: "no endpoint is declared")
        case .fetchTogether(let requests):
            let found = requests.map { request in
                transcript.header.first {
                    $0.name == "response" && $0.value.hasPrefix(request.endpoint + " ")
                }?
                .value.split(separator: " ").map(String.init)
            }
            let bodies = found.map { $0.flatMap { Base64.decode(Array($0[3].utf8)) } ?? [] }
            written += session.answer(
                together: zip(found, bodies).map { parts, body in
                    guard let parts else { return .error(code: "egress-unreachable", message: "not sent") }
                    return .response(status: Int(parts[1]) ?? 0, bytes: body.count, mediaType: parts[2])
                })
            for body in bodies { written += body }
        case .send(let bytes): written += bytes
        case .hello, .progress, .log: break
        case .result: end = "result"
        case .refusal(let code, _): end = "refuse \(code.rawValue)"
        }
    }
}
