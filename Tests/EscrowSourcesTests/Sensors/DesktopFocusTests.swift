import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Foundation
import Testing

@testable import EscrowPlaces
@testable import EscrowSources
@testable import EscrowTableKit

/// What the desktop says of its "do not disturb", over a bus of its own on which python-dbusmock plays the desktops.
@Suite("The desktop's do-not-disturb")
struct DesktopFocusTests {
    /// A bus, and who plays on it.
    private final class Bus {
        let path: String
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        /// Nil where the player is not installed.
        init?(in folder: Folder) throws {
            let check = Process()
            check.executableURL = URL(filePath: "/usr/bin/python3")
            check.arguments = ["-c", "import dbusmock, dbus"]
            check.standardError = FileHandle.nullDevice
            guard (try? check.run()) != nil else { return nil }
            check.waitUntilExit()
            guard check.terminationStatus == 0, access("/usr/bin/dbus-daemon", X_OK) == 0 else { return nil }
            path = folder.path + "/bus"
            process.executableURL = URL(filePath: "/usr/bin/python3")
            let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Support/disturb.py").path
            process.arguments = [script, path]
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            try #require(try line() == "ready")
        }

        deinit {
            try? input.fileHandleForWriting.write(contentsOf: Data("end\n".utf8))
            process.waitUntilExit()
        }

        func play(_ word: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
            try #require(try line() == "done", "\(word)")
        }

        private func line() throws -> String {
            var bytes = Data()
            while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
                bytes += byte
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func bus(in folder: Folder) throws -> Bus? {
        let bus = try Bus(in: folder)
        if bus == nil { print("SKIP: python3-dbusmock or dbus-daemon is not installed") }
        return bus
    }

    private static let kind = SourceKind(rawValue: "sensors")!

    @Test("each desktop is asked in its own way, and one that is silent gives no row")
    func desktops() throws {
        let folder = try Folder()
        guard let bus = try bus(in: folder) else { return }
        for desktop in ["plasma", "dunst", "swaync", "xfce"] {
            try bus.play(desktop)
            for state in ["on", "off", "on"] {
                try bus.play(state)
                let table = Table("SensorStates", Self.kind, bus.path)
                var rows: [[Cell]] = []
                // A desktop that waits for its turn among other tests may answer too late: it is asked again.
                for _ in 0..<20 where rows.isEmpty {
                    rows = try table.rows("entityID", "domain", "state", "value", "lastChanged")
                }
                #expect(
                    rows == [["binary_sensor.desktop_focus", "binary_sensor", .text(state), nil, nil]],
                    "\(desktop)")
            }
        }
        try bus.play("never")
        #expect(try Table("SensorStates", Self.kind, bus.path).rows("state") == [["off"]])
        try bus.play("silent")
        let log = ProblemLog()
        #expect(try Table("SensorStates", Self.kind, bus.path, log: log).rows().isEmpty)
        #expect(log.reasons == ["no desktop there says whether it is to be quiet"])
    }

    @Test("GNOME's switch is read by GNOME's own program, and is the other way round")
    func gnome() throws {
        let folder = try Folder()
        guard let bus = try bus(in: folder) else { return }
        guard access("/usr/bin/gsettings", X_OK) == 0 else {
            return print("SKIP: gsettings is not installed")
        }
        let environment = ["GSETTINGS_BACKEND=keyfile", "XDG_CONFIG_HOME=\(folder.path)"]
        let settings = GSettings(environment: environment)
        let (schema, key) = ("org.gnome.desktop.notifications", "show-banners")
        guard settings.bool(schema, key) != nil else {
            return print("SKIP: GNOME's schemas are not installed")
        }
        try bus.play("gnome")
        let focus = DesktopFocus(socket: bus.path, settings: settings)
        #expect(focus.isOn() == false)
        for (shown, isOn) in [("false", true), ("true", false)] {
            let change = Process()
            change.executableURL = URL(filePath: "/usr/bin/env")
            change.arguments = environment + ["gsettings", "set", schema, key, shown]
            try change.run()
            change.waitUntilExit()
            #expect(focus.isOn() == isOn)
        }
        #expect(settings.bool(schema, "no-such-key") == nil)
        #expect(settings.bool("org.example.none", key) == nil)
    }

    @Test("the recorder's states come before the desktop's, and terms hold for both")
    func withRecorder() throws {
        let folder = try Folder()
        guard let bus = try bus(in: folder) else { return }
        try bus.play("plasma")
        try bus.play("on")
        let recorder = folder.path + "/home-assistant_v2.db"
        try ProgramDatabase.write(recorder, SensorTests.recorder)
        let table = Table("SensorStates", Self.kind, bus.path, recorder)
        let entities = try table.rows("entityID", chunkRows: 1)
        #expect(entities.count == 5 && entities.last == ["binary_sensor.desktop_focus"])
        let quiet = EscrowSchema.Predicate(column: table.column("state"), operation: .equal, values: ["on"])
        #expect(
            try table.rows("entityID", where: [quiet])
                == [["binary_sensor.phone_focus"], ["binary_sensor.desktop_focus"]])
        let ids = try table.ids()
        #expect(Set(ids).count == ids.count && ids == ids.sorted())
    }

    @Test("a bus is a source, is checked as one, and is missed when it is gone")
    func source() throws {
        let folder = try Folder()
        guard let bus = try bus(in: folder) else { return }
        try bus.play("dunst")
        var registry = try SourceRegistry.load(directory: folder.path)
        try registry.add(kind: "sensors", path: bus.path)
        let report = try #require(registry.check().first)
        #expect(report.isClean && report.rowCount == 1)
        for kind in ["contacts", "documents"] {
            let error = #expect(throws: Diagnostic.self) { try registry.add(kind: kind, path: bus.path) }
            #expect(error?.description.contains("neither a file nor a folder") == true)
        }
        unlink(bus.path)
        let error = #expect(throws: Diagnostic.self) {
            try Table("SensorStates", Self.kind, bus.path).rows()
        }
        #expect(error?.code == .sourceUnreadable)
    }

    @Test("a socket at which nobody speaks as a bus does is no source")
    func otherSocket() throws {
        let folder = try Folder()
        let path = folder.path + "/socket"
        #expect(HostileFilesTests.bindSocket(path))
        var registry = try SourceRegistry.load(directory: folder.path)
        let error = #expect(throws: Diagnostic.self) { try registry.add(kind: "sensors", path: path) }
        #expect(error?.description.contains("no D-Bus answers at this socket") == true)
        let log = ProblemLog()
        #expect(try Table("SensorStates", Self.kind, path, log: log).rows().isEmpty)
        #expect(log.reasons.count == 1)
    }
}
