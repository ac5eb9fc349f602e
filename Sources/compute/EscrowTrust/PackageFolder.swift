internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowManifest
internal import Glibc

/// A folder that holds the files of a package: checked against its manifest, file by file.
enum PackageFolder {
    /// Verifies a folder as a package is verified, and copies its files if a staging folder is given.
    static func ingest(
        _ path: String, _ verifier: ManifestVerifier, into staging: String?
    ) throws(Diagnostic) -> ManifestVerifier.Verified {
        let root = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        let bytes: [UInt8]
        do throws(Diagnostic) {
            bytes = try FolderListing.read(
                PackageReader.envelopeName, below: root, limit: Envelope.maximumBytes)
        } catch {
            guard error.code == .packageFileMissing else { throw error }
            throw Verification.Reason.unsigned.diagnostic(path)
        }
        var verified = try verifier.verify(
            Envelope(parsing: bytes, file: PackageReader.envelopeName), subject: path)
        if let staging { try write(bytes, to: staging, PackageReader.envelopeName) }
        verified.hasCode = try check(root, verified.manifest) { name, content throws(Diagnostic) in
            if let staging { try write(content, to: staging, name) }
        }
        return verified
    }

    /// Compares every file of a folder with its manifest; no file may be missing, none may be more. Says whether they are there.
    @discardableResult
    static func check(
        _ root: borrowing Descriptor, _ manifest: Manifest,
        each body: (String, [UInt8]) throws(Diagnostic) -> Void = { _, _ throws(Diagnostic) in }
    ) throws(Diagnostic) -> Bool {
        var missing = manifest.digests
        for path in try FolderListing.files(below: root) where path != PackageReader.envelopeName {
            guard let signed = missing.removeValue(forKey: path) else { throw unlisted(path, manifest) }
            let content = try FolderListing.read(path, below: root, limit: manifest.limit(of: path))
            try compare(Digest(of: content), signed, path, manifest)
            try body(path, content)
        }
        return try isWhole(missing, manifest)
    }

    /// Whether the files are there. A confidential plugin may come without all of them: a device never runs it.
    static func isWhole(_ missing: [String: String], _ manifest: Manifest) throws(Diagnostic) -> Bool {
        if manifest.server.isConfidential, missing.count == manifest.digests.count { return false }
        try requireNone(missing, manifest)
        return true
    }

    /// A new file of a staging folder, open for writing.
    static func create(_ name: String, in staging: String) throws(Diagnostic) -> Descriptor {
        let target = "\(staging)/\(name)"
        try SecureFile.makeFolder(SecureFile.parent(of: target))
        return try Descriptor(opening: target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    }

    static func write(_ bytes: [UInt8], to staging: String, _ name: String) throws(Diagnostic) {
        let file = try create(name, in: staging)
        try file.write(bytes)
        try file.synchronize()
    }

    static func compare(
        _ found: Digest, _ signed: String, _ path: String, _ manifest: Manifest
    ) throws(Diagnostic) {
        guard found.hexadecimal != signed else { return }
        throw Verification.Reason.alteredFile(path: path, signed: "\(signed.prefix(8))…", found: found.short)
            .diagnostic(ManifestVerifier.name(manifest))
    }

    static func unlisted(_ path: String, _ manifest: Manifest) -> Diagnostic {
        Diagnostic(
            .unlistedFile, "\(ManifestVerifier.name(manifest)) holds a file that its manifest does not list",
            notes: [
                path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) ? path : "its name is not printable",
                "a file that nobody signed could be read by the plugin",
            ],
            help: "fetch the package again; if you built it yourself, run `escrow plugin pack --key NAME`")
    }

    static func requireNone(_ missing: [String: String], _ manifest: Manifest) throws(Diagnostic) {
        guard let path = missing.keys.sorted().first else { return }
        throw Diagnostic(
            .packageFileMissing, "\(ManifestVerifier.name(manifest)) lacks a file that its manifest lists",
            notes: [path],
            help: "fetch the package again")
    }
}

extension Manifest {
    var digests: [String: String] {
        var digests: [String: String] = [:]
        for artifact in artifacts { digests[artifact.path] = artifact.sha256 ?? "" }
        for file in files { digests[file.path] = file.sha256 }
        return digests
    }

    func limit(of path: String) -> Int {
        isExecutable(path) ? Artifact.maximumBytes : PackagedFile.maximumBytes
    }
}

enum Tree {
    /// Removes a folder and what is in it, without following links; nothing to do where there is none.
    static func remove(_ path: String) throws(Diagnostic) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in try Folder.names(path) { try remove("\(path)/\(name)") }
            guard rmdir(path) == 0 else { throw .file(path, "cannot be removed", errno) }
        } else {
            guard unlink(path) == 0 else { throw .file(path, "cannot be removed", errno) }
        }
    }

    /// Makes the entries of a folder and of all folders in it durable.
    static func synchronize(_ path: String) throws(Diagnostic) {
        for name in try Folder.names(path) {
            var status = stat()
            if lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                try synchronize("\(path)/\(name)")
            }
        }
        try SecureFile.synchronizeFolder(path)
    }
}
