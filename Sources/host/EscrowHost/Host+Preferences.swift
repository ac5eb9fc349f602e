import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowLedger

extension Host {
    /// Records that the individual's rules are others than the ledger knows of. They are a file that any editor writes, so
    /// a change shows at the first run after it, before anything is decided.
    ///
    /// - Parameter revision: of the rules that decide about this run; nil where there are none.
    func notePreferences(_ revision: String?) throws(Diagnostic) {
        guard try seenRevision() != revision else { return }
        let lock = try FileLock.acquire(home.preferencesSeenPath + ".lock")
        defer { withExtendedLifetime(lock) {} }
        let before = try seenRevision()
        // Another run may have been quicker.
        guard before != revision else { return }
        let rules = try preferences().rules.map { JSONValue.string($0.id) }
        try ledger.append(
            .preferencesChanged,
            fields: [
                "preferences": revision.map(JSONValue.string) ?? .null,
                "before": before.map(JSONValue.string) ?? .null, "rules": .array(rules),
            ])
        // After the record: a crash in between repeats it, and loses nothing.
        try home.preferencesSeen.replace(with: Array("\(revision ?? "")\n".utf8)) {
            (bytes) throws(Diagnostic) in
            guard Self.revision(bytes) == revision else { throw Diagnostic(.ownFault, "it is no revision") }
        }
    }

    private func seenRevision() throws(Diagnostic) -> String? {
        try home.preferencesSeen.read().flatMap(Self.revision)
    }

    private static func revision(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
