public import EscrowBackup
public import EscrowDiagnostics
import EscrowFiles
public import EscrowIdentity
import EscrowJSON
import EscrowLedger
import Glibc

extension Host {
    /// Writes an encrypted backup of the whole home into a new file and records that. Every store's lock is held
    /// meanwhile, so the backup is the home as it was at one moment; runs that want to record something wait.
    /// - Throws: E1173 to E1175.
    public func backup(to path: String, passphrase: [UInt8]) throws(Diagnostic) -> BackupWriter.Summary {
        try Home.check(passphrase)
        // First, so that the backup knows of itself; the lock is taken behind it.
        try ledger.append(.backedUp, fields: [:])
        let locks = try BackupWriter.locks(of: home.path)
        return try Self.holding(locks[...]) { () throws(Diagnostic) in
            try BackupWriter.write(folder: home.path, to: path, passphrase: passphrase)
        }
    }

    private static func holding<Result>(
        _ locks: ArraySlice<String>, _ body: () throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        guard let first = locks.first else { return try body() }
        let lock = try FileLock.acquire(first)
        defer { withExtendedLifetime(lock) {} }
        return try holding(locks.dropFirst(), body)
    }
}

extension Home {
    /// Restores a backup as a new home, whole or not at all: it is built beside its place and renamed into it.
    ///
    /// On another device than the backup's, the identifiers that belong to a device are new; docs/spec/identifiers.md.
    /// - Parameters:
    ///   - device: which machine this is; nil for the one that it is.
    ///   - countsAsOther: whether this machine counts as another, as a clone of the backup's does.
    /// - Returns: whether it is another device than the backup's.
    /// - Throws: E0011 or E0012 where something is there, E1170 to E1173 for the backup.
    public static func restore(
        _ backup: String, to path: String, passphrase: [UInt8], device: DeviceIdentity? = nil,
        countsAsOther: Bool = false
    ) throws(Diagnostic) -> Bool {
        try checkVacant(path)
        let staging = "\(path).\(getpid()).new"
        try SecureFile.makeFolder(SecureFile.parent(of: path))
        guard mkdir(staging, 0o700) == 0 else { throw .file(staging, "cannot be made", errno) }
        do throws(Diagnostic) {
            try BackupReader.read(backup, into: staging, passphrase: passphrase)
            let home = try open(at: staging)
            // A copy of the ledger's heads elsewhere may know of more, or not be there: that is recorded.
            _ = try home.repairLedger()
            let host = try Host(home: home, device: device)
            // Bound to a machine that nobody has first, so that this one is another, whatever it is.
            let stranger = IdentifierStore(directory: staging, device: .unknown())
            if countsAsOther { _ = try stranger.settle() }
            let hasMoved = try host.identifiers.settle()
            try host.ledger.append(.restored, fields: ["device": hasMoved ? "another" : "the same"])
            // An empty folder may stand there; rename(2) replaces no other.
            guard rename(staging, path) == 0 else { throw Diagnostic.file(path, "cannot be made", errno) }
            try SecureFile.synchronizeFolder(SecureFile.parent(of: path))
            return hasMoved
        } catch {
            remove(staging)
            throw error
        }
    }

    /// Nothing but an empty folder may be there.
    private static func checkVacant(_ path: String) throws(Diagnostic) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if (try? open(at: path)) != nil {
            throw Diagnostic(
                "E0011", "there is an escrow home at \(path) already; nothing was restored",
                help: "name another folder: escrow restore FILE --home DIR")
        }
        guard names(in: path)?.isEmpty == true else {
            throw Diagnostic(
                "E0012", "\(path) exists and is not an escrow home; nothing was changed",
                help: "name another folder: escrow restore FILE --home DIR")
        }
    }

    /// The names in a folder; nil where there is none.
    private static func names(in path: String) -> [String]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Whether a passphrase is worth the trouble: somebody who has the file can try as many as he likes.
    static func check(_ passphrase: [UInt8]) throws(Diagnostic) {
        guard passphrase.count >= 12 else {
            throw Diagnostic(
                "E1173", "a passphrase for a backup has 12 characters at least",
                help: "take several words; without the passphrase nobody can read the backup, not even you")
        }
    }

    /// Removes a folder that this process made, with all in it.
    private static func remove(_ path: String) {
        for name in names(in: path) ?? [] {
            var status = stat()
            let inner = "\(path)/\(name)"
            if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                remove(inner)
            } else {
                unlink(inner)
            }
        }
        rmdir(path)
    }
}
