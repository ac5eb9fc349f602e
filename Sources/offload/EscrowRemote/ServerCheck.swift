public import EscrowDiagnostics
import EscrowFiles
public import EscrowOffloadWire
public import EscrowServers

/// Asks a server what it is: nothing of the individual's is sent.
public enum ServerCheck {
    private static let patience: UInt64 = 10_000_000_000

    public static func describe(_ server: EscrowServer) throws(Diagnostic) -> ServerDescription {
        let connection = try RemoteConnection(server.target)
        defer { connection.end() }
        let deadline = monotonicNanoseconds() + patience
        do throws(FrameSocket.Fault) {
            try connection.send(.describe)
            try connection.send(.message([]))
            try connection.send(.close)
        } catch { throw .server(server.id, .lost) }
        switch connection.next(until: deadline) {
        case .frame(.message(let bytes)):
            guard let description = try? ServerDescription(bytes) else {
                throw .server(server.id, .protocolBroken)
            }
            return description
        case .frame(.ended(let end)): throw .server(server.id, end == .complete ? .protocolBroken : end)
        case .closed: throw .server(server.id, .lost)
        case .late: throw .serverLate(server.id)
        case .frame: throw .server(server.id, .protocolBroken)
        }
    }
}
