internal import Glibc

/// A character set that a card may name, converted to UTF-8 by the C library's iconv.
///
/// The list is closed: iconv loads a module for each name, and a hostile card must not choose which code the host
/// loads (stateful encodings such as ISO-2022-CN-EXT have had memory errors).
struct Charset: Sendable, Hashable {
    /// The name that iconv knows.
    let name: String

    /// Recognises a name, without regard to case; nil for UTF-8, US-ASCII and names that are not on the list.
    init?(_ bytes: ArraySlice<UInt8>) {
        let name = String(decoding: bytes.prefix(32), as: UTF8.self).uppercased()
        guard let known = Self.known[name] else { return nil }
        self.name = known
    }

    /// Whether a name needs no conversion.
    static func isUnicode(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = String(decoding: bytes.prefix(32), as: UTF8.self).uppercased()
        return name == "UTF-8" || name == "UTF8" || name == "US-ASCII" || name == "ASCII"
    }

    private static let known: [String: String] = {
        var names: [String: String] = [
            "SHIFT_JIS": "SHIFT_JIS", "SHIFT-JIS": "SHIFT_JIS", "SJIS": "SHIFT_JIS", "X-SJIS": "SHIFT_JIS",
            "CP932": "CP932", "WINDOWS-31J": "CP932", "EUC-JP": "EUC-JP", "GB2312": "GBK", "GBK": "GBK",
            "GB18030": "GB18030", "BIG5": "BIG5", "EUC-KR": "EUC-KR", "KOI8-R": "KOI8-R", "KOI8-U": "KOI8-U",
            "MACINTOSH": "MACINTOSH", "LATIN1": "ISO-8859-1", "TIS-620": "TIS-620", "IBM850": "CP850",
            "CP850": "CP850", "CP437": "CP437",
        ]
        for part in 1...16 where part != 12 {
            names["ISO-8859-\(part)"] = "ISO-8859-\(part)"
            names["ISO8859-\(part)"] = "ISO-8859-\(part)"
        }
        for page in 1250...1258 {
            names["WINDOWS-\(page)"] = "CP\(page)"
            names["CP\(page)"] = "CP\(page)"
        }
        return names
    }()

    /// Appends `bytes` to `output` as UTF-8, U+FFFD for each byte that has no meaning in this charset; false if the C
    /// library lacks the charset.
    func convert(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) -> Bool {
        guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
            return false
        }
        defer { iconv_close(converter) }
        var input = Array(bytes)
        // No charset of the list needs more than four bytes of UTF-8 for one of its own.
        var result = [UInt8](repeating: 0, count: input.count * 4 + 16)
        let written = input.withUnsafeMutableBytes { source -> Int in
            result.withUnsafeMutableBytes { target -> Int in
                var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
                var left = source.count
                var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
                var room = target.count
                while left > 0 {
                    if iconv(converter, &from, &left, &to, &room) != -1 { break }
                    guard errno == EILSEQ || errno == EINVAL, left > 0, room >= 3 else { break }
                    to?[0] = CChar(bitPattern: 0xEF)
                    to?[1] = CChar(bitPattern: 0xBF)
                    to?[2] = CChar(bitPattern: 0xBD)
                    to = to?.advanced(by: 3)
                    room -= 3
                    from = from?.advanced(by: 1)
                    left -= 1
                }
                return target.count - room
            }
        }
        output.append(contentsOf: result[..<written])
        return true
    }
}
