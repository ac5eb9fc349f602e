public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest
internal import Glibc

/// A plugin as it is passed on: one file, `NAME-VERSION.escrow`, with the signed manifest and all files that it lists.
public struct PluginPackage: Sendable {
    /// Where it is.
    public let path: String
    /// The manifest in it.
    public let manifest: Manifest
    /// SHA-256 of the manifest's exact bytes.
    public let manifestDigest: Digest

    /// The usual name of a package: `phone-check-1.2.0.escrow`.
    public static func fileName(_ manifest: Manifest) -> String {
        "\(PluginID.shortName(manifest.id))-\(manifest.version).escrow"
    }

    /// Completes an author's manifest with the digests of the files in a folder, signs it, and writes a package.
    ///
    /// Everything in `folder` is shipped: the programs at the paths that the manifest's artifacts name, all else under
    /// `files`. Throws E0201 when a program is missing, E0205 when an executable is not what the manifest says, E0509 for
    /// machine code that a script would see, E0210 for anything but plain files, E1123 for a plain copy that does not say so, and
    /// whatever ``Manifest/parse(_:file:)`` finds. The same folder, manifest, key and dates
    /// give the same bytes.
    public static func pack(
        folder: String, authorManifest: [UInt8], file: String, keys: [SigningKey], issued: Moment,
        expires: Moment,
        to directory: String
    ) throws(Diagnostic) -> PluginPackage {
        let author = try Manifest.parseAuthored(authorManifest, file: file)
        try author.checkCopies()
        let root = try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        let paths = try FolderListing.files(below: root).filter { $0 != PackageReader.envelopeName }
        for artifact in author.artifacts where !paths.contains(artifact.path) {
            throw Diagnostic(
                .programMissing, "\(artifact.path) is missing in \(folder)", at: .init(file: file),
                help: "build it first: `escrow plugin pack` does so for the languages that it knows")
        }
        var contents: [(path: String, bytes: [UInt8], digest: Digest)] = []
        for path in paths {
            let limit =
                author.artifacts.contains { $0.path == path }
                ? Artifact.maximumBytes : PackagedFile.maximumBytes
            let bytes = try FolderListing.read(path, below: root, limit: limit)
            contents.append((path, bytes, Digest(of: bytes)))
        }
        for artifact in author.artifacts where artifact.interpreter == nil {
            guard let bytes = contents.first(where: { $0.path == artifact.path })?.bytes else { continue }
            try check(bytes, artifact)
        }
        for content in contents where author.artifacts.contains(where: { $0.isSeen(content.path) }) {
            guard !author.artifacts.contains(where: { $0.path == content.path && $0.interpreter == nil })
            else { continue }
            try MachineCode.refuse(content.path, Array(content.bytes.prefix(MachineCode.beginning)))
        }
        let payload = try Manifest.complete(
            authorBytes: authorManifest, file: file,
            artifacts: contents.filter { content in author.artifacts.contains { $0.path == content.path } }
                .map { ($0.path, $0.digest.hexadecimal, $0.bytes.count) },
            files: contents.filter { content in !author.artifacts.contains { $0.path == content.path } }
                .map { PackagedFile(path: $0.path, sha256: $0.digest.hexadecimal) },
            issued: issued, expires: expires)
        let manifest = try Manifest.parse(payload, file: file)
        let envelope = try Envelope.sign(payload, as: .pluginManifest, with: keys).encoded
        let path = "\(directory)/\(fileName(manifest))"
        try SecureFile.replace(path, with: archive(envelope, contents, manifest), mode: 0o644)
        return PluginPackage(path: path, manifest: manifest, manifestDigest: Digest(of: payload))
    }

    private static func archive(
        _ envelope: [UInt8], _ contents: [(path: String, bytes: [UInt8], digest: Digest)],
        _ manifest: Manifest
    ) throws(Diagnostic) -> [UInt8] {
        var output: [UInt8] = []
        func append(_ name: String, _ bytes: [UInt8], executable: Bool) {
            output += Archive.header(name, size: bytes.count, executable: executable)
            output += bytes
            output += [UInt8](repeating: 0, count: Archive.padding(bytes.count))
        }
        append(PackageReader.envelopeName, envelope, executable: false)
        for content in contents.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            append(content.path, content.bytes, executable: manifest.isExecutable(content.path))
        }
        output += [UInt8](repeating: 0, count: 2 * Archive.block)
        guard output.count <= Archive.maximumBytes else {
            throw Diagnostic(
                .packageTooLarge,
                "the package has \(output.count) bytes; at most \(Archive.maximumBytes) are allowed")
        }
        return output
    }

    private static func check(_ bytes: [UInt8], _ artifact: Artifact) throws(Diagnostic) {
        let result: Result<Void, Diagnostic> = bytes.withUnsafeBytes { image in
            do throws(Diagnostic) {
                return .success(try ExecutableCheck.check(image, size: image.count, artifact))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

extension Manifest {
    /// Whether a file of the package is one of its programs.
    func isExecutable(_ path: String) -> Bool { artifacts.contains { $0.path == path } }
}

/// The files of a folder that someone gave us: plain ones only, each opened without following a link.
enum FolderListing {
    /// The relative paths of all files below a folder, sorted. E0210 for a link, device, setuid file or strange name.
    static func files(below root: borrowing Descriptor) throws(Diagnostic) -> [String] {
        var paths: [String] = []
        try list(root.raw, prefix: "", depth: 0, into: &paths)
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The content of one file.
    static func read(_ path: String, below root: borrowing Descriptor, limit: Int) throws(Diagnostic)
        -> [UInt8]
    {
        let file = try Walk.open(path, below: root)
        let size = try Walk.checkRegular(file, path, limit: limit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        while true {
            let piece = try file.read(min(1 << 20, size - bytes.count + 1))
            if piece.isEmpty { break }
            bytes += piece
            guard bytes.count <= size else { break }
        }
        guard bytes.count == size else {
            throw Diagnostic(
                .fileChangedWhileRead, "\(path) changed while it was read", help: "run the command again")
        }
        return bytes
    }

    private static func list(
        _ folder: Int32, prefix: String, depth: Int, into paths: inout [String]
    ) throws(Diagnostic) {
        guard depth < 8 else { throw Diagnostic(.packageTooLarge, "\(prefix) is nested too deeply") }
        let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            if copy >= 0 { close(copy) }
            throw .file(prefix.isEmpty ? "the folder" : prefix, "cannot be listed", errno)
        }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let path = prefix + name
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                throw .file(path, "cannot be examined", errno)
            }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                let inner = Descriptor(
                    owning: openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
                guard inner.raw >= 0 else { throw .file(path, "cannot be opened", errno) }
                try list(inner.raw, prefix: path + "/", depth: depth + 1, into: &paths)
            case S_IFREG where status.st_mode & (S_ISUID | S_ISGID) == 0: paths.append(path)
            default: throw Walk.irregular(path)
            }
            guard paths.count <= 512 else {
                throw Diagnostic(.packageTooLarge, "a package has at most 512 files")
            }
        }
    }
}
