internal import EscrowMediaFormats
internal import EscrowTableKit
internal import EscrowTabular

/// Flags for the facts that there are, then the facts: the numbers and the names.
extension ImageFacts: FileFacts {
    static let indexName = "headers"
    static let indexVersion = 7

    /// The longest text that is kept, in bytes; a header with a longer one is read anew each time.
    static let nameLimit = 2_048

    func append(to bytes: inout [UInt8]) -> Bool {
        let names = [cameraMake, cameraModel, title, description, keywords]
        guard names.allSatisfy({ ($0?.utf8.count ?? 0) <= Self.nameLimit }) else { return false }
        let words: [UInt64?] = [
            creationDate.map { UInt64(bitPattern: $0.microseconds) }, latitude?.bitPattern,
            longitude?.bitPattern, altitude?.bitPattern, pixelWidth.map { UInt64(bitPattern: $0) },
            pixelHeight.map { UInt64(bitPattern: $0) }, orientation.map { UInt64(bitPattern: $0) },
            duration?.bitPattern, rating.map { UInt64(bitPattern: $0) },
            changeDate.map { UInt64(bitPattern: $0.microseconds) },
        ]
        var flags: UInt64 = 0
        for (bit, word) in words.enumerated() where word != nil { flags |= 1 << UInt64(bit) }
        for (bit, name) in names.enumerated() where name != nil { flags |= 1 << UInt64(words.count + bit) }
        for word in [flags] + words.compactMap(\.self) { bytes.keep(word) }
        return names.compactMap(\.self).allSatisfy { bytes.keep($0.utf8) }
    }

    /// The dates alone of what ``append(to:)`` wrote; nil for anything else.
    static func dates(in bytes: UnsafeRawBufferPointer) -> ImageFacts? {
        guard bytes.count >= 8 else { return nil }
        let flags = FactsRecord.word(bytes, 0)
        /// The number of that bit; the numbers stand in the order of their bits.
        func moment(_ bit: UInt64) -> Timestamp?? {
            guard flags & (1 << bit) != 0 else { return .some(nil) }
            let place = 8 * (1 + (flags & ((1 << bit) - 1)).nonzeroBitCount)
            guard place + 8 <= bytes.count else { return nil }
            return Timestamp(microseconds: Int64(bitPattern: FactsRecord.word(bytes, place))).map {
                .some($0)
            }
        }
        guard let created = moment(0), let changed = moment(9) else { return nil }
        return ImageFacts(creationDate: created, changeDate: changed)
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = KeptReader(bytes)
        guard let flags = reader.number(), flags < 1 << 15 else { return nil }
        func next(_ bit: UInt64) -> UInt64?? {
            guard flags & (1 << bit) != 0 else { return .some(nil) }
            return reader.number().map { .some($0) }
        }
        func name(_ bit: UInt64) -> String?? {
            guard flags & (1 << bit) != 0 else { return .some(nil) }
            return reader.text(limit: Self.nameLimit)
                .flatMap { String(validating: $0, as: UTF8.self) }.map { .some($0) }
        }
        guard let date = next(0), let latitude = next(1), let longitude = next(2), let altitude = next(3),
            let width = next(4), let height = next(5), let orientation = next(6), let duration = next(7),
            let rating = next(8), let change = next(9), let make = name(10), let model = name(11),
            let title = name(12), let description = name(13), let keywords = name(14), reader.isAtEnd
        else { return nil }
        self.init()
        if let date {
            guard let moment = Timestamp(microseconds: Int64(bitPattern: date)) else { return nil }
            creationDate = moment
        }
        if let change {
            guard let moment = Timestamp(microseconds: Int64(bitPattern: change)) else { return nil }
            changeDate = moment
        }
        self.latitude = latitude.map(Double.init(bitPattern:))
        self.longitude = longitude.map(Double.init(bitPattern:))
        self.altitude = altitude.map(Double.init(bitPattern:))
        pixelWidth = width.map(Int64.init(bitPattern:))
        pixelHeight = height.map(Int64.init(bitPattern:))
        self.orientation = orientation.map(Int64.init(bitPattern:))
        self.duration = duration.map(Double.init(bitPattern:))
        self.rating = rating.map(Int64.init(bitPattern:))
        self.title = title
        self.description = description
        self.keywords = keywords
        cameraMake = make
        cameraModel = model
    }
}
