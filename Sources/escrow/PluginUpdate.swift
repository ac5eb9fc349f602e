import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowManifest
import EscrowTrust

/// What a package changes of the version that is installed, in words.
struct PluginUpdate {
    /// For the sheet: what is replaced, what is new, what is less.
    let rows: [(label: String, text: String)]

    /// Nil where no version is installed.
    init?(to new: ManifestVerifier.Verified, _ host: Host) throws(Diagnostic) {
        let store = try host.plugins()
        guard let installed = try store.list().first(where: { $0.id == new.manifest.id }) else { return nil }
        guard installed.manifestDigest != new.digest.hexadecimal else {
            rows = [("update", "none: this very version is installed")]
            return
        }
        let old: ManifestVerifier.Verified
        do throws(Diagnostic) { old = try store.check(installed.id, now: try host.now()) } catch {
            rows = [
                ("update", "it replaces \(installed.version)"),
                (
                    "NEW",
                    "all of it: what is installed can no longer be verified (\(error.code.rawValue)), so nothing can be compared"
                ),
            ]
            return
        }
        let (more, less) = Self.changes(from: old, to: new)
        rows =
            [
                (
                    "update",
                    more.isEmpty
                        ? "it replaces \(installed.version), and asks for nothing more"
                        : "it replaces \(installed.version); what is more than you allowed is asked about again"
                )
            ] + more.map { ("NEW", $0) } + less.map { ("less", $0) }
    }

    private static func changes(
        from old: ManifestVerifier.Verified, to new: ManifestVerifier.Verified
    ) -> (more: [String], less: [String]) {
        let changes = new.manifest.permissions.difference(from: old.manifest.permissions)
        var more = changes.filter { $0.direction != .narrower }.map(\.sentence)
        var less = changes.filter { $0.direction == .narrower }.map(\.sentence)
        let (told, wasTold) = (new.manifest.told, old.manifest.told)
        for (name, words) in told {
            guard let before = wasTold.first(where: { $0.name == name })?.words else {
                more.append("an app may also tell it \(name)")
                continue
            }
            if words != before { more.append("an app may tell it as \(name) \(words), it was \(before)") }
        }
        for (name, _) in wasTold where !told.contains(where: { $0.name == name }) {
            less.append("an app no longer tells it \(name)")
        }
        let (learned, before) = (new.manifest.result.learned, old.manifest.result.learned)
        more += learned.filter { !before.contains($0) }.map {
            "the app learns, the publisher says, \(PlainText.quoted($0))"
        }
        less += before.filter { !learned.contains($0) }.map {
            "the publisher no longer says that the app learns \(PlainText.quoted($0))"
        }
        let keys = new.keys.map(\.id).filter { key in !old.keys.contains { $0.id == key } }
        if !keys.isEmpty {
            more.append(
                "it is signed by \(keys.map(\.short).joined(separator: ", ")), it was by "
                    + old.keys.map(\.id.short).joined(separator: ", "))
        }
        return (more, less)
    }
}

extension Manifest {
    /// What an app may tell it, with its bounds in words.
    fileprivate var told: [(name: String, words: String)] {
        parameters.parameters.filter { $0.identifier == nil }.map { ($0.name, $0.bounds.words) }
    }
}
