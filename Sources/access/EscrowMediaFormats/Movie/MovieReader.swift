internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// Reads the `moov` box: length, time, place, size and tags. Sound and pictures are passed over.
struct MovieReader {
    /// The longest text that is read.
    private static let textLimit = 16 << 10
    private static let maxTracks = 16
    private var facts = MovieFacts()

    /// What the file says; nil if it has no readable `moov` box.
    static func read(_ file: inout WindowedFile) -> MovieFacts? {
        var top = BoxCursor(0..<file.size)
        while let box = top.next(&file) {
            guard box.name == BoxCursor.name("moov") else { continue }
            var reader = MovieReader()
            reader.movie(box, &file)
            return reader.facts
        }
        return nil
    }

    /// Whether a file begins as one of these.
    static func isMovie(_ head: ArraySlice<UInt8>) -> Bool {
        guard let name = head.big32(4) else { return false }
        // QuickTime before MP4 had no `ftyp`.
        return ["ftyp", "moov", "mdat", "wide", "skip", "free", "pnot"].contains {
            BoxCursor.name($0) == name
        }
    }

    private mutating func movie(_ movie: BoxCursor.Box, _ file: inout WindowedFile) {
        var cursor = BoxCursor(movie.content)
        var tracks = 0
        while let box = cursor.next(&file) {
            switch box.name {
            case BoxCursor.name("mvhd"): header(box, &file)
            case BoxCursor.name("trak"):
                tracks += 1
                if tracks <= Self.maxTracks { track(box, &file) }
            case BoxCursor.name("mvex"): fragments(box, &file)
            case BoxCursor.name("udta"): userData(box, &file)
            case BoxCursor.name("meta"): metadata(box, &file)
            default: break
            }
        }
        if cursor.isDamaged { facts.isDamaged = true }
    }

    private var timescale = 0

    private mutating func header(_ box: BoxCursor.Box, _ file: inout WindowedFile) {
        guard let bytes = content(box, 32, &file), let version = bytes.byte(0) else { return }
        let long = version == 1
        guard let created = long ? bytes.big64(4) : bytes.big32(4).map(UInt64.init),
            let scale = bytes.big32(long ? 20 : 12),
            let length = long ? bytes.big64(24) : bytes.big32(16).map(UInt64.init)
        else { return }
        timescale = scale
        // All ones: not known. Zero: in fragments, which are counted elsewhere.
        if scale > 0, length > 0, length != (long ? UInt64.max : 0xFFFF_FFFF) {
            facts.duration = Double(length) / Double(scale)
        }
        facts.created = facts.created ?? Self.time(created)
    }

    /// Seconds since 1904; nil for what was written by those who counted from 1970, or not at all.
    private static func time(_ seconds: UInt64) -> Timestamp? {
        let offset: UInt64 = 2_082_844_800
        guard seconds > offset, seconds - offset < 1 << 37 else { return nil }
        return Timestamp(microseconds: Int64(seconds - offset) * 1_000_000)
    }

    private mutating func fragments(_ box: BoxCursor.Box, _ file: inout WindowedFile) {
        var cursor = BoxCursor(box.content)
        while let box = cursor.next(&file) {
            guard box.name == BoxCursor.name("mehd") else { continue }
            guard let bytes = content(box, 12, &file), timescale > 0, facts.duration == nil,
                let length = bytes.byte(0) == 1 ? bytes.big64(4) : bytes.big32(4).map(UInt64.init), length > 0
            else { return }
            facts.duration = Double(length) / Double(timescale)
        }
    }

    private mutating func track(_ box: BoxCursor.Box, _ file: inout WindowedFile) {
        guard facts.width == nil else { return }
        var cursor = BoxCursor(box.content)
        while let box = cursor.next(&file) {
            guard box.name == BoxCursor.name("tkhd") else { continue }
            guard let bytes = content(box, 96, &file) else { return }
            let matrix = bytes.byte(0) == 1 ? 52 : 40
            guard let width = bytes.big16(matrix + 36), let height = bytes.big16(matrix + 40), width > 0,
                height > 0,
                let a = bytes.big32(matrix), let b = bytes.big32(matrix + 4)
            else { return }
            let isTurned = a == 0 && b != 0
            facts.width = isTurned ? height : width
            facts.height = isTurned ? width : height
            return
        }
    }

    /// QuickTime's texts, and the place where iTunes keeps its own.
    private mutating func userData(_ box: BoxCursor.Box, _ file: inout WindowedFile) {
        var cursor = BoxCursor(box.content)
        while let box = cursor.next(&file) {
            if box.name == BoxCursor.name("meta") {
                metadata(box, &file)
                continue
            }
            if box.name == BoxCursor.name("loci"), let bytes = content(box, Self.textLimit, &file) {
                location(bytes)
                continue
            }
            guard box.name >> 24 == 0xA9 || box.name == BoxCursor.name("@xyz"),
                let bytes = content(box, Self.textLimit, &file),
                let length = bytes.big16(0), let text = bytes.part(4, length)
            else { continue }
            switch box.name {
            case BoxCursor.text("xyz"), BoxCursor.name("@xyz"): facts.setPlace(text)
            case BoxCursor.text("mak"): facts.make = Array(text)
            case BoxCursor.text("mod"): facts.model = Array(text)
            case BoxCursor.text("nam"): facts.tags.add(.title, text)
            default: break
            }
        }
    }

    /// The place in a file for phones (3GPP TS 26.244, 8.2): behind a name, the role, then degrees and metres in 16.16 bits.
    private mutating func location(_ bytes: ArraySlice<UInt8>) {
        let name = bytes.dropFirst(6)
        let isWide = name.big16(0) == 0xFEFF
        var end = 0
        while let unit = isWide ? name.big16(end) : name.byte(end).map(Int.init), unit != 0 {
            end += isWide ? 2 : 1
        }
        let at = end + (isWide ? 2 : 1) + 1
        func fixed(_ offset: Int) -> Double? {
            name.big32(offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
        }
        guard facts.latitude == nil, let east = fixed(at), let north = fixed(at + 4),
            let height = fixed(at + 8)
        else { return }
        facts.setPlace(north, east, height)
    }

    /// Apple's metadata: a list of items that are named by four letters (iTunes), or by numbers into a list of keys (QuickTime).
    private mutating func metadata(_ box: BoxCursor.Box, _ file: inout WindowedFile) {
        // In MP4 the box has a version before its content, in QuickTime it has not.
        guard let head = content(box, 8, &file) else { return }
        let skip: Int64 = head.big32(4) == BoxCursor.name("hdlr") ? 0 : 4
        guard box.content.count >= skip else { return }
        var cursor = BoxCursor(box.content.lowerBound + skip..<box.content.upperBound)
        var keys: [[UInt8]] = []
        while let box = cursor.next(&file) {
            if box.name == BoxCursor.name("keys"), let bytes = content(box, Self.textLimit, &file) {
                keys = Self.keys(bytes)
            } else if box.name == BoxCursor.name("ilst") {
                var items = BoxCursor(box.content)
                while let item = items.next(&file) { read(item, keys, &file) }
                if items.isDamaged { facts.isDamaged = true }
            }
        }
        if cursor.isDamaged { facts.isDamaged = true }
    }

    private static func keys(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var offset = 8
        while let size = bytes.big32(offset), size >= 8, let key = bytes.part(offset + 8, size - 8) {
            keys.append(Array(key))
            offset += size
        }
        return keys
    }

    private mutating func read(_ item: BoxCursor.Box, _ keys: [[UInt8]], _ file: inout WindowedFile) {
        let isKnown = item.name >= 1 && item.name <= keys.count
        let key = isKnown ? String(decoding: keys[item.name - 1], as: UTF8.self) : ""
        let isPlace = item.name == BoxCursor.text("xyz")
        guard isKnown ? key.hasPrefix(Self.keyPrefix) : isPlace || Self.fields[item.name] != nil else {
            return
        }
        var cursor = BoxCursor(item.content)
        while let box = cursor.next(&file) {
            guard box.name == BoxCursor.name("data"), let bytes = content(box, Self.textLimit, &file),
                bytes.count >= 8
            else { continue }
            let value = bytes.dropFirst(8)
            if isKnown {
                set(key, value)
            } else if isPlace {
                facts.setPlace(value)
            } else if let field = Self.fields[item.name] {
                set(field, item.name, value)
            }
        }
    }

    private static let keyPrefix = "com.apple.quicktime."

    private mutating func set(_ key: String, _ value: ArraySlice<UInt8>) {
        switch key.dropFirst(Self.keyPrefix.count) {
        case "location.ISO6709": facts.setPlace(value)
        case "make": facts.make = Array(value)
        case "model": facts.model = Array(value)
        case "title": facts.tags.add(.title, value)
        case "creationdate":
            // With the place's own offset, and closer to the moment than the header, which tells when the file was closed.
            let offset = value.dropFirst(19)
            if let east = ExifTime.seconds(offset),
                let time = ExifTime.read(value, offset: offset, fraction: nil, zone: .fixed(east))
            {
                facts.created = time
            }
        default: break
        }
    }

    private mutating func set(_ field: AudioFacts.Field, _ name: Int, _ value: ArraySlice<UInt8>) {
        switch name {
        case BoxCursor.name("gnre"):
            // One more than ID3's number.
            if let number = value.big16(0), let genre = ID3Genre.name(number - 1) {
                facts.tags.add(.genre, genre)
            }
        case BoxCursor.name("trkn"), BoxCursor.name("disk"):
            if let number = value.big16(2), number > 0 {
                facts.tags.add(field, Array(String(number).utf8)[...])
            }
        default: facts.tags.add(field, value)
        }
    }

    private static let fields: [Int: AudioFacts.Field] = [
        BoxCursor.text("nam"): .title, BoxCursor.text("ART"): .artist, BoxCursor.text("alb"): .album,
        BoxCursor.name("aART"): .albumArtist, BoxCursor.text("wrt"): .composer, BoxCursor.text("gen"): .genre,
        BoxCursor.name("gnre"): .genre, BoxCursor.text("day"): .date, BoxCursor.name("trkn"): .track,
        BoxCursor.name("disk"): .disc,
    ]

    /// The beginning of a box's content.
    private func content(_ box: BoxCursor.Box, _ limit: Int, _ file: inout WindowedFile) -> ArraySlice<UInt8>?
    {
        file.bytes(at: box.content.lowerBound, count: min(limit, box.content.count))
    }
}
