import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A folder for a socket of an app's that runs, beside those of the others. It is locked for as long as the process lives that made it.
final class AppFolder: Sendable {
    let path: String
    private let lock: FileLock
    private static let record = "/writable"

    /// Makes one, and takes those away that nobody uses any more: their processes were killed.
    init(in place: ServicePlace) throws(Diagnostic) {
        try SecureFile.makeFolder(place.apps)
        Self.sweep(place)
        while true {
            var generator = SystemRandomNumberGenerator()
            let folder = place.apps + "/" + String(generator.next(), radix: 16)
            try SecureFile.makeFolder(folder)
            // Another may take it away before it is locked.
            guard let taken = try? FileLock.tryToAcquire(folder: folder), access(folder, F_OK) == 0 else {
                continue
            }
            path = folder
            lock = taken
            return
        }
    }

    /// Notes what the app may change while it runs, whatever becomes of its profile.
    func note(writable: [String]) throws(Diagnostic) {
        try Self.writable(in: path).replace(with: Array(writable.joined(separator: "\0").utf8)) { _ in }
    }

    private static func writable(in folder: String) -> StoreFile {
        StoreFile(folder + record, limit: 1 << 20, help: "let fewer folders through: escrow app add")
    }

    /// What the apps may change that run, but for this one.
    func writableByOthers() throws(Diagnostic) -> [String] {
        var paths: [String] = []
        let parent = SecureFile.parent(of: path)
        for folder in try Folder.names(parent).map({ parent + "/" + $0 }) where folder != path {
            let noted = try Self.writable(in: folder).read() ?? []
            paths += noted.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        }
        return paths
    }

    /// Takes it away, with the socket in it.
    func remove() { Self.remove(path) }

    private static let contents = ["/service.sock", "/sound.sock", record]

    private static func remove(_ folder: String) {
        for name in contents { unlink(folder + name) }
        rmdir(folder)
    }

    private static func sweep(_ place: ServicePlace) {
        for folder in ((try? Folder.names(place.apps)) ?? []).map({ place.apps + "/" + $0 }) {
            // An earlier build locks none: where somebody listens it is in use.
            guard let lock = try? FileLock.tryToAcquire(folder: folder),
                contents.allSatisfy({ ServicePlace.connect(to: folder + $0) == nil })
            else { continue }
            withExtendedLifetime(lock) { remove(folder) }
        }
    }
}
