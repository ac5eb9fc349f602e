import EscrowFiles
import EscrowOffloadWire
import Synchronization

/// Connections to servers that a host which stays keeps from one run to the next: a run then waits for no new program and no
/// handshake.
///
/// A connection serves one run at a time, and is kept only after a run that ended in order. `escrow-remote` ends by itself when
/// nothing was asked of it for a minute.
public final class RemoteConnections: Sendable {
    private struct Kept {
        let connection: RemoteConnection
        let target: RemoteTarget
        /// When it was made, in nanoseconds of the monotonic clock.
        let since: UInt64
    }

    private let kept = Mutex<[Kept]>([])
    /// After so long the server's certificate is looked at again, by a new connection.
    private static let longest: UInt64 = 300_000_000_000
    private static let most = 4
    /// How long the last run's end is waited for: it is on its way, and a connection that broke says so at once.
    private static let lastWord: UInt64 = 500_000_000

    public init() {}

    deinit { close() }

    /// One that is ready for a run; nil where there is none.
    func take(_ target: RemoteTarget) -> (connection: RemoteConnection, since: UInt64)? {
        while let found = pop(target) {
            // What the last run left behind it: that its call is over, and nothing else.
            let last = found.connection.next(until: monotonicNanoseconds() + Self.lastWord)
            if last == .frame(.ended(.complete)), monotonicNanoseconds() - found.since < Self.longest {
                return (found.connection, found.since)
            }
            found.connection.end()
        }
        return nil
    }

    private func pop(_ target: RemoteTarget) -> Kept? {
        kept.withLock { kept in
            kept.lastIndex { $0.target == target }.map { kept.remove(at: $0) }
        }
    }

    /// Keeps one whose run ended in order; the oldest goes where there are many.
    func give(_ connection: RemoteConnection, _ target: RemoteTarget, since: UInt64) {
        let oldest = kept.withLock { kept in
            kept.append(Kept(connection: connection, target: target, since: since))
            return kept.count > Self.most ? kept.removeFirst() : nil
        }
        oldest?.connection.end()
    }

    /// Ends all that are kept.
    public func close() {
        let all = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        for each in all { each.connection.end() }
    }
}
