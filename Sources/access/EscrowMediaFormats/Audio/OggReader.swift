internal import EscrowSourceFiles

/// Ogg pages (RFC 3533) that hold Vorbis, Opus (RFC 7845), Speex or FLAC.
enum OggReader {
    /// The most pages that are looked at for the comments.
    private static let pageLimit = 256
    /// The longest page: its header with 255 segments of 255 bytes.
    private static let pageSize = 27 + 255 + 255 * 255

    private struct Page {
        let serial: Int
        let segments: [UInt8]
        let content: Int64
        var length: Int { segments.reduce(0) { $0 + Int($1) } }
    }

    private enum Codec {
        case vorbis, opus, speex, flac
    }

    /// Reads the first stream; false if it ends too early.
    static func read(_ file: inout WindowedFile, needs: AudioNeeds, into facts: inout AudioFacts) -> Bool {
        guard let first = page(&file, at: 0),
            let head = file.bytes(at: first.content, count: min(first.length, 64)),
            let codec = codec(head)
        else { return false }
        // What the last page's position counts in, and what is not heard of it.
        let rate: Int
        var skipped = 0
        switch codec {
        case .vorbis: rate = head.little32(12) ?? 0
        case .opus:
            rate = 48_000
            skipped = head.little16(10) ?? 0
        case .speex: rate = head.little32(36) ?? 0
        case .flac:
            rate = 0
            facts.duration = head.part(17, head.count - 17).flatMap { FLACReader.duration($0) }
        }
        var isWhole = true
        if needs.contains(.tags) {
            let packet = packet(&file, behind: first)
            isWhole = packet.isWhole
            let skip = codec == .vorbis ? 7 : codec == .opus ? 8 : codec == .flac ? 4 : 0
            let comments = packet.bytes.dropFirst(skip)
            isWhole = VorbisComments.read(comments, into: &facts) != nil && isWhole
        }
        if needs.contains(.duration), rate > 0, let last = lastPosition(&file, of: first.serial),
            last > skipped
        {
            facts.duration = Double(last - Int64(skipped)) / Double(rate)
        }
        return isWhole
    }

    private static func codec(_ head: ArraySlice<UInt8>) -> Codec? {
        if head.starts(with: "\u{1}vorbis".utf8) { return .vorbis }
        if head.starts(with: "OpusHead".utf8) { return .opus }
        if head.starts(with: "Speex   ".utf8) { return .speex }
        if head.starts(with: "\u{7F}FLAC".utf8) { return .flac }
        return nil
    }

    private static func page(_ file: inout WindowedFile, at offset: Int64) -> Page? {
        guard let head = file.bytes(at: offset, count: 27), head.starts(with: "OggS\0".utf8),
            let serial = head.little32(14), let count = head.byte(26),
            let segments = file.bytes(at: offset + 27, count: Int(count))
        else { return nil }
        return Page(serial: serial, segments: Array(segments), content: offset + 27 + Int64(count))
    }

    /// The second packet of the stream: its comments, as much as is read of them.
    private static func packet(_ file: inout WindowedFile, behind first: Page) -> (
        bytes: ArraySlice<UInt8>, isWhole: Bool
    ) {
        var packet: [UInt8] = []
        var offset = first.content + Int64(first.length)
        for _ in 0..<pageLimit {
            guard let page = page(&file, at: offset) else { break }
            offset = page.content + Int64(page.length)
            guard page.serial == first.serial else { continue }
            let full = page.segments.prefix { $0 == 255 }.count
            let ends = full < page.segments.count
            let length = full * 255 + (ends ? Int(page.segments[full]) : 0)
            guard let bytes = file.bytes(at: page.content, count: length) else { break }
            packet.append(contentsOf: bytes)
            if ends { return (packet[...], true) }
            if packet.count >= VorbisComments.limit { break }
        }
        return (packet[...], false)
    }

    /// The position of the last page that has one, looked for from the file's end.
    private static func lastPosition(_ file: inout WindowedFile, of serial: Int) -> Int64? {
        let start = max(0, file.size - Int64(pageSize))
        guard let tail = file.available(at: start, upTo: pageSize) else { return nil }
        var index = tail.count - 27
        while index >= 0 {
            if tail.byte(index) == UInt8(ascii: "O"), let page = tail.part(index, 27),
                page.starts(with: "OggS\0".utf8),
                page.little32(14) == serial, let low = page.little32(6), let high = page.little32(10),
                high < 1 << 31
            {
                return Int64(high) << 32 | Int64(low)
            }
            index -= 1
        }
        return nil
    }
}
