public import EscrowDiagnostics

/// The state of a table's files: equal fingerprints mean that a scan would yield the same rows.
public struct TableFingerprint: Sendable, Hashable {
    /// What tells one state from another; for the source alone to make and to understand.
    public let value: String
    public init(_ value: String) { self.value = value }
}

extension TableSource {
    /// Not known: copies of such a table are made for one statement and thrown away.
    public func fingerprint() throws(Diagnostic) -> TableFingerprint? { nil }
}
