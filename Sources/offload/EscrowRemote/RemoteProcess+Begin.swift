import EscrowDiagnostics
import EscrowFiles
import EscrowOffloadWire
import EscrowServers

/// How a run begins at a server: over a connection that was kept, or over a new one.
extension RemoteProcess {
    /// First words that are longer go the ordinary way: the socket takes these whole, whether `escrow-remote` reads or not.
    static let mostEarly = 32_768
    /// How long a server may take to begin a run, in nanoseconds.
    private static let patience: UInt64 = 15_000_000_000

    /// A connection over which the server said that the run begins.
    ///
    /// The early words have no row, and the plugin's own words are read only after `begun` came. So a plugin that was begun over a
    /// connection that then broke was answered no ask: it got no data, no request was sent for it, and nothing returned.
    static func open(
        _ server: EscrowServer, _ begin: Begin, _ early: [UInt8], _ connections: RemoteConnections?
    ) throws(Diagnostic) -> (RemoteConnection, FromServer.Begun, UInt64) {
        if let kept = connections?.take(server.target) {
            do throws(Diagnostic) {
                return (kept.connection, try self.begin(kept.connection, server.id, begin, early), kept.since)
            } catch {
                kept.connection.end()
                // It broke since the last run, as where the server was started anew. No row was sent: a new one may do.
                guard [.serverLost, .serverUnreachable].contains(error.code) else { throw error }
            }
        }
        let connection = try RemoteConnection(server.target)
        return (connection, try self.begin(connection, server.id, begin, early), monotonicNanoseconds())
    }

    private static func begin(
        _ connection: RemoteConnection, _ server: String, _ begin: Begin, _ early: [UInt8]
    ) throws(Diagnostic) -> FromServer.Begun {
        var frames: [RemoteFrame] = [.run, .message(FromDevice.begin(begin).encoded)]
        if !early.isEmpty { frames.append(.message(FromDevice.input(early).encoded)) }
        do throws(FrameSocket.Fault) { try connection.send(together: frames) } catch {
            throw .server(server, .lost)
        }
        return try awaitBeginning(connection, server, begin.plugin, begin.manifest)
    }

    static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static func awaitBeginning(
        _ connection: RemoteConnection, _ server: String, _ plugin: String, _ manifest: String
    ) throws(Diagnostic) -> FromServer.Begun {
        switch connection.next(until: monotonicNanoseconds() + patience) {
        case .closed: throw .server(server, .lost)
        case .late: throw .serverLate(server)
        case .frame(.ended(let end)): throw .server(server, end == .complete ? .protocolBroken : end)
        case .frame(.message(let bytes)):
            guard let message = try? FromServer(bytes) else { throw .server(server, .protocolBroken) }
            switch message {
            case .begun(let begun) where begun.manifest == manifest: return begun
            case .refused(let refusal): throw .refused(by: server, refusal, plugin)
            default: throw .server(server, .protocolBroken)
            }
        case .frame: throw .server(server, .protocolBroken)
        }
    }
}
