internal import EscrowSourceFiles

/// The document type declaration at the head of an XML file: `<!DOCTYPE name [ … ]>`.
///
/// Apple Health writes one into each export, and that of iOS 16 is not well-formed: brackets are missing. Nothing in it is
/// needed. So it is never shown to expat: what it would declare, entities above all, then does not exist, and a document
/// that refers to one is not well-formed.
enum DocumentType {
    /// How far into a file it is looked for. Real ones have about 10 KB.
    static let limit: Int64 = 256 << 10

    /// Where it is in a file; nil if there is none, or none that ends.
    static func range(in file: SharedDescriptor, size: Int64) -> Range<Int64>? {
        var bytes = [UInt8](repeating: 0, count: Int(min(size, limit)))
        var done = 0
        while done < bytes.count {
            guard let count = file.read(into: &bytes, range: done..<bytes.count, at: Int64(done)), count > 0
            else { break }
            done += count
        }
        return range(in: bytes[..<done]).map { Int64($0.lowerBound)..<Int64($0.upperBound) }
    }

    /// As above, for the file's first bytes.
    static func range(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        var at = bytes.startIndex
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at += 3 }
        // Before the root element there are declarations, comments and white space only.
        while at < bytes.endIndex {
            let rest = bytes[at...]
            if isSpace(bytes[at]) {
                at += 1
            } else if rest.starts(with: "<!DOCTYPE".utf8) {
                return end(of: rest).map { at..<$0 }
            } else if rest.starts(with: "<!--".utf8), let end = find("-->", in: rest.dropFirst(4)) {
                at = end
            } else if rest.starts(with: "<?".utf8), let end = find("?>", in: rest) {
                at = end
            } else {
                return nil
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Behind the `>` that closes it. Quotes are not looked at, for a damaged one may hold a single quote; a `]>` in quotes
    /// would leave a rest that is not well-formed.
    private static func end(of text: ArraySlice<UInt8>) -> Int? {
        var at = text.startIndex
        var isInside = false
        while at < text.endIndex {
            switch text[at] {
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "<") where text[at...].starts(with: "<!--".utf8):
                guard let end = find("-->", in: text[at...].dropFirst(4)) else { return nil }
                at = end - 1
            case UInt8(ascii: "]") where isInside:
                var next = at + 1
                while next < text.endIndex, isSpace(text[next]) { next += 1 }
                if next < text.endIndex, text[next] == UInt8(ascii: ">") { return next + 1 }
            case UInt8(ascii: ">") where !isInside: return at + 1
            default: break
            }
            at += 1
        }
        return nil
    }

    /// Behind the first place of `mark`.
    private static func find(_ mark: StaticString, in text: ArraySlice<UInt8>) -> Int? {
        mark.withUTF8Buffer { mark in
            text.indices.first { text[$0...].starts(with: mark) }.map { $0 + mark.count }
        }
    }
}
