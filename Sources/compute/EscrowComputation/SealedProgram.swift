package import EscrowDiagnostics
import EscrowFiles
package import EscrowManifest
package import EscrowSandbox
package import EscrowTrust
package import EscrowWire
import Glibc

extension VerifiedPlugin {
    /// The sealed copies as the sandbox runs them; the descriptors are this value's.
    package var sandboxProgram: SandboxProgram {
        Self.program(
            artifact, manifest.profile, program.descriptor,
            companions.entries.map { ($0.name, $0.descriptor) })
    }

    /// An executable runs as it is; a script is named to its interpreter, with the files of its folder beside it.
    fileprivate static func program(
        _ artifact: Artifact, _ profile: EscrowManifest.SandboxProfile, _ descriptor: Int32,
        _ companions: [(name: String, fd: Int32)]
    ) -> SandboxProgram {
        guard let interpreter = artifact.interpreter else { return .executable(fd: descriptor) }
        let main = artifact.path.split(separator: "/").last.map(String.init) ?? artifact.path
        return .script(
            interpreter: interpreter.rawValue, main: main, files: [(main, descriptor)] + companions,
            mapsCode: profile == .native)
    }
}

/// An author's own program, neither signed nor installed, sealed for one test case.
package struct SealedProgram: ~Copyable {
    private let artifact: Artifact
    private let profile: EscrowManifest.SandboxProfile
    private let program: SealedCopy
    private let companions: [(name: String, fd: Int32)]

    private init(
        _ artifact: Artifact, _ profile: EscrowManifest.SandboxProfile, _ program: consuming SealedCopy,
        _ companions: [(name: String, fd: Int32)]
    ) {
        self.artifact = artifact
        self.profile = profile
        self.program = program
        self.companions = companions
    }

    package static func seal(_ manifest: Manifest, in folder: String) throws(Diagnostic) -> SealedProgram {
        let artifact = try manifest.artifact(for: .current)
        let root = try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY)
        let program = try SealedCopy.copy(
            artifact.path, below: root, limit: Artifact.maximumBytes,
            mode: artifact.interpreter == nil ? .executable : .readable)
        var companions: [(name: String, fd: Int32)] = []
        if artifact.interpreter != nil {
            for path in try PluginPackage.files(below: folder) {
                guard let name = artifact.companionName(path, manifest.profile) else { continue }
                let copy = try SealedCopy.copy(
                    path, below: root, limit: PackagedFile.maximumBytes, mode: .readable)
                companions.append((name, fcntl(copy.descriptor, F_DUPFD_CLOEXEC, 3)))
            }
        }
        return SealedProgram(artifact, manifest.profile, program, companions)
    }

    deinit { for companion in companions { close(companion.fd) } }

    /// The sealed copies as the sandbox runs them; the descriptors are this value's.
    package var sandboxProgram: SandboxProgram {
        VerifiedPlugin.program(artifact, profile, program.descriptor, companions)
    }
}

extension PluginProtocol {
    /// What the plugin may ask for, in the protocol's words.
    package var wireFeatures: Set<WireFeature> {
        Set(
            features.map { feature in
                switch feature {
                case .rows: .rows
                case .asset: .asset
                case .fetch: .fetch
                }
            })
    }
}
