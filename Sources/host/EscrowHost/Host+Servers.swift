public import EscrowCredentials
public import EscrowDiagnostics
public import EscrowEgress
import EscrowHome
import EscrowJSON
import EscrowLedger

extension Host {
    /// What the individual keeps for servers.
    public var credentialStore: CredentialStore { CredentialStore(home: home.path) }

    var credentials: any CredentialSource { credentialStore }

    /// Keeps something for a server and records that it is kept, not what it is.
    public func keep(_ credential: Credential) throws(Diagnostic) {
        try credentialStore.add(credential)
        try ledger.append(
            .credentialChanged,
            fields: [
                "server": .string(credential.server), "kind": .string(credential.kind.rawValue),
                "change": "added",
            ])
    }

    /// Forgets what is kept for a server; whether anything was.
    public func forgetCredential(_ server: String) throws(Diagnostic) -> Bool {
        guard try credentialStore.remove(server) else { return false }
        try ledger.append(
            .credentialChanged, fields: ["server": .string(server), "change": "revoked"])
        return true
    }

    /// The servers of the individual's own, by name.
    public func ownServers() throws(Diagnostic) -> [String: OwnServer] { try OwnServers.load(home.path) }

    /// Sets where one is, or takes it back, and records it.
    public func setOwnServer(_ name: String, _ server: OwnServer?) throws(Diagnostic) {
        try OwnServers.set(name, server, home: home.path)
        try ledger.append(
            .endpointChanged,
            fields: ["name": .string(name), "place": server.map { .string($0.shown) } ?? .null])
    }
}
