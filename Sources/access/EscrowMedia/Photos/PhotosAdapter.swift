internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// A folder of pictures and videos, or a program's catalogue of them.
    static let photos = SourceKind(word: "photos")
}

/// Pictures and videos in folders, and in the catalogues of Shotwell and digiKam.
struct PhotosAdapter: SourceAdapter {
    let kind = SourceKind.photos
    let accepts =
        "a folder or a zip archive, each sub-folder being a collection, or Shotwell's photo.db or digiKam's digikam4.db"
    let nothingFound = "no picture and no video"
    let typicalRows = 10_000
    let classifiesByEnding = true
    let archiveEndings: Set = ["zip"]
    let indexNames = [ImageFacts.indexName]
    let factsTables = [PhotosSpec.photos.name]
    let specs = [PhotosSpec.photos]

    /// A program's database. Only one that the owner names is read: most photos of a catalogue lie in folders that are
    /// sources themselves, or could be.
    static let catalogue: UInt8 = 255

    func classify(_ file: FileCandidate) -> UInt8? {
        if file.isRoot, file.ending == "db" { return Self.catalogue }
        return MediaKind(fileExtension: file.ending)?.rawValue
    }

    func isCompanion(_ file: FileCandidate) -> Bool { SideCarNames.isSideCar(file.ending) }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        guard classify(file) == Self.catalogue else {
            return "it is a file; a photos source is a folder, a zip archive or a catalogue"
        }
        return head.starts(with: KeptFiles.signature) ? nil : "it is not an SQLite database"
    }

    func tables(_ context: SourceContext) -> [any TableSource] { [PhotosWithCatalogues(context)] }
}
