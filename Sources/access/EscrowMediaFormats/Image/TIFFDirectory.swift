internal import EscrowSourceFiles

/// Bytes of TIFF data by their offset, from memory or from a file of which parts are read; nil if they are not there.
typealias TIFFBytes = (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>?

/// How TIFF data is spelled: the order of bytes, and whether offsets and counts have eight of them (BigTIFF).
struct TIFFSpelling {
    let isLittleEndian: Bool
    let isBig: Bool

    func short(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int? {
        isLittleEndian ? bytes.little16(offset) : bytes.big16(offset)
    }

    func long(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int? {
        isLittleEndian ? bytes.little32(offset) : bytes.big32(offset)
    }

    /// Eight bytes; nil for a number that no file is long enough for.
    func longLong(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int? {
        guard let first = long(bytes, offset), let second = long(bytes, offset + 4) else { return nil }
        let (high, low) = isLittleEndian ? (second, first) : (first, second)
        return high < 1 << 31 ? high << 32 | low : nil
    }

    /// An offset or a count, as long as they are here.
    func offset(_ bytes: ArraySlice<UInt8>, _ place: Int) -> Int? {
        isBig ? longLong(bytes, place) : long(bytes, place)
    }
}

/// A directory (IFD) of TIFF data (TIFF 6.0, 2) with the values of the tags that are wanted.
///
/// Every offset comes from the file and is checked. Directories are read by name, each at most once, so nothing can go
/// round in circles.
struct TIFFDirectory {
    private static let entryLimit = 512
    /// A longer value is passed over.
    private static let valueLimit = 1 << 20

    /// A tag's value.
    private struct Value {
        let type: Int
        let count: Int
        let bytes: ArraySlice<UInt8>
    }

    private let spelling: TIFFSpelling
    private var values: [Int: Value] = [:]
    private var places: [Int: Int] = [:]

    /// Reads the directory at an offset; it is empty where there is none. The first value of each tag counts.
    ///
    /// - Parameter places: the tags of which only the place of the value is wanted.
    init(
        at offset: Int, _ spelling: TIFFSpelling, tags: Set<Int>, places: Set<Int> = [], _ bytes: TIFFBytes
    ) {
        self.spelling = spelling
        // A directory is a count, and entries of a tag, a type, a count, and an offset or the value itself.
        let (headBytes, entryBytes, wordBytes) = spelling.isBig ? (8, 20, 8) : (2, 12, 4)
        guard offset >= 8, offset < .max - (1 << 20), let head = bytes(offset, headBytes),
            let count = spelling.isBig ? spelling.longLong(head, 0) : spelling.short(head, 0)
        else { return }
        for index in 0..<min(count, Self.entryLimit) {
            guard let entry = bytes(offset + headBytes + index * entryBytes, entryBytes),
                let tag = spelling.short(entry, 0), let type = spelling.short(entry, 2),
                let count = spelling.offset(entry, 4)
            else { return }
            let place = 4 + wordBytes
            if places.contains(tag) {
                if count > wordBytes, self.places[tag] == nil {
                    self.places[tag] = spelling.offset(entry, place)
                }
                continue
            }
            guard tags.contains(tag), values[tag] == nil, let size = Self.size(type), count > 0,
                count <= Self.valueLimit / size
            else { continue }
            let length = count * size
            let value =
                length <= wordBytes
                ? entry.part(place, length)
                : spelling.offset(entry, place).flatMap { $0 <= .max - length ? bytes($0, length) : nil }
            guard let value else { continue }
            values[tag] = Value(type: type, count: count, bytes: value)
        }
    }

    /// Where the value of a tag begins, if it was asked for.
    func place(_ tag: Int) -> Int? { places[tag] }

    /// The bytes of a tag, whatever they mean.
    func bytes(_ tag: Int) -> ArraySlice<UInt8>? { values[tag]?.bytes }

    /// A number of a tag that is not negative.
    func unsigned(_ tag: Int, _ index: Int = 0) -> Int? {
        guard let value = values[tag], index < value.count else { return nil }
        return switch value.type {
        case 1: value.bytes.byte(index).map(Int.init)
        case 3: spelling.short(value.bytes, index * 2)
        case 4, 13: spelling.long(value.bytes, index * 4)
        // Some programs write signed numbers where none is negative: orientations, and where the place lies.
        case 8: spelling.short(value.bytes, index * 2).flatMap { $0 < 1 << 15 ? $0 : nil }
        case 9: spelling.long(value.bytes, index * 4).flatMap { $0 < 1 << 31 ? $0 : nil }
        case 16, 18: spelling.longLong(value.bytes, index * 8)
        default: nil
        }
    }

    /// A fraction of a tag; nil where its denominator is 0.
    func rational(_ tag: Int, _ index: Int = 0) -> Double? {
        guard let value = values[tag], index < value.count, let top = spelling.long(value.bytes, index * 8),
            let bottom = spelling.long(value.bytes, index * 8 + 4), bottom != 0
        else { return nil }
        return switch value.type {
        case 5: Double(top) / Double(bottom)
        // Some programs write places as signed fractions.
        case 10: Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom))
        default: nil
        }
    }

    /// The bytes of a text up to the first NUL.
    func ascii(_ tag: Int) -> ArraySlice<UInt8>? {
        guard let value = values[tag], value.type == 2 else { return nil }
        return value.bytes.prefix { $0 != 0 }
    }

    /// The bytes of a value of each type; nil for one that is not known.
    private static func size(_ type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: nil
        }
    }
}
