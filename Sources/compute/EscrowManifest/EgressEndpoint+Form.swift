import EscrowDiagnostics
import EscrowJSON

/// Whether the members of an endpoint fit each other, once all are read.
extension EgressEndpoint {
    /// What is sent as mail, and what is done on this machine, have the fields that are known for it, and nothing else.
    func checkForm(_ reader: borrowing ManifestReader) throws(Diagnostic) {
        func contradiction(_ words: String, help: String? = nil) -> Diagnostic {
            reader.failure(
                .membersContradict, "\"\(reader.path)\" \(words)", at: reader.position, help: help)
        }
        guard (method == .mail) == (template.scheme == .submissions),
            (method == .act) == (template.scheme == .device)
        else {
            throw contradiction(
                "has a method that does not fit its \"url\"",
                help: "MAIL goes to submissions://HOST, ACT to device:EFFECT, all others to https://")
        }
        guard method == .mail || method == .act else { return }
        guard place == nil, body == .json, !isTogether, pins.isEmpty || method == .mail else {
            throw contradiction(
                "has a \"body\", \"place\", \"pins\" or \"together\", which only requests have")
        }
        let names = fields.map(\.name)
        guard
            fields.allSatisfy({
                $0.location == .body && $0.bounds.type == .text && $0.most == nil && $0.wireName == $0.name
            })
        else { throw contradiction("has a field that is no text in the body under its own name") }
        switch template.effect {
        case nil:
            guard names == ["to", "subject", "text"], hasCredential else {
                throw contradiction(
                    "is mail, which has the fields \"to\", \"subject\" and \"text\" in this order, and a \"credential\""
                )
            }
        case .notification?:
            guard names == ["title", "text"], !hasCredential else {
                throw contradiction(
                    "is a notification, which has the fields \"title\" and \"text\" in this order")
            }
        case .media?:
            let actions = fields.first?.bounds.oneOf?.compactMap { value -> String? in
                if case .text(let text) = value { text } else { nil }
            }
            guard names == ["action"], !hasCredential, let actions,
                actions.allSatisfy(DeviceEffect.mediaActions.contains)
            else {
                throw contradiction(
                    "controls what plays, by one field \"action\" that is \"oneOf\" "
                        + DeviceEffect.mediaActions.joined(separator: ", "))
            }
        }
    }

    /// Checks that the body fits the method and the fields. A request with a file of the individual's tells no place and does not
    /// leave together with others.
    func checkBody(_ reader: borrowing ManifestReader, isNamed: Bool) throws(Diagnostic) {
        func contradiction(_ words: String) -> Diagnostic {
            reader.failure(.membersContradict, "\"\(reader.path)\" \(words)", at: reader.position)
        }
        let inBody = fields.filter { $0.location == .body }
        guard method.hasBody || (inBody.isEmpty && !isNamed) else {
            throw contradiction("is sent by \(method.rawValue), which has no body")
        }
        switch body {
        case .json: try BodyPath.check(inBody, reader)
        case .form, .multipart:
            guard inBody.allSatisfy({ $0.most == nil && Spelling.isIdentifier($0.wireName) }) else {
                throw contradiction("is a form, which has neither lists nor members within members")
            }
        case .asset, .made:
            guard inBody.isEmpty else {
                throw contradiction("sends a file alone, so no field stands in its body")
            }
        }
        guard body.asset == nil || (!isTogether && place == nil) else {
            throw contradiction("sends a file, so it tells no \"place\" and does not leave \"together\"")
        }
    }

    /// A place belongs to fields that tell it, and the other way round; its requests leave when the host sends them.
    func checkPlace(_ reader: borrowing ManifestReader, at node: JSONNode?) throws(Diagnostic) {
        let tells = fields.contains { $0.part != nil }
        guard tells == (place != nil) else {
            throw reader.failure(
                .membersContradict,
                tells
                    ? "\"\(reader.path)\" has fields of a place and no \"place\""
                    : "\"\(reader.path)\" has a \"place\" and no field that tells it",
                at: node?.position ?? reader.position,
                help:
                    "\"place\" of an endpoint names the service; \"place\" of a field the part that it tells")
        }
        guard !tells || !isTogether else {
            throw reader.failure(
                .membersContradict, "\"\(reader.path)\" tells a place, so it has no \"together\"",
                at: reader.position,
                help: "the host decides how many requests of a place leave, and sends them together itself")
        }
    }
}
