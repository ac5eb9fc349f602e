internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// Reads the few EXIF tags that become columns (CIPA DC-008, TIFF 6.0).
///
/// Every offset comes from the file and is checked; an IFD is visited at most once, so nothing can go round in circles.
struct ExifReader {
    private static let entryLimit = 512
    private let tiff: ArraySlice<UInt8>
    private let isLittleEndian: Bool

    /// A value's place: type, number of values, offset from the start of the TIFF data.
    private struct Entry {
        var type: Int
        var count: Int
        var offset: Int
    }

    /// Checks the TIFF header; nil if there is none.
    init?(_ tiff: ArraySlice<UInt8>) {
        guard let order = tiff.big16(0), order == 0x4949 || order == 0x4D4D else { return nil }
        self.tiff = tiff
        isLittleEndian = order == 0x4949
        guard short(2) == 42 else { return nil }
    }

    /// Reads all facts.
    func facts(zone: LocalZone) -> ImageFacts {
        var facts = ImageFacts()
        guard let first = long(4) else { return facts }
        let image = directory(at: first)
        facts.description = image[0x010E].flatMap { text($0, limit: 2_000) }
        facts.cameraMake = image[0x010F].flatMap { text($0) }
        facts.cameraModel = image[0x0110].flatMap { text($0) }
        if let value = image[0x0112].flatMap(unsigned), (1...8).contains(value) {
            facts.orientation = Int64(value)
        }
        let photo = image[0x8769].flatMap(unsigned).map { directory(at: $0) } ?? [:]
        facts.creationDate =
            moment(photo[0x9003], photo[0x9011], photo[0x9291], zone)
            ?? moment(photo[0x9004], photo[0x9012], photo[0x9292], zone)
        facts.changeDate = moment(image[0x0132], photo[0x9010], photo[0x9290], zone)
        if let gps = image[0x8825].flatMap(unsigned) { readPlace(directory(at: gps), into: &facts) }
        return facts
    }

    private func readPlace(_ gps: [Int: Entry], into facts: inout ImageFacts) {
        if let latitude = degrees(gps[2], gps[1], negative: "S", limit: 90),
            let longitude = degrees(gps[4], gps[3], negative: "W", limit: 180)
        {
            facts.latitude = latitude
            facts.longitude = longitude
        }
        if let entry = gps[6], let metres = rational(entry, 0), metres.magnitude < 1e6 {
            let isBelow = gps[5].flatMap(unsigned) == 1
            facts.altitude = isBelow ? -metres : metres
        }
    }

    /// Degrees, minutes and seconds with their reference; nil if one is missing or out of range.
    private func degrees(_ entry: Entry?, _ reference: Entry?, negative: Character, limit: Double) -> Double?
    {
        guard let entry, entry.count >= 1, let whole = rational(entry, 0),
            let letter = reference.flatMap({ text($0) })?.uppercased().first
        else { return nil }
        // Seconds of 0/0 are how some cameras say that minutes have a fraction.
        let minutes = entry.count > 1 ? rational(entry, 1) ?? 0 : 0
        let seconds = entry.count > 2 ? rational(entry, 2) ?? 0 : 0
        let value = whole + minutes / 60 + seconds / 3_600
        guard value.isFinite, value.magnitude <= limit else { return nil }
        return letter == negative ? -value : value
    }

    /// `2026:03:01 12:00:00` with its offset and fraction.
    private func moment(_ date: Entry?, _ offset: Entry?, _ fraction: Entry?, _ zone: LocalZone) -> Timestamp?
    {
        guard let date, date.type == 2, let bytes = bytes(date, size: 1) else { return nil }
        return ExifTime.read(
            bytes, offset: offset.flatMap { $0.type == 2 ? self.bytes($0, size: 1) : nil },
            fraction: fraction.flatMap { $0.type == 2 ? self.bytes($0, size: 1) : nil }, zone: zone)
    }

    /// The entries of an IFD by tag; the first of each tag counts.
    private func directory(at offset: Int) -> [Int: Entry] {
        guard offset >= 8, let count = short(offset) else { return [:] }
        var entries: [Int: Entry] = [:]
        for index in 0..<min(count, Self.entryLimit) {
            let at = offset + 2 + index * 12
            guard let tag = short(at), let type = short(at + 2), let count = long(at + 4) else { break }
            // A value of up to four bytes lies in the entry itself.
            guard let size = Self.size(type), count > 0, count <= tiff.count else { continue }
            let place: Int
            if count * size <= 4 {
                place = at + 8
            } else {
                guard let pointer = long(at + 8) else { continue }
                place = pointer
            }
            guard tiff.part(place, count * size) != nil, entries[tag] == nil else { continue }
            entries[tag] = Entry(type: type, count: count, offset: place)
        }
        return entries
    }

    private static func size(_ type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11: 4
        case 5, 10, 12: 8
        default: nil
        }
    }

    private func short(_ offset: Int) -> Int? { isLittleEndian ? tiff.little16(offset) : tiff.big16(offset) }
    private func long(_ offset: Int) -> Int? { isLittleEndian ? tiff.little32(offset) : tiff.big32(offset) }

    private func bytes(_ entry: Entry, size: Int) -> ArraySlice<UInt8>? {
        tiff.part(entry.offset, entry.count * size)
    }

    private func unsigned(_ entry: Entry) -> Int? {
        switch entry.type {
        case 1: tiff.byte(entry.offset).map(Int.init)
        case 3: short(entry.offset)
        case 4: long(entry.offset)
        default: nil
        }
    }

    private func rational(_ entry: Entry, _ index: Int) -> Double? {
        guard index < entry.count, let top = long(entry.offset + index * 8),
            let bottom = long(entry.offset + index * 8 + 4), bottom != 0
        else { return nil }
        switch entry.type {
        case 5: return Double(top) / Double(bottom)
        // Some programs write places as signed rationals.
        case 10: return Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom))
        default: return nil
        }
    }

    /// Text up to the first NUL, without the padding that cameras put around it.
    private func text(_ entry: Entry, limit: Int = 256) -> String? {
        guard entry.type == 2, let bytes = bytes(entry, size: 1) else { return nil }
        var clean: [UInt8] = []
        TextRepair.append(bytes.prefix(limit).prefix { $0 != 0 }.trimmed, to: &clean)
        return clean.isEmpty ? nil : String(decoding: clean, as: UTF8.self)
    }
}
