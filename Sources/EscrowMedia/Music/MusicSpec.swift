internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowTabular

/// The table that music folders serve.
enum MusicSpec {
    static let tracks = TableSpec(
        name: "Tracks", sourceKind: "music", summary: "One row is one audio file in a music folder.",
        columns: columns.map(\.0),
        examples: [
            "SELECT artist, count(*) AS tracks, sum(duration) / 3600 AS hours FROM Tracks GROUP BY artist ORDER BY hours DESC LIMIT 20",
            "SELECT trackNumber, title, duration FROM Tracks WHERE album = 'Kind of Blue' ORDER BY discNumber, trackNumber",
            "SELECT genre, min(year), max(year) FROM Tracks WHERE genre IS NOT NULL GROUP BY genre",
        ])

    /// What the columns hold.
    static let sources = columns.map(\.1)

    private static let columns: [(ColumnSpec, AudioTable.Source)] = [
        (ColumnSpec("id", .text, nullable: false, cost: .free, "A name made of the file's path."), .id),
        (
            ColumnSpec(
                "asset", .asset, nullable: false, cost: .free,
                "A handle by which a plugin can ask for the file's bytes, in this run alone."), .asset
        ),
        (ColumnSpec("title", .text, "The track's title."), .text(.title)),
        (ColumnSpec("artist", .text, "Who performs it; several are separated by `; `."), .text(.artist)),
        (ColumnSpec("album", .text, "The album that it belongs to."), .text(.album)),
        (
            ColumnSpec("albumArtist", .text, "Whose album it is; several are separated by `; `."),
            .text(.albumArtist)
        ),
        (
            ColumnSpec("composer", .text, "Who composed it; several are separated by `; `."),
            .text(.composer)
        ),
        (ColumnSpec("genre", .text, "The genre; several are separated by `; `."), .text(.genre)),
        (ColumnSpec("year", .integer, "The year in which it was released or recorded."), .year),
        (ColumnSpec("trackNumber", .integer, "The number in the album, from 1."), .number(.track)),
        (ColumnSpec("discNumber", .integer, "The number of the album's disc, from 1."), .number(.disc)),
        (ColumnSpec("duration", .real, "The length in seconds."), .duration),
        (
            ColumnSpec(
                "mimeType", .text, nullable: false, cost: .free,
                "The media type by the file's ending, for example `audio/flac`."), .mimeType
        ),
        (
            ColumnSpec("filename", .text, nullable: false, cost: .free, "The file's name with its ending."),
            .filename
        ),
        (
            ColumnSpec(
                "path", .text, nullable: false, cost: .free, "The file's path below the music folder."),
            .path
        ),
        (ColumnSpec("fileSize", .integer, nullable: false, cost: .free, "The file's size in bytes."), .size),
        (
            ColumnSpec(
                "modificationDate", .timestamp, nullable: false, cost: .free, "When the file last changed."),
            .modified
        ),
    ]
}

/// The table that folders of recordings serve.
enum RecordingsSpec {
    static let recordings = TableSpec(
        name: "Recordings", sourceKind: "recordings",
        summary: "One row is one sound recording, such as a voice memo.", columns: columns.map(\.0),
        examples: [
            "SELECT name, timestamp, duration FROM Recordings ORDER BY timestamp DESC LIMIT 20",
            "SELECT id, asset, mimeType FROM Recordings WHERE duration < 60 AND fileSize < 5000000",
        ])

    /// What the columns hold.
    static let sources = columns.map(\.1)

    private static let columns: [(ColumnSpec, AudioTable.Source)] = [
        (ColumnSpec("id", .text, nullable: false, cost: .free, "A name made of the file's path."), .id),
        (
            ColumnSpec(
                "asset", .asset, nullable: false, cost: .free,
                "A handle by which a plugin can ask for the sound's bytes, in this run alone."), .asset
        ),
        (
            ColumnSpec(
                "timestamp", .timestamp, "When it was recorded, by its own header; null if that does not say."
            ), .recorded
        ),
        (ColumnSpec("duration", .real, "The length in seconds."), .duration),
        (
            ColumnSpec(
                "name", .text, nullable: false,
                "The title that it was given, else the file's name without its ending."), .name
        ),
        (
            ColumnSpec(
                "mimeType", .text, nullable: false, cost: .free,
                "The media type by the file's ending, for example `audio/mp4`."), .mimeType
        ),
        (
            ColumnSpec("filename", .text, nullable: false, cost: .free, "The file's name with its ending."),
            .filename
        ),
        (
            ColumnSpec("path", .text, nullable: false, cost: .free, "The file's path below the folder."),
            .path
        ),
        (ColumnSpec("fileSize", .integer, nullable: false, cost: .free, "The file's size in bytes."), .size),
        (
            ColumnSpec(
                "modificationDate", .timestamp, nullable: false, cost: .free, "When the file last changed."),
            .modified
        ),
    ]
}
