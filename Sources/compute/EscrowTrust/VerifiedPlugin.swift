public import EscrowManifest
internal import Glibc

/// A plugin that passed every check a moment ago, with the program that is to run: sealed copies, no paths.
public struct VerifiedPlugin: ~Copyable {
    public let manifest: Manifest
    /// SHA-256 of the manifest's exact bytes, hexadecimal.
    public let manifestDigest: String
    /// The keys that signed it and are trusted for it; at least one.
    public let keyIDs: [KeyID]
    /// The owner's name for the first of them, if there is one.
    public let signerName: String?
    /// The program for this machine: its executable (mode 0111), or its main script (mode 0444).
    public let program: SealedCopy
    public let artifact: Artifact
    /// For a script: the other files of its folder (mode 0444), which it may read beside itself; else empty.
    public let companions: SealedFolder
    /// What the owner should know though the run goes on, for example an expiry that is near.
    public let expiresSoon: Bool
    /// Whether the program is here; false for a device's part of a confidential plugin, whose `program` is empty.
    public internal(set) var hasCode = true

    /// What runs the program; nil if it runs by itself.
    public var interpreter: Interpreter? { artifact.interpreter }
}

/// Sealed copies of several files of one folder; closed together.
public struct SealedFolder: ~Copyable {
    public let entries: [Entry]

    public struct Entry: Sendable, Hashable {
        public let name: String
        /// The descriptor, valid for as long as the folder's value lives; close-on-exec.
        public let descriptor: Int32
        public let size: Int
    }

    init(_ entries: [Entry]) { self.entries = entries }

    deinit { for entry in entries { close(entry.descriptor) } }
}
