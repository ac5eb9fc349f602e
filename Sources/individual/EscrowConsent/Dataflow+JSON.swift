import EscrowDiagnostics
public import EscrowJSON
import EscrowLocationPrivacy
import EscrowManifest
import EscrowMinimisation

/// A dataflow as files have it. It is spelled in one way, so that a digest of its bytes stands for it.
extension Dataflow {
    /// All of it.
    public var json: JSONValue {
        var plugin: [(name: String, value: JSONValue)] = [
            ("id", .string(self.plugin.id)), ("version", .string(self.plugin.version)),
            ("manifest", .string(self.plugin.manifestDigest)), ("signer", .string(self.plugin.signerKeyID)),
            ("script", .bool(isScript)),
        ]
        // Left out where there is none: as it was when none could be, so that such a dataflow keeps its digest.
        if hasCode { plugin.append(("code", true)) }
        if isConfidential { plugin.append(("confidential", true)) }
        var members: [(name: String, value: JSONValue)] = [
            ("app", .string(app)), ("plugin", .object(plugin)),
            ("purpose", ["code": .string(purpose.code), "text": .string(purpose.text)]),
            ("reads", .array(reads.map(\.json))),
        ]
        if let files { members.append(("files", GrantFile.names(files))) }
        members += [
            ("coarser", GrantFile.names(minimisation.terms)), ("minimumRows", .integer(Int64(minimumRows))),
        ]
        if let parameters { members.append(("parameters", GrantFile.names(parameters))) }
        if !arguments.isEmpty {
            let sorted = arguments.sorted { $0.key < $1.key }
            members.append(("arguments", .object(sorted.map { ($0.key, .string($0.value)) })))
        }
        members.append(("identifiers", GrantFile.names(identifiers.map(\.rawValue))))
        if let reach { members.append(("reach", reach.json)) }
        if !places.isEmpty {
            let sorted = places.sorted { $0.key < $1.key }
            members.append(("places", .object(sorted.map { ($0.key, .string($0.value.spelling)) })))
        }
        members += [
            ("resultSchema", .string(resultDigest)), ("target", .string(target)),
            ("place", .string(place.spelling)),
        ]
        // Left out where nothing is proved: as it was when no app could be, so that such a dataflow keeps its digest.
        if proof != .claim { members.append(("known", .string(proof.rawValue))) }
        return .object(members)
    }

    /// Reads what `json` wrote, strictly: a member that is not known could be one that forbids.
    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        let app = try object.required("app").requireString()
        var plugin = try JSONObjectReader(try object.required("plugin"))
        var purpose = try JSONObjectReader(try object.required("purpose"))
        let place = try object.required("place")
        guard let site = Place(try place.requireString()) else {
            throw JSONError(.wrongType(expected: "device or server:NAME"), at: place.position)
        }
        self.init(
            app: app,
            plugin: Plugin(
                id: try plugin.required("id").requireString(),
                version: try plugin.required("version").requireString(),
                manifestDigest: try plugin.required("manifest").requireString(),
                signerKeyID: try plugin.required("signer").requireString()),
            purpose: Purpose(
                code: try purpose.required("code").requireString(),
                text: try purpose.required("text").requireString()),
            reads: [],
            files: try object.optional("files").map(GrantFile.strings),
            minimisation: try GrantFile.coarser(try object.required("coarser")),
            minimumRows: try GrantFile.count(try object.required("minimumRows")),
            parameters: try object.optional("parameters").map(GrantFile.strings),
            arguments: try GrantFile.texts(object.optional("arguments")),
            reach: try object.optional("reach").map(GrantFile.reach),
            resultDigest: try object.required("resultSchema").requireString(),
            target: try object.required("target").requireString(), place: site,
            isScript: try plugin.required("script").requireBool(),
            hasCode: try plugin.optional("code")?.requireBool() ?? false)
        isConfidential = try plugin.optional("confidential")?.requireBool() ?? false
        // As they stand: they were put in order when they were written.
        reads = try GrantFile.uses(try object.required("reads"))
        for member in try object.optional("places")?.requireMembers() ?? [] {
            guard let telling = Telling(try member.value.requireString()) else {
                throw JSONError(.wrongType(expected: "a step or a mechanism"), at: member.value.position)
            }
            places[member.name] = telling
        }
        proof = try object.optional("known")?.requireWord() ?? AppProof.claim
        for item in try object.required("identifiers").requireArray() {
            identifiers.append(try item.requireWord())
        }
        try plugin.finish()
        try purpose.finish()
        try object.finish()
    }
}

extension TableUse {
    /// The table and its columns, for files and for `--format json`.
    public var json: JSONValue {
        [
            "table": .string(table), "returned": .array(returned.map { .string($0) }),
            "used": .array(used.map { .string($0) }),
        ]
    }
}
