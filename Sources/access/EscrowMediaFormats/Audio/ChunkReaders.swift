internal import EscrowFormats
internal import EscrowSourceFiles

/// WAV: the chunks of a RIFF or RF64 file (Microsoft; EBU Tech 3306, 3285 for `bext`).
enum WaveReader {
    private static let chunkLimit = 256
    private static let listLimit = 64 << 10

    /// Reads what stands behind the first twelve bytes; false if a chunk does not fit.
    static func read(_ file: inout WindowedFile, zone: LocalZone, into facts: inout AudioFacts) -> Bool {
        var offset: Int64 = 12
        var bytesPerSecond = 0
        var soundLength: Int64?
        var info = AudioFacts()
        // The tag of ID3 knows more, and is what programs write today.
        defer { facts.fill(from: info) }
        /// The length of the sound where 32 bits are too few.
        var longLength: Int64?
        for _ in 0..<chunkLimit {
            guard offset <= file.size - 8 else { break }
            guard let head = file.bytes(at: offset, count: 8), let size = head.little32(4) else {
                return false
            }
            let name = String(decoding: head.prefix(4), as: UTF8.self)
            let content = offset + 8
            let rest = file.size - content
            var length = Int64(size)
            switch name {
            case "ds64":
                longLength = file.bytes(at: content, count: 16)
                    .flatMap { part in
                        part.little32(12).flatMap { $0 < 1 << 31 ? Int64($0) << 32 : nil }
                            .flatMap { high in part.little32(8).map { high | Int64($0) } }
                    }
            case "fmt ": bytesPerSecond = file.bytes(at: content, count: 12)?.little32(8) ?? 0
            case "data":
                // A recorder that was cut off left zero, or all ones as a stream has.
                if size == 0xFFFF_FFFF { length = longLength ?? rest }
                if size == 0 { length = rest }
                soundLength = min(length, rest)
            case "LIST":
                if let list = file.bytes(at: content, count: min(size, listLimit, Int(rest))),
                    list.starts(with: "INFO".utf8)
                {
                    readInfo(list.dropFirst(4), into: &info)
                }
            case "bext":
                if let text = file.bytes(at: content, count: 338) {
                    facts.recorded = ExifTime.read(
                        (text.part(320, 10) ?? []) + [0x20] + (text.part(330, 8) ?? []), offset: nil,
                        fraction: nil,
                        zone: zone)
                }
            case "id3 ", "ID3 ": _ = ID3Reader.read(&file, at: content, into: &facts)
            default: break
            }
            if length > rest {
                finish(bytesPerSecond, soundLength, &facts)
                return false
            }
            offset = content + length + (length & 1)
        }
        finish(bytesPerSecond, soundLength, &facts)
        return soundLength != nil
    }

    private static func finish(_ bytesPerSecond: Int, _ length: Int64?, _ facts: inout AudioFacts) {
        if bytesPerSecond > 0, let length { facts.duration = Double(length) / Double(bytesPerSecond) }
    }

    private static func readInfo(_ list: ArraySlice<UInt8>, into facts: inout AudioFacts) {
        var offset = 0
        while let name = list.part(offset, 4), let size = list.little32(offset + 4),
            let value = list.part(offset + 8, size)
        {
            let field: AudioFacts.Field? =
                switch String(decoding: name, as: UTF8.self) {
                case "INAM": .title
                case "IART": .artist
                case "IPRD": .album
                case "IGNR": .genre
                case "ICRD": .date
                case "ITRK", "IPRT": .track
                default: nil
                }
            if let field { facts.add(field, value.prefix { $0 != 0 }) }
            offset += 8 + size + (size & 1)
        }
    }
}

/// AIFF and AIFC: the chunks of an IFF file (Apple, 1989 and 1991).
enum AIFFReader {
    private static let chunkLimit = 256

    /// Reads what stands behind the first twelve bytes; false if a chunk does not fit.
    static func read(_ file: inout WindowedFile, into facts: inout AudioFacts) -> Bool {
        var offset: Int64 = 12
        for _ in 0..<chunkLimit {
            guard offset <= file.size - 8 else { break }
            guard let head = file.bytes(at: offset, count: 8), let size = head.big32(4) else { return false }
            let name = String(decoding: head.prefix(4), as: UTF8.self)
            let content = offset + 8
            guard Int64(size) <= file.size - content else { return false }
            switch name {
            case "COMM":
                if let common = file.bytes(at: content, count: min(size, 18)), let frames = common.big32(2),
                    let rate = common.part(8, 10).flatMap(extended), rate > 0
                {
                    facts.duration = Double(frames) / rate
                }
            case "NAME", "AUTH":
                if let text = file.bytes(at: content, count: min(size, AudioFacts.textLimit)) {
                    facts.add(name == "NAME" ? .title : .artist, text.prefix { $0 != 0 })
                }
            case "ID3 ": _ = ID3Reader.read(&file, at: content, into: &facts)
            default: break
            }
            offset = content + Int64(size) + Int64(size & 1)
        }
        return true
    }

    /// A number of 80 bits (IEEE 754 extended), positive and below 2^63; nil for any other.
    private static func extended(_ bytes: ArraySlice<UInt8>) -> Double? {
        guard let exponent = bytes.big16(0), let mantissa = bytes.big64(2), exponent >= 16_383,
            exponent < 16_446
        else { return nil }
        return Double(sign: .plus, exponent: exponent - 16_446, significand: Double(mantissa))
    }
}
