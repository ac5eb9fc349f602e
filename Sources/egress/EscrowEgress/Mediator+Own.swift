import EscrowDiagnostics
import EscrowManifest

/// What the individual set for the servers that a manifest names: where their own are, and in whose name requests come.
extension Mediator {
    /// Where a server of the individual's own is; nil for one of the internet. E1321 where they set none.
    func ownServer(of endpoint: EgressEndpoint) throws(EgressRefusal) -> OwnServer? {
        guard let name = endpoint.template.own else { return nil }
        guard let server = ownServers[name] else {
            throw EgressRefusal(
                .notGranted,
                Diagnostic(
                    .ownServerNotSet,
                    "\(endpoint.name) goes to your own server \"\(name)\", and you set none of that name",
                    help: "escrow endpoint set \(name) https://…"))
        }
        guard server.isMail == (endpoint.method == .mail) else {
            throw EgressRefusal(
                .notGranted,
                Diagnostic(
                    .ownServerNotSet,
                    "\(endpoint.name) goes to your own server \"\(name)\", and you set one of another kind",
                    help: endpoint.method == .mail
                        ? "escrow endpoint set \(name) submissions://…"
                        : "escrow endpoint set \(name) https://…"))
        }
        return server
    }

    /// The header that says in whose name a request comes; nil for one that comes in nobody's. E1325 where nothing is kept.
    func credential(_ endpoint: EgressEndpoint) throws(EgressRefusal) -> OutgoingRequest.Header? {
        guard endpoint.hasCredential else { return nil }
        let name = endpoint.template.own ?? endpoint.template.host
        let header: OutgoingRequest.Header?
        do throws(Diagnostic) { header = try credentials.header(for: name) } catch {
            throw EgressRefusal(.notGranted, error)
        }
        guard let header else {
            throw EgressRefusal(
                .notGranted,
                Diagnostic(
                    .noCredential, "\(endpoint.name) is sent in your name, and you keep nothing for \(name)",
                    help: "escrow credential add \(name) --kind bearer"))
        }
        return header
    }
}
