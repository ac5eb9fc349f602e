import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowPage

extension PageDesk {
    func changeGrant(_ form: FormBody) throws(Diagnostic) -> PageAnswer {
        let grant = try host.grants.grant(form["id"] ?? "")
        let app = Words.short(grant.app)
        let back = Self.back(from: "/grants/change", form)
        switch form["what"] {
        case "revoke":
            _ = try host.revokeGrant(grant.id)
            return done("Taken back: \(app) is asked about anew.", back)
        case "never":
            _ = try host.deny(try description(of: grant), GrantTerms(.always, reason: .settings))
            return done("Denied: \(app), until you change it.", back)
        case "always":
            guard grant.canBeAllowedAnew else {
                throw Diagnostic(
                    .questionChanged, "this decision does not say all that a yes would be for",
                    help: "take it back: then you are asked when the app asks")
            }
            let description = try description(of: grant)
            // A yes is for what was shown here, not for what another version asks.
            guard description.plugin.manifestDigest == grant.plugin.manifestDigest else {
                throw Diagnostic(
                    .questionChanged, "the plugin is another version than the one that you decided about",
                    help: "take the decision back: then you are asked with the new words")
            }
            // Allowing takes a denial of the same back.
            _ = try host.allow(description, GrantTerms(.always, reason: .settings, like: grant))
            let less = grant.limit == nil ? "" : " for less, as before"
            return done("Allowed\(less): \(app), until you take it back.", back)
        default: throw Diagnostic(.answerUnclear, "that is no change of a decision")
        }
    }

    /// What a decision is about, with the words of today. A dataflow that is made anew from app, plugin and columns would be another one,
    /// and a yes to it wider: known by less, elsewhere, with finer values.
    private func description(of grant: Grant) throws(Diagnostic) -> DataflowDescription {
        func names(_ path: KeyPath<TableUse, [String]>) -> [String] {
            grant.reads.flatMap { use in use[keyPath: path].map { "\(use.table).\($0)" } }
        }
        let counted = grant.reads.filter { $0.returned.isEmpty && $0.used.isEmpty }.map(\.table)
        var server: String?
        if case .server(let name) = grant.place.machine { server = name }
        var description = try host.dataflow(
            app: grant.app, plugin: grant.plugin.id, sql: nil, reads: names(\.returned),
            uses: names(\.used) + counted, server: server)
        let now = description.dataflow.plugin
        description.dataflow = grant.dataflow
        description.dataflow.plugin = now
        return description
    }
}
