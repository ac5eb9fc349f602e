import EscrowBus
public import EscrowDiagnostics
public import EscrowLocationPrivacy

/// Fixes from GeoClue over the system's D-Bus (org.freedesktop.GeoClue2). It is asked for no more than is wanted: its levels
/// are those of the ladder.
public final class GeoClue: LiveProvider {
    private static let service = "org.freedesktop.GeoClue2"
    private static let name = "GeoClue"
    private let bus: BusConnection
    private let client: String

    /// Asks for places as exact as `desired`, as the desktop file of that name.
    public init(
        desired: Exactness, socket: String? = nil, desktopID: String = "escrow", patienceMs: Int = 25_000
    ) throws(Diagnostic) {
        do throws(BusConnection.Failure) {
            bus = try BusConnection(socket: socket ?? BusConnection.system, patienceMs: patienceMs)
            let answer = try bus.call(
                Self.service, "/org/freedesktop/GeoClue2/Manager", "\(Self.service).Manager", "GetClient")
            guard case .path(let path)? = answer.first else { throw .broken }
            client = path
            for (property, value) in [
                ("DesktopId", BusValue.string(desktopID)),
                ("RequestedAccuracyLevel", .word(Self.level(desired))),
            ] {
                try bus.call(
                    Self.service, path, "org.freedesktop.DBus.Properties", "Set",
                    [.string("\(Self.service).Client"), .string(property), .variant(value)])
            }
            try bus.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch",
                [
                    .string(
                        "type='signal',interface='\(Self.service).Client',member='LocationUpdated',path='\(path)'"
                    )
                ])
            try bus.call(Self.service, path, "\(Self.service).Client", "Start")
        } catch { throw Self.failure(error) }
    }

    deinit { _ = try? bus.call(Self.service, client, "\(Self.service).Client", "Stop") }

    public func cancel() { bus.cancel() }

    /// GClueAccuracyLevel.
    static func level(_ desired: Exactness) -> UInt32 {
        switch desired {
        case .none: 0
        case .country: 1
        case .city: 4
        case .neighbourhood: 5
        case .street: 6
        case .exact: 8
        }
    }

    public func next(waitingMs: Int) throws(Diagnostic) -> LiveFix? {
        do throws(BusConnection.Failure) {
            // Other signals come in between: the bus's own, for one.
            let end = ContinuousClock.now + .milliseconds(waitingMs)
            var found: String?
            while found == nil {
                let left = max((end - ContinuousClock.now) / .milliseconds(1), 0)
                guard let signal = try bus.signal(waitingMs: Int(left)) else { return nil }
                guard signal.path == client, signal.member == "LocationUpdated", signal.body.count == 2,
                    case .path(let path) = signal.body[1], path != "/"
                else { continue }
                found = path
            }
            guard let place = found else { return nil }
            let properties = try bus.call(
                Self.service, place, "org.freedesktop.DBus.Properties", "GetAll",
                [.string("\(Self.service).Location")]
            ).first
            func number(_ name: String) -> Double? { properties?[name]?.number }
            // Its words for what it does not know are less than any number that can be.
            return LiveFix(
                latitude: number("Latitude"), longitude: number("Longitude"), accuracy: number("Accuracy"),
                altitude: number("Altitude"), speed: number("Speed"), course: number("Heading"))
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ failure: BusConnection.Failure) -> Diagnostic {
        switch failure {
        case .unreachable: .noProvider(name, "the system's D-Bus does not answer")
        case .late: .noProvider(name, "it does not answer in time")
        case .broken: .noProvider(name, "the connection to the bus ended")
        case .refused("org.freedesktop.DBus.Error.AccessDenied"):
            .noProvider(name, "this machine's settings do not let escrow ask it")
        case .refused: .noProvider(name, "it refused, or is not installed")
        }
    }
}
