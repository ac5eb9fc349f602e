import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowOffloadWire
public import EscrowServers

extension RunHost {
    /// A server that this plugin may be run on: the individual named it, for this plugin, and the publisher did not refuse.
    func server(_ id: String, for manifest: Manifest) throws(Diagnostic) -> EscrowServer {
        let server = try server(id)
        guard server.mayRun(manifest.id) else {
            throw Diagnostic(
                .serverNotForThisPlugin, "you did not let the server \(id) run \(manifest.id)",
                help: "escrow server add FILE --plugins \(manifest.id), or run it here: --server device")
        }
        return server
    }
}

extension Host {
    /// The servers that the individual named.
    public var servers: ServerList { ServerList(directory: home.path) }

    func server(_ id: String) throws(Diagnostic) -> EscrowServer { try servers.find(id) }

    /// Adds a server and records it.
    public func addServer(_ server: EscrowServer) throws(Diagnostic) {
        try servers.add(server)
        try note(server, "added")
    }

    /// Forgets a server and records it.
    public func removeServer(_ id: String) throws(Diagnostic) -> EscrowServer {
        let server = try servers.remove(id)
        try note(server, "removed")
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
        [
            ("server", .string(id)), ("host", .string("\(target.host):\(target.port)")),
            ("serverKey", .string("sha256:" + target.pin)),
        ]
    }
}

extension DataflowDescription {
    /// The same dataflow on a server, with what must be said of that before anything else.
    mutating func move(to server: EscrowServer) {
        self.place = .server(server.id)
        let tables = self.reads.map(\.table)
        let what =
            tables.isEmpty
            ? "what the query yields" : "what the query yields of \(tables.joined(separator: ", "))"
        let files = opens.isEmpty ? "" : ", and the files that the plugin opens,"
        leaves =
            "\(what)\(files) goes to the machine \(PlainText.neutral(server.target.host, longest: 128)), which you named "
            + "\(server.id); who runs that machine could read it"
    }
}
