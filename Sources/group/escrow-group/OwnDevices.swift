import EscrowDiagnostics
import EscrowFiles
import EscrowGroupDevice
import EscrowJSON
import EscrowShareClient
import Foundation

/// The individual's own devices as a group. `escrow devices exchange` beside this program holds the home; here its objects go to
/// the group and come from there.
final class OwnDevices {
    static let app = "org.escrow.devices"
    static let classes = ["Decision", "Rule", "Restriction", "Identifier", "Head", "Cosignature"]
    /// What changes when the individual decides something, or something happens.
    private static let watched = [
        "grants.json", "preferences.json", "identifiers.json", "restrictions/index.json", "ledger.heads",
    ]

    /// What `escrow devices exchange` reads of a line: one that it refuses would keep all the others away.
    private static let limits = JSONParser.Limits(depth: 24, bytes: 16 << 20, values: 500_000)

    private let folder: String
    private let home: String
    private let client: Client
    private var stamp: [String] = []
    /// What was told of already: it is there each time until somebody writes it again.
    private var told: Set<String> = []

    init(_ group: GroupOptions) throws {
        folder = try group.folder()
        home = URL(filePath: folder).deletingLastPathComponent().deletingLastPathComponent().path
        guard let client = Client() else { throw Diagnostic(.ownFault, "libcurl cannot be used") }
        self.client = client
    }

    /// What one exchange did.
    struct Report {
        var took: [JSONValue] = []
        var alarms: [String] = []
        /// How `escrow` ended: other than 0 when a part of the home could not be exchanged. It has said why.
        fileprivate(set) var status: Int32 = 0
    }

    /// Gets, gives and gets again, until nothing is left to say at this moment.
    ///
    /// - Parameter isArriving: whether the device has come online: it says then what it has.
    func exchange(isArriving: Bool, always: Bool) throws -> Report {
        let device = try Device(folder, client: client)
        if isArriving { try device.confirm(at: Output.now) }
        var report = Report()
        let first = try device.sync(at: Output.now)
        if isArriving, first.unreadable > 0 {
            report.took.append(["unreadable": .integer(Int64(first.unreadable))])
        }
        var isNew = !first.changes.isEmpty || always
        let now = stamps()
        if now != stamp { isNew = true }
        stamp = now
        // What one side says can be answered by the other; more rounds than these are another exchange.
        for _ in 0..<4 where isNew {
            isNew = try step(device, &report)
            if isNew { isNew = try !device.sync(at: Output.now).changes.isEmpty || isNew }
            // What could be said is at the servers now.
            if report.status != 0 { Self.end(report) }
        }
        return report
    }

    private static func end(_ report: Report) -> Never {
        report.took.forEach(Output.print)
        for alarm in report.alarms { Output.print(["alarm": .string(alarm)]) }
        Foundation.exit(report.status)
    }

    /// One call of `escrow`; whether it said anything to the group.
    private func step(_ device: Device, _ report: inout Report) throws -> Bool {
        var input: [UInt8] = []
        for object in device.objects() {
            guard let value = try? JSONParser.parse(object.object, limits: Self.limits).value else {
                refuse(object.objectClass, object.id, "it cannot be read", device, &report)
                continue
            }
            let line = JSONWriter.line([
                "class": .string(object.objectClass), "id": .string(object.id), "object": value,
            ])
            guard (try? JSONParser.parse(line, limits: Self.limits)) != nil else {
                refuse(object.objectClass, object.id, "it cannot be read", device, &report)
                continue
            }
            input += line
            input.append(0x0A)
        }
        var said = false
        let answer = try escrow(input)
        report.status = answer.status
        for line in answer.lines {
            let step = try JSONParser.parse(Array(line), limits: .init(depth: 24, bytes: 16 << 20)).value
            if let kind = step["update"]?.string, let id = step["id"]?.string, let value = step["object"] {
                let text = String(decoding: JSONWriter.line(value), as: UTF8.self)
                try device.update(kind, id, text, at: Output.now)
                said = true
            } else if let kind = step["delete"]?.string, let id = step["id"]?.string {
                try device.delete(kind, id, at: Output.now)
                said = true
            } else if let alarm = step["alarm"]?.string {
                if !report.alarms.contains(alarm) { report.alarms.append(alarm) }
            } else if let kind = step["refused"]?.string, let id = step["id"]?.string {
                refuse(kind, id, step["why"]?.string ?? "", device, &report)
            } else {
                report.took.append(step)
            }
        }
        return said
    }

    /// Tells once of what this home does not take, and whose it is.
    private func refuse(
        _ kind: String, _ id: String, _ why: String, _ device: Device, _ report: inout Report
    ) {
        let writer = device.writer(of: id)
        let line: JSONValue = [
            "refused": .string(kind), "id": .string(id), "why": .string(why),
            "device": .string(writer?.name ?? ""), "node": .string(writer?.node ?? ""),
        ]
        if told.insert(String(decoding: JSONWriter.line(line), as: UTF8.self)).inserted {
            report.took.append(line)
        }
    }

    private func escrow(_ input: [UInt8]) throws -> (lines: [Data], status: Int32) {
        guard let program = HelperProcess.path(of: "escrow") else {
            throw Diagnostic(
                .toolNotStarted, "escrow is not beside escrow-group", help: "make groups builds both")
        }
        let process = Process()
        let (given, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.arguments = ["devices", "exchange", "--home", home]
        process.standardInput = given
        process.standardOutput = output
        try process.run()
        // It reads everything before it writes anything.
        try given.fileHandleForWriting.write(contentsOf: Data(input))
        try given.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (data.split(separator: 0x0A), process.terminationStatus)
    }

    private func stamps() -> [String] {
        Self.watched.map { name in
            var status = stat()
            guard stat("\(home)/\(name)", &status) == 0 else { return "" }
            return "\(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec) \(status.st_mtim.tv_nsec)"
        }
    }
}
