public import EscrowAttestation
import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowManifest
public import EscrowOffloadWire
public import EscrowServers

extension RunHost {
    /// Where a plugin is asked to run: one of the individual's servers, or nil for this device.
    func site(_ id: String?, for manifest: Manifest) throws(Diagnostic) -> EscrowServer? {
        if let id { return try server(id, for: manifest) }
        guard !manifest.server.isConfidential else {
            throw Diagnostic(
                .codeElsewhere, "\(manifest.id) runs on servers alone: its publisher keeps its code there",
                help: "name a server that has it: --server NAME; escrow server list")
        }
        return nil
    }

    /// A server that this plugin may be run on: the individual named it, for this plugin, and the publisher did not refuse.
    func server(_ id: String, for manifest: Manifest) throws(Diagnostic) -> EscrowServer {
        guard manifest.server.isAllowed else {
            throw Diagnostic(
                .pluginMustNotLeave, "\(manifest.id) runs on this device alone, by its publisher's word",
                help: "run it here: --server device")
        }
        let server = try server(id)
        guard server.mayRun(manifest.id) else {
            throw Diagnostic(
                .serverNotForThisPlugin, "you did not let the server \(id) run \(manifest.id)",
                help: "escrow server add FILE --plugins \(manifest.id), or run it here: --server device")
        }
        try manifest.server.check(try about(server), id)
        return server
    }
}

extension ServerNeeds {
    /// Whether a server has what a plugin needs, by what it said of itself when it was checked last.
    fileprivate func check(_ about: ServerDescription?, _ id: String) throws(Diagnostic) {
        if isAny { return }
        guard let about else {
            throw Diagnostic(
                .noServerFits, "it is not known whether the server \(id) has what this plugin needs",
                notes: [words], help: "escrow server check \(id)")
        }
        guard about.processors >= processors, about.memoryMiB >= memoryMiB else {
            throw Diagnostic(
                .noServerFits, "the server \(id) has less than this plugin needs",
                notes: [words, "it has \(about.processors) processors and \(about.memoryMiB) MiB"],
                help: "escrow server list shows what each has; or run it here: --server device")
        }
    }

    private var words: String {
        [processors > 0 ? "\(processors) processors" : nil, memoryMiB > 0 ? "\(memoryMiB) MiB" : nil]
            .compactMap { $0 }.joined(separator: " and ") + " are needed"
    }
}

extension RunHost {
    func about(_ server: EscrowServer) throws(Diagnostic) -> ServerDescription? { nil }
}

extension Host {
    /// What a server said of itself when it was checked last; nil before.
    func about(_ server: EscrowServer) throws(Diagnostic) -> ServerDescription? { servers.about(server.id) }

    /// Keeps what a server says of itself.
    public func note(_ description: ServerDescription, of server: EscrowServer) throws(Diagnostic) {
        try servers.note(description, of: server.id)
    }
}

extension Host {
    /// The servers that the individual named.
    public var servers: ServerList { ServerList(directory: home.path) }

    func server(_ id: String) throws(Diagnostic) -> EscrowServer { try servers.find(id) }

    /// Adds a server and records it.
    public func addServer(_ server: EscrowServer, plugins: [String] = []) throws(Diagnostic) {
        try note(try servers.add(server, plugins: plugins), "added")
    }

    /// Forgets a server and records it.
    public func removeServer(_ id: String) throws(Diagnostic) -> EscrowServer {
        let server = try servers.remove(id)
        try note(server, "removed")
        return server
    }

    /// Sets what a server must prove before it is given anything, and records it.
    public func require(_ requirement: Requirement?, of id: String) throws(Diagnostic) -> EscrowServer {
        let server = try servers.require(requirement, of: id)
        try note(server, requirement == nil ? "nothing required" : "attestation required")
        return server
    }

    private func note(_ server: EscrowServer, _ action: String) throws(Diagnostic) {
        try ledger.append(
            .serverChanged,
            fields: .object(
                [("action", .string(action))] + server.ledgerFields + [
                    ("plugins", .array(server.plugins.map(JSONValue.string)))
                ]))
    }
}

extension EscrowServer {
    /// Whom the ledger says this is: the key, not what the machine says of itself.
    var ledgerFields: [(name: String, value: JSONValue)] {
        var fields: [(name: String, value: JSONValue)] = [
            ("server", .string(id)), ("host", .string("\(target.host):\(target.port)")),
            ("serverKey", .string("sha256:" + target.pin)),
        ]
        if let attestation { fields.append(("attestation", .string(attestation.name))) }
        return fields
    }
}

extension DataflowDescription {
    /// The same dataflow on a server, with what must be said of that before anything else.
    mutating func move(to server: EscrowServer) {
        self.place = .server(server.placeName)
        let tables = self.reads.map(\.table)
        let what =
            tables.isEmpty
            ? "what the query yields" : "what the query yields of \(tables.joined(separator: ", "))"
        let files = opens.isEmpty ? "" : ", and the files that the plugin opens,"
        leaves =
            "\(what)\(files) goes to the machine \(PlainText.neutral(server.target.host, longest: 128)), which you named "
            + "\(server.id); "
            + (server.attestation == nil
                ? "who runs that machine could read it"
                : "it must first prove by its TPM that it runs the software that you named")
    }
}
