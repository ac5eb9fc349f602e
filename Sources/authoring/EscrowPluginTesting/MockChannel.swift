import EscrowPlugin
import EscrowTabular
import EscrowWire

/// The byte streams between a plugin and a mock host. Lock-step needs no threads: an ask is answered while it is
/// written.
final class MockChannel: HostChannel {
    var session: Session
    var result: ResultPayload?
    var refusal: (code: RefusalCode, message: String)?
    var log: [String] = []
    var failure: (any Error)?
    private let host: MockHost
    private var toPlugin: [UInt8]
    private var read = 0
    private var nextRow = 0
    private var hasAskedTogether = false

    init(_ host: MockHost) {
        self.host = host
        session = Session(
            run: "mock", schema: host.schema, parameters: host.parameters,
            features: host.responses.isEmpty ? [.rows, .asset] : [.rows, .asset, .fetch],
            resultKind: host.resultKind,
            limits: SessionLimits(resultBytes: host.resultBytes, rowsPerAsk: host.rowsPerAsk))
        toPlugin = session.start()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, toPlugin.count - read)
        buffer.copyBytes(from: toPlugin[read..<read + count])
        read += count
        if read == toPlugin.count {
            toPlugin.removeAll(keepingCapacity: true)
            read = 0
        }
        return count
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        do {
            for event in try session.receive(bytes) { try handle(event) }
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func handle(_ event: SessionEvent) throws {
        if session.isAnswerDue, let ask = host.cancelsAtAsk, session.counts.asks >= ask {
            toPlugin += session.cancel() ?? []
            return
        }
        switch event {
        case .rows(let max, _):
            let end = min(host.rows.count, nextRow + max)
            let batch = try batch(nextRow..<end)
            nextRow = end
            for piece in try session.answer(batch: batch, more: end < host.rows.count) { toPlugin += piece }
        case .asset(let id):
            if let asset = host.assets[id] {
                toPlugin += session.answer(asset: asset.bytes.count, mediaType: asset.mediaType)
                toPlugin += asset.bytes
            } else {
                toPlugin += session.answer(
                    error: "unknown-asset", message: "no row of this run held that handle")
            }
        case .assets(let ids):
            let found = ids.map { host.assets[$0] }
            toPlugin += session.answer(
                assets: found.map { asset in
                    guard let asset else {
                        return .error(
                            code: "unknown-asset", message: "no row of this run held that handle")
                    }
                    return .file(bytes: asset.bytes.count, mediaType: asset.mediaType)
                })
            for asset in found { toPlugin += asset?.bytes ?? [] }
        case .fetch(let request):
            guard !host.isTogether else { return refuse("egress-together") }
            guard let response = host.responses[request.endpoint] else { return refuse("egress-undeclared") }
            toPlugin += session.answer(
                status: response.status, bytes: response.bytes.count, mediaType: response.mediaType)
            toPlugin += response.bytes
        case .fetchTogether(let requests):
            guard host.isTogether, !hasAskedTogether else { return refuse("egress-together") }
            hasAskedTogether = true
            let responses = requests.compactMap { host.responses[$0.endpoint] }
            guard responses.count == requests.count else { return refuse("egress-undeclared") }
            toPlugin += session.answer(
                together: responses.map {
                    .response(status: $0.status, bytes: $0.bytes.count, mediaType: $0.mediaType)
                })
            for response in responses { toPlugin += response.bytes }
        case .send(let bytes): toPlugin += bytes
        case .hello: break
        case .progress(_, let note): if let note { log.append(note) }
        case .log(_, let text): log.append(text)
        case .result(let payload): result = payload
        case .refusal(let code, let message): refusal = (code, message)
        }
    }

    private func refuse(_ code: String) { toPlugin += session.answer(error: code, message: "not sent") }

    private func batch(_ range: Range<Int>) throws -> Batch {
        let builder = BatchBuilder(schema: host.schema, rowCapacity: max(1, range.count))
        for row in range {
            for (column, cell) in host.rows[row].enumerated() where column < host.schema.columnCount {
                try builder.append(cell: cell, to: column)
            }
            try builder.endRow()
        }
        return builder.finish()
    }
}
