public import Foundation
public import TemporaryFolder
import Testing

/// A process of `escrow-share-server` with a certificate of its own; it ends with the value.
public final class ShareServer {
    public let folder: TemporaryFolder
    /// As the server prints it.
    public private(set) var address = ""
    private let process = Process()
    private let output = Pipe()

    /// The programs lie beside the tests.
    public static let products =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?
        .bundleURL.deletingLastPathComponent()
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

    /// - Parameters:
    ///   - words: further options.
    ///   - postgres: the database in place of a folder.
    ///   - twin: a server whose key this one has, too.
    public init(
        _ words: [String] = [], program: URL? = nil, postgres: String? = nil, twin: ShareServer? = nil
    ) throws {
        folder = try TemporaryFolder("share-server")
        let place = (twin?.folder ?? folder).path
        let (key, certificate) = (place + "/key.pem", place + "/certificate.pem")
        if twin == nil {
            try Self.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "2",
                    "-subj", "/CN=share", "-keyout", key, "-out", certificate,
                ])
        }
        process.executableURL = program ?? Self.products.appending(path: "escrow-share-server")
        process.arguments =
            (postgres.map { ["--postgres", $0] } ?? ["--folder", folder.path + "/data"]) + [
                "--key", key, "--certificate", certificate, "--port", "0",
            ]
            + words
        process.standardOutput = output
        // What the server says is part of what must hold no secret.
        FileManager.default.createFile(atPath: folder.path + "/log", contents: nil)
        process.standardError = try FileHandle(forWritingTo: folder.url.appending(path: "log"))
        try process.run()
        var line = Data()
        while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty
        {
            line += byte
        }
        address = String(decoding: line.dropLast(), as: UTF8.self)
        try #require(address.hasPrefix("https://"), "the server did not start")
    }

    deinit { kill() }

    /// Ends it at once, as a machine does that loses its power.
    public func kill() {
        guard process.isRunning else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Whether the bytes are anywhere in its database or in what it said.
    public func holds(_ bytes: some Sequence<UInt8>) throws -> Bool {
        let bytes = Data(bytes)
        return try ["/data", ""].contains { part in
            try FileManager.default.contentsOfDirectory(atPath: folder.path + part).contains { name in
                let file = folder.path + part + "/" + name
                // SQLite may take a file away meanwhile.
                return (try? Data(contentsOf: URL(filePath: file)))?.range(of: bytes) != nil
            }
        }
    }

    /// Which of the pieces are anywhere in the process's memory that can be read, and where.
    public func remembered(of pieces: [[UInt8]]) throws -> [Int: String] {
        let place = "/proc/\(process.processIdentifier)"
        let maps = try String(contentsOfFile: place + "/maps", encoding: .utf8)
        let memory = open(place + "/mem", O_RDONLY | O_CLOEXEC)
        try #require(memory >= 0, "the memory of a process of ours cannot be read")
        defer { close(memory) }
        var found: [Int: String] = [:]
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            // What the kernel shows there cannot be read, or is the program's own code.
            guard ends.count == 2, words[1].hasPrefix("rw"), words.last?.hasPrefix("[v") != true else {
                continue
            }
            var bytes = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
            let count = pread(memory, &bytes, bytes.count, off_t(ends[0]))
            guard count > 0 else { continue }
            let region = Data(bytes.prefix(count))
            for (index, piece) in pieces.enumerated()
            where found[index] == nil {
                guard let place = region.range(of: Data(piece)) else { continue }
                found[index] = "\(line) at \(place.lowerBound)"
            }
        }
        return found
    }

    private static func run(_ tool: String, _ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [tool] + words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(tool) failed")
    }
}

/// Waits until something holds; false when it does not within the seconds.
public func comes(within seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
        if try condition() { return true }
        usleep(5000)
    }
    return try condition()
}
