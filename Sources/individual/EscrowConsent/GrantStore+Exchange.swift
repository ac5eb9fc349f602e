public import EscrowDiagnostics
import EscrowJSON

/// Decisions on their way to another home, or back into this one.
extension GrantStore {
    /// All decisions that still hold, as a file that `read(exported:)` takes. Ids and conditions of limits are in it, so it is
    /// as private as the home.
    public func export() throws(Diagnostic) -> [UInt8] {
        GrantFile.bytes(GrantFile.Content(grants: try list().filter { end(of: $0) == nil }))
    }

    /// The decisions of an exported file. Those for one run of an app stay behind: that run is of another place.
    /// - Throws: E0721.
    public func read(exported bytes: [UInt8], name: String) throws(Diagnostic) -> [Grant] {
        let content: GrantFile.Content
        do {
            content = try GrantFile.read(bytes)
        } catch {
            throw Diagnostic(
                .notAnExport, "this is no file of exported decisions: \(error.impersonalMessage)",
                at: .init(file: name, line: error.position.line, column: error.position.column),
                help: "make one: escrow grant export > FILE")
        }
        return content.grants.filter { if case .session = $0.scope { false } else { end(of: $0) == nil } }
    }

    /// Adds decisions to those that stand, save those that are here already; returns what was added. Where two
    /// disagree the rule of every decision holds: a denial wins.
    public func add(_ grants: [Grant]) throws(Diagnostic) -> [Grant] {
        try holding { (content) throws(Diagnostic) in
            let known = Set(content.grants.map(\.id))
            let new = grants.filter { !known.contains($0.id) && Dataflow.isAppID($0.app) }
            guard !new.isEmpty else { return [] }
            content.grants += new
            try commit(content, GrantChange(.imported, new))
            return new
        }
    }
}
