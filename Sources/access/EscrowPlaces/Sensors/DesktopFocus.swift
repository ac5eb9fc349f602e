internal import EscrowBus

/// What a Linux desktop says of its "do not disturb". Each has its own way, so those that are there are asked one after the other.
struct DesktopFocus {
    /// One way to ask over the bus.
    struct Way {
        /// Who must be there. Nobody is started by the question.
        let service: String
        let path: String
        let interface: String
        let member: String
        let arguments: [BusValue]

        fileprivate static func property(_ interface: String, _ name: String) -> Way {
            Way(
                service: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.DBus.Properties", member: "Get",
                arguments: [.string(interface), .string(name)])
        }
    }

    /// Plasma's property, which other daemons took over; dunst's; swaync's; and Xfce's setting, which is not there before it was
    /// first switched on.
    static let ways = [
        Way.property("org.freedesktop.Notifications", "Inhibited"),
        Way.property("org.dunstproject.cmd0", "paused"),
        Way(
            service: "org.erikreider.swaync.cc", path: "/org/erikreider/swaync/cc",
            interface: "org.erikreider.swaync.cc", member: "GetDnd", arguments: []),
        Way(
            service: "org.xfce.Xfconf", path: "/org/xfce/Xfconf", interface: "org.xfce.Xfconf",
            member: "GetProperty", arguments: [.string("xfce4-notifyd"), .string("/do-not-disturb")]),
    ]
    private static let unsetInXfce = "org.xfce.Xfconf.Error.PropertyNotFound"

    /// GNOME's shell tells nothing of it over the bus: its setting is read by its own program.
    private static let shell = "org.gnome.Shell"

    private let socket: String
    private let settings: GSettings

    /// Names the socket of the individual's own bus.
    init(socket: String, settings: GSettings? = nil) {
        self.socket = socket
        self.settings = settings ?? GSettings(socket: socket)
    }

    /// Whether somebody answers at the socket as a bus does.
    var isBus: Bool { (try? names(on: connected())) != nil }

    /// Whether the individual wants to be left alone; nil where no desktop says so.
    func isOn() -> Bool? {
        guard let bus = try? connected(), let names = try? names(on: bus) else { return nil }
        if names.contains(Self.shell) {
            return settings.bool("org.gnome.desktop.notifications", "show-banners").map { !$0 }
        }
        for way in Self.ways where names.contains(way.service) {
            do throws(BusConnection.Failure) {
                let answer = try bus.call(
                    way.service, way.path, way.interface, way.member, way.arguments)
                if case .bool(let isOn)? = answer.first?.plain { return isOn }
            } catch {
                if case .refused(Self.unsetInXfce) = error { return false }
            }
        }
        return nil
    }

    private func connected() throws(BusConnection.Failure) -> BusConnection {
        try BusConnection(socket: socket, patienceMs: 2_000)
    }

    private func names(on bus: BusConnection) throws(BusConnection.Failure) -> Set<String> {
        let answer = try bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
        guard case .array(let names)? = answer.first else { throw .broken }
        return Set(names.compactMap(\.text))
    }
}
