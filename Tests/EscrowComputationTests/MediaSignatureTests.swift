import Testing

@testable import EscrowComputation

/// Files are what their bytes are: a plugin is never given what it did not declare.
@Suite struct MediaSignatureTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    private static let pdf = Array("%PDF-1.7\n%".utf8)
    private static func media(_ brand: String, _ others: String = "") -> [UInt8] {
        [0, 0, 0, UInt8(16 + others.utf8.count)] + Array("ftyp\(brand)\u{0}\u{0}\u{0}\u{0}\(others)".utf8)
    }

    @Test(
        arguments: [
            (["image/png"], "image/png", png, "image/png"), (["image/png"], "image/png", pdf, nil),
            (["image/png"], "image/png", [], nil), (["image/png"], "image/png", Array(png.prefix(7)), nil),
            // The bytes tell, whatever the name says.
            (["image/jpeg", "image/png"], "image/png", jpeg, "image/jpeg"),
            (["image/jpeg"], "image/png", jpeg, "image/jpeg"), (["image/png"], "image/jpeg", jpeg, nil),
            (["image/heic"], "image/heic", media("heic", "mif1heic"), "image/heic"),
            (["image/heic"], "image/heic", media("isom", "mp42"), nil),
            (["video/mp4"], "video/mp4", media("isom", "mp42"), "video/mp4"),
            (["video/mp4"], "video/mp4", media("heic", "mif1"), nil),
            (["video/mp4", "audio/mp4"], "audio/mp4", media("M4A "), "audio/mp4"),
            (["video/quicktime"], "video/quicktime", media("qt  "), "video/quicktime"),
            (["application/pdf"], "application/pdf", pdf, "application/pdf"),
            (["text/plain"], "text/plain", Array("words".utf8), "text/plain"),
            (["text/plain"], "text/plain", pdf, nil), (["text/plain"], "text/plain", [0x61, 0, 0x62], nil),
            (["text/plain"], "application/pdf", Array("words".utf8), nil),
            (["application/x-unknown"], "application/x-unknown", [1, 0, 2], "application/x-unknown"),
            (["application/x-unknown"], "application/octet-stream", [1, 0, 2], nil),
            (["application/x-unknown"], "application/x-unknown", jpeg, nil),
            (["audio/mpeg"], "audio/mpeg", [0xFF, 0xFB, 0x90, 0], "audio/mpeg"),
            (["audio/mpeg"], "audio/mpeg", jpeg, nil), ([], "image/png", png, nil),
        ] as [([String], String, [UInt8], String?)])
    func aTypeIsWhatTheBytesAre(declared: [String], named: String, head: [UInt8], type: String?) {
        #expect(MediaSignature.type(among: declared, named: named, head) == type)
    }

    /// The first entry of a document that says what it is must say what is declared.
    @Test func aPackedDocumentSaysWhatItIs() {
        func document(_ type: String) -> [UInt8] {
            [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 26) + Array("mimetype\(type)".utf8)
        }
        let text = "application/vnd.oasis.opendocument.text"
        let book = "application/epub+zip"
        #expect(MediaSignature.type(among: [book], named: book, document(book)) == book)
        #expect(MediaSignature.type(among: [book], named: book, document(text)) == nil)
        #expect(MediaSignature.type(among: [text], named: book, document(text)) == text)
    }

    /// No bytes at all make it look beyond their end.
    @Test func shortFilesAreNothing() {
        for count in 0..<64 {
            for byte in [0, 0x42, 0x50, 0xFF] as [UInt8] {
                for type in ["image/bmp", "video/mp4", "application/pdf", "application/zip", "audio/aac"] {
                    let head = [byte, byte == 0x42 ? 0x4D : byte] + [UInt8](repeating: byte, count: count)
                    _ = MediaSignature.type(among: [type], named: type, head)
                    _ = MediaSignature.type(
                        among: [type], named: type, Array("\0\0\0\u{1}ftyp".utf8.prefix(count)))
                }
            }
        }
    }
}
