/// What a document is, told by its name alone: no file is opened to list it.
enum DocumentMediaType {
    /// The number of a file whose ending says nothing.
    static let unknown: UInt8 = 0

    /// The number of an ending in small letters, from 1 on.
    static func number(_ ending: String) -> UInt8 { numbers[ending] ?? unknown }

    /// The media type (IANA) of a number.
    static func mimeType(_ number: UInt8) -> String? {
        number == unknown ? nil : endings[Int(number) - 1].type
    }

    private static let numbers: [String: UInt8] = {
        var numbers: [String: UInt8] = [:]
        for (index, entry) in endings.enumerated() { numbers[entry.ending] = UInt8(index + 1) }
        return numbers
    }()

    private static let office = "application/vnd.openxmlformats-officedocument."
    private static let open = "application/vnd.oasis.opendocument."

    /// Fewer than 255 endings, each with its type.
    private static let endings: [(ending: String, type: String)] = [
        ("pdf", "application/pdf"), ("ps", "application/postscript"), ("djvu", "image/vnd.djvu"),
        ("epub", "application/epub+zip"), ("mobi", "application/x-mobipocket-ebook"),
        ("xps", "application/oxps"), ("odt", open + "text"), ("ods", open + "spreadsheet"),
        ("odp", open + "presentation"), ("odg", open + "graphics"), ("odf", open + "formula"),
        ("ott", open + "text-template"), ("docx", office + "wordprocessingml.document"),
        ("xlsx", office + "spreadsheetml.sheet"), ("pptx", office + "presentationml.presentation"),
        ("dotx", office + "wordprocessingml.template"), ("doc", "application/msword"),
        ("xls", "application/vnd.ms-excel"), ("ppt", "application/vnd.ms-powerpoint"),
        ("rtf", "application/rtf"), ("pages", "application/vnd.apple.pages"),
        ("numbers", "application/vnd.apple.numbers"), ("key", "application/vnd.apple.keynote"),
        ("txt", "text/plain"), ("text", "text/plain"), ("log", "text/plain"), ("md", "text/markdown"),
        ("markdown", "text/markdown"), ("org", "text/org"), ("rst", "text/x-rst"), ("tex", "text/x-tex"),
        ("bib", "text/x-bibtex"), ("html", "text/html"), ("htm", "text/html"),
        ("xhtml", "application/xhtml+xml"), ("css", "text/css"), ("csv", "text/csv"),
        ("tsv", "text/tab-separated-values"), ("json", "application/json"), ("xml", "application/xml"),
        ("yaml", "application/yaml"), ("yml", "application/yaml"), ("toml", "application/toml"),
        ("eml", "message/rfc822"), ("ics", "text/calendar"), ("vcf", "text/vcard"), ("vcard", "text/vcard"),
        ("gpx", "application/gpx+xml"), ("kml", "application/vnd.google-earth.kml+xml"),
        ("zip", "application/zip"), ("tar", "application/x-tar"), ("gz", "application/gzip"),
        ("xz", "application/x-xz"), ("zst", "application/zstd"), ("bz2", "application/x-bzip2"),
        ("7z", "application/x-7z-compressed"), ("rar", "application/vnd.rar"), ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"), ("png", "image/png"), ("gif", "image/gif"), ("webp", "image/webp"),
        ("heic", "image/heic"), ("tif", "image/tiff"), ("tiff", "image/tiff"), ("bmp", "image/bmp"),
        ("svg", "image/svg+xml"), ("mp3", "audio/mpeg"), ("ogg", "audio/ogg"), ("oga", "audio/ogg"),
        ("opus", "audio/ogg"), ("flac", "audio/flac"), ("m4a", "audio/mp4"), ("wav", "audio/wav"),
        ("mp4", "video/mp4"), ("mkv", "video/matroska"), ("webm", "video/webm"), ("mov", "video/quicktime"),
        ("py", "text/x-python"), ("sh", "application/x-sh"), ("c", "text/x-c"), ("h", "text/x-c"),
        ("js", "text/javascript"), ("sql", "application/sql"), ("sqlite", "application/vnd.sqlite3"),
        ("asc", "application/pgp-signature"),
    ]
}
