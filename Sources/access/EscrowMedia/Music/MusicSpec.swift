internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// The table that music folders serve.
enum MusicSpec {
    static let tracks = TableSpec(
        name: "Tracks", sourceKind: "music", summary: "One row is one audio file in a music folder.",
        columns: columns.map(\.spec),
        examples: [
            "SELECT artist, count(*) AS tracks, sum(duration) / 3600 AS hours FROM Tracks GROUP BY artist ORDER BY hours DESC LIMIT 20",
            "SELECT trackNumber, title, duration FROM Tracks WHERE album = 'Kind of Blue' ORDER BY discNumber, trackNumber",
            "SELECT genre, min(year), max(year) FROM Tracks WHERE genre IS NOT NULL GROUP BY genre",
        ])

    static let columns = [
        .id, .asset(of: "file"), AudioColumn("title", .text, .text(.title), "The track's title."),
        AudioColumn("artist", .text, .text(.artist), "Who performs it; several are separated by `; `."),
        AudioColumn("album", .text, .text(.album), "The album that it belongs to."),
        AudioColumn(
            "albumArtist", .text, .text(.albumArtist), "Whose album it is; several are separated by `; `."),
        AudioColumn("composer", .text, .text(.composer), "Who composed it; several are separated by `; `."),
        AudioColumn("genre", .text, .text(.genre), "The genre; several are separated by `; `."),
        AudioColumn("year", .integer, .year, "The year in which it was released or recorded."),
        AudioColumn("trackNumber", .integer, .number(.track), "The number in the album, from 1."),
        AudioColumn("discNumber", .integer, .number(.disc), "The number of the album's disc, from 1."),
        .duration, .mediaType("audio/flac"), .filename, .path("music folder"), .size, .modified,
    ]
}

/// The table that folders of recordings serve.
enum RecordingsSpec {
    static let recordings = TableSpec(
        name: "Recordings", sourceKind: "recordings",
        summary: "One row is one sound recording, such as a voice memo.", columns: columns.map(\.spec),
        examples: [
            "SELECT name, timestamp, duration FROM Recordings ORDER BY timestamp DESC LIMIT 20",
            "SELECT id, asset, mimeType FROM Recordings WHERE duration < 60 AND fileSize < 5000000",
        ])

    static let columns: [AudioColumn] = [
        .id, .asset(of: "sound"),
        AudioColumn(
            "timestamp", .timestamp, .recorded,
            "When it was recorded, by its own header; null if that does not say."),
        .duration,
        AudioColumn(
            "name", .text, nullable: false, .name,
            "The title that it was given, else the file's name without its ending."),
        .mediaType("audio/mp4"), .filename, .path("folder"), .size, .modified,
    ]
}

/// The columns that both tables have.
extension AudioColumn {
    fileprivate static let id = AudioColumn("id", .text, listed: .id, "A name made of the file's path.")
    fileprivate static func asset(of what: String) -> AudioColumn {
        AudioColumn(
            "asset", .asset, listed: .asset,
            "A handle by which a plugin can ask for the \(what)'s bytes, in this run alone.")
    }
    fileprivate static let duration = AudioColumn("duration", .real, .duration, "The length in seconds.")
    fileprivate static func mediaType(_ example: String) -> AudioColumn {
        AudioColumn(
            "mimeType", .text, listed: .mediaType,
            "The media type by the file's ending, for example `\(example)`.")
    }
    fileprivate static let filename = AudioColumn(
        "filename", .text, listed: .filename, "The file's name with its ending.")
    fileprivate static func path(_ folder: String) -> AudioColumn {
        AudioColumn("path", .text, listed: .path, "The file's path below the \(folder).")
    }
    fileprivate static let size = AudioColumn(
        "fileSize", .integer, listed: .size, "The file's size in bytes.")
    fileprivate static let modified = AudioColumn(
        "modificationDate", .timestamp, listed: .modified, "When the file last changed.")
}
