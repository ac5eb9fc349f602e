internal import EscrowBus

/// One question to NetworkManager over the system's D-Bus: is the network paid by volume?
///
/// Nothing is believed of the answer but one number. Whatever goes wrong, the answer is "not known".
struct NetworkManager {
    private let path: String
    /// How long one read or write may take, in milliseconds.
    private let patienceMs: Int

    /// Names the bus's socket, and how long one read or write may take, in milliseconds.
    init(socket path: String, patienceMs: Int) {
        self.path = path
        self.patienceMs = patienceMs
    }

    /// Whether it is metered, known or guessed; nil where nobody knows.
    func metered() -> Bool? {
        guard let bus = try? BusConnection(socket: path, patienceMs: patienceMs),
            let answer = try? bus.call(
                "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager",
                "org.freedesktop.DBus.Properties", "Get",
                [.string("org.freedesktop.NetworkManager"), .string("Metered")])
        else { return nil }
        return switch answer.first?.integer {
        case 1, 3: true
        case 2, 4: false
        default: nil
        }
    }
}
