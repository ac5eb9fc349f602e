internal import EscrowFormats
internal import EscrowSourceFiles

/// EXIF, IPTC and XMP as ImageMagick keeps them in a PNG, which had no chunks for them then: a text under the keyword
/// `Raw profile type` with the kind, of a name, a length and that many bytes in hexadecimal digits (ImageMagick, `coders/png.c`).
struct PNGProfiles {
    /// What the keyword of each begins with.
    static let start = Array("Raw profile type ".utf8)
    /// The longest chunk that is read, and the longest text that one is unpacked to.
    static let limit = 1 << 20

    private(set) var exif: ImageFacts?
    private(set) var iptc: ImageFacts?
    private(set) var xmp: ImageFacts?
    /// The kinds that were there, damaged or not. The first of each counts: thousands of little chunks that each unpack to much
    /// would keep the reader busy for long.
    private var seen: Set<String> = []
    private let zone: LocalZone

    init(zone: LocalZone) { self.zone = zone }

    /// Reads a chunk `tEXt`, or `zTXt`, which is packed; nothing where it is no such profile, or a damaged one.
    mutating func take(_ chunk: ArraySlice<UInt8>, isPacked: Bool) {
        // A keyword has 79 bytes at most (PNG, 11.3.4).
        guard chunk.starts(with: Self.start), let end = chunk.prefix(80).firstIndex(of: 0) else { return }
        let kind = String(decoding: chunk[..<end].dropFirst(Self.start.count), as: UTF8.self).lowercased()
        guard ["exif", "app1", "iptc", "xmp"].contains(kind), seen.insert(kind).inserted,
            let text = Self.text(chunk[(end + 1)...], isPacked), let bytes = Self.bytes(text)?[...]
        else { return }
        if kind == "iptc" {
            iptc = bytes.starts(with: "8BIM".utf8) ? IPTCReader.read(bytes) : IPTCReader.words(bytes)
        } else if kind == "xmp" {
            readXMP(bytes)
        } else if bytes.starts(with: XMPReader.signature) {
            readXMP(bytes.dropFirst(XMPReader.signature.count))
        } else if bytes.starts(with: Self.exifSignature) {
            exif = exif ?? ExifReader.facts(bytes.dropFirst(Self.exifSignature.count), zone: zone)
        }
    }

    private static let exifSignature = Array("Exif\0\0".utf8)

    private mutating func readXMP(_ packet: ArraySlice<UInt8>) {
        xmp = xmp ?? XMPReader.read(packet, zone: zone) { _ in }
    }

    private static func text(_ body: ArraySlice<UInt8>, _ isPacked: Bool) -> ArraySlice<UInt8>? {
        guard isPacked else { return body }
        // Zero is the only way to pack that there is.
        guard body.first == 0 else { return nil }
        return Inflater.unpacked(body.dropFirst(), limit: limit).map { $0[...] }
    }

    /// The bytes that the digits spell, as many as the text says.
    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let lines = text.split(separator: 0x0A, maxSplits: 2)
        guard lines.count == 3, let count = Int(String(decoding: lines[1].trimmed, as: UTF8.self)), count > 0,
            count <= lines[2].count / 2
        else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in lines[2] where !(digit == 0x20 || (0x09...0x0D).contains(digit)) {
            guard let value = value(digit) else { return nil }
            guard let first = high else {
                high = value
                continue
            }
            bytes.append(first << 4 | value)
            high = nil
            if bytes.count == count { return bytes }
        }
        return nil
    }

    /// What a hexadecimal digit stands for.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
