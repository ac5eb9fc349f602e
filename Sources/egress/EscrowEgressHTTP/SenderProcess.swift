import EscrowEgress
import EscrowEgressWire
import EscrowFiles
import Glibc

/// One process of `escrow-egress`, and our end of the socket to it. One thread uses it; any may kill it.
final class SenderProcess: @unchecked Sendable {
    private let process: HelperProcess
    private var socket: MessageSocket

    /// Seconds beyond the time of the exchange itself, for a busy machine.
    private static let grace = 30.0

    /// Starts it; nil where that cannot be.
    init?(roots: [UInt8]) {
        guard let path = SenderProgram.path, let process = HelperProcess(path: path) else { return nil }
        self.process = process
        socket = MessageSocket(process.socket)
        // A process that could not start shows at the first exchange.
        try? socket.send(SendGreeting(roots: roots.count).line, roots)
    }

    func kill() { process.kill() }

    /// Lets it close its connections in order, which takes it no time; then it is gone.
    func end() {
        finish(within: 1)
        process.end()
    }

    /// Whether it built its walls, read the greeting, and ended in order when it was told nothing more.
    func startsAndEnds() -> Bool {
        finish(within: Self.grace)
        return process.wait() == 0
    }

    /// Says that no request comes any more, and waits for its end of the socket to close.
    private func finish(within seconds: Double) {
        shutdown(socket.descriptor, Int32(SHUT_WR))
        _ = try? socket.line(atMost: 0, within: seconds)
    }

    /// Sends the bytes and waits for the report. What the process says is believed as far as the limits go.
    func exchange(
        _ bytes: [UInt8], _ file: FileToSend? = nil, mail: SendOrder.Mail? = nil,
        with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        let report: SendReport
        var isChanged = false
        do throws(WireFault) {
            try socket.send(
                SendOrder(
                    destination: destination, limits: limits, bytes: bytes.count, streamed: file?.count ?? 0,
                    mail: mail
                ).line, bytes)
            if let file {
                isChanged = true
                try file.send { (piece) throws(WireFault) in try socket.send(piece) }
                isChanged = false
            }
            guard
                let line = try socket.line(
                    atMost: SendReport.longestLine, within: limits.patience.whole + Self.grace)
            else { throw .ended }
            report = try SendReport(line: line, limits: limits)
            if case .answer(let status, let isTyped, let count, let dropped) = report {
                return IncomingResponse(
                    status: status, body: try socket.bytes(count, within: Self.grace),
                    mediaType: isTyped ? limits.mediaType : "", droppedHeaders: dropped)
            }
        } catch {
            throw isChanged && error == .wrong ? .file : .sender
        }
        guard case .failure(let failure) = report else { throw .sender }
        throw failure
    }
}
