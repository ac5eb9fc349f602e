/// Which parts of a picture remain without its metadata: place, time, camera, names, texts, thumbnails, and what follows
/// its end.
///
/// JPEG and PNG are lists of parts; those that a decoder needs are kept, and no pixel is decoded. A picture in any other
/// form is refused.
public struct PictureStrip {
    /// Whether a type of pictures can be stripped.
    public static func serves(_ mediaType: String) -> Bool {
        ["image/jpeg", "image/png"].contains(mediaType)
    }

    /// The parts that remain, in order; nil if nothing of it may be handed out.
    ///
    /// - Parameter read: gives up to so many bytes from a place on, as many as there are; nil where the file cannot be read.
    public static func kept(
        of mediaType: String, size: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?
    ) -> [Range<Int>]? {
        var strip = PictureStrip(size: size, read: read)
        switch mediaType {
        case "image/jpeg": return strip.jpeg() ? strip.ranges : nil
        case "image/png": return strip.png() ? strip.ranges : nil
        default: return nil
        }
    }

    private static let block = 1 << 16
    /// The most pieces that a picture falls into.
    private static let most = 1 << 14

    private let size: Int
    private let read: (Int, Int) -> [UInt8]?
    private var ranges: [Range<Int>] = []
    private var bytes: [UInt8] = []
    private var start = 0

    private init(size: Int, read: @escaping (Int, Int) -> [UInt8]?) {
        self.size = size
        self.read = read
    }

    /// The byte at a place; nil behind the end.
    private mutating func byte(_ place: Int) -> UInt8? {
        if place < start || place >= start + bytes.count {
            guard place >= 0, place < size, let more = read(place, min(Self.block, size - place)),
                !more.isEmpty
            else { return nil }
            (bytes, start) = (more, place)
        }
        return bytes[place - start]
    }

    private mutating func number(_ place: Int, bytes count: Int) -> Int? {
        var value = 0
        for offset in 0..<count {
            guard let byte = byte(place + offset) else { return nil }
            value = value << 8 | Int(byte)
        }
        return value
    }

    private mutating func has(_ text: [UInt8], at place: Int) -> Bool {
        for (offset, wanted) in text.enumerated() where byte(place + offset) != wanted { return false }
        return true
    }

    /// Keeps a part; false if there are too many.
    private mutating func keep(_ range: Range<Int>) -> Bool {
        if let last = ranges.last, last.upperBound == range.lowerBound {
            ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            return true
        }
        ranges.append(range)
        return ranges.count <= Self.most
    }

    // MARK: JPEG

    private mutating func jpeg() -> Bool {
        guard has([0xFF, 0xD8], at: 0), keep(0..<2) else { return false }
        var place = 2
        var isScanned = false
        while true {
            guard byte(place) == 0xFF, let marker = byte(place + 1) else { return false }
            // Fill bytes may stand before a marker; they are left out.
            if marker == 0xFF {
                place += 1
                continue
            }
            if marker == 0xD9 { return isScanned && keep(place..<place + 2) }
            guard let length = number(place + 2, bytes: 2), length >= 2 else { return false }
            let end = place + 2 + length
            guard end <= size else { return false }
            switch marker {
            case 0xC0...0xCF where marker != 0xC8, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xDA:
                guard keep(place..<end) else { return false }
            case 0xE0 where length == 16 && has(Array("JFIF\0".utf8), at: place + 4),
                0xEE where length == 14 && has(Array("Adobe".utf8), at: place + 4):
                // How colours are meant, in few fixed bytes. A longer one may hold a small copy of the picture.
                guard keep(place..<end) else { return false }
            case 0xE0...0xEF, 0xFE: break
            default: return false
            }
            place = end
            guard marker == 0xDA else { continue }
            isScanned = true
            guard let next = scan(from: end), keep(end..<next) else { return false }
            place = next
        }
    }

    /// Where the marker behind a scan's coded pixels stands.
    private mutating func scan(from begin: Int) -> Int? {
        var place = begin
        while let value = byte(place) {
            if value == 0xFF {
                guard let next = byte(place + 1) else { return nil }
                // A zero marks a pixel's own FF, and restart markers stand between pixels.
                if next != 0, !(0xD0...0xD7).contains(next) { return place }
                place += 2
            } else {
                place += 1
            }
        }
        return nil
    }

    // MARK: PNG

    /// What a decoder needs, and how colours are meant in few fixed bytes.
    private static let needed: Set<String> = [
        "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "pHYs",
    ]

    private mutating func png() -> Bool {
        guard has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0), keep(0..<8) else { return false }
        var place = 8
        while true {
            guard let length = number(place, bytes: 4), let code = number(place + 4, bytes: 4),
                length <= Int(Int32.max)
            else { return false }
            let letters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
            let name = String(decoding: letters, as: UTF8.self)
            let end = place + 12 + length
            guard end <= size, place > 8 || name == "IHDR" else { return false }
            if Self.needed.contains(name) {
                guard length <= 1024 || ["IDAT", "PLTE"].contains(name), keep(place..<end) else {
                    return false
                }
                if name == "IEND" { return length == 0 }
            } else if letters[0] & 0x20 == 0 {
                // It says that no decoder may go on without it.
                return false
            }
            place = end
        }
    }
}
