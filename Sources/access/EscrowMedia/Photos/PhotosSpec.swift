internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// The table that photo folders serve.
enum PhotosSpec {
    enum Column: Int, CaseIterable {
        case id, asset, mediaType, mimeType, creationDate, modificationDate, filename, fileSize
        case collectionID, collectionName, pixelWidth, pixelHeight, latitude, longitude, altitude
        case cameraMake, cameraModel, orientation
        case duration, title, description, keywords, rating
    }

    static let listed = ListedColumns([
        Column.id: .id, .asset: .asset, .mediaType: .number { MediaKind(rawValue: $0)?.mediaType },
        .mimeType: .mediaType, .filename: .filename, .fileSize: .size, .modificationDate: .modified,
        .collectionID: .collectionID, .collectionName: .collectionName,
    ])

    static let photos = TableSpec(
        name: "Photos", sourceKind: "photos", summary: "One row is one picture or video in a photo folder.",
        columns: [
            ColumnSpec("id", .text, nullable: false, cost: .free, "A name made of the file's path."),
            ColumnSpec(
                "asset", .asset, nullable: false, cost: .free,
                "A handle by which a plugin can ask for the file's bytes, in this run alone."),
            ColumnSpec("mediaType", .integer, nullable: false, cost: .free, "1 for an image, 2 for a video."),
            ColumnSpec(
                "mimeType", .text, nullable: false, cost: .free,
                "The media type by the file's ending, for example `image/jpeg`."),
            ColumnSpec(
                "creationDate", .timestamp,
                "When the picture was taken, by its own header; null if that does not say."),
            ColumnSpec(
                "modificationDate", .timestamp, nullable: false, cost: .free, "When the file last changed."),
            ColumnSpec("filename", .text, nullable: false, cost: .free, "The file's name with its ending."),
            ColumnSpec("fileSize", .integer, nullable: false, cost: .free, "The file's size in bytes."),
            ColumnSpec(
                "collectionID", .text, cost: .free,
                "A name made of the sub-folder's path; null for files in the photo folder itself."),
            ColumnSpec(
                "collectionName", .text, cost: .free,
                "The sub-folder's own name; null for files in the photo folder itself."),
            ColumnSpec("pixelWidth", .integer, "The width in pixels as the picture is meant to be seen."),
            ColumnSpec("pixelHeight", .integer, "The height in pixels as the picture is meant to be seen."),
            ColumnSpec("latitude", .real, "Where it was taken: degrees north, WGS 84, -90 to 90."),
            ColumnSpec("longitude", .real, "Where it was taken: degrees east, WGS 84, -180 to 180."),
            ColumnSpec("altitude", .real, "Where it was taken: metres above sea level."),
            ColumnSpec("cameraMake", .text, "The maker of the camera."),
            ColumnSpec("cameraModel", .text, "The model of the camera."),
            ColumnSpec("orientation", .integer, "How the stored picture is turned, EXIF's 1 to 8."),
            ColumnSpec("duration", .real, "A video's length in seconds."),
            ColumnSpec("title", .text, "The title that somebody gave it."),
            ColumnSpec("description", .text, "What somebody wrote about it."),
            ColumnSpec("keywords", .text, "The words that it is filed under, separated by `; `."),
            ColumnSpec("rating", .integer, "The stars that somebody gave it, 0 to 5; -1 for rejected."),
        ],
        examples: [
            "SELECT id, asset, creationDate FROM Photos WHERE mediaType = 1 ORDER BY creationDate DESC LIMIT 12",
            "SELECT collectionName, count(*) AS photos, sum(fileSize) AS bytes FROM Photos GROUP BY collectionID",
            "SELECT filename FROM Photos WHERE latitude BETWEEN 40 AND 45 AND longitude BETWEEN 10 AND 15",
            "SELECT filename, title FROM Photos WHERE rating >= 4 OR keywords LIKE '%garden%'",
        ])
}
