import EscrowEgress
import EscrowEgressWire
import EscrowHTTPAnswer

/// Serves one run's orders, one after the other, and keeps the connections between them.
struct Sender {
    private var socket: MessageSocket
    private let roots: [UInt8]
    private var kept: [Destination: Connection] = [:]

    init(_ socket: MessageSocket, roots: [UInt8]) {
        self.socket = socket
        self.roots = roots
    }

    /// Serves one order; false when there is none any more.
    mutating func serve() throws(WireFault) -> Bool {
        guard let line = try socket.line(atMost: SendOrder.longestLine, within: nil) else { return false }
        let order = try SendOrder(line: line)
        let bytes = try socket.bytes(order.bytes, within: nil)
        var left = order.streamed
        do throws(TransportFailure) {
            let response = try exchange(bytes, order, &left)
            try pass(&left)
            try report(response)
        } catch {
            // The host sends all of a file, whatever became of the request.
            do throws(TransportFailure) { try pass(&left) } catch { throw .ended }
            try socket.send(SendReport.failure(error).line)
        }
        return true
    }

    private func report(_ response: IncomingResponse) throws(TransportFailure) {
        let line = SendReport.answer(
            status: response.status, isTyped: !response.mediaType.isEmpty, bytes: response.body.count,
            dropped: response.droppedHeaders
        ).line
        // The host has gone, and takes no report of a failure either.
        do throws(WireFault) { try socket.send(line, response.body) } catch { throw .sender }
    }

    private mutating func exchange(
        _ bytes: [UInt8], _ order: SendOrder, _ left: inout Int
    ) throws(TransportFailure) -> IncomingResponse {
        let clock = ExchangeClock(order.limits.patience)
        let destination = order.destination
        if let mail = order.mail {
            let connection = try Connection(to: destination, roots: roots, host: socket.descriptor, clock)
            var exchange = MailExchange(connection, clock)
            return IncomingResponse(status: try exchange.hand(in: bytes, mail), body: [], mediaType: "")
        }
        var connection = kept.removeValue(forKey: destination)
        if order.limits.isUnlinkable || connection?.isQuiet != true {
            connection = try Connection(to: destination, roots: roots, host: socket.descriptor, clock)
        }
        guard let connection else { throw .closed }
        try connection.send(bytes, clock)
        while left > 0 { try connection.send(try piece(&left), clock) }
        var reader = AnswerReader(order.limits)
        try read(&reader, from: connection, clock)
        guard let response = reader.response else { throw .closed }
        if reader.isReusable, !order.limits.isUnlinkable { kept[destination] = connection }
        return response
    }

    /// The next piece of a file.
    private mutating func piece(_ left: inout Int) throws(TransportFailure) -> [UInt8] {
        do throws(WireFault) {
            let piece = try socket.some(atMost: min(left, 1 << 16), within: nil)
            left -= piece.count
            return piece
        } catch { throw .sender }
    }

    /// Passes over what is left of a file.
    private mutating func pass(_ left: inout Int) throws(TransportFailure) {
        while left > 0 { _ = try piece(&left) }
    }

    private func read(
        _ reader: inout AnswerReader, from connection: Connection, _ clock: ExchangeClock
    ) throws(TransportFailure) {
        var progress = ExchangeClock.now
        while reader.response == nil {
            let until = try clock.moment(ofReadingSince: progress)
            guard let piece = try connection.receive(until: until) else { continue }
            if piece.isEmpty { return try reader.end() }
            if try reader.take(piece) { progress = ExchangeClock.now }
        }
    }
}
