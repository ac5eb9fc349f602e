public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest
internal import Glibc

/// The plugins that are installed on this host, and the only way to one that may run.
///
/// A folder with one folder a plugin, named by its id, with `installed.json` (what was installed) and `ratchet.json` (the
/// highest sequence seen). Every change happens under one lock.
public struct PluginStore: Sendable {
    /// Where the plugins are: `HOME/plugins`.
    public let directory: String
    public let trust: TrustStore
    public let revocations: Revocations
    /// The id of this installation, for manifests that name an audience.
    public let installation: String?

    /// What earlier runs of this process left, where it keeps that.
    let memory: PluginMemory?

    public init(
        directory: String, trust: TrustStore, revocations: Revocations, installation: String?,
        memory: PluginMemory? = nil
    ) {
        self.memory = memory
        self.directory = directory
        self.trust = trust
        self.revocations = revocations
        self.installation = installation
    }

    var installedPath: String { directory + "/installed.json" }
    var ratchetPath: String { directory + "/ratchet.json" }
    var lockPath: String { directory + "/.lock" }

    func folder(_ id: String) -> String { "\(directory)/\(id)" }

    /// Refuses an id that is the name of the store's own file, or of one that it is about to replace it with: files and the
    /// plugins' folders lie beside each other.
    func checkName(_ manifest: Manifest) throws(Diagnostic) {
        let own = ["installed.json", "ratchet.json"]
        guard own.contains(where: { manifest.id == $0 || manifest.id.hasPrefix($0 + ".") }) else { return }
        throw Diagnostic(
            .notAName, "\(manifest.id) is the name of a file of the plugin store, and no plugin's id",
            help: "do not trust its publisher: such a plugin would take the place of what the store remembers"
        )
    }

    public func list() throws(Diagnostic) -> [InstalledPlugin] {
        try installed().plugins.sorted { $0.id < $1.id }
    }

    private func installed() throws(Diagnostic) -> InstalledList {
        guard let memory else { return try InstalledList.load(installedPath) }
        return try memory.installed.value { (bytes) throws(Diagnostic) in
            try InstalledList.parse(bytes, installedPath)
        } ?? InstalledList(plugins: [])
    }

    private func ratchet() throws(Diagnostic) -> Ratchet {
        guard let memory else { return try Ratchet.load(ratchetPath) }
        return try memory.ratchet.value { (bytes) throws(Diagnostic) in try Ratchet.parse(bytes, ratchetPath)
        }
            ?? Ratchet()
    }

    /// The plugin of that id, or of that last label if only one has it.
    public func find(_ name: String) throws(Diagnostic) -> InstalledPlugin {
        let plugins = try list()
        if let exact = plugins.first(where: { $0.id == name }) { return exact }
        let found = plugins.filter { $0.shortName == name }
        guard found.count <= 1 else {
            throw Diagnostic(
                .pluginNameAmbiguous, "\(found.count) plugins are called \(found[0].shortName)",
                help: "name one of them in full: \(found.map(\.id).joined(separator: ", "))")
        }
        guard let plugin = found.first else {
            let shown = String(
                name.unicodeScalars.prefix(128).map { $0.isASCII && $0.value > 0x20 ? Character($0) : "?" })
            let near = Nearest.name(to: name, among: plugins.flatMap { [$0.shortName, $0.id] })
            throw Diagnostic(
                .pluginNotInstalled, "no plugin called \(shown) is installed",
                notes: near.map { ["there is \($0)"] } ?? [],
                help: plugins.isEmpty
                    ? "`escrow plugin install FILE.escrow` installs one"
                    : "installed: \(plugins.map(\.id).joined(separator: ", "))")
        }
        return plugin
    }

    /// Verifies a plugin as if for the first time, and seals its program for this machine.
    ///
    /// Signature, trust, time, audience, revocation, rollback, the record of installation, then the program's bytes: at every run,
    /// as each of them may have changed since the last.
    public func open(_ name: String, now: Moment) throws(Diagnostic) -> VerifiedPlugin {
        let installed = try find(name)
        let root = try open(folderOf: installed)
        let verified = try verify(installed, root, now: now)
        guard try hasCode(verified.manifest, below: root) else { return try withoutCode(verified) }
        let artifact = try verified.manifest.artifact(for: .current)
        let program = try seal(artifact, of: verified.manifest, below: root)
        let companions = try sealCompanions(of: artifact, verified.manifest, below: root)
        return VerifiedPlugin(
            manifest: verified.manifest, manifestDigest: verified.digest.hexadecimal,
            keyIDs: verified.keys.map(\.id),
            signerName: verified.keys.lazy.compactMap { trust.name(of: $0.id) }.first, program: program,
            artifact: artifact, companions: companions,
            expiresSoon: now.adding(days: 30) >= verified.manifest.expires)
    }

    /// Whether a plugin's files are here. Only a confidential one may have none of them.
    private func hasCode(_ manifest: Manifest, below root: borrowing Descriptor) throws(Diagnostic) -> Bool {
        guard manifest.server.isConfidential else { return true }
        return try FolderListing.files(below: root).contains { $0 != PackageReader.envelopeName }
    }

    /// A device's part of a confidential plugin: its manifest, and nothing that could run.
    private func withoutCode(_ verified: ManifestVerifier.Verified) throws(Diagnostic) -> VerifiedPlugin {
        VerifiedPlugin(
            manifest: verified.manifest, manifestDigest: verified.digest.hexadecimal,
            keyIDs: verified.keys.map(\.id),
            signerName: verified.keys.lazy.compactMap { trust.name(of: $0.id) }.first,
            program: try SealedCopy.nothing(), artifact: verified.manifest.artifacts[0],
            companions: SealedFolder([]), expiresSoon: false, hasCode: false)
    }

    /// Verifies a plugin and every file of it, and starts nothing: `escrow plugin verify`.
    public func check(_ name: String, now: Moment) throws(Diagnostic) -> ManifestVerifier.Verified {
        let installed = try find(name)
        let root = try open(folderOf: installed)
        var verified = try verify(installed, root, now: now)
        verified.hasCode = try PackageFolder.check(root, verified.manifest)
        return verified
    }

    /// The exact manifest bytes of an installed plugin, verified.
    public func manifestBytes(_ name: String, now: Moment) throws(Diagnostic) -> [UInt8] {
        let installed = try find(name)
        let root = try open(folderOf: installed)
        _ = try verify(installed, root, now: now)
        return try Envelope(parsing: try envelope(root), file: PackageReader.envelopeName).payload
    }

    /// The folder of an installed plugin, which must be one and no link to one.
    private func open(folderOf installed: InstalledPlugin) throws(Diagnostic) -> Descriptor {
        let store = try Descriptor(opening: directory, Linux.openPathOnly | O_DIRECTORY)
        return try Walk.open(folder: installed.id, below: store)
    }

    private func envelope(_ root: borrowing Descriptor) throws(Diagnostic) -> [UInt8] {
        try FolderListing.read(PackageReader.envelopeName, below: root, limit: Envelope.maximumBytes)
    }

    private func verify(
        _ installed: InstalledPlugin, _ root: borrowing Descriptor, now: Moment
    ) throws(Diagnostic) -> ManifestVerifier.Verified {
        let verifier = ManifestVerifier(
            trust: trust, revocations: revocations, ratchet: try ratchet(), now: now,
            installation: installation)
        let verified = try verifier.verify(
            envelope: try envelope(root), subject: installed.shortName, memory: memory?.signed)
        guard verified.manifest.id == installed.id, verified.digest.hexadecimal == installed.manifestDigest
        else {
            throw Diagnostic(
                .notTheInstalledVersion, "\(installed.id) is not the version that was installed",
                notes: [
                    "the signature is good, but the folder holds another manifest than the record of installation"
                ],
                help: "install it again: `escrow plugin install FILE.escrow`")
        }
        return verified
    }

    private func seal(
        _ artifact: Artifact, of manifest: Manifest, below root: borrowing Descriptor
    ) throws(Diagnostic) -> SealedCopy {
        let size = artifact.size ?? 0
        let file = try SealedCopy.copy(
            artifact.path, below: root, limit: Artifact.maximumBytes,
            mode: artifact.interpreter == nil ? .executable : .readable, cache: memory?.copies)
        let found = file.digest.hexadecimal
        guard found == artifact.sha256, file.size == size else {
            throw Verification.Reason.alteredFile(
                path: artifact.path, signed: "\((artifact.sha256 ?? "").prefix(8))…", found: file.digest.short
            ).diagnostic(ManifestVerifier.name(manifest))
        }
        if artifact.interpreter == nil {
            let size = file.size
            func check(_ image: UnsafeRawBufferPointer) -> Result<Void, Diagnostic> {
                ExecutableCheck.result(image, size: size, artifact)
            }
            // Mapping a large file for its first page alone flushes the TLB of every processor.
            let beginning = try file.read(upTo: ExecutableCheck.beginning)
            let seen = beginning.withUnsafeBytes { image in
                ExecutableCheck.holdsHeaders(image) || image.count == size ? check(image) : nil
            }
            let result = if let seen { seen } else { try file.withContent(check) }
            try result.get()
        } else {
            try MachineCode.refuse(artifact.path, file)
        }
        return file
    }

    private func sealCompanions(
        of artifact: Artifact, _ manifest: Manifest, below root: borrowing Descriptor
    ) throws(Diagnostic) -> SealedFolder {
        guard artifact.interpreter != nil else { return SealedFolder([]) }
        var sealed: [SealedFolder.Entry] = []
        do throws(Diagnostic) {
            for file in manifest.files {
                guard let name = artifact.companionName(file.path, manifest.profile) else { continue }
                let copy = try SealedCopy.copy(
                    file.path, below: root, limit: PackagedFile.maximumBytes, mode: .readable,
                    cache: memory?.copies)
                guard copy.digest.hexadecimal == file.sha256 else {
                    throw Verification.Reason.alteredFile(
                        path: file.path, signed: "\(file.sha256.prefix(8))…", found: copy.digest.short
                    ).diagnostic(ManifestVerifier.name(manifest))
                }
                if manifest.profile != .native { try MachineCode.refuse(file.path, copy) }
                let size = copy.size
                sealed.append(.init(name: name, descriptor: copy.releaseDescriptor(), size: size))
            }
        } catch {
            for entry in sealed { close(entry.descriptor) }
            throw error
        }
        return SealedFolder(sealed.sorted { $0.name < $1.name })
    }
}

extension Manifest {
    /// The program for a machine; throws if there is none.
    public func artifact(for platform: Platform) throws(Diagnostic) -> Artifact {
        if let artifact = artifacts.first(where: { $0.platform == platform || $0.platform == .any }) {
            return artifact
        }
        throw Diagnostic(
            .noProgramForThisMachine,
            "\(PluginID.shortName(id)) \(version) has no program for \(platform.rawValue)",
            notes: ["it has programs for: \(artifacts.map(\.platform.rawValue).joined(separator: ", "))"],
            help: "ask its publisher for a package with one")
    }
}
