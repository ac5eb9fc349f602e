public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowManifest
internal import Glibc

extension PluginPackage {
    /// Adds a signature to a package, beside those that it has; the manifest and the files stay as they are.
    ///
    /// Refused when the key has signed it already.
    public static func sign(_ path: String, with key: SigningKey) throws(Diagnostic) -> PluginPackage {
        var reader = try PackageReader(opening: path)
        let envelope = try Envelope(parsing: try reader.envelope(), file: PackageReader.envelopeName)
        // A package can hold the envelope of anything: signed is a plugin's manifest and nothing else.
        guard envelope.payloadType.utf8.elementsEqual(PayloadType.pluginManifest.rawValue.utf8) else {
            throw Verification.Reason.wrongPayloadType(expected: .pluginManifest).diagnostic(path)
        }
        let manifest = try Manifest.parse(envelope.payload, file: "plugin.json")
        let signed = try envelope.adding(key)
        let bytes = try SecureFile.read(path, limit: Archive.maximumBytes)
        let old = envelope.encoded.count
        let rest = bytes[(Archive.block + old + Archive.padding(old))...]
        let encoded = signed.encoded
        let output =
            Archive.header(PackageReader.envelopeName, size: encoded.count, executable: false) + encoded
            + [UInt8](repeating: 0, count: Archive.padding(encoded.count)) + rest
        try SecureFile.replace(path, with: output, mode: 0o644)
        return PluginPackage(path: path, manifest: manifest, manifestDigest: Digest(of: envelope.payload))
    }
}

extension PluginPackage {
    /// A device's part of a confidential plugin's package: the signed manifest, and none of the files. What was signed is the same.
    public static func deviceFile(of path: String) throws(Diagnostic) -> [UInt8] {
        var reader = try PackageReader(opening: path)
        let envelope = try reader.envelope()
        let manifest = try Manifest.parse(
            try Envelope(parsing: envelope, file: PackageReader.envelopeName).payload, file: "plugin.json")
        guard manifest.server.isConfidential else {
            throw Diagnostic(
                .packageFileMissing, "\(manifest.id) is not confidential: a device needs all of its package",
                help: "say so in its manifest: \"server\": {\"confidential\": true}")
        }
        return Archive.header(PackageReader.envelopeName, size: envelope.count, executable: false) + envelope
            + [UInt8](repeating: 0, count: Archive.padding(envelope.count) + 2 * Archive.block)
    }

    /// The relative paths of all files below a folder, sorted. Throws for anything but plain files.
    public static func files(below folder: String) throws(Diagnostic) -> [String] {
        try FolderListing.files(below: try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY))
    }
}
