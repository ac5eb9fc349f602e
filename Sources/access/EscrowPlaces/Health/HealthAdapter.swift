internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// What watches, scales and phones measured: Apple Health's export, Gadgetbridge's database.
    static let health = SourceKind(word: "health")
}

/// Samples and workouts of Apple Health and Gadgetbridge.
struct HealthAdapter: SourceAdapter {
    let kind = SourceKind.health
    let accepts =
        "Apple Health's export.zip or export.xml, Gadgetbridge's zip or its database, or a folder of them"
    let nothingFound = "no export.xml and no database Gadgetbridge"
    let archiveEndings: Set = ["zip"]
    let typicalRows = 500_000
    let specs = [HealthSpec.samples, HealthSpec.workouts]
    var checkedTables: [String] { specs.map(\.name) }

    /// What a file holds is told by its content. Apple names `export.xml` in the phone's language, and puts a document of
    /// another kind beside it, whose name always ends in `_cda.xml`.
    func classify(_ file: FileCandidate) -> UInt8? {
        if file.isRoot { return 0 }
        let name = file.name.lowercased()
        switch file.ending {
        case "xml": return name.hasSuffix("_cda.xml") ? nil : 0
        case "", "db", "sqlite": return name.hasPrefix("gadgetbridge") ? 0 : nil
        default: return nil
        }
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        if head.starts(with: KeptFiles.signature) { return nil }
        let isExport = head.trimmed.first == UInt8(ascii: "<") || head.starts(with: [0xEF, 0xBB, 0xBF])
        let begins = head.indices.contains { head[$0...].starts(with: "<HealthData".utf8) }
        return isExport && begins ? nil : "it is neither Apple Health's export.xml nor a database"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            table(HealthSpec.samples, context, bytesPerRow: 200, apple: { AppleSamples($0) }) {
                database, file throws(Diagnostic) in try Gadgetbridge.samples(database, file)
            },
            table(HealthSpec.workouts, context, bytesPerRow: 50_000, apple: { AppleWorkouts($0) }) {
                database, file throws(Diagnostic) in try Gadgetbridge.workouts(database, file)
            },
        ]
    }

    private func table(
        _ spec: TableSpec, _ context: SourceContext, bytesPerRow: Int64,
        apple: @escaping @Sendable (_ file: FilesTable.File) -> any AppleElements,
        gadgetbridge:
            @escaping @Sendable (DatabaseFile, FilesTable.File) throws(Diagnostic) -> (any RowReader)?
    ) -> FilesTable {
        FilesTable(
            spec, context, bytesPerRow: bytesPerRow,
            other: { descriptor, file in
                AppleHealthReader(
                    SharedDescriptor(descriptor), size: file.size, elements: apple(file),
                    onProblem: file.onProblem)
            },
            database: gadgetbridge)
    }
}
