import EscrowConsent
import EscrowDevice
import Foundation
import Testing

/// What a device tells, from files as the kernel writes them; what is not there is not known.
@Suite struct DeviceTests {
    /// A folder that stands for `/`.
    private func device(
        _ files: [String: String], asksNetwork: Bool = false
    ) throws -> DeviceState {
        let root = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: file)
        }
        return SystemDevice(root: root.path).state(asksNetwork: asksNetwork)
    }

    private func battery(_ status: String, _ level: String, name: String = "BAT0") -> [String: String] {
        [
            "sys/class/power_supply/\(name)/type": "Battery",
            "sys/class/power_supply/\(name)/status": status,
            "sys/class/power_supply/\(name)/capacity": level,
        ]
    }

    private func mains(_ online: String) -> [String: String] {
        ["sys/class/power_supply/AC/type": "Mains", "sys/class/power_supply/AC/online": online]
    }

    @Test func whatIsNotThereIsNotKnown() throws {
        #expect(try device([:], asksNetwork: true) == DeviceState())
    }

    @Test func aMachineWithoutABatteryIsOnExternalPowerAndFull() throws {
        let state = try device(["sys/class/power_supply/.keep": ""])
        #expect(state.charging == true && state.battery == 100)
        let desk = try device(mains("1"))
        #expect(desk.charging == true && desk.battery == 100)
    }

    @Test func aLaptopTellsPowerAndLevel() throws {
        let unplugged = try device(battery("Discharging", "43").merging(mains("0")) { $1 })
        #expect(unplugged.charging == false && unplugged.battery == 43)
        let plugged = try device(battery("Not charging", "80").merging(mains("1")) { $1 })
        #expect(plugged.charging == true && plugged.battery == 80)
        #expect(try device(battery("Discharging", "9")).charging == false)
        #expect(try device(battery("Full", "100")).charging == true)
        #expect(try device(battery("Unknown", "50")).charging == nil)
    }

    @Test func theBatteryOfAMouseDoesNotCount() throws {
        var files = battery("Discharging", "5", name: "hid-mouse")
        files["sys/class/power_supply/hid-mouse/scope"] = "Device"
        let state = try device(files.merging(mains("1")) { $1 })
        #expect(state.charging == true && state.battery == 100)
    }

    @Test(arguments: ["", "101", "-1", "many"])
    func aLevelThatCannotBeIsNotKnown(level: String) throws {
        #expect(try device(battery("Discharging", level)).battery == nil)
    }

    @Test func pressureIsTheShareOfTheLastTenSeconds() throws {
        let text =
            "some avg10=12.03 avg60=4.10 avg300=0.00 total=123\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0"
        #expect(try device(["proc/pressure/cpu": text]).cpuPressure == 13)
        #expect(try device(["proc/pressure/cpu": "some avg10=x"]).cpuPressure == nil)
    }

    @Test func thisMachineAnswersWithoutAnError() {
        let state = SystemDevice().state(asksNetwork: true)
        #expect((state.battery ?? 0) <= 100 && (state.cpuPressure ?? 0) <= 100)
    }

    @Test func aStandInIsReadAnewEachTime() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "device-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let device = DeviceStandIn(path: file.path)
        #expect(device.state(asksNetwork: true) == DeviceState())
        try Data(#"{"charging": true, "battery": 80}"#.utf8).write(to: file)
        #expect(device.state(asksNetwork: true) == DeviceState(charging: true, battery: 80))
        try Data(#"{"charging": false, "metered": true}"#.utf8).write(to: file)
        #expect(device.state(asksNetwork: true) == DeviceState(charging: false, metered: true))
    }

    /// NetworkManager's numbers: 0 unknown, 1 yes, 2 no, 3 and 4 guessed. `none`: nobody on the bus has its name.
    @Test(
        arguments: [
            ("0", nil), ("1", true), ("2", false), ("3", true), ("4", false), ("9", nil), ("none", nil),
        ] as [(String, Bool?)])
    func aRealBusIsAskedWhetherTheNetworkIsMetered(value: String, expected: Bool?) throws {
        guard Python.has("dbus_fast") else { return }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon") else {
            print("SKIP: dbus-daemon is not installed")
            return
        }
        let root = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)")
        let socket = root.appending(path: "run/dbus/system_bus_socket")
        try FileManager.default.createDirectory(
            at: socket.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let (process, input, output) = Python.process(
            ["\(Fixture.root)/Tests/Support/network_manager.py", socket.path, value])
        try process.run()
        let line = output.fileHandleForReading.availableData
        #expect(String(decoding: line, as: UTF8.self) == "ready\n")
        // A bus and a manager that wait for their turn among other tests are given the time.
        let device = SystemDevice(root: root.path, patienceMs: 100_000)
        #expect(device.state(asksNetwork: true).metered == expected)
        // Who does not need to know does not ask.
        #expect(device.state(asksNetwork: false).metered == nil)
        // A line, since another test's child may hold the other end of the pipe open.
        try input.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
        process.waitUntilExit()
    }
}
