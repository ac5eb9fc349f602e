internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    static let documents = SourceKind(word: "documents")
}

/// Files of any kind in folders that the owner names.
struct DocumentsAdapter: SourceAdapter {
    let kind = SourceKind.documents
    let accepts = "a folder, whatever its files are"
    let nothingFound = "no file that is not hidden"
    let typicalRows = 10_000
    let specs = [DocumentsSpec.documents]
    let classifiesByEnding = true

    /// A single file is refused: its row would say less than its being a source does.
    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot ? nil : DocumentMediaType.number(file.ending)
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        "it is a file; a documents source is a folder"
    }

    /// No file is opened: names and what stat(2) says are all that there is to a row.
    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            FilesTable(
                DocumentsSpec.documents, context, listed: DocumentsSpec.listed, isByName: true,
                mediaType: DocumentMediaType.mimeType)
        ]
    }
}
