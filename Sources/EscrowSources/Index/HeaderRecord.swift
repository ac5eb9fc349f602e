internal import EscrowTabular

/// What was read of one picture's header, and of which file: one record of a ``HeaderIndex``.
///
/// The file is told by a hash of its path, and by what changes with its content: i-node, size and time of change. No path and
/// no name is kept.
struct HeaderRecord: Equatable {
    /// Which state of which file.
    struct Key: Equatable {
        let path: UInt64
        let inode: UInt64
        let size: Int64
        let modified: Int64
    }

    let key: Key
    let facts: ImageFacts

    /// The longest text that is kept, in bytes; a header with a longer one is read anew each time.
    static let nameLimit = 2_048

    /// Appends the record: a check sum, the length of the rest, the key, flags for the facts that there are, the facts.
    func append(to bytes: inout [UInt8]) {
        let names = [
            facts.cameraMake, facts.cameraModel, facts.title, facts.description, facts.keywords,
        ]
        guard names.allSatisfy({ ($0?.utf8.count ?? 0) <= Self.nameLimit }) else { return }
        var body: [UInt8] = []
        body.reserveCapacity(128)
        let words: [UInt64?] = [
            facts.creationDate.map { UInt64(bitPattern: $0.microseconds) }, facts.latitude?.bitPattern,
            facts.longitude?.bitPattern, facts.altitude?.bitPattern,
            facts.pixelWidth.map { UInt64(bitPattern: $0) }, facts.pixelHeight.map { UInt64(bitPattern: $0) },
            facts.orientation.map { UInt64(bitPattern: $0) }, facts.duration?.bitPattern,
            facts.rating.map { UInt64(bitPattern: $0) },
        ]
        var flags: UInt64 = 0
        for (bit, word) in words.enumerated() where word != nil { flags |= 1 << UInt64(bit) }
        for (bit, name) in names.enumerated() where name != nil { flags |= 1 << UInt64(words.count + bit) }
        let head = [
            key.path, key.inode, UInt64(bitPattern: key.size), UInt64(bitPattern: key.modified), flags,
        ]
        for word in head + words.compactMap(\.self) {
            withUnsafeBytes(of: word.littleEndian) { body.append(contentsOf: $0) }
        }
        for name in names.compactMap(\.self) {
            withUnsafeBytes(of: UInt16(name.utf8.count).littleEndian) { body.append(contentsOf: $0) }
            body.append(contentsOf: name.utf8)
        }
        let sum = body.withUnsafeBytes { Self.sum($0) }
        withUnsafeBytes(of: sum.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt16(body.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: body)
    }

    /// The bytes before a record's body.
    static let prefixLength = 6
    /// The bytes of a key.
    static let keyLength = 32

    /// The body that begins at an offset; nil if what stands there is no whole record.
    static func body(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UnsafeRawBufferPointer? {
        guard offset <= bytes.count - prefixLength else { return nil }
        let sum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        let length = Int(
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)))
        let start = offset + prefixLength
        guard length >= keyLength + 8, length <= bytes.count - start else { return nil }
        let body = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
        return Self.sum(body) == sum ? body : nil
    }

    /// The key at the start of a body.
    static func key(_ body: UnsafeRawBufferPointer) -> Key {
        Key(
            path: word(body, 0), inode: word(body, 8), size: Int64(bitPattern: word(body, 16)),
            modified: Int64(bitPattern: word(body, 24)))
    }

    /// Reads a body whose sum is right; nil if it is no record all the same.
    init?(_ body: UnsafeRawBufferPointer) {
        let flags = Self.word(body, Self.keyLength)
        guard flags < 1 << 14 else { return nil }
        var at = Self.keyLength + 8
        func next(_ bit: UInt64) -> UInt64?? {
            guard flags & (1 << bit) != 0 else { return .some(nil) }
            guard at <= body.count - 8 else { return nil }
            defer { at += 8 }
            return Self.word(body, at)
        }
        func name(_ bit: UInt64) -> String?? {
            guard flags & (1 << bit) != 0 else { return .some(nil) }
            guard at <= body.count - 2 else { return nil }
            let length = Int(UInt16(littleEndian: body.loadUnaligned(fromByteOffset: at, as: UInt16.self)))
            guard length <= body.count - at - 2 else { return nil }
            defer { at += 2 + length }
            return String(validating: body[at + 2..<at + 2 + length], as: UTF8.self).map { .some($0) }
        }
        guard let date = next(0), let latitude = next(1), let longitude = next(2), let altitude = next(3),
            let width = next(4), let height = next(5), let orientation = next(6),
            let duration = next(7), let rating = next(8), let make = name(9), let model = name(10),
            let title = name(11), let description = name(12), let keywords = name(13), at == body.count
        else { return nil }
        var facts = ImageFacts()
        if let date {
            guard let moment = Timestamp(microseconds: Int64(bitPattern: date)) else { return nil }
            facts.creationDate = moment
        }
        facts.latitude = latitude.map(Double.init(bitPattern:))
        facts.longitude = longitude.map(Double.init(bitPattern:))
        facts.altitude = altitude.map(Double.init(bitPattern:))
        facts.pixelWidth = width.map(Int64.init(bitPattern:))
        facts.pixelHeight = height.map(Int64.init(bitPattern:))
        facts.orientation = orientation.map(Int64.init(bitPattern:))
        facts.duration = duration.map(Double.init(bitPattern:))
        facts.rating = rating.map(Int64.init(bitPattern:))
        facts.title = title
        facts.description = description
        facts.keywords = keywords
        facts.cameraMake = make
        facts.cameraModel = model
        key = Self.key(body)
        self.facts = facts
    }

    init(key: Key, facts: ImageFacts) {
        self.key = key
        self.facts = facts
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    /// A sum against torn and rotten bytes, not against people: FNV-1a, folded.
    private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let hash = FNV.hash(bytes)
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}

/// Fowler, Noll and Vo's hash 1a with 64 bits.
enum FNV {
    static func hash(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
