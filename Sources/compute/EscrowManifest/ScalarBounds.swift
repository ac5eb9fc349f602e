import EscrowDiagnostics
public import EscrowJSON

/// One value of a scalar type.
public enum Scalar: Sendable, Hashable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case boolean(Bool)

    /// Byte for byte the same text, and for numbers the same number: to Swift a letter and its combining mark equal the one
    /// composed letter, and the Kelvin sign a K, but what reads the bytes can tell them apart.
    public static func == (left: Scalar, right: Scalar) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.boolean(let left), .boolean(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): hasher.combine(value)
        case .boolean(let value): hasher.combine(value)
        }
    }

    /// The value as JSON.
    public var json: JSONValue {
        switch self {
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        case .boolean(let value): .bool(value)
        }
    }

    /// Reads a node as a value of a type; nil if it is of another.
    init?(_ node: JSONNode, type: ScalarBounds.ScalarType) {
        switch (type, node.content) {
        case (.integer, .integer(let value)): self = .integer(value)
        case (.real, .integer(let value)): self = .real(Double(value))
        case (.real, .real(let value)): self = .real(value)
        case (.text, .string(let value)): self = .text(value)
        case (.boolean, .bool(let value)): self = .boolean(value)
        default: return nil
        }
    }
}

/// The type of a scalar and what it may be: parameters and egress fields.
public struct ScalarBounds: Sendable, Hashable {
    /// The type.
    public let type: ScalarType
    /// The least number allowed.
    public let minimum: Double?
    /// The greatest number allowed.
    public let maximum: Double?
    /// For whole numbers the same two bounds exactly, since a `Double` holds 53 bits only.
    public let integerRange: ClosedRange<Int64>
    /// For text: the most Unicode scalars.
    public let maxLength: Int?
    /// The only values allowed; nil means no such list.
    public let oneOf: [Scalar]?

    /// The types that a scalar can have.
    public enum ScalarType: String, Sendable, Hashable, CaseIterable {
        case integer
        case real
        case text
        case boolean
    }

    /// Reads `type`, `min`, `max`, `maxLength` and `oneOf`; whoever called asks for further members and finishes.
    init(_ reader: inout ManifestReader, textNeedsBound: Bool) throws(Diagnostic) {
        let type: ScalarType = try reader.word("type")
        self.type = type
        let minimum = reader.optional("min")
        let maximum = reader.optional("max")
        let lengthNode = reader.optional("maxLength")
        let isNumber = type == .integer || type == .real
        if let node = minimum ?? maximum, !isNumber {
            throw reader.failure(.membersContradict, "only numbers have \"min\" and \"max\"", at: node)
        }
        if let node = lengthNode, type != .text {
            throw reader.failure(.membersContradict, "only text has \"maxLength\"", at: node)
        }
        if type == .integer {
            let low = try minimum.map { node throws(Diagnostic) in
                try reader.integer(node, path: reader.path(of: "min"), in: .min ... .max)
            }
            let high = try maximum.map { node throws(Diagnostic) in
                try reader.integer(node, path: reader.path(of: "max"), in: .min ... .max)
            }
            guard low ?? .min <= high ?? .max else {
                throw reader.failure(
                    .membersContradict, "\"min\" is greater than \"max\"", at: reader.position)
            }
            integerRange = (low ?? .min)...(high ?? .max)
            self.minimum = low.map(Double.init)
            self.maximum = high.map(Double.init)
        } else {
            integerRange = .min ... .max
            self.minimum = try reader.real(minimum, path: "min")
            self.maximum = try reader.real(maximum, path: "max")
            if let low = self.minimum, let high = self.maximum, low > high {
                throw reader.failure(
                    .membersContradict, "\"min\" is greater than \"max\"", at: reader.position)
            }
        }
        maxLength = try lengthNode.map { node throws(Diagnostic) in
            Int(try reader.integer(node, path: reader.path(of: "maxLength"), in: 1...65_536))
        }
        oneOf = try reader.choices(type)
        guard type != .text || !textNeedsBound || maxLength != nil || oneOf != nil else {
            throw reader.failure(
                .membersContradict, "the text \"\(reader.path)\" has neither \"maxLength\" nor \"oneOf\"",
                at: reader.position,
                help: "say how long it can be, so that people can see how much it can carry")
        }
    }

    /// A number in a range.
    init(real range: ClosedRange<Double>) {
        type = .real
        (minimum, maximum) = (range.lowerBound, range.upperBound)
        integerRange = .min ... .max
        maxLength = nil
        oneOf = nil
    }

    /// A text of at most so many letters.
    init(text length: Int) {
        type = .text
        (minimum, maximum) = (nil, nil)
        integerRange = .min ... .max
        maxLength = length
        oneOf = nil
    }

    /// Whether a value is allowed.
    public func allows(_ value: Scalar) -> Bool {
        if let oneOf { return oneOf.contains(value) }
        switch (type, value) {
        case (.integer, .integer(let number)): return integerRange.contains(number)
        case (.real, .real(let number)):
            return number.isFinite && number >= minimum ?? -.infinity && number <= maximum ?? .infinity
        case (.text, .text(let text)):
            return text.unicodeScalars.count <= maxLength ?? .max && !text.utf8.contains(0)
        case (.boolean, .boolean): return true
        default: return false
        }
    }

    /// Reads a value from its text on a command line; nil if it is not one that is allowed.
    public func read(_ text: String) -> Scalar? {
        let value: Scalar?
        switch type {
        case .integer: value = Int64(text).map(Scalar.integer)
        case .real: value = Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case .text: value = .text(text)
        case .boolean: value = text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        }
        guard let value, allows(value) else { return nil }
        return value
    }

    /// The type and its bounds in words: `a whole number from 18 to 120`; of a long list how many values there are, and the first.
    public var words: String { words(longest: 300) }

    /// The same for a list of changes.
    var briefWords: String { words(longest: 48) }

    private func words(longest: Int) -> String {
        if let oneOf { return Self.words(of: oneOf, longest: longest) }
        switch type {
        case .integer: return "a whole number" + Self.range(integerLow, integerHigh)
        case .real: return "a number" + Self.range(minimum.map(\.description), maximum.map(\.description))
        case .text: return maxLength.map { "text of at most \($0) characters" } ?? "text"
        case .boolean: return "true or false"
        }
    }

    /// As many values as there is room for; where that is not all of them, how many there are stands first.
    private static func words(of values: [Scalar], longest: Int) -> String {
        var room = longest
        var shown: [String] = []
        for value in values {
            let text = String(decoding: JSONWriter.line(value.json), as: UTF8.self)
            let brief = Brief.middle(text, longest: longest)
            room -= brief.unicodeScalars.count
            guard room >= 0 else { break }
            shown.append(brief)
        }
        let list = shown.joined(separator: ", ")
        return shown.count == values.count
            ? "one of \(list)" : "one of \(values.count) values, such as \(list)"
    }

    private var integerLow: String? { minimum == nil ? nil : String(integerRange.lowerBound) }
    private var integerHigh: String? { maximum == nil ? nil : String(integerRange.upperBound) }

    static func range(_ low: String?, _ high: String?) -> String {
        switch (low, high) {
        case (let low?, let high?): " from \(low) to \(high)"
        case (let low?, nil): " of at least \(low)"
        case (nil, let high?): " of at most \(high)"
        case (nil, nil): ""
        }
    }

    /// An upper bound of the bits that one value can carry.
    public var capacityBits: Double {
        if let oneOf { return Capacity.bits(choices: Double(oneOf.count)) }
        switch type {
        case .boolean: return 1
        case .integer: return Capacity.bits(integerRange)
        case .real: return 64
        case .text: return Double(maxLength ?? 65_536) * Capacity.bitsPerScalar
        }
    }
}

extension ManifestReader {
    func real(_ node: JSONNode?, path name: String) throws(Diagnostic) -> Double? {
        guard let node else { return nil }
        do { return try node.requireReal() } catch {
            throw .manifest(error, path: path(of: name), file: file)
        }
    }

    /// The member `oneOf`: 1 to 256 different values of a type.
    mutating func choices(_ type: ScalarBounds.ScalarType) throws(Diagnostic) -> [Scalar]? {
        guard let node = optional("oneOf") else { return nil }
        var values: [Scalar] = []
        for item in try list(node, path: path(of: "oneOf"), maximum: 256) {
            guard let value = Scalar(item, type: type) else {
                throw failure(.wrongType, "\"\(path(of: "oneOf"))\" lists a value of another type", at: item)
            }
            if case .text = value { _ = try text(item, path: path(of: "oneOf"), maximum: 200) }
            guard !values.contains(value) else {
                throw failure(.namedTwice, "\"\(path(of: "oneOf"))\" lists a value twice", at: item)
            }
            values.append(value)
        }
        guard !values.isEmpty else {
            throw failure(
                .listEmptyOrTooLong, "\"\(path(of: "oneOf"))\" is empty: no value would be allowed", at: node)
        }
        return values
    }
}
