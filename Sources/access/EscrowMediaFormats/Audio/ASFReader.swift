internal import EscrowSourceFiles
internal import EscrowTabular

/// WMA: the objects of an ASF file's header (Microsoft, Advanced Systems Format Specification, 3).
enum ASFReader {
    private static let objectLimit = 256
    private static let itemLimit = 4_096
    /// A longer header is damaged.
    private static let headerLimit: Int64 = 64 << 20

    static let header = id(0x75B2_2630, 0x668E, 0x11CF, 0xA6D9_00AA_0062_CE6C)
    private static let properties = id(0x8CAB_DCA1, 0xA947, 0x11CF, 0x8EE4_00C0_0C20_5365)
    private static let description = id(0x75B2_2633, 0x668E, 0x11CF, 0xA6D9_00AA_0062_CE6C)
    private static let attributes = id(0xD2D0_A440, 0xE307, 0x11D2, 0x97F0_00A0_C95E_A850)
    private static let extensions = id(0x5FBF_03B5, 0xA92E, 0x11CF, 0x8EE3_00C0_0C20_5365)
    private static let library = id(0x4423_1C94, 0x9498, 0x49D1, 0xA141_1D13_4E45_7054)

    /// Reads the header; false if an object does not fit.
    static func read(_ file: inout WindowedFile, into facts: inout AudioFacts) -> Bool {
        guard let head = file.bytes(at: 0, count: 30), let size = head.little64(16), size >= 30,
            size <= min(file.size, headerLimit)
        else { return false }
        // The description says in short what attributes say too; they count more.
        var short = AudioFacts()
        let fits = objects(&file, in: 30..<size, depth: 0, into: &facts, &short)
        facts.fill(from: short)
        return fits
    }

    private static func objects(
        _ file: inout WindowedFile, in range: Range<Int64>, depth: Int, into facts: inout AudioFacts,
        _ short: inout AudioFacts
    ) -> Bool {
        var offset = range.lowerBound
        for _ in 0..<objectLimit {
            guard range.upperBound - offset >= 24 else { return true }
            guard let head = file.bytes(at: offset, count: 24), let size = head.little64(16), size >= 24,
                size <= range.upperBound - offset
            else { return false }
            let kind = Array(head.prefix(16))
            let content = offset + 24..<offset + size
            offset += size
            let fits: Bool
            switch kind {
            case properties: fits = readProperties(&file, content, into: &facts)
            case description: fits = readDescription(&file, content, into: &short)
            case attributes: fits = readAttributes(&file, content, isLibrary: false, into: &facts)
            case library: fits = readAttributes(&file, content, isLibrary: true, into: &facts)
            case extensions where depth == 0 && content.count >= 22:
                fits = objects(
                    &file, in: content.lowerBound + 22..<content.upperBound, depth: 1, into: &facts, &short)
            default: fits = true
            }
            guard fits else { return false }
        }
        return false
    }

    /// The length, without what a player fills its buffer with; and when the file was made, in steps of 100 ns since 1601.
    private static func readProperties(
        _ file: inout WindowedFile, _ range: Range<Int64>, into facts: inout AudioFacts
    ) -> Bool {
        guard range.count >= 64, let part = file.bytes(at: range.lowerBound, count: 64),
            let length = part.little64(40), let lead = part.little64(56)
        else { return false }
        let seconds = Double(length) / 1e7 - Double(lead) / 1e3
        if seconds > 0, seconds < 1e9 { facts.duration = seconds }
        if let made = part.little64(24), made > 116_444_736_000_000_000 {
            facts.recorded = Timestamp(microseconds: (made - 116_444_736_000_000_000) / 10)
        }
        return true
    }

    /// Title and author, behind the lengths of five texts.
    private static func readDescription(
        _ file: inout WindowedFile, _ range: Range<Int64>, into facts: inout AudioFacts
    ) -> Bool {
        guard range.count >= 10, let lengths = file.bytes(at: range.lowerBound, count: 10),
            let title = lengths.little16(0), let author = lengths.little16(2),
            Int64(10 + title + author) <= Int64(range.count),
            let texts = file.bytes(at: range.lowerBound + 10, count: title + author)
        else { return false }
        facts.add(.title, text(texts.prefix(title)))
        facts.add(.artist, text(texts.dropFirst(title)))
        return true
    }

    /// Named values. In the library, which is newer, language and stream stand before a name, and lengths have four bytes.
    private static func readAttributes(
        _ file: inout WindowedFile, _ range: Range<Int64>, isLibrary: Bool, into facts: inout AudioFacts
    ) -> Bool {
        guard let count = file.bytes(at: range.lowerBound, count: 2)?.little16(0) else { return false }
        var offset = range.lowerBound + 2
        /// Bytes of the object at the place reached.
        func take(_ count: Int, _ file: inout WindowedFile) -> ArraySlice<UInt8>? {
            guard Int64(count) <= range.upperBound - offset, let part = file.bytes(at: offset, count: count)
            else { return nil }
            offset += Int64(count)
            return part
        }
        for _ in 0..<min(count, itemLimit) {
            let (type, length, name): (Int, Int, String)
            if isLibrary {
                guard let head = take(12, &file), let nameLength = head.little16(4),
                    let kind = head.little16(6), let size = head.little32(8),
                    let bytes = take(nameLength, &file)
                else { return false }
                (type, length, name) = (kind, size, String(decoding: text(bytes), as: UTF8.self))
            } else {
                guard let head = take(2, &file), let nameLength = head.little16(0),
                    let bytes = take(nameLength, &file)
                else { return false }
                name = String(decoding: text(bytes), as: UTF8.self)
                guard let rest = take(4, &file), let kind = rest.little16(0), let size = rest.little16(2)
                else { return false }
                (type, length) = (kind, size)
            }
            guard Int64(length) <= range.upperBound - offset else { return false }
            let end = offset + Int64(length)
            if let field = fields[name] {
                switch type {
                case 0:
                    guard let value = take(min(length, 2 * AudioFacts.textLimit), &file) else { return false }
                    facts.add(field, text(value))
                case 3:
                    guard let value = take(min(length, 4), &file), let number = value.little32(0) else {
                        return false
                    }
                    facts.add(field, Array(String(number).utf8)[...])
                default: break
                }
            }
            offset = end
        }
        return count <= itemLimit
    }

    private static let fields: [String: AudioFacts.Field] = [
        "Title": .title, "Author": .artist, "WM/AlbumTitle": .album, "WM/AlbumArtist": .albumArtist,
        "WM/Composer": .composer, "WM/Genre": .genre, "WM/Year": .date, "WM/TrackNumber": .track,
        "WM/PartOfSet": .disc,
    ]

    /// UTF-16 with its low bytes first, up to a NUL, as UTF-8.
    private static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var units: [UInt16] = []
        for index in stride(from: 0, to: bytes.count - 1, by: 2) {
            guard let unit = bytes.little16(index), unit != 0 else { break }
            units.append(UInt16(unit))
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)[...]
    }

    /// An identifier's bytes as they stand in a file: the first three numbers with their low bytes first.
    private static func id(_ first: UInt32, _ second: UInt16, _ third: UInt16, _ rest: UInt64) -> [UInt8] {
        withUnsafeBytes(of: first.littleEndian) { Array($0) }
            + withUnsafeBytes(of: second.littleEndian) { Array($0) }
            + withUnsafeBytes(of: third.littleEndian) { Array($0) }
            + withUnsafeBytes(of: rest.bigEndian) { Array($0) }
    }
}
