import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowManifest
import EscrowTrust
import Glibc

/// The keys that came along with a package, as the individual is asked about them.
struct PackageSigners {
    private let found: PackageKeys
    private let pattern: String

    /// Reads them. Throws where the pattern would not let this very package be installed.
    init(_ package: String, pattern: String) throws(Diagnostic) {
        found = try PackageKeys(package: package)
        self.pattern = pattern
        guard PluginID.isPattern(pattern), !PluginID.matches(pattern: pattern, found.manifest.id) else {
            return
        }
        throw Diagnostic(
            .trustStoreInvalid, "this package is of \(found.manifest.id), which the pattern does not take in",
            help: "escrow trust add \(found.manifest.id) --package FILE")
    }

    /// The keys, once they are the ones that are meant; none where the answer is no.
    func confirmed(_ fingerprint: String?) throws(Diagnostic) -> [PublicKey] {
        if let fingerprint {
            guard let key = found.keys.first(where: { $0.id.description == fingerprint }) else {
                throw Diagnostic(
                    .notThatFingerprint, "no key of this package has that fingerprint",
                    notes: found.keys.map { "it came with \($0.id)" },
                    help: "ask the publisher, by another route than the one by which the package came")
            }
            return [key]
        }
        lines(width: Console.sheetWidth).forEach(Console.explain)
        let what = found.keys.count == 1 ? "this key" : "these \(found.keys.count) keys"
        let isYes = try Console.confirms(
            "trust \(what) for \(pattern)? [y/N] ",
            help:
                "compare the fingerprint with what the publisher tells elsewhere, and say it: --fingerprint "
                + (found.keys.first?.id.description ?? ""))
        return isYes ? found.keys : []
    }

    /// What there is to compare. A label of the host's begins each line: the rest is the publisher's.
    func lines(width: Int) -> [String] {
        let manifest = found.manifest
        let rows: [(String, String)] =
            [
                ("plugin", "\(manifest.id) \(manifest.version)"),
                ("title", PlainText.quoted(manifest.title)),
                ("publisher", "\(PlainText.quoted(manifest.publisher.name)), as it says itself"),
            ] + found.keys.map { ("key", $0.id.description) } + [
                (
                    "compare",
                    "whoever made this package chose the key: compare it with what the publisher tells elsewhere"
                )
            ]
        return ["a plugin, signed by somebody whom you may not know:"]
            + rows.flatMap {
                TerminalText.row($0.0, PlainText.neutral($0.1, longest: 400), indent: 14, width: width)
            }
    }
}
