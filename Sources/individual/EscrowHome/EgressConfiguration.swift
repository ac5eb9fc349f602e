public import EscrowEgress
package import EscrowJSON
package import EscrowManifest

/// The member `egress` of `config.json`: stand-ins for servers of the internet, for tests and samples.
///
///     { "egress": { "standIns": { "api.example.org": { "port": 8443 } }, "trustRoots": "/path/to/ca.pem" } }
public struct EgressConfiguration: Sendable, Equatable {
    /// Host names that lead to this machine's loopback instead. The ledger says so of each request.
    public var standIns: [String: StandIn] = [:]
    /// A PEM file of certificate authorities that are trusted besides the system's.
    public var trustRoots: String?
    /// Servers of the individual's own, by the names that manifests have for them.
    public var ownServers: [String: OwnServer] = [:]

    /// Where each of the individual's own servers is that a plugin sends to.
    private func ownWarnings(for manifest: Manifest) -> [String] {
        Set(manifest.egress.compactMap(\.template.own)).sorted().map { name in
            guard let server = ownServers[name] else {
                return
                    "your own server \"\(name)\" is not set, so nothing can be sent there: escrow endpoint set \(name)"
            }
            return "your own server \"\(name)\" is \(server.shown)"
                + (server.isPlain ? ", without TLS: whoever is between can read along" : "")
        }
    }

    /// A line for each server of a plugin that has a stand-in, for the sheet that is shown before a run.
    package func warnings(for manifest: Manifest) -> [String] {
        ownWarnings(for: manifest)
            + Set(manifest.egress.map(\.template.host)).sorted().compactMap { host in
                standIns[host].map {
                    "requests to \(host) go to port \($0.port) of this machine\($0.isPlain ? ", without TLS" : ""): "
                        + "a stand-in, which your config.json names"
                }
            }
    }

    /// Without stand-ins.
    public init() {}

    package init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        if let list = object.optional("standIns") {
            for member in try list.requireMembers() {
                var item = try JSONObjectReader(member.value)
                let port = try item.required("port")
                guard let number = Int(exactly: try port.requireInteger()), (1...65_535).contains(number)
                else {
                    throw JSONError(.wrongType(expected: "a port from 1 to 65535"), at: port.position)
                }
                let isPlain = try item.optional("plain")?.requireBool() ?? false
                try item.finish()
                standIns[member.name] = StandIn(port: number, isPlain: isPlain)
            }
        }
        trustRoots = try object.optional("trustRoots")?.requireString()
        try object.finish()
    }
}
