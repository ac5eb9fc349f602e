/// Which media type a file has by its bytes: its name is whoever's who named it.
package enum MediaSignature {
    /// How many bytes are looked at.
    package static let reach = 4096

    /// The declared type that a file is of; nil if it is of none of them.
    ///
    /// - Parameters:
    ///   - declared: what the plugin's manifest lists.
    ///   - named: what the file's name says.
    ///   - head: the file's first bytes.
    package static func type(among declared: [String], named: String, _ head: [UInt8]) -> String? {
        let found = declared.filter { signatures[$0]?.contains { $0.holds(head) } == true }
        if let first = found.first { return found.contains(named) ? named : first }
        // What has no signature is believed by its name, if it could be that: it is nothing else that is known, and no text
        // holds a zero byte.
        guard declared.contains(named), signatures[named] == nil,
            !signatures.values.contains(where: { $0.contains { $0.holds(head) } })
        else { return nil }
        return isText(named) && head.contains(0) ? nil : named
    }

    /// One way in which a file of a type may begin.
    private enum Signature: Sendable {
        case bytes([UInt8], at: Int = 0)
        /// The type of a RIFF or an IFF file.
        case chunk(String, String)
        /// An ISO base media file of one of these brands; of any but pictures, if there are none.
        case brands([String])
        /// A ZIP file; if its first entry tells a type, of this one.
        case zip(String?)
        /// Words at the very beginning, or a little later.
        case early(String)
        case mpegAudio(mask: UInt8, value: UInt8)
        case bitmap

        func holds(_ head: [UInt8]) -> Bool {
            switch self {
            case .bytes(let bytes, let place): MediaSignature.has(head, bytes, at: place)
            case .chunk(let form, let type):
                MediaSignature.has(head, Array(form.utf8), at: 0)
                    && MediaSignature.has(head, Array(type.utf8), at: 8)
            case .brands(let brands): MediaSignature.hasBrand(head, brands)
            case .zip(let type): MediaSignature.isZip(head, of: type)
            case .early(let words):
                (0..<max(0, min(1024, head.count) - words.utf8.count + 1)).contains {
                    MediaSignature.has(head, Array(words.utf8), at: $0)
                }
            case .mpegAudio(let mask, let value):
                head.count > 2 && head[0] == 0xFF && head[1] & mask == value && head[2] < 0xF0
            case .bitmap:
                MediaSignature.has(head, Array("BM".utf8), at: 0) && head.count > 17
                    && [12, 40, 52, 56, 64, 108, 124].contains(head[14])
                    && head[15...17].allSatisfy { $0 == 0 }
            }
        }
    }

    private static func has(_ head: [UInt8], _ bytes: [UInt8], at place: Int) -> Bool {
        head.count >= place + bytes.count && head[place..<place + bytes.count].elementsEqual(bytes)
    }

    private static let pictures = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
    ]

    private static func hasBrand(_ head: [UInt8], _ wanted: [String]) -> Bool {
        guard has(head, Array("ftyp".utf8), at: 4), head.count >= 12 else { return false }
        let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(head.count, size)
        // The main brand, a version, and the brands with which it goes as well.
        let starts = [8] + Array(stride(from: 16, through: max(16, end - 4), by: 4))
        let brands = starts.filter { $0 + 4 <= max(12, end) }
            .map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
        if wanted.isEmpty { return !pictures.contains(brands[0]) }
        return brands.contains { brand in wanted.contains { brand.hasPrefix($0) } }
    }

    private static func isZip(_ head: [UInt8], of type: String?) -> Bool {
        if type == nil, has(head, [0x50, 0x4B, 5, 6], at: 0) { return true }
        guard has(head, [0x50, 0x4B, 3, 4], at: 0) else { return false }
        guard let type, has(head, Array("mimetype".utf8), at: 30) else { return true }
        return has(head, Array(type.utf8), at: 38)
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasSuffix("+xml") || type == "message/rfc822"
            || ["json", "xml", "yaml", "toml", "sql", "x-sh", "pgp-signature"].contains {
                type == "application/" + $0
            }
    }

    private static let office = "application/vnd.openxmlformats-officedocument."
    private static let open = "application/vnd.oasis.opendocument."
    private static let id3 = Signature.bytes(Array("ID3".utf8))
    private static let matroska = [Signature.bytes([0x1A, 0x45, 0xDF, 0xA3])]
    private static let tiff = [
        Signature.bytes([0x49, 0x49, 0x2A, 0]), .bytes([0x4D, 0x4D, 0, 0x2A]), .bytes([0x49, 0x49, 0x2B, 0]),
        .bytes([0x4D, 0x4D, 0, 0x2B]),
    ]
    private static let compound = [Signature.bytes([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])]
    private static let wave = [Signature.chunk("RIFF", "WAVE"), .chunk("RF64", "WAVE")]

    private static let signatures: [String: [Signature]] = {
        func words(_ text: String, at place: Int = 0) -> [Signature] { [.bytes(Array(text.utf8), at: place)] }
        var all: [String: [Signature]] = [:]
        all["image/jpeg"] = [.bytes([0xFF, 0xD8, 0xFF])]
        all["image/png"] = [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])]
        all["image/gif"] = words("GIF87a") + words("GIF89a")
        all["image/webp"] = [.chunk("RIFF", "WEBP")]
        all["image/tiff"] = tiff
        all["image/x-adobe-dng"] = tiff
        all["image/bmp"] = [.bitmap]
        all["image/heic"] = [.brands(pictures.filter { !$0.hasPrefix("avi") })]
        all["image/heif"] = [.brands(pictures)]
        all["image/avif"] = [.brands(["avif", "avis"])]
        all["image/vnd.djvu"] = words("AT&TFORM")
        all["video/mp4"] = [.brands([])]
        all["video/x-m4v"] = [.brands([])]
        all["audio/mp4"] = [.brands([])]
        all["video/quicktime"] =
            [.brands(["qt"])] + ["moov", "mdat", "wide", "free", "skip", "pnot"].flatMap { words($0, at: 4) }
        all["video/3gpp"] = [.brands(["3g"])]
        all["audio/3gpp"] = [.brands(["3g"])]
        all["video/webm"] = matroska
        all["video/matroska"] = matroska
        all["audio/matroska"] = matroska
        all["audio/webm"] = matroska
        all["audio/mpeg"] = [id3, .mpegAudio(mask: 0xE6, value: 0xE2), .mpegAudio(mask: 0xE6, value: 0xE4)]
        all["audio/aac"] = [id3, .mpegAudio(mask: 0xF6, value: 0xF0)] + words("ADIF")
        all["audio/ogg"] = words("OggS")
        all["audio/flac"] = [id3] + words("fLaC")
        all["audio/wav"] = wave
        all["audio/vnd.wave"] = wave
        all["audio/aiff"] = [.chunk("FORM", "AIFF"), .chunk("FORM", "AIFC")]
        all["audio/x-ms-wma"] = [.bytes([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])]
        all["audio/amr"] = words("#!AMR")
        all["application/pdf"] = [.early("%PDF-")]
        all["application/postscript"] = words("%!PS")
        all["application/rtf"] = words("{\\rtf")
        all["application/x-mobipocket-ebook"] = words("BOOKMOBI", at: 60)
        all["application/zip"] = [.zip(nil)]
        all["application/x-tar"] = words("ustar", at: 257)
        all["application/gzip"] = [.bytes([0x1F, 0x8B])]
        all["application/x-xz"] = [.bytes([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0])]
        all["application/zstd"] = [.bytes([0x28, 0xB5, 0x2F, 0xFD])]
        all["application/x-bzip2"] = words("BZh")
        all["application/x-7z-compressed"] = [.bytes([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C])]
        all["application/vnd.rar"] = words("Rar!\u{1A}\u{7}")
        all["application/vnd.sqlite3"] = words("SQLite format 3\0")
        for type in ["msword", "vnd.ms-excel", "vnd.ms-powerpoint"] { all["application/" + type] = compound }
        let packed =
            ["application/epub+zip", "application/oxps"]
            + ["pages", "numbers", "keynote"].map { "application/vnd.apple." + $0 }
            + ["text", "spreadsheet", "presentation", "graphics", "formula", "text-template"].map {
                open + $0
            }
            + [
                "wordprocessingml.document", "spreadsheetml.sheet", "presentationml.presentation",
                "wordprocessingml.template",
            ].map { office + $0 }
        for type in packed { all[type] = [.zip(type)] }
        return all
    }()
}
