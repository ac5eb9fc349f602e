internal import Synchronization

/// The connections of a listener: those that have not said yet who they are, and how many each device has.
final class Crowd: Sendable {
    private struct Silent {
        let id: UInt64
        let address: String
        let close: @Sendable () -> Void
    }

    private struct State {
        var last: UInt64 = 0
        /// The oldest first.
        var silent: [Silent] = []
        var devices: [String: Int] = [:]
    }

    private let limits: ConnectionLimits
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) { self.limits = limits }

    /// One more that has said nothing. Where there are too many the oldest is closed, of its address first: a handshake takes a moment,
    /// so whoever means it is not the oldest for long.
    func enter(_ address: String, close: @escaping @Sendable () -> Void) -> UInt64 {
        let (id, oldest) = state.withLock { state -> (UInt64, Silent?) in
            state.last += 1
            state.silent.append(Silent(id: state.last, address: address, close: close))
            let isCrowded =
                state.silent.count { $0.address == address } > limits.silentOfAddress
            let index =
                isCrowded
                ? state.silent.firstIndex { $0.address == address }
                : state.silent.count > limits.silent ? 0 : nil
            return (state.last, index.map { state.silent.remove(at: $0) })
        }
        oldest?.close()
        return id
    }

    /// It said who it is, or left.
    func leave(_ id: UInt64) { state.withLock { $0.silent.removeAll { $0.id == id } } }

    /// Whether a device may have one more; it has it then.
    func take(device: String) -> Bool {
        state.withLock { state in
            guard state.devices[device, default: 0] < limits.ofDevice else { return false }
            state.devices[device, default: 0] += 1
            return true
        }
    }

    func leave(device: String) {
        state.withLock { state in
            let left = state.devices[device, default: 1] - 1
            state.devices[device] = left == 0 ? nil : left
        }
    }
}
