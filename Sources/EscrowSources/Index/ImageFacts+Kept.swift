internal import EscrowTabular

/// Flags for the facts that there are, then the facts: the numbers and the names.
extension ImageFacts: FileFacts {
    static let indexName = "headers"
    static let indexVersion = 5

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
        ]
        var flags: UInt64 = 0
        for (bit, word) in words.enumerated() where word != nil { flags |= 1 << UInt64(bit) }
        for (bit, name) in names.enumerated() where name != nil { flags |= 1 << UInt64(words.count + bit) }
        for word in [flags] + words.compactMap(\.self) { bytes.keep(word) }
        return names.compactMap(\.self).allSatisfy { bytes.keep($0.utf8) }
    }

    /// The date alone of what ``append(to:)`` wrote; nil for anything else.
    static func creationDate(in bytes: UnsafeRawBufferPointer) -> Timestamp?? {
        guard bytes.count >= 16 else {
            return bytes.count >= 8 && FactsRecord.word(bytes, 0) & 1 == 0 ? .some(nil) : nil
        }
        guard FactsRecord.word(bytes, 0) & 1 != 0 else { return .some(nil) }
        return Timestamp(microseconds: Int64(bitPattern: FactsRecord.word(bytes, 8))).map { .some($0) }
    }

    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = KeptReader(bytes)
        guard let flags = reader.number(), flags < 1 << 14 else { return nil }
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
            let rating = next(8), let make = name(9), let model = name(10), let title = name(11),
            let description = name(12), let keywords = name(13), reader.isAtEnd
        else { return nil }
        if let date {
            guard let moment = Timestamp(microseconds: Int64(bitPattern: date)) else { return nil }
            creationDate = moment
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
