internal import EscrowSourceFiles

/// Reads ID3v2.2, 2.3 and 2.4 tags (id3.org), frame by frame, so that a cover of megabytes is passed over and never read.
enum ID3Reader {
    /// The most of one frame's text that is read.
    static let frameLimit = 16 << 10
    /// The most of a tag that is read as a whole, which only one written without synchronisation patterns is.
    static let wholeLimit = 1 << 20
    private static let countLimit = 4_096

    /// Reads bytes of a tag at an offset within its frames; nil beyond their end.
    private typealias Fetch = (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>?

    /// Reads the tag that begins at an offset. What is known already stands: of several tags the first that says something counts.
    ///
    /// - Returns: where the tag ends, and whether all of it could be read; nil if there is none.
    static func read(
        _ file: inout WindowedFile, at start: Int64, into facts: inout AudioFacts
    ) -> (end: Int64, isWhole: Bool)? {
        var told = AudioFacts()
        defer { facts.fill(from: told) }
        return readTag(&file, at: start, into: &told)
    }

    private static func readTag(
        _ file: inout WindowedFile, at start: Int64, into facts: inout AudioFacts
    ) -> (end: Int64, isWhole: Bool)? {
        guard let head = file.bytes(at: start, count: 10), head.starts(with: "ID3".utf8),
            let version = head.byte(3), let flags = head.byte(5),
            let size = head.part(6, 4).flatMap(synchsafe), head.byte(4) != 0xFF
        else { return nil }
        let end = start + 10 + Int64(size) + (version == 4 && flags & 0x10 != 0 ? 10 : 0)
        guard (2...4).contains(version), start + 10 + Int64(size) <= file.size else { return (end, false) }
        // The second flag of 2.2 says that the tag is compressed, in a way that was never defined.
        guard version > 2 || flags & 0x40 == 0 else { return (end, false) }
        let hasExtension = version > 2 && flags & 0x40 != 0
        if version < 4, flags & 0x80 != 0 {
            guard let raw = file.available(at: start + 10, upTo: min(size, wholeLimit)) else {
                return (end, false)
            }
            let tag = synchronised(raw)[...]
            let isWhole = frames(version, tag.count, hasExtension, into: &facts) { tag.part($0, $1) }
            return (end, isWhole && size <= wholeLimit)
        }
        let isWhole = frames(version, size, hasExtension, into: &facts) { offset, count in
            count <= size - offset ? file.bytes(at: start + 10 + Int64(offset), count: count) : nil
        }
        return (end, isWhole)
    }

    /// Goes through the frames; false if one does not fit.
    private static func frames(
        _ version: UInt8, _ size: Int, _ hasExtension: Bool, into facts: inout AudioFacts, _ bytes: Fetch
    ) -> Bool {
        var offset = 0
        if hasExtension {
            guard let field = bytes(0, 4) else { return false }
            // 2.3 does not count these four bytes, 2.4 does.
            guard let length = version == 3 ? field.big32(0).map({ $0 + 4 }) : synchsafe(field) else {
                return false
            }
            offset = max(4, length)
        }
        let headSize = version == 2 ? 6 : 10
        var count = 0
        while size - offset >= headSize {
            guard count < countLimit, let head = bytes(offset, headSize) else { return false }
            // Padding, to the end of the tag.
            if head.byte(0) == 0 { return true }
            let name = Array(head.prefix(version == 2 ? 3 : 4))
            guard name.allSatisfy(isNameByte) else { return false }
            let flags = head.byte(9) ?? 0
            let length: Int
            switch version {
            case 2:
                length =
                    head.part(3, 3).flatMap { $0.big16(0).map { $0 << 8 } }.map {
                        $0 | Int(head.byte(5) ?? 0)
                    } ?? 0
            case 3: length = head.big32(4) ?? 0
            default: length = size24(head, offset, size, bytes)
            }
            guard length <= size - offset - headSize else { return false }
            if let field = field(name) {
                guard let raw = bytes(offset + headSize, min(length, frameLimit)) else { return false }
                if let content = content(raw, version, version == 2 ? 0 : flags) {
                    add(field, content, to: &facts)
                }
            }
            offset += headSize + length
            count += 1
        }
        return true
    }

    /// The length of a frame of 2.4. Old iTunes wrote it with eight bits a byte like 2.3; what follows the frame tells.
    private static func size24(_ head: ArraySlice<UInt8>, _ offset: Int, _ size: Int, _ bytes: Fetch) -> Int {
        let plain = head.big32(4) ?? 0
        guard let safe = head.part(4, 4).flatMap(synchsafe) else { return plain }
        guard safe != plain else { return safe }
        func fits(_ length: Int) -> Bool {
            let next = offset + 10 + length
            if next == size { return true }
            guard next + 10 <= size, let name = bytes(next, 4) else { return false }
            return name.allSatisfy(isNameByte) || name.byte(0) == 0
        }
        return fits(safe) || !fits(plain) ? safe : plain
    }

    /// What a frame holds behind its own additions; nil if it is compressed or encrypted.
    private static func content(
        _ raw: ArraySlice<UInt8>, _ version: UInt8, _ flags: UInt8
    ) -> ArraySlice<UInt8>? {
        var content = raw
        if version == 3 {
            guard flags & 0xC0 == 0 else { return nil }
            if flags & 0x20 != 0 { content = content.dropFirst() }
        } else if version == 4 {
            guard flags & 0x0C == 0 else { return nil }
            if flags & 0x40 != 0 { content = content.dropFirst() }
            if flags & 0x01 != 0 { content = content.dropFirst(4) }
            if flags & 0x02 != 0 { content = synchronised(content)[...] }
        }
        return content
    }

    private static func add(
        _ field: AudioFacts.Field, _ content: ArraySlice<UInt8>, to facts: inout AudioFacts
    ) {
        guard let encoding = content.first else { return }
        for value in values(content.dropFirst(), encoding) {
            if field == .genre {
                for genre in ID3Genre.read(value) { facts.add(.genre, genre) }
            } else {
                facts.add(field, value)
            }
        }
    }

    /// The values of a text, which 2.4 separates by NUL, as UTF-8 or what passes for Latin-1.
    private static func values(_ text: ArraySlice<UInt8>, _ encoding: UInt8) -> [ArraySlice<UInt8>] {
        switch encoding {
        case 0, 3: return text.split(separator: 0, maxSplits: 64)
        case 1, 2:
            var units: [UInt16] = []
            units.reserveCapacity(text.count / 2)
            var isLittle = false
            var index = 0
            while let unit = text.big16(index) {
                // 2.3 puts a mark before each value.
                if unit == 0xFEFF || (unit == 0xFFFE && encoding == 1) {
                    isLittle = unit == 0xFFFE
                } else {
                    units.append(UInt16(isLittle ? unit >> 8 | (unit & 0xFF) << 8 : unit))
                }
                index += 2
            }
            return units.split(separator: 0, maxSplits: 64).map {
                Array(String(decoding: $0, as: UTF16.self).utf8)[...]
            }
        default: return []
        }
    }

    private static func field(_ name: [UInt8]) -> AudioFacts.Field? {
        switch String(decoding: name, as: UTF8.self) {
        case "TIT2", "TT2": .title
        case "TPE1", "TP1": .artist
        case "TALB", "TAL": .album
        case "TPE2", "TP2": .albumArtist
        case "TCOM", "TCM": .composer
        case "TCON", "TCO": .genre
        case "TDRC", "TYER", "TYE": .date
        case "TRCK", "TRK": .track
        case "TPOS", "TPA": .disc
        default: nil
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x30 && byte <= 0x39)
    }

    /// Four bytes of seven bits each; nil if one has eight.
    private static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count == 4, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return bytes.reduce(0) { $0 << 7 | Int($1) }
    }

    /// Takes out the zeros that were put behind each 0xFF.
    private static func synchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var afterFF = false
        for byte in bytes {
            if !(afterFF && byte == 0) { result.append(byte) }
            afterFF = byte == 0xFF
        }
        return result
    }
}

/// The tag of 128 bytes at the end of older files, ID3v1 and 1.1.
enum ID3v1 {
    static let size = 128

    /// Reads the tag at the file's end; false if there is none.
    static func read(_ file: inout WindowedFile, into facts: inout AudioFacts) -> Bool {
        guard file.size >= Int64(size), let tag = file.bytes(at: file.size - Int64(size), count: size),
            tag.starts(with: "TAG".utf8)
        else { return false }
        func text(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
            (tag.part(offset, count) ?? []).prefix { $0 != 0 }
        }
        facts.add(.title, text(3, 30))
        facts.add(.artist, text(33, 30))
        facts.add(.album, text(63, 30))
        facts.add(.date, text(93, 4))
        if tag.byte(125) == 0, let track = tag.byte(126), track > 0 {
            facts.add(.track, Array(String(track).utf8)[...])
        }
        if let number = tag.byte(127), let genre = ID3Genre.name(Int(number)) { facts.add(.genre, genre) }
        return true
    }
}
