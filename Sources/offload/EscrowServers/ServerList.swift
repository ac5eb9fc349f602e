public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowOffloadWire
import Glibc

/// The individual's servers: a file each, in a folder of the home.
///
/// A name belongs to one key for ever: what was allowed on the server `home` must never hold for another machine of that name.
public struct ServerList: Sendable {
    private let folder: String
    private static let mostBytes = 1 << 16

    /// - Parameter directory: the home.
    public init(directory: String) { folder = directory + "/servers" }

    public func list() throws(Diagnostic) -> [EscrowServer] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var servers: [EscrowServer] = []
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".json"), EscrowServer.isID(String(name.dropLast(5))) else { continue }
            servers.append(try read(folder + "/" + name))
        }
        return servers.sorted { $0.id < $1.id }
    }

    public func find(_ id: String) throws(Diagnostic) -> EscrowServer {
        var status = stat()
        guard EscrowServer.isID(id), lstat(path(id), &status) == 0 else {
            let known = try list().map(\.id)
            throw Diagnostic(
                .noSuchServer, "no server of that name was added",
                help: known.isEmpty
                    ? "escrow server add FILE, with the file that `escrow-server enrol` wrote"
                    : "there are: \(known.joined(separator: ", "))")
        }
        let server = try read(path(id))
        guard server.id == id else {
            throw Diagnostic(
                .serverFileUnfit, "\(path(id)) is of another server", help: "escrow server add FILE")
        }
        return server
    }

    /// Adds a server, or takes over its new certificates where the key is the same.
    public func add(_ server: EscrowServer) throws(Diagnostic) {
        try SecureFile.makeFolder(folder)
        let lock = try FileLock.acquire(folder + "/.lock")
        defer { withExtendedLifetime(lock) {} }
        let pin = folder + "/\(server.id).pin"
        if let known = try SecureFile.readIfPresent(pin, limit: 256),
            String(decoding: known, as: UTF8.self) != server.target.pin
        {
            throw Diagnostic(
                .serverExists, "the name \(server.id) belongs to a server with another key",
                notes: ["what you allowed on \(server.id) must not hold for another machine"],
                help: "choose another name: escrow server add FILE --id NAME")
        }
        let help = "ask for a file with shorter names: escrow-server enrol"
        try StoreFile(pin, limit: 256, help: help).replace(with: Array(server.target.pin.utf8)) { _ in }
        let file = path(server.id)
        try StoreFile(file, limit: Self.mostBytes, help: help).replace(
            with: JSONWriter.document(server.json)
        ) { (bytes) throws(Diagnostic) in _ = try EscrowServer(parsing: bytes, file: file) }
    }

    /// Forgets a server and its keys. Its name stays with its key.
    public func remove(_ id: String) throws(Diagnostic) -> EscrowServer {
        let server = try find(id)
        guard unlink(path(id)) == 0 else { throw .file(path(id), "cannot be removed", errno) }
        try SecureFile.synchronizeFolder(folder)
        return server
    }

    private func path(_ id: String) -> String { "\(folder)/\(id).json" }

    private func read(_ path: String) throws(Diagnostic) -> EscrowServer {
        try EscrowServer(parsing: try SecureFile.read(path, limit: Self.mostBytes), file: path)
    }

    /// Reads a file that `escrow-server enrol` wrote.
    public static func enrolment(_ path: String) throws(Diagnostic) -> EscrowServer {
        try EscrowServer(parsing: try SecureFile.read(path, limit: mostBytes), file: path)
    }
}
