import EscrowJSON
import EscrowManifest

/// Decisions of homes from before a dataflow had a type of its own: identifiers, places and requests stood there in the words of
/// the sheet.
extension GrantFile {
    static func grantOfVersion1(_ node: JSONNode) throws(JSONError) -> Grant {
        var object = try JSONObjectReader(node)
        let state: Grant.State = try object.required("state").requireWord()
        let scopeNode = try object.required("scope")
        var purpose = try JSONObjectReader(try object.required("purpose"))
        // What is sent stood there in sentences. They are for people; `reach` has the bounds, where they were kept.
        _ = try strings(try object.required("egress"))
        var dataflow = Dataflow(
            app: try object.required("app").requireString(),
            plugin: .init(
                id: try object.required("plugin").requireString(),
                version: try object.required("version").requireString(),
                manifestDigest: try object.required("manifest").requireString(),
                signerKeyID: try object.required("signer").requireString()),
            purpose: .init(
                code: try purpose.required("code").requireString(),
                text: try purpose.required("text").requireString()),
            reads: [],
            files: nil,
            // A file that does not tell is from a time when all was served as it is.
            minimisation: try coarser(object.optional("coarser")),
            // Earlier files do not tell: such a grant covers nothing that could be less strict, and is asked for anew.
            minimumRows: Int(clamping: try object.optional("minimumRows")?.requireInteger() ?? .max),
            parameters: try object.optional("parameters").map(strings),
            arguments: try texts(object.optional("arguments")),
            identifiers: try identifiersOfVersion1(object.optional("identifiers")),
            reach: try object.optional("reach").map(reach),
            resultDigest: try object.required("resultSchema").requireString(),
            target: try object.required("target").requireString(),
            place: try placeOfVersion1(try object.required("place")),
            isScript: try object.optional("script")?.requireBool() ?? false)
        try purpose.finish()
        dataflow.reads = try uses(try object.required("reads"))
        var grant = Grant(
            id: try object.required("id").requireString(), state: state, scope: try scope(scopeNode, &object),
            reason: try reason(try object.required("reason")), dataflow,
            createdAt: try object.required("createdAt").requireString())
        try readTerms(&object, into: &grant, node, scope: scopeNode)
        try object.finish()
        return grant
    }

    private static func identifiersOfVersion1(_ node: JSONNode?) throws(JSONError) -> [IdentifierScope] {
        var identifiers: [IdentifierScope] = []
        for item in try node?.requireArray() ?? [] {
            let scope: IdentifierScope? =
                switch try item.requireString() {
                case "your identifier for this app alone": .application
                case "your identifier for all plugins of this publisher, the same in every app": .vendor
                case "your advertising identifier, the same for everybody": .advertising
                default: nil
                }
            guard let scope else { throw JSONError(.wrongType(expected: "an identifier"), at: item.position) }
            identifiers.append(scope)
        }
        return identifiers
    }

    private static func placeOfVersion1(_ node: JSONNode) throws(JSONError) -> Place {
        guard try node.requireString() == "this device" else {
            throw JSONError(.wrongType(expected: "this device"), at: node.position)
        }
        return .device
    }
}
