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
            if let (mediaType, bytes) = asset(id) {
                written += session.answer(asset: bytes.count, mediaType: mediaType)
                written += bytes
            } else {
                written += session.answer(
                    error: "unknown-asset", message: "no row of this run held that handle")
            }
        case .assets(let ids):
            let found = ids.map(asset)
            written += session.answer(
                assets: found.map { asset in
                    guard let (mediaType, bytes) = asset else {
                        return .error(
                            code: "unknown-asset", message: "no row of this run held that handle")
                    }
                    return .file(bytes: bytes.count, mediaType: mediaType)
                })
            for asset in found { written += asset?.bytes ?? [] }
        case .fetch(let request):
            guard let (status, mediaType, body) = response(request) else {
                written += session.answer(error: "egress-undeclared", message: "no endpoint is declared")
                return
            }
            written += session.answer(status: status, bytes: body.count, mediaType: mediaType)
            written += body
        case .fetchTogether(let requests):
            let responses = requests.map(response)
            written += session.answer(
                together: responses.map { response in
                    guard let (status, mediaType, body) = response else {
                        return .error(code: "egress-unreachable", message: "not sent")
                    }
                    return .response(status: status, bytes: body.count, mediaType: mediaType)
                })
            for response in responses { written += response?.body ?? [] }
        case .send(let bytes): written += bytes
        case .hello, .progress, .log: break
        case .result: end = "result"
        case .refusal(let code, _): end = "refuse \(code.rawValue)"
        }
    }

    /// What the header has behind a handle.
    private func asset(_ id: String) -> (mediaType: String, bytes: [UInt8])? {
        let found = transcript.header.first { $0.name == "asset" && $0.value.hasPrefix(id + " ") }
        guard let parts = found?.value.split(separator: " "), let bytes = Base64.decode(Array(parts[2].utf8))
        else { return nil }
        return (String(parts[1]), bytes)
    }

    /// What the header has an endpoint answer.
    private func response(_ request: RequestAsk) -> (status: Int, mediaType: String, body: [UInt8])? {
        let found = transcript.header.first { name, value in
            name == "response" && value.hasPrefix(request.endpoint + " ")
        }
        guard let parts = found?.value.split(separator: " "), parts.count == 4, let status = Int(parts[1]),
            let body = Base64.decode(Array(parts[3].utf8))
        else { return nil }
        return (status, String(parts[2]), body)
    }
}
