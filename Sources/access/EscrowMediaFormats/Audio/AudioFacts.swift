internal import EscrowFormats
package import EscrowTabular

/// What an audio file's header and tags say.
package struct AudioFacts: Equatable, Sendable {
    /// A text of a tag, whatever the format calls it.
    package enum Field: UInt8, CaseIterable {
        case title, artist, album, albumArtist, composer, genre
        /// When the work came out or was recorded; as little as a year.
        case date
        /// The number in the album, often with the count behind a stroke.
        case track
        case disc

        /// Whether all values are kept, one after the other, and not only the first.
        var holdsSeveral: Bool {
            switch self {
            case .artist, .albumArtist, .composer, .genre: true
            case .title, .album, .date, .track, .disc: false
            }
        }
    }

    /// The longest text that is kept, in bytes; a longer one is cut.
    package static let textLimit = 4_096

    private var texts: [Field: [UInt8]] = [:]
    /// The length in seconds.
    package var duration: Double?
    /// When the file was recorded, as its container says.
    package var recorded: Timestamp?

    package init() {}

    /// Whether the title or a name is missing that most tags hold.
    var lacksNames: Bool { texts[.title] == nil || texts[.artist] == nil || texts[.album] == nil }

    /// Adds a value of a field. It is put right where it is not UTF-8; an empty one, or a second one where one is the rule,
    /// changes nothing.
    package mutating func add(_ field: Field, _ value: ArraySlice<UInt8>) {
        let value = value.prefix(Self.textLimit)
        let known = texts[field]
        guard known == nil || field.holdsSeveral, (known?.count ?? 0) < Self.textLimit else { return }
        var clean: [UInt8] = []
        TextRepair.append(Self.whole(value), to: &clean)
        let text = clean[...].trimmed
        guard !text.isEmpty else { return }
        texts[field] = known.map { $0 + "; ".utf8 + text } ?? Array(text)
    }

    /// Takes texts as ``text(_:)`` gave them, in place of those that are there.
    package mutating func restore(_ texts: [Field: [UInt8]]) { self.texts = texts }

    /// Takes over the texts of fields that have none.
    package mutating func fill(from other: AudioFacts) { texts.merge(other.texts) { own, _ in own } }

    /// A text, as clean UTF-8.
    package func text(_ field: Field) -> ArraySlice<UInt8>? { texts[field].map { $0[...] } }

    /// A number that a text begins with: the track of `3/12`, the year of `1999-05-01`.
    package func number(_ field: Field) -> Int64? {
        guard let text = texts[field] else { return nil }
        let digits = text.prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard let number = digits.prefix(10).decimal, number > 0, digits.count <= 9 else { return nil }
        return Int64(number)
    }

    /// The year: the first four digits in a row of the date.
    package var year: Int64? {
        guard let text = texts[.date] else { return nil }
        for run in text.split(whereSeparator: { $0 < 0x30 || $0 > 0x39 }) where run.count == 4 {
            return run.decimal.flatMap { $0 > 0 ? Int64($0) : nil }
        }
        // 19990501, as some programs write it.
        return text.count == 8 ? text.prefix(4).decimal.flatMap { $0 > 0 ? Int64($0) : nil } : nil
    }

    /// Without the last bytes of a character that the cut went through.
    private static func whole(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard text.count == textLimit else { return text }
        var rest = text
        for _ in 0..<3 {
            if TextRepair.isValidUTF8(rest) { return rest }
            rest = rest.dropLast()
        }
        return TextRepair.isValidUTF8(rest) ? rest : text
    }
}

/// Which facts of an audio file are wanted; the rest is not looked for.
package struct AudioNeeds: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Titles, names, dates.
    package static let tags = AudioNeeds(rawValue: 1)
    /// The length, which some formats tell at the end of the file alone.
    package static let duration = AudioNeeds(rawValue: 2)
    /// All that is kept of a file.
    package static let all: AudioNeeds = [.tags, .duration]
}
