/// The values of a packet of PulseAudio's native protocol, each behind a tag that says what it is. They are copied, but for
/// properties that nobody needs for playing and recording.
///
/// Properties can load code. With `filter.apply` (or `filter.want`) set to `ladspa-sink`, and `filter.apply.ladspa-sink.parameters` to
/// `plugin=FILE`, PulseAudio's module-filter-apply, which is loaded by default, loads that file as a library; a stream has its client's
/// properties as well. In pipewire-pulse they become those of a node, `audioconvert.filter-graph` among them. So a list says which pass.
struct SoundTags {
    private static let shown: Set<String> = [
        "application.icon_name", "application.id", "application.name", "application.version",
        "event.description", "event.id", "media.artist", "media.icon_name", "media.name", "media.role",
        "media.software", "media.title",
    ]
    private static let formats: Set<String> = [
        "format.channel_map", "format.channels", "format.rate", "format.sample_format",
    ]
    private static let mostChannels: UInt8 = 32

    private let bytes: [UInt8]
    private var place = 0
    private var copy: [UInt8] = []

    /// What of a packet passes.
    static func passing(_ packet: [UInt8]) throws(SoundFault) -> [UInt8] {
        var tags = SoundTags(bytes: packet)
        tags.copy.reserveCapacity(packet.count)
        while tags.place < packet.count { try tags.value() }
        return tags.copy
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() throws(SoundFault) {
        let tag = try byte()
        copy.append(tag)
        switch tag {
        case UInt8(ascii: "N"), UInt8(ascii: "0"), UInt8(ascii: "1"): break
        case UInt8(ascii: "t"): try take(text().count + 1)
        case UInt8(ascii: "B"): try take(1)
        case UInt8(ascii: "L"), UInt8(ascii: "V"): try take(4)
        case UInt8(ascii: "a"): try take(6)
        case UInt8(ascii: "R"), UInt8(ascii: "r"), UInt8(ascii: "T"), UInt8(ascii: "U"): try take(8)
        case UInt8(ascii: "x"):
            let count = try number(at: place)
            try take(4 + count)
        case UInt8(ascii: "m"): try take(1 + channels())
        case UInt8(ascii: "v"): try take(1 + 4 * channels())
        case UInt8(ascii: "P"): try properties(Self.shown)
        case UInt8(ascii: "f"):
            try take("B", 1)
            try take("P", 0)
            try properties(Self.formats)
        default: throw SoundFault()
        }
    }

    /// Names and values, until there is no name.
    private mutating func properties(_ passing: Set<String>) throws(SoundFault) {
        while try peek(0) != UInt8(ascii: "N") {
            let start = place
            guard try byte() == UInt8(ascii: "t") else { throw SoundFault() }
            let name = try text()
            place += name.count + 1
            // Its length stands twice.
            guard try byte() == UInt8(ascii: "L"), try peek(4) == UInt8(ascii: "x") else {
                throw SoundFault()
            }
            let count = try number(at: place)
            guard try number(at: place + 5) == count, count <= bytes.count - place - 9 else {
                throw SoundFault()
            }
            place += 9 + count
            if passing.contains(String(decoding: name, as: UTF8.self)) { copy += bytes[start..<place] }
        }
        try take(1)
    }

    private mutating func take(_ count: Int) throws(SoundFault) {
        guard count <= bytes.count - place else { throw SoundFault() }
        copy += bytes[place..<place + count]
        place += count
    }

    private mutating func take(_ tag: Unicode.Scalar, _ count: Int) throws(SoundFault) {
        guard try peek(0) == UInt8(ascii: tag) else { throw SoundFault() }
        try take(1 + count)
    }

    private mutating func byte() throws(SoundFault) -> UInt8 {
        let byte = try peek(0)
        place += 1
        return byte
    }

    private func peek(_ distance: Int) throws(SoundFault) -> UInt8 {
        guard place + distance < bytes.count else { throw SoundFault() }
        return bytes[place + distance]
    }

    /// Text that ends with a zero, which is there.
    private func text() throws(SoundFault) -> ArraySlice<UInt8> {
        guard let end = bytes[place...].firstIndex(of: 0) else { throw SoundFault() }
        return bytes[place..<end]
    }

    private func channels() throws(SoundFault) -> Int {
        let count = try peek(0)
        guard count <= Self.mostChannels else { throw SoundFault() }
        return Int(count)
    }

    private func number(at start: Int) throws(SoundFault) -> Int {
        guard bytes.count - start >= 4 else { throw SoundFault() }
        return Int(bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
}
