public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest
internal import Glibc

extension PluginStore {
    /// Verifies a package, or a folder with the same files, without installing it.
    public func inspect(_ path: String, now: Moment) throws(Diagnostic) -> ManifestVerifier.Verified {
        try ingest(path, now: now, allowRollback: true, into: nil)
    }

    /// Installs a package (`FILE.escrow`) or a folder that holds the same files.
    ///
    /// First everything is verified: signature, trust, time, audience, revocation, rollback, and each file by its digest. The
    /// files are written into a new folder, made durable, and put in place in one step. A refusal changes nothing. `shown` is what
    /// the individual was shown of it: another manifest, or other signers, are refused.
    public func install(
        _ path: String, now: Moment, shown: ManifestVerifier.Verified? = nil, allowRollback: Bool = false
    ) throws(Diagnostic) -> InstalledPlugin {
        try SecureFile.makeFolder(directory)
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        let staging = "\(directory)/.new"
        try Tree.remove(staging)
        try SecureFile.makeFolder(staging)
        let verified: ManifestVerifier.Verified
        do throws(Diagnostic) {
            verified = try ingest(path, now: now, allowRollback: allowRollback, into: staging)
            if let shown, shown.digest != verified.digest || shown.keys != verified.keys {
                throw Diagnostic(
                    .fileChangedWhileRead, "\(path) is another package now than the one that was shown",
                    notes: ["nothing was installed"], help: "run the command again, and look at what it shows"
                )
            }
            if !allowRollback { try refuseRollback(verified.manifest, now: now) }
            try Tree.synchronize(staging)
        } catch {
            try Tree.remove(staging)
            throw error
        }
        // Every check has passed. The ratchet moves first: after a crash between this and the end an older version is
        // refused, never taken for new.
        let record = InstalledPlugin(
            id: verified.manifest.id, version: verified.manifest.version.description,
            sequence: verified.manifest.sequence, manifestDigest: verified.digest.hexadecimal,
            keyIDs: verified.keys.map(\.id.description), installed: now)
        var list = try InstalledList.load(installedPath)
        list.plugins.removeAll { $0.id == record.id }
        list.plugins.append(record)
        try list.check(installedPath)
        var ratchet = try Ratchet.load(ratchetPath)
        ratchet.record(verified.manifest.id, sequence: verified.manifest.sequence, keys: verified.keys)
        try ratchet.save(ratchetPath)
        try swap(staging, folder(verified.manifest.id))
        try list.save(installedPath)
        return record
    }

    /// The ratchet has a mark for each key, so a package that leaves a signature out would be held against none. What any key has
    /// signed that counts for this id now holds against it; a stolen key, once it is revoked, blocks nobody.
    private func refuseRollback(_ manifest: Manifest, now: Moment) throws(Diagnostic) {
        let keys = trust.entries.filter { $0.covers(.pluginManifest, id: manifest.id, at: now) }.map(\.key)
            .filter { !revocations.keys.contains($0.id.description) }
        let ratchet = try Ratchet.load(ratchetPath)
        if let reason = ratchet.check(manifest.id, sequence: manifest.sequence, keys: keys) {
            throw reason.diagnostic(ManifestVerifier.name(manifest))
        }
    }

    /// Removes a plugin; the ratchet keeps its mark, so that removing it is no way back to an older version.
    public func remove(_ name: String) throws(Diagnostic) -> InstalledPlugin {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        let plugin = try find(name)
        var list = try InstalledList.load(installedPath)
        list.plugins.removeAll { $0.id == plugin.id }
        try list.save(installedPath)
        try Tree.remove(folder(plugin.id))
        return plugin
    }

    private func ingest(
        _ path: String, now: Moment, allowRollback: Bool, into staging: String?
    ) throws(Diagnostic) -> ManifestVerifier.Verified {
        var verifier = ManifestVerifier(
            trust: trust, revocations: revocations, ratchet: try Ratchet.load(ratchetPath), now: now,
            installation: installation)
        verifier.allowsRollback = allowRollback
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .file(path, "cannot be opened", errno) }
        guard status.st_mode & S_IFMT != S_IFLNK else { throw Walk.irregular(path) }
        let verified =
            status.st_mode & S_IFMT == S_IFDIR
            ? try PackageFolder.ingest(path, verifier, into: staging)
            : try ingest(package: path, verifier, into: staging)
        try checkName(verified.manifest)
        try verified.manifest.checkCopies()
        return verified
    }

    private func ingest(
        package path: String, _ verifier: ManifestVerifier, into staging: String?
    ) throws(Diagnostic) -> ManifestVerifier.Verified {
        var package = try PackageReader(opening: path)
        let bytes = try package.envelope()
        var verified = try verifier.verify(
            Envelope(parsing: bytes, file: PackageReader.envelopeName), subject: path)
        let manifest = verified.manifest
        var missing = manifest.digests
        var previous = ""
        if let staging { try PackageFolder.write(bytes, to: staging, PackageReader.envelopeName) }
        while let header = try package.next(executable: manifest.isExecutable) {
            guard previous.utf8.lexicographicallyPrecedes(header.name.utf8) else {
                throw Archive.damaged("its files are not in order, or one stands in it twice")
            }
            previous = header.name
            guard let signed = missing.removeValue(forKey: header.name) else {
                throw PackageFolder.unlisted(header.name, manifest)
            }
            guard header.size <= manifest.limit(of: header.name) else {
                throw Diagnostic(.packageTooLarge, "\(header.name) is larger than a package may hold")
            }
            let digest = try copy(header, from: &package, into: staging)
            try PackageFolder.compare(digest, signed, header.name, manifest)
        }
        verified.hasCode = try PackageFolder.isWhole(missing, manifest)
        return verified
    }

    private func copy(
        _ header: Archive.Header, from package: inout PackageReader, into staging: String?
    ) throws(Diagnostic) -> Digest {
        var hash = Digest.Hash()
        guard let staging else {
            try package.content(header) { piece throws(Diagnostic) in hash.update(piece) }
            return Digest(finishing: hash)
        }
        let file = try PackageFolder.create(header.name, in: staging)
        try package.content(header) { piece throws(Diagnostic) in
            hash.update(piece)
            try file.write(piece)
        }
        try file.synchronize()
        return Digest(finishing: hash)
    }

    /// Puts the new folder in its place: in one step also when there is an old one, which then goes.
    private func swap(_ staging: String, _ target: String) throws(Diagnostic) {
        if renameat2(AT_FDCWD, staging, AT_FDCWD, target, Linux.renameNoReplace) != 0 {
            guard errno == EEXIST else { throw .file(target, "cannot be put in its place", errno) }
            // A file in its place is none that this store put there for a plugin.
            var status = stat()
            guard lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw .file(target, "is not a folder", ENOTDIR)
            }
            guard renameat2(AT_FDCWD, staging, AT_FDCWD, target, Linux.renameExchange) == 0 else {
                throw .file(target, "cannot be put in its place", errno)
            }
            try Tree.remove(staging)
        }
        try SecureFile.synchronizeFolder(directory)
    }
}
