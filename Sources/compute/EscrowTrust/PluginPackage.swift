public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest
internal import Glibc

/// A plugin as it is passed on: one file, `NAME-VERSION.escrow`, with the signed manifest and all files that it lists.
public struct PluginPackage: Sendable {
    public let path: String
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
    /// `files`. The same folder, manifest, key and dates give the same bytes.
    public static func pack(
        folder: String, authorManifest: [UInt8], file: String, keys: [SigningKey], issued: Moment,
        expires: Moment, to directory: String
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
            try bytes.withUnsafeBytes { ExecutableCheck.result($0, size: $0.count, artifact) }.get()
        }
        for content in contents
        where author.profile != .native && author.artifacts.contains(where: { $0.isSeen(content.path) }) {
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
        let envelope = try Envelope.sign(payload, as: .pluginManifest, with: keys, carriesKeys: true).encoded
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
}

extension Manifest {
    func isExecutable(_ path: String) -> Bool { artifacts.contains { $0.path == path } }
}
