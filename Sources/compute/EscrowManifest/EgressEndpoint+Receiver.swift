/// Who gets what is sent. A mail goes to whom its field `to` names, and its server only takes it on.
extension EgressEndpoint {
    /// Whether the plugin picks who gets it, out of everybody there is.
    public var goesToAnybody: Bool { recipients != nil && recipients?.bounds.oneOf == nil }

    private var recipients: EgressField? {
        method == .mail ? fields.first { $0.name == "to" } : nil
    }

    /// Who gets it, in a few words.
    public var shownReceiver: String {
        guard let recipients else { return template.shownHost }
        let addresses =
            recipients.bounds.oneOf.map {
                $0.count == 1
                    ? "one address that its manifest names" : "\($0.count) addresses that its manifest names"
            } ?? "any address"
        return "\(addresses), through \(template.shownHost)"
    }

    /// Where it goes, behind the name of its method.
    public var shownPlace: String { recipients == nil ? template.shown : "to \(shownReceiver)" }

    /// The same for a list of changes.
    var briefPlace: String {
        guard recipients == nil else { return "to \(shownReceiver)" }
        return template.own == nil && template.effect == nil
            ? template.brief + HostName.reading(of: template.host)
            : Brief.middle(template.shown, longest: 100)
    }
}

extension Manifest {
    /// Those outside every trust zone who may get something, beside the servers that take it: everybody with an address.
    public var receiversBesideServers: [String] {
        requests.contains(where: \.goesToAnybody) ? ["any mail address"] : []
    }
}
