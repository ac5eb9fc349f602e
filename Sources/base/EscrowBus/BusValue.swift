/// A value of D-Bus, as far as one is read or written here (D-Bus Specification 0.42, "Type System").
public indirect enum BusValue: Sendable, Equatable {
    case bool(Bool)
    /// Every kind of whole number; those of 64 bits without a sign that are greater are refused.
    case integer(Int64)
    case double(Double)
    case string(String)
    /// An object's path.
    case path(String)
    case signature(String)
    case array([BusValue])
    case structure([BusValue])
    case entry(BusValue, BusValue)
    case variant(BusValue)
    /// For what is sent: a number of 32 bits without a sign.
    case word(UInt32)
    /// For what is sent: a number of 32 bits.
    case whole(Int32)
    /// For what is sent: an array of this type with nothing in it.
    case empty(String)

    /// The value, out of the variant that it may be in.
    public var plain: BusValue { if case .variant(let value) = self { value.plain } else { self } }
    /// Text, of a string or a path.
    public var text: String? {
        switch plain {
        case .string(let text), .path(let text): text
        default: nil
        }
    }
    /// A whole number.
    public var integer: Int64? {
        switch plain {
        case .integer(let number): number
        case .word(let number): Int64(number)
        case .whole(let number): Int64(number)
        default: nil
        }
    }
    /// A number.
    public var number: Double? {
        if case .double(let number) = plain { number } else { integer.map(Double.init) }
    }
    /// What stands behind a key of a dictionary.
    public subscript(key: String) -> BusValue? {
        guard case .array(let items) = plain else { return nil }
        for case .entry(let name, let value) in items where name.text == key { return value }
        return nil
    }

    /// How it is spelled in a signature; nil for what is not sent.
    var type: String? {
        switch self {
        case .bool: "b"
        case .word: "u"
        case .whole: "i"
        case .empty(let type): type
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .variant: "v"
        case .array(let items):
            // What is in it has one type; without anything in it that is not known, hence `empty`.
            items.first?.type.flatMap { type in items.allSatisfy { $0.type == type } ? "a" + type : nil }
        case .entry(let key, let value): key.type.flatMap { key in value.type.map { "{\(key)\($0)}" } }
        case .integer, .signature, .structure: nil
        }
    }
}
