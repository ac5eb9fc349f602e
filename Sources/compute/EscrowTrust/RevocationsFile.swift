public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest

/// The list of revocations as a file: its signature is checked when it changed, its end at every look.
public struct RevocationsFile: Sendable {
    private let path: String
    private let owner: PublicKey
    private let read: ParsedFile<Revocations>

    /// Names the file, and who must have signed it.
    public init(_ path: String, owner: PublicKey) {
        self.path = path
        self.owner = owner
        read = ParsedFile(Revocations.file(path))
    }

    /// What it holds; ``Revocations/none`` where there is no file. Throws for a list that is not the owner's, or has expired.
    public func load(now: Moment) throws(Diagnostic) -> Revocations {
        let list = try read.value { (bytes) throws(Diagnostic) in
            try Revocations(verifying: Envelope(parsing: bytes, file: path), owner: owner, file: path)
        }
        guard let list else { return .none }
        if let expires = list.expires, now >= expires {
            throw Revocations.refusal(
                "it expired on \(expires)",
                help: "revoke anything again to sign a new list: escrow trust revoke --help")
        }
        return list
    }
}
