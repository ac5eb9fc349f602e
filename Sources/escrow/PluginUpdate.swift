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
        let changes = Changes(from: old, to: new)
        let end =
            !changes.asked.isEmpty
            ? "; what is more than you allowed is asked about again"
            : changes.more.isEmpty
                ? ", and asks for nothing more" : "; you are not asked again about what is more"
        rows =
            [("update", "it replaces \(installed.version)\(end)")]
            + changes.less.map { ("less", $0) } + changes.more.map { ("more", $0) }
            // Next to the question, which follows.
            + changes.asked.map { ("NEW", $0) }
    }
}

/// What two versions differ in, a sentence each.
private struct Changes {
    /// What grants are held against: it is asked about again.
    var asked: [String]
    /// What is more besides: what it may use up, what its publisher says that an app learns, a further signature.
    var more: [String]
    var less: [String]

    init(from old: ManifestVerifier.Verified, to new: ManifestVerifier.Verified) {
        let changes = new.manifest.permissions.difference(from: old.manifest.permissions)
        asked = changes.filter { $0.direction != .narrower && $0.isBound }.map(\.sentence)
        more = changes.filter { $0.direction != .narrower && !$0.isBound }.map(\.sentence)
        less = changes.filter { $0.direction == .narrower }.map(\.sentence)
        let (told, wasTold) = (new.manifest.told, old.manifest.told)
        for (name, bounds) in told {
            guard let before = wasTold.first(where: { $0.name == name })?.bounds else {
                asked.append("an app may also tell it \(name)")
                continue
            }
            guard bounds != before else { continue }
            asked.append("an app may tell it as \(name) \(bounds.words), it was \(before.words)")
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
        // A grant is for what the first key signs.
        let isAnother = new.keys.first != old.keys.first
        guard isAnother || !Set(new.keys).isSubset(of: old.keys) else { return }
        let sentence =
            "it is signed by \(new.keys.map(\.id.short).joined(separator: ", ")), it was by "
            + old.keys.map(\.id.short).joined(separator: ", ")
        if isAnother { asked.append(sentence) } else { more.append(sentence) }
    }
}

extension Manifest {
    /// What an app may tell it, with its bounds.
    fileprivate var told: [(name: String, bounds: ScalarBounds)] {
        parameters.parameters.filter { $0.identifier == nil }.map { ($0.name, $0.bounds) }
    }
}
