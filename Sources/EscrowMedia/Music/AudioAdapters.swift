internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// A folder of music.
    static let music = SourceKind(word: "music")
    /// A folder of sound recordings, such as voice memos.
    static let recordings = SourceKind(word: "recordings")
}

/// Music files with their tags.
struct MusicAdapter: SourceAdapter {
    let kind = SourceKind.music
    let accepts =
        "a folder or a zip archive of music: `.mp3`, `.m4a`, `.flac`, `.ogg`, `.opus`, `.wav`, `.aiff` and others"
    let nothingFound = "no audio file"
    let typicalRows = 5_000
    let classifiesByEnding = true
    let archiveEndings: Set = ["zip"]
    let specs = [MusicSpec.tracks]
    let indexNames = [AudioFacts.indexName]
    let factsTables = [MusicSpec.tracks.name]

    func classify(_ file: FileCandidate) -> UInt8? { AudioKind(fileExtension: file.ending)?.rawValue }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        classify(file) == nil ? "its name has no ending of an audio file" : nil
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [FilesTable(MusicSpec.tracks, MusicSpec.columns, context)]
    }
}

/// Voice memos and other recordings: kept apart from music, for they are of another kind of secret.
struct RecordingsAdapter: SourceAdapter {
    let kind = SourceKind.recordings
    let accepts =
        "a folder or a zip archive of sound recordings, such as voice memos: `.m4a`, `.wav`, `.mp3`, `.ogg` and others"
    let nothingFound = "no audio file"
    let typicalRows = 200
    let classifiesByEnding = true
    let archiveEndings: Set = ["zip"]
    let specs = [RecordingsSpec.recordings]
    let indexNames = [AudioFacts.indexName]
    let factsTables = [RecordingsSpec.recordings.name]

    func classify(_ file: FileCandidate) -> UInt8? {
        // A phone's recorder writes sound alone into these too; in a music folder they would be videos.
        if file.ending == "3gp" { return AudioKind.threeGP.rawValue }
        return AudioKind(fileExtension: file.ending)?.rawValue
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        classify(file) == nil ? "its name has no ending of an audio file" : nil
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [FilesTable(RecordingsSpec.recordings, RecordingsSpec.columns, context)]
    }
}
