import Foundation
import TemporaryFolder
import Testing

/// A real `escrow-server` on loopback, with a household of its own.
final class OffloadServer: Sendable {
    static let program = Bundle.main.bundleURL.appending(path: "escrow-server")

    let scratch: TemporaryFolder
    var folder: String { scratch.url.appending(path: "server").path }
    private let process = Mutexed<Process?>(nil)
    private let words = Mutexed("")

    /// - Parameters:
    ///   - plugins: sample plugins to register.
    ///   - authority: another server's folder, whose authority vouches for this one.
    init(plugins: [String] = ["phone-check"], authority: String? = nil, runs: Int = 16) throws {
        scratch = try TemporaryFolder("escrow-server-test")
        let port = try Self.freePort()
        try command(
            ["init", "--port", "\(port)", "--runs", "\(runs)"]
                + (authority.map { ["--authority", $0] } ?? []))
        try command(["trust", "add", "org.example.*", try Escrow.sampleKey()])
        for plugin in plugins { try register(plugin) }
    }

    deinit { stop() }

    func register(_ plugin: String) throws {
        try command(["registry", "add", Escrow.packages.appending(path: "\(plugin).escrow").path])
    }

    /// Runs one of its owner's commands.
    @discardableResult
    func command(_ arguments: [String], status: Int32 = 0) throws -> Escrow.Outcome {
        let outcome = try Escrow.start(
            arguments + ["--folder", folder], home: scratch.url, program: Self.program)
        try #require(outcome.status == status, "\(arguments.joined(separator: " ")): \(outcome.everything)")
        return outcome
    }

    /// A file for `escrow server add`.
    func enrol(_ device: String = "laptop", authority: String? = nil) throws -> String {
        let file = scratch.url.appending(path: "\(UUID().uuidString).json").path
        try command(["enrol", device, "--out", file] + (authority.map { ["--authority", $0] } ?? []))
        return file
    }

    /// Serves, once it says that it listens.
    /// - Parameter through: programs that become the server, with their arguments.
    ///   - more: options of its own.
    ///   - environment: of the server, beside this process's.
    func start(
        through: [String] = [], more: [String] = [], environment: [String: String] = [:]
    ) throws {
        let server = Process()
        server.executableURL = through.isEmpty ? Self.program : URL(filePath: "/usr/bin/env")
        server.arguments =
            through + (through.isEmpty ? [] : [Self.program.path]) + ["run", "--folder", folder] + more
        server.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let output = Pipe()
        server.standardOutput = output
        server.standardInput = FileHandle.nullDevice
        let log = scratch.url.appending(path: "log")
        FileManager.default.createFile(atPath: log.path, contents: nil)
        server.standardError = try FileHandle(forWritingTo: log)
        try server.run()
        process.change { $0 = server }
        // Its first lines, or its end.
        let wanted = more.contains("--metrics") ? 2 : 1
        var line = ""
        while line.count(where: { $0 == "\n" }) < wanted {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            line += String(decoding: piece, as: UTF8.self)
        }
        let said = line
        words.change { $0 = said }
        try #require(
            line.hasPrefix("listening"), "\(line) \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }

    /// Where it answers /metrics.
    var metricsPort: Int? {
        words.change { $0 }.firstMatch(of: /metrics +[0-9.]+:([0-9]+)/).flatMap { Int($0.output.1) }
    }

    var pid: Int32 { process.change { $0?.processIdentifier ?? 0 } }
    var log: String { (try? String(contentsOf: scratch.url.appending(path: "log"), encoding: .utf8)) ?? "" }

    func stop(_ signal: Int32 = SIGKILL) {
        process.change { process in
            guard let running = process else { return }
            kill(running.processIdentifier, signal)
            running.waitUntilExit()
            process = nil
        }
    }

    /// A port that nobody has now, nor is given before it is used: it lies below those that the kernel gives to whoever
    /// names none, and is handed out once.
    static func freePort() throws -> UInt16 {
        for _ in 0..<2_000 {
            let port = ports.change { port -> UInt16 in
                port = port < 31_999 ? port + 1 : 20_000
                return port
            }
            if isFree(port) { return port }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    /// The last one that was handed out. Each process of tests begins elsewhere.
    private static let ports = Mutexed<UInt16>(20_000 + UInt16(getpid() % 12_000))

    private static func isFree(_ port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// A value behind a lock.
final class Mutexed<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()
    init(_ value: Value) { self.value = value }
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}

extension Escrow {
    /// A home with contacts, `phone-check`, and a server that may run it.
    static func offloading(
        to file: String, plugin: String = "phone-check", contacts count: Int = 30, allowed: Bool = true
    ) throws -> Escrow {
        let escrow = try Escrow()
        let contacts = try escrow.write("contacts.vcf", PhoneCheckTests.contacts(count).text)
        try #require(try escrow.run("source", "add", "contacts", contacts).status == 0)
        let added = try escrow.run("server", "add", file)
        try #require(added.status == 0, "\(added.words)")
        let installed = try escrow.run(
            "plugin", "install", packages.appending(path: "\(plugin).escrow").path, "--yes")
        try #require(installed.status == 0, "\(installed.words)")
        if allowed { try escrow.allowAtServer(plugin) }
        return escrow
    }

    func allowAtServer(_ plugin: String = "phone-check") throws {
        let granted = try run(
            "grant", "allow", "--app", "org.example.test", "--plugin", plugin, "--server", "home")
        try #require(granted.status == 0, "\(granted.words)")
    }

    /// A run at the server `home`, or where it is said.
    func offload(_ plugin: String = "phone-check", at server: String = "home") throws -> Outcome {
        try run("run", plugin, "--app", "org.example.test", "--format", "json", "--server", server)
    }
}
