internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    static let music = SourceKind(word: "music")
    /// Sound recordings, such as voice memos.
    static let recordings = SourceKind(word: "recordings")
}

/// Audio files with their tags. Recordings are a kind apart from music, for they are of another kind of secret.
struct AudioAdapter: SourceAdapter {
    let kind: SourceKind
    let accepts: String
    let typicalRows: Int
    let specs: [TableSpec]
    let columns: [AudioColumn]

    static let music = AudioAdapter(
        kind: .music,
        accepts:
            "a folder or a zip archive of music: `.mp3`, `.m4a`, `.flac`, `.ogg`, `.opus`, `.wav`, `.aiff` and others",
        typicalRows: 5_000, specs: [MusicSpec.tracks], columns: MusicSpec.columns)
    static let recordings = AudioAdapter(
        kind: .recordings,
        accepts:
            "a folder or a zip archive of sound recordings, such as voice memos: `.m4a`, `.wav`, `.mp3`, `.ogg` and others",
        typicalRows: 200, specs: [RecordingsSpec.recordings], columns: RecordingsSpec.columns)

    let nothingFound = "no audio file"
    let classifiesByEnding = true
    let archiveEndings: Set = ["zip"]
    let indexNames = [AudioFacts.indexName]
    var factsTables: [String] { specs.map(\.name) }

    func classify(_ file: FileCandidate) -> UInt8? {
        // A phone's recorder writes sound alone into these too; in a music folder they would be videos.
        if file.ending == "3gp", kind == .recordings { return AudioKind.threeGP.rawValue }
        return AudioKind(fileExtension: file.ending)?.rawValue
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        classify(file) == nil ? "its name has no ending of an audio file" : nil
    }

    func tables(_ context: SourceContext) -> [any TableSource] { [FilesTable(specs[0], columns, context)] }
}
