import EscrowJSON
import Foundation
import Testing

/// Tests/Support/hostile_server.py, running; nil (after a SKIP line) where python3 or openssl is missing.
final class HostileServer: Sendable {
    let ports: [String: Int]
    let authority: String
    let pin: String
    private let process: Process
    private let input: Pipe
    private let reports = Reports()
    private let folder: String

    /// Started once for all tests; ends with this process, since its stdin does.
    static let shared: HostileServer? = {
        let started = try? HostileServer()
        if started == nil { print("SKIP: the hostile server needs python3 and openssl") }
        return started
    }()

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let folder = NSTemporaryDirectory() + "escrow-hostile-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        self.folder = folder
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-W", "ignore", root.path + "/Support/hostile_server.py", folder]
        let output = Pipe()
        input = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.process = process
        let lines = LineReader(output.fileHandleForReading)
        guard let first = lines.next() else { throw CocoaError(.fileReadUnknown) }
        let hello = try JSONParser.parse(first).value
        var ports: [String: Int] = [:]
        for member in hello["ports"]?.members ?? [] { ports[member.name] = Int(member.value.integer ?? 0) }
        self.ports = ports
        authority = hello["ca"]?.string ?? ""
        pin = hello["pin"]?.string ?? ""
        let reports = reports
        Thread.detachNewThread {
            while let line = lines.next() {
                guard let report = try? JSONParser.parse(line).value, let name = report["case"]?.string else {
                    continue
                }
                reports.add(name, Base64.decode(report["received"]?.string ?? "") ?? [])
            }
        }
        atexit { HostileServer.shared?.remove() }
    }

    private func remove() { try? FileManager.default.removeItem(atPath: folder) }

    /// What the next connection of a case brought, once it has ended; nil if none ends in time.
    func received(_ name: String) -> [UInt8]? { reports.take(name) }

    /// Whether a connection of a case was made that nobody has asked about yet.
    func hasReport(_ name: String) -> Bool { reports.has(name) }
}

/// What the server said, case by case.
private final class Reports: @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [String: [[UInt8]]] = [:]

    func add(_ name: String, _ bytes: [UInt8]) {
        condition.lock()
        waiting[name, default: []].append(bytes)
        condition.broadcast()
        condition.unlock()
    }

    func take(_ name: String) -> [UInt8]? {
        let deadline = Date().addingTimeInterval(300)
        condition.lock()
        defer { condition.unlock() }
        while waiting[name]?.isEmpty ?? true {
            guard condition.wait(until: deadline) else { return nil }
        }
        return waiting[name]?.removeFirst()
    }

    func has(_ name: String) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return waiting[name]?.isEmpty == false
    }
}

/// The lines of a pipe.
private final class LineReader: @unchecked Sendable {
    private let handle: FileHandle
    private var buffer: [UInt8] = []

    init(_ handle: FileHandle) { self.handle = handle }

    func next() -> [UInt8]? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                return line
            }
            let more = handle.availableData
            if more.isEmpty { return nil }
            buffer += more
        }
    }
}
