import EscrowFiles
import Glibc

/// Covers over what is secret and lies among the system's own files, which every confined program sees.
struct Covers {
    /// Where the system's own files lie.
    let roots: [String]
    /// Whether root alone changes what is in a folder.
    let isKept: (String) -> Bool

    init(
        roots: [String] = ["/usr", "/etc", "/opt"], isKept: @escaping (String) -> Bool = Covers.isRootsAlone
    ) {
        self.roots = roots
        self.isKept = isKept
    }

    /// The words for `bwrap`. A cover over a file comes off when the file is saved by rename, and what is not there yet has none: so a
    /// folder is covered, the uppermost in which somebody but root could do either, or else the file's own.
    func words(_ secrets: [String]) -> [String] {
        var words: [String] = []
        for cover in Set(secrets.flatMap(places)).sorted() {
            var status = stat()
            guard lstat(cover, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { continue }
            words +=
                status.st_mode & S_IFMT == S_IFDIR
                ? ["--tmpfs", cover, "--remount-ro", cover] : ["--ro-bind", "/dev/null", cover]
        }
        return words
    }

    private func places(_ secret: String) -> [String] {
        guard let root = roots.first(where: { Walls.isWithin(secret, $0) }) else { return [] }
        var folder = root
        for part in secret.dropFirst(root.count).split(separator: "/") {
            if !isKept(folder) { return [folder] }
            folder += "/" + part
            if !Self.isFolder(folder) { break }
        }
        // Root's programs save by rename as well.
        let own = SecureFile.parent(of: secret)
        if own != root, !Self.isFolder(secret), Self.isFolder(own) { return [own] }
        // Without what lies beside it no program would run. A database's journal does.
        return ["", "-wal", "-shm", "-journal"].map { secret + $0 }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Where root is the person, their programs change all: but a cover over `/etc` itself would leave no program running.
    private static func isRootsAlone(_ folder: String) -> Bool {
        var status = stat()
        guard geteuid() != 0 else { return ["/usr", "/etc", "/opt"].contains(folder) }
        return lstat(folder, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
    }
}
