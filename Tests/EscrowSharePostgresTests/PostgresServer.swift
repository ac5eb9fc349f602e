import Foundation
import ShareServers

/// A PostgreSQL server of its own, reached by a socket in its folder; it ends with the value.
final class PostgresServer {
    let folder: String
    private let process = Process()
    /// What psql and ours take.
    var words: String { "host=\(folder) user=escrow dbname=postgres" }

    private static let programs = "/usr/lib/postgresql/15/bin/"

    /// Nil where Debian's PostgreSQL is not here.
    init?() throws {
        guard FileManager.default.isExecutableFile(atPath: Self.programs + "initdb") else {
            print("SKIP PostgreSQL is not here: apt-get install postgresql")
            return nil
        }
        folder = "/tmp/escrow-postgres-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // PostgreSQL does not run as root.
        if geteuid() == 0 { try Self.run(["chown", "postgres", folder]) }
        try Self.run(
            Self.user([Self.programs + "initdb", "-D", folder + "/data", "-A", "trust", "-U", "escrow", "-N"])
        )
        let words = Self.user([
            Self.programs + "postgres", "-D", folder + "/data", "-k", folder, "-c", "listen_addresses=",
            "-c", "fsync=off", "-c", "shared_buffers=8MB",
        ])
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let words2 = [Self.programs + "pg_isready", "-q", "-h", folder, "-U", "escrow", "-d", "postgres"]
        _ = comes(within: 300) { (try? Self.run(words2)) != nil }
    }

    deinit {
        process.interrupt()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func user(_ words: [String]) -> [String] {
        geteuid() == 0
            ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + words : words
    }

    struct Failed: Error {}

    private static func run(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
    }

    /// Whether the bytes are anywhere in its files.
    func holds(_ bytes: [UInt8]) throws -> Bool {
        let files = FileManager.default.enumerator(atPath: folder + "/data")
        while let name = files?.nextObject() as? String {
            // Files come and go.
            guard let data = try? Data(contentsOf: URL(filePath: folder + "/data/" + name)) else { continue }
            if data.range(of: Data(bytes)) != nil { return true }
        }
        return false
    }
}
