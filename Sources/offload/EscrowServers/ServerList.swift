public import EscrowAttestation
public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
public import EscrowOffloadWire
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

    /// Adds a server, or takes over its new certificates where the key is the same. What the individual set for it stays: a file
    /// that renews a certificate must not let it have more plugins, or prove less, than before.
    ///
    /// - Parameter plugins: which plugins it may be given; none: those that it might before, or those of its file.
    /// - Returns: what is kept.
    public func add(_ server: EscrowServer, plugins: [String] = []) throws(Diagnostic) -> EscrowServer {
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
        var server = server
        var status = stat()
        if lstat(path(server.id), &status) == 0 {
            let known = try read(path(server.id))
            server.plugins = known.plugins
            server.attestation = known.attestation
        }
        if !plugins.isEmpty { server.plugins = plugins }
        try StoreFile(pin, limit: 256, help: Self.tooLong).replace(with: Array(server.target.pin.utf8)) { _ in
        }
        try write(server)
        return server
    }

    private static let tooLong = "ask for a file with shorter names: escrow-server enrol"

    private func write(_ server: EscrowServer) throws(Diagnostic) {
        let file = path(server.id)
        try StoreFile(file, limit: Self.mostBytes, help: Self.tooLong).replace(
            with: JSONWriter.document(server.json)
        ) { (bytes) throws(Diagnostic) in _ = try EscrowServer(parsing: bytes, file: file) }
    }

    /// Keeps what a server says of itself, for the list and for plugins that need a machine of some size.
    public func note(_ description: ServerDescription, of id: String) throws(Diagnostic) {
        try StoreFile(
            folder + "/\(id).about", limit: ServerDescription.mostBytes,
            help: "the server lists too many plugins"
        ).replace(with: description.encoded) { _ in }
    }

    /// What a server said of itself when it was checked last; nil before, or where that cannot be read.
    public func about(_ id: String) -> ServerDescription? {
        guard EscrowServer.isID(id),
            let bytes = try? SecureFile.readIfPresent(
                folder + "/\(id).about", limit: ServerDescription.mostBytes)
        else { return nil }
        return try? ServerDescription(bytes)
    }

    /// Sets what a server must prove; nil: nothing.
    public func require(_ requirement: Requirement?, of id: String) throws(Diagnostic) -> EscrowServer {
        let lock = try FileLock.acquire(folder + "/.lock")
        defer { withExtendedLifetime(lock) {} }
        var server = try find(id)
        server.attestation = requirement
        try write(server)
        return server
    }

    /// Reads a file that `escrow-server attest` wrote; throws where that proves nothing.
    public static func requirement(_ path: String) throws(Diagnostic) -> Requirement {
        let bytes = try SecureFile.read(path, limit: mostBytes)
        let requirement: Requirement
        do throws(JSONError) { requirement = try Requirement(try JSONParser.parse(bytes)) } catch {
            throw Diagnostic(
                .serverFileUnfit, "\(path) is not what `escrow-server attest` writes: \(error.message)",
                at: .init(file: path, line: error.position.line, column: error.position.column))
        }
        if let weakness = requirement.weakness(now: Int64(time(nil))) {
            throw Diagnostic(
                .serverFileUnfit, "\(path) would have the server prove nothing: \(weakness.words)",
                at: .init(file: path), help: "let the server's owner run `escrow-server attest` again")
        }
        return requirement
    }

    /// Forgets a server and its keys. Its name stays with its key.
    public func remove(_ id: String) throws(Diagnostic) -> EscrowServer {
        let server = try find(id)
        guard unlink(path(id)) == 0 else { throw .file(path(id), "cannot be removed", errno) }
        unlink(folder + "/\(id).about")
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
