internal import EscrowSchema

extension SourceKind {
    /// A folder of pictures and videos.
    static let photos = SourceKind(word: "photos")
}

/// Pictures and videos in folders.
struct PhotosAdapter: SourceAdapter {
    let kind = SourceKind.photos
    let accepts = "a folder; each sub-folder is a collection"
    let nothingFound = "no picture and no video"
    let typicalRows = 10_000
    let specs = [PhotosSpec.photos]

    func classify(_ file: FileCandidate) -> UInt8? { MediaKind(fileExtension: file.ending)?.rawValue }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        "it is a file; a photos source is a folder"
    }

    func tables(_ context: SourceContext) -> [any TableSource] { [PhotosTable(context: context)] }
}
