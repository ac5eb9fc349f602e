internal import EscrowSourceFiles

/// The comments of FLAC, Vorbis, Opus and Speex (xiph.org, "Vorbis comment field and header specification").
enum VorbisComments {
    /// The most of a comment block that is read; what goes beyond is a cover.
    static let limit = 1 << 20
    private static let countLimit = 10_000

    /// Reads a block, or the beginning of one. Returns how long it is; nil if it is cut short.
    static func read(_ block: ArraySlice<UInt8>, into facts: inout AudioFacts) -> Int? {
        guard let vendor = block.little32(0), let count = block.little32(4 + vendor) else { return nil }
        var offset = 8 + vendor
        for _ in 0..<min(count, countLimit) {
            guard let length = block.little32(offset) else { return nil }
            let held = min(length, block.count - offset - 4)
            // A longer comment than the block holds may still be a picture, whose name is enough.
            if let comment = block.part(offset + 4, held),
                let equals = comment.prefix(32).firstIndex(of: UInt8(ascii: "=")),
                held == length, let field = field(comment[..<equals])
            {
                facts.add(field, comment[comment.index(after: equals)...])
            }
            guard held == length else { return nil }
            offset += 4 + length
        }
        return count <= countLimit ? offset : nil
    }

    private static func field(_ name: ArraySlice<UInt8>) -> AudioFacts.Field? {
        switch String(decoding: name, as: UTF8.self).uppercased() {
        case "TITLE": .title
        case "ARTIST": .artist
        case "ALBUM": .album
        case "ALBUMARTIST", "ALBUM ARTIST": .albumArtist
        case "COMPOSER": .composer
        case "GENRE": .genre
        case "DATE", "YEAR": .date
        case "TRACKNUMBER": .track
        case "DISCNUMBER": .disc
        default: nil
        }
    }
}

/// FLAC's blocks before the sound (RFC 9639).
enum FLACReader {
    private static let blockLimit = 256

    /// Reads what stands behind `fLaC` at an offset; false if the blocks end too early.
    static func read(_ file: inout WindowedFile, at start: Int64, into facts: inout AudioFacts) -> Bool {
        var offset = start + 4
        for index in 0..<blockLimit {
            guard let head = file.bytes(at: offset, count: 4), let word = head.big32(0) else { return false }
            let kind = word >> 24 & 0x7F
            let length = word & 0xFF_FFFF
            // Behind a block of a wrong length anything looks like another one; this one is the first, always.
            if kind == 0, index == 0 {
                guard let info = file.bytes(at: offset + 4, count: min(length, 34)) else { return false }
                facts.duration = duration(info)
            } else if kind == 4 {
                guard let end = readComments(&file, at: offset + 4, length, into: &facts) else {
                    return false
                }
                offset = end - Int64(length) - 4
            }
            if word >> 31 == 1 { return true }
            offset += 4 + Int64(length)
        }
        return false
    }

    /// Reads the comments, and returns where they end. Some programs write too small a length of the block (mutagen's issue 52):
    /// comments that go on behind it, as they say themselves, count, and the next block stands behind them. A second block of
    /// comments, which there may not be, tells what the first does not.
    private static func readComments(
        _ file: inout WindowedFile, at start: Int64, _ length: Int, into facts: inout AudioFacts
    ) -> Int64? {
        var told = AudioFacts()
        defer { facts.fill(from: told) }
        guard let block = file.bytes(at: start, count: min(length, VorbisComments.limit)) else { return nil }
        if VorbisComments.read(block, into: &told) != nil { return start + Int64(length) }
        var longer = AudioFacts()
        if length < VorbisComments.limit,
            let more = file.available(at: start, upTo: VorbisComments.limit),
            let end = VorbisComments.read(more, into: &longer)
        {
            told = longer
            return start + Int64(end)
        }
        return nil
    }

    /// The length that a STREAMINFO block tells; nil if its writer did not know.
    static func duration(_ info: ArraySlice<UInt8>) -> Double? {
        guard let word = info.big64(10) else { return nil }
        let rate = word >> 44
        let samples = word & 0xF_FFFF_FFFF
        return rate > 0 && samples > 0 ? Double(samples) / Double(rate) : nil
    }
}
