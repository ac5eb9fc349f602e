internal import EscrowSourceFiles
internal import EscrowTabular

/// Matroska and WebM: what a segment says of itself, and its tags (RFC 9559; tags by the draft of the same group).
enum MatroskaReader {
    /// An element: its number, and where its content lies.
    private struct Element {
        let id: Int
        let content: Range<Int64>
    }

    static let signature: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
    private static let elementLimit = 4_096
    private static let cluster = 0x1F43_B675

    /// Reads up to the sound, and the tags behind it if the segment tells where; false if an element does not fit.
    static func read(_ file: inout WindowedFile, into facts: inout AudioFacts) -> Bool {
        var size: (width: Int64, height: Int64)?
        return read(&file, into: &facts, &size)
    }

    /// What a video says; nil if it is damaged.
    static func readVideo(_ file: inout WindowedFile) -> ImageFacts? {
        var tags = AudioFacts()
        var size: (width: Int64, height: Int64)?
        guard read(&file, into: &tags, &size) else { return nil }
        return ImageFacts(
            creationDate: tags.recorded, pixelWidth: size?.width, pixelHeight: size?.height,
            duration: tags.duration,
            title: tags.text(.title).map { String(decoding: $0, as: UTF8.self) })
    }

    private static func read(
        _ file: inout WindowedFile, into facts: inout AudioFacts, _ size: inout (width: Int64, height: Int64)?
    ) -> Bool {
        let whole = 0..<file.size
        guard let head = element(&file, at: 0, in: whole),
            let segment = element(&file, at: head.content.upperBound, in: whole), segment.id == 0x1853_8067
        else { return false }
        var tags: Int64?
        var hasTags = false
        var fits = true
        var isWhole = forEach(&file, in: segment.content) { file, found in
            switch found.id {
            case cluster: return false
            case 0x1549_A966: fits = readInfo(&file, found.content, into: &facts) && fits
            case 0x1654_AE6B:
                if size == nil { fits = readTracks(&file, found.content, &size) && fits }
            case 0x1254_C367:
                hasTags = true
                fits = readTags(&file, found.content, into: &facts) && fits
            case 0x114D_9B74:
                let found = seek(&file, found.content)
                tags = found.place
                fits = found.fits && fits
            default: break
            }
            return true
        }
        if !hasTags, let tags, tags < Int64(segment.content.count),
            let found = element(&file, at: segment.content.lowerBound + tags, in: segment.content),
            found.id == 0x1254_C367
        {
            isWhole = readTags(&file, found.content, into: &facts) && isWhole
        }
        return isWhole && fits
    }

    private static func readInfo(
        _ file: inout WindowedFile, _ range: Range<Int64>, into facts: inout AudioFacts
    ) -> Bool {
        var scale = 1_000_000.0
        var length: Double?
        var title: ArraySlice<UInt8>?
        let fits = forEach(&file, in: range) { file, found in
            switch found.id {
            case 0x2A_D7B1: scale = number(&file, found.content).map { Double($0) } ?? scale
            case 0x4489: length = real(&file, found.content)
            case 0x7BA9: title = text(&file, found.content)
            case 0x4461:
                // Nanoseconds since the beginning of 2001.
                if let made = number(&file, found.content) {
                    facts.recorded = Timestamp(
                        microseconds: Int64(bitPattern: made) / 1_000 + 978_307_200_000_000)
                }
            default: break
            }
            return true
        }
        if let title { facts.add(.title, title) }
        if let length {
            let seconds = length * scale / 1e9
            if seconds > 0, seconds < 1e9 { facts.duration = seconds }
        }
        return fits
    }

    /// Finds the size of the first track of pictures.
    private static func readTracks(
        _ file: inout WindowedFile, _ range: Range<Int64>, _ size: inout (width: Int64, height: Int64)?
    ) -> Bool {
        var areWhole = true
        let fits = forEach(&file, in: range) { file, track in
            guard track.id == 0xAE, size == nil else { return true }
            let isWhole = forEach(&file, in: track.content) { file, part in
                guard part.id == 0xE0 else { return true }
                var (width, height): (UInt64?, UInt64?)
                areWhole =
                    forEach(&file, in: part.content) { file, found in
                        if found.id == 0xB0 { width = number(&file, found.content) }
                        if found.id == 0xBA { height = number(&file, found.content) }
                        return true
                    } && areWhole
                if let width, let height, (1...0xFFFF).contains(width), (1...0xFFFF).contains(height) {
                    size = (Int64(width), Int64(height))
                }
                return true
            }
            areWhole = areWhole && isWhole
            return true
        }
        return fits && areWhole
    }

    /// Where the tags lie, counted from the segment's content.
    private static func seek(
        _ file: inout WindowedFile, _ range: Range<Int64>
    ) -> (place: Int64?, fits: Bool) {
        var place: Int64?
        var areWhole = true
        let fits = forEach(&file, in: range) { file, entry in
            guard entry.id == 0x4DBB else { return true }
            var (name, position): (UInt64?, UInt64?)
            let isWhole = forEach(&file, in: entry.content) { file, found in
                if found.id == 0x53AB { name = number(&file, found.content) }
                if found.id == 0x53AC { position = number(&file, found.content) }
                return true
            }
            areWhole = areWhole && isWhole
            if name == 0x1254_C367, let position { place = Int64(exactly: position) }
            return true
        }
        return (place, fits && areWhole)
    }

    private static func readTags(
        _ file: inout WindowedFile, _ range: Range<Int64>, into facts: inout AudioFacts
    ) -> Bool {
        // What is said of a track counts more than what is said of all of them.
        var (own, others) = (AudioFacts(), AudioFacts())
        var areWhole = true
        let fits = forEach(&file, in: range) { file, tag in
            guard tag.id == 0x7373 else { return true }
            let (level, values, isWhole) = readTag(&file, tag.content)
            areWhole = areWhole && isWhole
            for (name, value) in values {
                guard let field = field(name, level) else { continue }
                if level <= 30 { own.add(field, value) } else { others.add(field, value) }
            }
            return true
        }
        own.fill(from: others)
        facts.fill(from: own)
        return fits && areWhole
    }

    /// What one tag is about, by the number of a level (30 for a track, 50 for an album), and what it says.
    private static func readTag(
        _ file: inout WindowedFile, _ range: Range<Int64>
    ) -> (level: UInt64, values: [(name: String, value: ArraySlice<UInt8>)], isWhole: Bool) {
        var level: UInt64 = 50
        var values: [(name: String, value: ArraySlice<UInt8>)] = []
        var areWhole = true
        let fits = forEach(&file, in: range) { file, part in
            var isWhole = true
            if part.id == 0x63C0 {
                isWhole = forEach(&file, in: part.content) { file, target in
                    if target.id == 0x68CA { level = number(&file, target.content) ?? level }
                    return true
                }
            } else if part.id == 0x67C8 {
                var (name, value): (ArraySlice<UInt8>?, ArraySlice<UInt8>?)
                isWhole = forEach(&file, in: part.content) { file, found in
                    if found.id == 0x45A3 { name = text(&file, found.content) }
                    if found.id == 0x4487 { value = text(&file, found.content) }
                    return true
                }
                if let name, let value {
                    values.append((String(decoding: name, as: UTF8.self).uppercased(), value))
                }
            }
            areWhole = areWhole && isWhole
            return true
        }
        return (level, values, fits && areWhole)
    }

    /// An album's title and artist are the album's.
    private static func field(_ name: String, _ level: UInt64) -> AudioFacts.Field? {
        switch name {
        case "TITLE": level >= 50 ? .album : .title
        case "ARTIST": .artist
        case "ALBUM": .album
        case "ALBUM_ARTIST", "ALBUMARTIST": .albumArtist
        case "COMPOSER": .composer
        case "GENRE": .genre
        case "DATE_RELEASED", "DATE_RECORDED", "DATE": .date
        case "PART_NUMBER", "TRACKNUMBER": .track
        case "DISC", "DISCNUMBER": .disc
        default: nil
        }
    }

    // MARK: - Elements (RFC 8794)

    /// Goes through the elements in a range, until `visit` says no.
    ///
    /// - Returns: false if one does not fit, or there are too many.
    private static func forEach(
        _ file: inout WindowedFile, in range: Range<Int64>, _ visit: (inout WindowedFile, Element) -> Bool
    ) -> Bool {
        var offset = range.lowerBound
        for _ in 0..<elementLimit {
            guard offset < range.upperBound else { return true }
            guard let found = element(&file, at: offset, in: range) else { return false }
            guard visit(&file, found) else { return true }
            offset = found.content.upperBound
        }
        return false
    }

    /// The element at an offset; one of unknown size, as a stream's segment has, reaches to the end.
    private static func element(_ file: inout WindowedFile, at offset: Int64, in range: Range<Int64>)
        -> Element?
    {
        guard offset >= range.lowerBound, offset < range.upperBound,
            let head = file.available(at: offset, upTo: Int(min(12, range.upperBound - offset))),
            let first = head.byte(0), first >= 0x10
        else { return nil }
        let idLength = first.leadingZeroBitCount + 1
        guard let second = head.byte(idLength), second != 0 else { return nil }
        let sizeLength = second.leadingZeroBitCount + 1
        guard let idBytes = head.part(0, idLength), let sizeBytes = head.part(idLength, sizeLength) else {
            return nil
        }
        let id = idBytes.reduce(0) { $0 << 8 | Int($1) }
        let mask = UInt64(1) << UInt64(7 * sizeLength) - 1
        let size = sizeBytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & mask
        let start = offset + Int64(idLength + sizeLength)
        guard start <= range.upperBound else { return nil }
        if size == mask { return Element(id: id, content: start..<range.upperBound) }
        guard size <= UInt64(range.upperBound - start) else { return nil }
        return Element(id: id, content: start..<start + Int64(size))
    }

    private static func number(_ file: inout WindowedFile, _ range: Range<Int64>) -> UInt64? {
        guard (1...8).contains(range.count), let bytes = file.bytes(at: range.lowerBound, count: range.count)
        else {
            return nil
        }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func real(_ file: inout WindowedFile, _ range: Range<Int64>) -> Double? {
        guard let bits = number(&file, range) else { return nil }
        switch range.count {
        case 4: return Double(Float(bitPattern: UInt32(bits)))
        case 8: return Double(bitPattern: bits)
        default: return nil
        }
    }

    private static func text(_ file: inout WindowedFile, _ range: Range<Int64>) -> ArraySlice<UInt8>? {
        file.bytes(at: range.lowerBound, count: min(range.count, AudioFacts.textLimit)).map {
            $0.prefix { $0 != 0 }
        }
    }
}
