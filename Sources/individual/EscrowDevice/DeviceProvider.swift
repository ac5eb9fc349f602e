public import EscrowConsent
import EscrowFiles
import EscrowJSON
import Glibc

/// Tells what state the device is in. What is not known is nil.
public protocol DeviceProvider: Sendable {
    /// The state now. `asksNetwork`: also whether the network is metered, which takes a question to another process.
    func state(asksNetwork: Bool) -> DeviceState
}

/// This machine: `/sys/class/power_supply`, `/proc/pressure/cpu`, and NetworkManager over the system's D-Bus.
public struct SystemDevice: DeviceProvider {
    private let root: String
    private let patienceMs: Int

    /// Reads below a folder that stands for `/`.
    public init(root: String = "") { self.init(root: root, patienceMs: 500) }

    /// The same, and how long a read or write of a question to another process may take, in milliseconds.
    package init(root: String, patienceMs: Int) {
        self.root = root
        self.patienceMs = patienceMs
    }

    public func state(asksNetwork: Bool) -> DeviceState {
        var state = power()
        state.cpuPressure = text("/proc/pressure/cpu").flatMap(Self.pressure)
        if asksNetwork {
            let bus = root + "/run/dbus/system_bus_socket"
            state.metered = NetworkManager(socket: bus, patienceMs: patienceMs).metered()
        }
        return state
    }

    /// Power as systemd's `ConditionACPower` sees it: on external power where a supply that is no battery is online, or
    /// where no battery is discharging. Batteries of mice and the like (`scope` Device) do not count.
    private func power() -> DeviceState {
        let folder = root + "/sys/class/power_supply"
        guard let names = Self.names(in: folder) else { return DeviceState() }
        var isOnline: Bool?
        var levels: [Int] = []
        var states: [String] = []
        var hasUnknownBattery = false
        for name in names {
            func value(_ file: String) -> String? { text("/sys/class/power_supply/\(name)/\(file)") }
            guard value("scope") != "Device", let type = value("type") else { continue }
            if type == "Battery" {
                guard value("present") != "0" else { continue }
                if let level = value("capacity").flatMap(Int.init), (0...100).contains(level) {
                    levels.append(level)
                } else {
                    hasUnknownBattery = true
                }
                states.append(value("status") ?? "Unknown")
            } else if let online = value("online") {
                isOnline = (isOnline ?? false) || online != "0"
            }
        }
        var state = DeviceState()
        if isOnline == true || states.isEmpty {
            state.charging = isOnline ?? true
        } else if states.contains("Discharging") {
            state.charging = false
        } else if states.contains(where: { $0 == "Charging" || $0 == "Full" || $0 == "Not charging" }) {
            state.charging = true
        } else {
            state.charging = isOnline
        }
        if !levels.isEmpty {
            // Of several batteries the machine runs on, their mean: nobody says how large each is.
            state.battery = levels.reduce(0, +) / levels.count
        } else if !hasUnknownBattery {
            state.battery = 100
        }
        return state
    }

    /// `some avg10=1.53 avg60=0.87 …`: the first number, rounded up.
    static func pressure(_ text: String) -> Int? {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("some ") }),
            let field = line.split(separator: " ").first(where: { $0.hasPrefix("avg10=") }),
            let value = Double(field.dropFirst(6)), (0...100).contains(value)
        else { return nil }
        return Int(value.rounded(.up))
    }

    /// A file of the kernel's, at most a page of it, without its line end.
    private func text(_ path: String) -> String? {
        guard let file = try? Descriptor(opening: root + path, O_RDONLY | O_NONBLOCK),
            let bytes = try? file.read(4096), !bytes.isEmpty
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private static func names(in folder: String) -> [String]? {
        (try? Folder.names(folder))?.filter { !$0.hasPrefix(".") }
    }
}

/// A device whose state stands in a JSON file, read anew each time: for tests and demonstrations.
///
///     { "charging": true, "battery": 80, "metered": false, "cpuPressure": 3 }
public struct DeviceStandIn: DeviceProvider {
    private let path: String

    /// Names the file. A file that is missing or not understood tells nothing.
    public init(path: String) { self.path = path }

    public func state(asksNetwork: Bool) -> DeviceState {
        guard let bytes = try? SecureFile.read(path, limit: 4096), let node = try? JSONParser.parse(bytes)
        else {
            return DeviceState()
        }
        return DataflowFacts(app: nil, plugin: nil, purpose: nil, record: node.value).device
    }
}
