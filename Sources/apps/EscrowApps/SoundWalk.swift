/// One walk over the values of a packet, each behind a tag that says what it is. They are copied as they are passed.
struct SoundWalk {
    private static let mostChannels: UInt8 = 32

    private let bytes: [UInt8]
    private let shown: Set<String>
    private let formats: Set<String>
    private let own: [UInt8]
    private var place = 0
    private var copy: [UInt8] = []
    private var hasProperties = false

    /// Of properties, and of those of formats, these names pass; all properties end with the escrow's own.
    init(_ bytes: [UInt8], shown: Set<String>, formats: Set<String>, own: [UInt8]) {
        self.bytes = bytes
        self.shown = shown
        self.formats = formats
        self.own = own
        copy.reserveCapacity(bytes.count + own.count)
    }

    /// What passes.
    mutating func all() throws(SoundFault) -> [UInt8] {
        while place < bytes.count { try value() }
        return copy
    }

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
        case UInt8(ascii: "P"):
            // No request has two lists of them.
            guard !hasProperties else { throw SoundFault() }
            hasProperties = true
            try properties(shown, and: own)
        case UInt8(ascii: "f"):
            try take("B", 1)
            try take("P", 0)
            try properties(formats, and: [])
        default: throw SoundFault()
        }
    }

    /// Names and values, until there is no name.
    private mutating func properties(
        _ passing: Set<String>, and own: [UInt8]
    ) throws(SoundFault) {
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
        copy += own
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
