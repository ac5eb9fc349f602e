import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
public import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSandbox
import EscrowTrust

/// Step 4 of a run: the dataflow in the words that the individual decides by.
extension DataflowDescription {
    /// Puts a dataflow together from what the app asks, what the publisher signed, what the query really reads, and what
    /// the individual set for all runs. One that was made a moment ago is not made again.
    static func of(
        app: String, plugin: PluginFacts, reads: [TableUse], parameters: [(name: String, value: JSONValue)],
        configuration: HostConfiguration, imposed: Minimisation = .none
    ) -> DataflowDescription {
        let input = DescriptionInput(
            app: app, manifestDigest: plugin.digest, signerKeyID: plugin.signerKeyID, reads: reads,
            parameters: parameters.map(\.name), caps: configuration.caps,
            loweredWalls: configuration.loweredWalls, egress: configuration.egress, imposed: imposed)
        var description = recent.output(for: input) {
            // The values are an app's: they decide, and are kept by nobody.
            DataflowDescription(
                app: app, plugin: plugin, reads: reads, parameters: parameters.map { ($0.name, .null) },
                configuration: configuration, imposed: imposed)
        }
        description.dataflow.arguments = arguments(parameters)
        return description
    }

    private static func arguments(_ parameters: [(name: String, value: JSONValue)]) -> [String: String] {
        Dictionary(
            parameters.map { ($0.name, $0.value.argumentText) }, uniquingKeysWith: { first, _ in first })
    }

    private static let recent = Recent<DescriptionInput, DataflowDescription>()

    /// The same, made anew.
    init(
        app: String, plugin: PluginFacts, reads: [TableUse], parameters: [(name: String, value: JSONValue)],
        configuration: HostConfiguration, imposed: Minimisation = .none
    ) {
        let manifest = plugin.manifest
        let coarser = manifest.accepts.minimisation.joined(with: imposed).restricted(to: reads)
        let identified = manifest.parameters.parameters.filter { $0.identifier != nil }.map(\.name)
        let places = TableUse(table: EgressPlace.table, returned: [], used: EgressPlace.columns)
        let reads = reads + (manifest.egress.contains { $0.place != nil } ? [places] : [])
        let dataflow = Dataflow(
            app: app,
            plugin: .init(
                id: manifest.id, version: manifest.version.description,
                manifestDigest: "sha256:\(plugin.digest)", signerKeyID: plugin.signerKeyID),
            purpose: .init(code: manifest.purpose.code.rawValue, text: manifest.purpose.text),
            reads: reads, files: manifest.files,
            minimisation: coarser, minimumRows: manifest.accepts.rows.minimum,
            parameters: parameters.map(\.name).filter { !identified.contains($0) },
            arguments: Self.arguments(parameters),
            identifiers: Array(manifest.parameters.identifiers), reach: manifest.reach,
            resultDigest: "sha256:\(manifest.result.digest)", target: "app:\(app)", place: .device,
            isScript: manifest.profile.isForScripts, hasCode: manifest.profile == .native)
        self.init(
            dataflow, publisher: manifest.publisher.name, returns: manifest.result.sentence,
            egress: manifest.egress.map { $0.sentence }, capacity: manifest.capacitySentence,
            limits: manifest.limitSentence(under: RunLimits(manifest, caps: configuration.caps)),
            warnings: configuration.warnings + configuration.egress.warnings(for: manifest)
                + manifest.pickWarnings + manifest.codeWarnings
                + reads.compactMap { $0.fileWarning(under: coarser) })
        self.isConfidential = manifest.server.isConfidential
        title = manifest.title
        learns = manifest.result.learned
        allowance = manifest.result.allowance
        reasons = manifest.accepts.columns.compactMap { column in
            column.why.map { "\(column.name): \(PlainText.quoted($0))" }
        }
        internet = manifest.internetSentence(reading: reads)
        opens = manifest.filesSentence(reads, isStripped: coarser.stripsFiles) ?? ""
    }
}

/// All that a description is made from: the digest stands for the manifest.
private struct DescriptionInput: Equatable {
    let app: String
    let manifestDigest: String
    let signerKeyID: String
    let reads: [TableUse]
    let parameters: [String]
    let caps: LimitCaps
    let loweredWalls: Set<Wall>
    let egress: EgressConfiguration
    let imposed: Minimisation
}

extension Manifest {
    /// The media types of the files that it may open whole, whatever a query reads.
    fileprivate var files: [String] {
        plugin.features.contains(.asset) ? Set(accepts.columns.flatMap(\.mediaTypes)).sorted() : []
    }

    /// Which of them a dataflow opens, in one sentence; nil if it is handed none. The host looks at their bytes, whatever their names say.
    fileprivate func filesSentence(_ reads: [TableUse], isStripped: Bool) -> String? {
        let types = accepts.columns.flatMap(\.mediaTypes)
        let tables = reads.filter { $0.returned.contains("asset") }.map(\.table)
        guard !types.isEmpty, !tables.isEmpty, plugin.features.contains(.asset) else { return nil }
        let pictures = types.contains { $0.hasPrefix("image/") || $0.hasPrefix("video/") }
        if isStripped {
            let served = types.filter(PictureStrip.serves)
            return "files of \(tables.joined(separator: ", ")) that are "
                + (served.isEmpty ? "of no type that can be stripped" : Brief.list(served, most: 12, "kind"))
                + ": the pictures alone, without the place, the time and the camera that they tell"
        }
        return "files of \(tables.joined(separator: ", ")) that are " + Brief.list(types, most: 12, "kind")
            + (pictures ? ", whole: with the place, the time and the camera that pictures tell" : ", whole")
    }
}

extension Manifest {
    /// That the individual will pick, for the sheet.
    fileprivate var pickWarnings: [String] {
        pick.map {
            ["you will pick up to \($0.most) of the rows yourself: it is given nothing of the others"]
        } ?? []
    }
}

extension Manifest {
    /// That it brings machine code, or that its code is kept from the individual, for the sheet.
    fileprivate var codeWarnings: [String] {
        var warnings: [String] = []
        if profile == .native {
            warnings.append(
                "it brings machine code of its publisher's beside its script, which nobody can read")
        }
        if server.isConfidential {
            warnings.append(
                "its publisher keeps its code on servers: you do not have it, and nobody else vouches for what it computes"
            )
        }
        return warnings
    }
}

extension JSONValue {
    /// A parameter's value as the command line spells it.
    fileprivate var argumentText: String { string ?? String(decoding: JSONWriter.line(self), as: UTF8.self) }
}

extension TableUse {
    /// Files hold what their columns no longer tell: a picture's header, for example, the place where it was taken.
    fileprivate func fileWarning(under minimisation: Minimisation) -> String? {
        let columns = minimisation.table(table).columns
        guard returned.contains("asset"), columns["asset"] == nil, !columns.isEmpty else { return nil }
        return "the files of \(table) may hold what its columns are served without"
    }
}

/// What a description needs to know about a verified plugin.
struct PluginFacts {
    let manifest: Manifest
    /// SHA-256 of the manifest's exact bytes, in hexadecimal.
    let digest: String
    let signerKeyID: String
}

extension AccessAnalysis {
    /// Tables with the columns that are handed to the plugin and those that are only used to filter, join or sort.
    var tableUses: [TableUse] {
        let returnedColumns = returned.compactMap(\.origin)
        // A computed column may hold any column that the query uses: without better knowledge all of them count as
        // returned.
        let isComputed = returned.contains { $0.origin == nil }
        let handed = isComputed ? used : Set(returnedColumns)
        return tables.sorted().map { table in
            TableUse(
                table: table,
                returned: handed.filter { $0.table == table }.map(\.column).sorted(),
                used: used.subtracting(handed).filter { $0.table == table }.map(\.column).sorted())
        }
    }
}

extension Manifest {
    /// The last label of the id.
    var shortName: String { PluginID.shortName(id) }

    /// One sentence about the time and the memory that it asks for, and about walls.
    public var limitSentence: String { limitSentence(under: RunLimits(self, caps: LimitCaps())) }

    /// The same about the limits that hold for a run. It says which of the two are the individual's own, and lower than
    /// what the plugin asks for.
    func limitSentence(under limits: RunLimits) -> String {
        func words(_ name: LimitName, _ unit: String) -> String {
            "\(limits[name]) \(unit)" + (limits.capped.contains(name) ? " (your cap)" : "")
        }
        return "\(words(.wallSeconds, "s")), \(words(.memoryMiB, "MiB")), no network of its own, "
            + (profile == .strict ? "no files" : "no files but its interpreter's")
    }
}

extension ResultSchema {
    /// A digest over everything that the schema allows: a grant is for this schema and no other.
    var digest: String {
        var words = ["escrow.result/1", kindWord, String(maxBytes)]
        switch kind {
        case .record(let fields): words += fields.map(\.words)
        case .table(let table):
            words += table.columns.map(\.words) + [String(table.maxRows)]
            words += table.orderBy.map { "\($0.column) \($0.descending)" }
        case .text(let mediaType, let maxLength): words += [mediaType, String(maxLength)]
        case .bytes(let mediaType): words.append(mediaType)
        }
        return Digest(of: Array(words.joined(separator: "\n").utf8)).hexadecimal
    }
}

extension ResultField {
    /// The field with every bound, for the digest.
    fileprivate var words: String {
        "\(name.utf8.count):\(name) \(nullable) \(type.words)\(mayHoldInvisible ? " invisible" : "")"
    }
}

extension ResultType {
    fileprivate var words: String {
        switch self {
        case .integer(let range, let values):
            "integer \(range.lowerBound) \(range.upperBound) \(values?.map(String.init).joined(separator: ",") ?? "")"
        case .real(let minimum, let maximum, let decimals):
            "real \(minimum.map(\.description) ?? "-") \(maximum.map(\.description) ?? "-") "
                + (decimals.map(String.init) ?? "-")
        case .text(let length, let words):
            "text \(length) \(words?.map { "\($0.utf8.count):\($0)" }.joined(separator: ",") ?? "-")"
        case .boolean: "boolean"
        case .blob(let mediaType, let length): "blob \(mediaType ?? "-") \(length)"
        case .list(let item, let count): "list \(count) (\(item.words))"
        }
    }
}
