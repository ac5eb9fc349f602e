import CAppPeers
public import EscrowDiagnostics
public import EscrowFiles
import Glibc

/// Where the service's sockets lie: a folder that is the individual's alone.
public struct ServicePlace: Sendable {
    /// The folder.
    public let folder: String

    /// What was given, else `escrow` in the runtime directory. E1264.
    public init(given: String? = nil) throws(Diagnostic) {
        if let given {
            folder = given
        } else if let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/")
        {
            folder = runtime + "/escrow"
        } else {
            throw Diagnostic(
                .noRuntimeFolder, "XDG_RUNTIME_DIR names no folder for the service's sockets",
                help: "name one that is yours alone: --runtime DIR")
        }
    }

    /// The socket that every program of the individual's may use.
    public var service: String { folder + "/service.sock" }
    /// The socket that `escrow app run` hands other sockets over by.
    public var control: String { folder + "/control.sock" }
    /// Where `escrow app run` puts the sockets of apps.
    public var apps: String { folder + "/apps" }

    /// Whether the folder is this user's, and closed to all others.
    var isOurs: Bool {
        var status = stat()
        return stat(folder, &status) == 0 && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    /// Makes the folder, or refuses one that others can look into.
    public func prepare() throws(Diagnostic) {
        try SecureFile.makeFolder(folder)
        guard isOurs else {
            throw Diagnostic(
                .noRuntimeFolder, "\(folder) is open to other users of this machine",
                help: "close it: chmod 700 \(folder)")
        }
    }

    /// Tells the individual's own programs which home is served. Confined ones do not see the folder.
    public func tell(home: String) throws(Diagnostic) {
        try SecureFile.replace(folder + "/home", with: Array((Self.real(home) + "\n").utf8))
    }

    /// The home that is served here; nil where nobody says, or somebody else: `su` keeps the other user's XDG_RUNTIME_DIR.
    public func servedHome() throws(Diagnostic) -> String? {
        guard isOurs else { return nil }
        return try SecureFile.readIfPresent(folder + "/home", limit: 4096).map { bytes in
            String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        }
    }

    private static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// A new socket that listens at a path. One that a process left there goes.
    public static func listen(at path: String) throws(Diagnostic) -> Descriptor {
        guard var address = address(path) else { throw .file(path, "is too long for a socket", ENAMETOOLONG) }
        let listener = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | closing, 0))
        guard listener.raw >= 0 else { throw .file(path, "cannot be made", errno) }
        unlink(path)
        let mask = umask(0o177)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        umask(mask)
        guard bound == 0, Glibc.listen(listener.raw, 4096) == 0 else {
            throw .file(path, "cannot be listened at", errno)
        }
        return listener
    }

    /// A connection to a socket; nil where nobody listens.
    public static func connect(to path: String) -> Descriptor? {
        guard var address = address(path) else { return nil }
        let connection = Descriptor(owning: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | closing, 0))
        guard connection.raw >= 0 else { return nil }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(connection.raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { return nil }
        return connection
    }

    /// A connection to a socket at which this user listens; nil where nobody does, or another user.
    public static func connectToOurs(_ path: String) -> Descriptor? {
        guard owner(of: path) == geteuid(), let connection = connect(to: path), isOurs(connection) else {
            return nil
        }
        return connection
    }

    /// Who made a socket: looked at before it is connected to, which waits for as long as its backlog is full.
    private static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// Whether the process at the other end is this user's.
    private static func isOurs(_ connection: borrowing Descriptor) -> Bool {
        var process: pid_t = 0
        var user: uid_t = 0
        return app_peer(connection.raw, &process, &user) && user == geteuid()
    }

    /// Whether a socket is another user's, or another user listens at it.
    public static func isAnothers(_ path: String) -> Bool {
        guard let owner = owner(of: path) else { return false }
        guard owner == geteuid() else { return true }
        guard let connection = connect(to: path) else { return false }
        return !isOurs(connection)
    }

    private static let closing = Int32(SOCK_CLOEXEC.rawValue)

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }
}
