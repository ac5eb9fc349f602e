internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads what people said of a picture out of IPTC-IIM (version 4.2), which lies in a JPEG's segment of Photoshop resources or
/// in a tag of TIFF.
enum IPTCReader {
    /// What the segment begins with.
    static let signature = Array("Photoshop 3.0\0".utf8)
    /// The longest text that is kept.
    private static let textLimit = 2_000

    /// Reads the resources behind the signature; nil where none of them is IPTC.
    static func read(_ resources: ArraySlice<UInt8>) -> ImageFacts? {
        var offset = 0
        while resources.part(offset, 4)?.elementsEqual("8BIM".utf8) == true,
            let kind = resources.big16(offset + 4), let nameLength = resources.byte(offset + 6)
        {
            // The name with its length, and the data, are each filled up to an even number of bytes.
            let name = (Int(nameLength) + 2) & ~1
            guard let size = resources.big32(offset + 6 + name),
                let data = resources.part(offset + 10 + name, size)
            else { return nil }
            if kind == 0x0404 { return words(data) }
            offset += 10 + name + (size + 1) & ~1
        }
        return nil
    }

    /// Reads the datasets: a tag, record and number, a length, a value.
    static func words(_ data: ArraySlice<UInt8>) -> ImageFacts {
        var facts = ImageFacts()
        var offset = 0
        while data.byte(offset) == 0x1C, let record = data.byte(offset + 1),
            let number = data.byte(offset + 2),
            let size = data.big16(offset + 3), let value = data.part(offset + 5, size)
        {
            // A length with the highest bit set is that of a longer length; nothing that is read here is so long.
            guard size < 0x8000 else { break }
            offset += 5 + size
            guard record == 2, let text = text(value) else { continue }
            switch number {
            case 5: facts.title = facts.title ?? text
            case 120: facts.description = facts.description ?? text
            case 25 where (facts.keywords?.utf8.count ?? 0) < textLimit:
                facts.keywords = facts.keywords.map { $0 + "; " + text } ?? text
            default: break
            }
        }
        return facts
    }

    private static func text(_ value: ArraySlice<UInt8>) -> String? {
        var clean: [UInt8] = []
        // Files name their charset wrongly: valid UTF-8 is UTF-8, the rest is nearly always Windows-1252.
        TextRepair.append(value.prefix(textLimit).trimmed, to: &clean)
        return clean.isEmpty ? nil : String(decoding: clean, as: UTF8.self)
    }
}
