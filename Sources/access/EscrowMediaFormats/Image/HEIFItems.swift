internal import EscrowSourceFiles

/// The items that a `meta` box describes, as far as the primary picture, its EXIF and its XMP need them.
struct HEIFItems {
    /// Where an item's bytes are.
    struct Place {
        /// 0: in the file; 1: in the `idat` box.
        var construction: Int
        package var offset: Int64
        package var length: Int
    }

    /// The place of the EXIF item.
    private(set) var exif: Place?
    /// The place of the XMP item.
    private(set) var xmp: Place?
    /// The primary picture's size as stored.
    private(set) var primarySize: (width: Int, height: Int)?
    /// Whether it is shown turned by a quarter.
    private(set) var isTurned = false
    /// The content of `idat`.
    private(set) var data: ArraySlice<UInt8>?

    private static let itemLimit = 65_536

    /// Reads the boxes; nil without a primary item.
    init?(_ meta: ArraySlice<UInt8>) {
        var primary: Int?
        var metadata: [(id: Int, isXMP: Bool)] = []
        var locations: ArraySlice<UInt8>?
        var properties: ArraySlice<UInt8>?
        var references: ArraySlice<UInt8>?
        Self.forEachBox(in: meta) { name, content in
            if name.elementsEqual("pitm".utf8) {
                primary = content.byte(0) == 0 ? content.big16(4) : content.big32(4)
            } else if name.elementsEqual("iinf".utf8) {
                metadata = Self.metadata(content)
            } else if name.elementsEqual("iloc".utf8) {
                locations = content
            } else if name.elementsEqual("iprp".utf8) {
                properties = content
            } else if name.elementsEqual("idat".utf8) {
                data = content
            } else if name.elementsEqual("iref".utf8) {
                references = content
            }
        }
        guard let primary else { return nil }
        // Of several items of a kind, the one that describes the primary picture (`cdsc`).
        let described = references.map { Self.describing(primary, in: $0) } ?? []
        func place(isXMP: Bool) -> Place? {
            let items = metadata.filter { $0.isXMP == isXMP }.map(\.id)
            guard let item = items.first(where: described.contains) ?? items.first, let locations else {
                return nil
            }
            return Self.place(of: item, in: locations)
        }
        exif = place(isXMP: false)
        xmp = place(isXMP: true)
        if let properties { readProperties(properties, of: primary) }
    }

    /// Calls `visit` for each box with its four-letter name; stops at one that does not fit.
    static func forEachBox(
        in bytes: ArraySlice<UInt8>, _ visit: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Void
    ) {
        var offset = 0
        var count = 0
        while let size = bytes.big32(offset), let name = bytes.part(offset + 4, 4), count < itemLimit {
            let length = size == 0 ? bytes.count - offset : size
            // A box of more than 4 GiB (size 1) has no place within a meta box of at most 1 MiB.
            guard length >= 8, let content = bytes.part(offset + 8, length - 8) else { return }
            visit(name, content)
            offset += length
            count += 1
        }
    }

    /// The ids of items of EXIF and of XMP in `iinf`: those of type `Exif`, and those of type `mime` whose media type is XMP's
    /// (ISO/IEC 23008-12, A.2 and A.3).
    private static func metadata(_ content: ArraySlice<UInt8>) -> [(id: Int, isXMP: Bool)] {
        var items: [(id: Int, isXMP: Bool)] = []
        let start = content.byte(0) == 0 ? 6 : 8
        forEachBox(in: content.dropFirst(min(start, content.count))) { name, entry in
            guard name.elementsEqual("infe".utf8), let version = entry.byte(0), version >= 2 else { return }
            // Version 2 has 16-bit ids, version 3 32-bit ones; then the protection index, then the type.
            let at = version == 2 ? 8 : 10
            guard let id = version == 2 ? entry.big16(4) : entry.big32(4), let type = entry.part(at, 4) else {
                return
            }
            if type.elementsEqual("Exif".utf8) { items.append((id, false)) }
            guard type.elementsEqual("mime".utf8) else { return }
            // The item's name, then its media type, each with a NUL behind it.
            let words = entry.dropFirst(at + 4).split(
                separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            if words.count >= 2, words[1].elementsEqual("application/rdf+xml".utf8) {
                items.append((id, true))
            }
        }
        return items
    }

    /// The items that describe another, by `iref`.
    private static func describing(_ primary: Int, in content: ArraySlice<UInt8>) -> Set<Int> {
        var found: Set<Int> = []
        let isLong = content.byte(0) != 0
        let width = isLong ? 4 : 2
        forEachBox(in: content.dropFirst(min(4, content.count))) { name, entry in
            guard name.elementsEqual("cdsc".utf8), let from = isLong ? entry.big32(0) : entry.big16(0),
                let count = entry.big16(width)
            else { return }
            for index in 0..<count {
                let at = width + 2 + index * width
                guard let to = isLong ? entry.big32(at) : entry.big16(at) else { return }
                if to == primary { found.insert(from) }
            }
        }
        return found
    }

    /// An item's first extent in `iloc`; EXIF in several pieces is not read.
    private static func place(of wanted: Int, in content: ArraySlice<UInt8>) -> Place? {
        guard let version = content.byte(0), version <= 2, let sizes = content.big16(4) else { return nil }
        let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
        let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
        var at = version < 2 ? 8 : 10
        guard let count = version < 2 ? content.big16(6) : content.big32(6), count <= itemLimit else {
            return nil
        }
        func number(_ size: Int) -> Int64? {
            defer { at += size }
            switch size {
            case 0: return 0
            case 4: return content.big32(at).map(Int64.init)
            case 8: return content.big64(at).flatMap { Int64(exactly: $0) }
            default: return nil
            }
        }
        for _ in 0..<count {
            guard let id = version < 2 ? content.big16(at) : content.big32(at) else { return nil }
            at += version < 2 ? 2 : 4
            var construction = 0
            if version > 0 {
                guard let bits = content.big16(at) else { return nil }
                construction = bits & 15
                at += 2
            }
            at += 2
            guard let base = number(baseSize), let extents = content.big16(at) else { return nil }
            at += 2
            for _ in 0..<extents {
                guard number(indexSize) != nil, let offset = number(offsetSize),
                    let length = number(lengthSize)
                else {
                    return nil
                }
                guard id == wanted else { continue }
                let place = base.addingReportingOverflow(offset)
                guard !place.overflow, place.partialValue >= 0, extents == 1, let size = Int(exactly: length)
                else {
                    return nil
                }
                return Place(construction: construction, offset: place.partialValue, length: size)
            }
        }
        return nil
    }

    /// Finds the primary picture's `ispe` and `irot` through `ipma`.
    private mutating func readProperties(_ content: ArraySlice<UInt8>, of primary: Int) {
        var list: [(name: [UInt8], content: ArraySlice<UInt8>)] = []
        var indices: [Int] = []
        Self.forEachBox(in: content) { name, box in
            if name.elementsEqual("ipco".utf8) {
                Self.forEachBox(in: box) { list.append((Array($0), $1)) }
            } else if name.elementsEqual("ipma".utf8), indices.isEmpty {
                indices = Self.associations(box, of: primary)
            }
        }
        for index in indices where index >= 1 && index <= list.count {
            let property = list[index - 1]
            if property.name.elementsEqual("ispe".utf8), let width = property.content.big32(4),
                let height = property.content.big32(8), width > 0, height > 0
            {
                primarySize = (width, height)
            } else if property.name.elementsEqual("irot".utf8), let angle = property.content.byte(0) {
                isTurned = angle & 1 == 1
            }
        }
    }

    /// The positions, from 1, of an item's properties.
    private static func associations(_ content: ArraySlice<UInt8>, of primary: Int) -> [Int] {
        guard let version = content.byte(0), let flags = content.byte(3), let count = content.big32(4),
            count <= itemLimit
        else { return [] }
        var at = 8
        for _ in 0..<count {
            guard let id = version == 0 ? content.big16(at) : content.big32(at) else { return [] }
            at += version == 0 ? 2 : 4
            guard let number = content.byte(at) else { return [] }
            at += 1
            var indices: [Int] = []
            for _ in 0..<number {
                // The first bit says that the property is essential.
                if flags & 1 == 1 {
                    guard let index = content.big16(at) else { return [] }
                    indices.append(index & 0x7FFF)
                    at += 2
                } else {
                    guard let index = content.byte(at) else { return [] }
                    indices.append(Int(index & 0x7F))
                    at += 1
                }
            }
            if id == primary { return indices }
        }
        return []
    }
}
