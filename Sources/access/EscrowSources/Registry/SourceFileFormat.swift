internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON
internal import EscrowTableKit
internal import EscrowTabular

/// `sources.json`: `{"sources": [{"kind": "contacts", "path": "/…", "added": "2026-03-01T12:00:00.000Z"}]}`.
enum SourceFileFormat {
    /// Room for as many sources as there may be, with the longest paths, however they are spelled.
    static let byteLimit = 8 << 20

    static func path(in directory: String) -> String { directory + "/" + SourceRegistry.filename }

    static func file(in directory: String) -> StoreFile {
        StoreFile(
            path(in: directory), limit: byteLimit,
            help: "remove some: escrow source list, escrow source remove")
    }

    /// Reads the file; anything unknown in it is an error, never dropped in silence.
    static func read(_ bytes: [UInt8], path: String) throws(Diagnostic) -> [SourceEntry] {
        do {
            var root = try JSONObjectReader(try JSONParser.parse(bytes, limits: .init(bytes: byteLimit)))
            let nodes = try root.required("sources").requireArray()
            try root.finish()
            var entries: [SourceEntry] = []
            for node in nodes { entries.append(try entry(node)) }
            return entries
        } catch {
            throw Diagnostic(
                .sourceListDamaged, "the list of sources is damaged: \(error.message)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "mend the file, or delete it and add the sources again")
        }
    }

    private static func entry(_ node: JSONNode) throws(JSONError) -> SourceEntry {
        var object = try JSONObjectReader(node)
        let kind = try object.required("kind")
        let path = try object.required("path")
        let added = try object.required("added")
        try object.finish()
        guard let known = SourceKind(rawValue: try kind.requireString()) else {
            throw JSONError(.wrongType(expected: "a kind of source"), at: kind.position)
        }
        let text = try path.requireString()
        guard text.hasPrefix("/") else {
            throw JSONError(.wrongType(expected: "an absolute path"), at: path.position)
        }
        guard let moment = Timestamp(iso8601: try added.requireString()) else {
            throw JSONError(.wrongType(expected: "a time"), at: added.position)
        }
        return SourceEntry(kind: known, path: text, added: moment)
    }

    static func write(_ entries: [SourceEntry]) -> [UInt8] {
        let sources = entries.map { entry -> JSONValue in
            [
                "kind": .string(entry.kind.rawValue), "path": .string(entry.path),
                "added": .string(entry.added.iso8601),
            ]
        }
        return JSONWriter.document(["sources": .array(sources)])
    }
}
