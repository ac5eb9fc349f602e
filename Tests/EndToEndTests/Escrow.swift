import Foundation
import TemporaryFolder
import Testing

/// The command line under test, in a home of its own.
struct Escrow {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The packages that `make plugins` built and signed.
    static let packages = root.appending(path: ".build/plugins")
    /// The program that was built beside these tests.
    static let program = Bundle.main.bundleURL.appending(path: "escrow")

    /// What a command did.
    struct Outcome {
        let status: Int32
        let output: String
        let words: String
        /// Both streams: for searches that must find nothing.
        var everything: String { output + words }
        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        }
    }

    /// A folder that this test alone uses; gone with the last copy of this value.
    let scratch: TemporaryFolder
    var folder: URL { scratch.url }
    var home: URL { folder.appending(path: "home") }

    /// An initialised home, which trusts the sample publisher unless it is said otherwise. Those that do are copies of one: they
    /// share the host's key.
    init(trusting: Bool = true) throws {
        if trusting {
            try self.init(copying: try Self.trusting.get())
        } else {
            try self.init(new: ())
        }
    }

    /// An initialised home that trusts nobody.
    private init(new: Void) throws {
        scratch = try TemporaryFolder("escrow-test", mode: 0o755)
        #expect(try run("init").status == 0)
    }

    /// A copy of another home, as it is now.
    init(copying other: Escrow) throws {
        scratch = try TemporaryFolder("escrow-test", mode: 0o755)
        try FileManager.default.copyItem(at: other.home, to: home)
    }

    private static let trusting = Result {
        let escrow = try Escrow(trusting: false)
        let trusted = try escrow.run("trust", "add", "org.example.*", try sampleKey(), "--name", "Samples")
        try #require(trusted.status == 0, "\(trusted.words)")
        return escrow
    }

    /// A home that trusts the samples and has the sample contacts: a copy of one.
    static func withContacts() throws -> Escrow { try Escrow(copying: try contacts.get()) }

    private static let contacts = Result {
        let escrow = try Escrow()
        let added = try escrow.run("source", "add", "contacts", "samples/contacts.vcf")
        try #require(added.status == 0, "\(added.words)")
        return escrow
    }

    /// The same with phone-check installed, and allowed for an app where one is named.
    static func withPhoneCheck(for app: String? = nil) throws -> Escrow {
        let escrow = try Escrow(copying: try phoneCheck.get())
        if let app {
            let granted = try escrow.run("grant", "allow", "--app", app, "--plugin", "phone-check")
            try #require(granted.status == 0, "\(granted.words)")
        }
        return escrow
    }

    private static let phoneCheck = Result {
        let escrow = try withContacts()
        try escrow.install("phone-check")
        return escrow
    }

    /// The public key that signed the sample packages.
    static func sampleKey() throws -> String { try sample.get() }

    private static let sample = Result {
        let outcome = try start(
            ["key", "list", "--format", "json"], home: packages.appending(path: "publisher"))
        let keys = try #require(try outcome.json()["keys"] as? [[String: Any]])
        return try #require(keys.first?["publicKey"] as? String)
    }

    /// Runs a command in this home, off a terminal.
    @discardableResult
    func run(_ arguments: String..., input: String? = nil) throws -> Outcome {
        try Self.start(arguments, home: home, input: input)
    }

    /// Installs a sample plugin and allows it for an app.
    func allow(_ plugin: String, app: String = "org.example.test") throws {
        try install(plugin)
        let granted = try run("grant", "allow", "--app", app, "--plugin", plugin)
        try #require(granted.status == 0, "\(granted.words)")
    }

    /// Writes a file beside the home.
    func write(_ name: String, _ text: String) throws -> String {
        let path = folder.appending(path: name)
        try Data(text.utf8).write(to: path)
        return path.path
    }

    static func start(
        _ arguments: [String], home: URL, input: String? = nil, program: URL = Self.program,
        with more: [String: String] = [:]
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = home.path
        environment.merge(more) { $1 }
        process.environment = environment
        process.currentDirectoryURL = root
        let output = Pipe()
        let words = Pipe()
        process.standardOutput = output
        process.standardError = words
        if let input {
            let pipe = Pipe()
            process.standardInput = pipe
            try process.run()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        } else {
            process.standardInput = FileHandle.nullDevice
            try process.run()
        }
        // Both pipes are read at once: a command that fills one while we wait on the other would hang.
        nonisolated(unsafe) var said = Data()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            said = (try? words.fileHandleForReading.readToEnd()) ?? Data()
            done.signal()
        }
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        done.wait()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
            words: String(decoding: said, as: UTF8.self))
    }
}
