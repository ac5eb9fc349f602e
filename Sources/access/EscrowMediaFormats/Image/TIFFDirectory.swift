internal import EscrowSourceFiles

/// Bytes of TIFF data by their offset, from memory or from a file of which parts are read; nil if they are not there.
typealias TIFFBytes = (_ offset: Int, _ count: Int) -> ArraySlice<UInt8>?

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

    let isLittleEndian: Bool
    private var values: [Int: Value] = [:]

    /// Reads the directory at an offset; it is empty where there is none. The first value of each tag counts.
    init(at offset: Int, isLittleEndian: Bool, tags: Set<Int>, _ bytes: TIFFBytes) {
        self.isLittleEndian = isLittleEndian
        guard offset >= 8, let head = bytes(offset, 2), let count = short(head, 0) else { return }
        let size = min(count, Self.entryLimit) * 12
        for index in 0..<size / 12 {
            guard let entry = bytes(offset + 2 + index * 12, 12), let tag = short(entry, 0),
                let type = short(entry, 2), let count = long(entry, 4)
            else { return }
            // A value of up to four bytes lies in the entry itself.
            guard tags.contains(tag), values[tag] == nil, let size = Self.size(type), count > 0,
                count <= Self.valueLimit / size, let pointer = long(entry, 8),
                let value = count * size <= 4 ? entry.part(8, count * size) : bytes(pointer, count * size)
            else { continue }
            values[tag] = Value(type: type, count: count, bytes: value)
        }
    }

    /// The bytes of a tag, whatever they mean.
    func bytes(_ tag: Int) -> ArraySlice<UInt8>? { values[tag]?.bytes }

    /// A number of a tag that is not negative.
    func unsigned(_ tag: Int, _ index: Int = 0) -> Int? {
        guard let value = values[tag], index < value.count else { return nil }
        return switch value.type {
        case 1: value.bytes.byte(index).map(Int.init)
        case 3: short(value.bytes, index * 2)
        case 4, 13: long(value.bytes, index * 4)
        default: nil
        }
    }

    /// A fraction of a tag; nil where its denominator is 0.
    func rational(_ tag: Int, _ index: Int = 0) -> Double? {
        guard let value = values[tag], index < value.count, let top = long(value.bytes, index * 8),
            let bottom = long(value.bytes, index * 8 + 4), bottom != 0
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
        case 5, 10, 12: 8
        default: nil
        }
    }

    private func short(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int? {
        isLittleEndian ? bytes.little16(offset) : bytes.big16(offset)
    }

    private func long(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> Int? {
        isLittleEndian ? bytes.little32(offset) : bytes.big32(offset)
    }
}
