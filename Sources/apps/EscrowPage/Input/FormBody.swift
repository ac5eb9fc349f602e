/// The fields of a form, application/x-www-form-urlencoded, read strictly.
public struct FormBody: Sendable, Equatable {
    /// The most bytes of one: rules are the longest that anybody sends.
    public static let maximumBytes = 1 << 20
    static let maximumFields = 1024

    /// In the order in which they came.
    public let fields: [(name: String, value: String)]

    /// Nil for what no form of ours sends: a broken escape, text that is no UTF-8, too much.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes else { return nil }
        var fields: [(name: String, value: String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard fields.count < Self.maximumFields, let mark = part.firstIndex(of: UInt8(ascii: "=")),
                let name = Self.decoded(part[..<mark]), let value = Self.decoded(part[(mark + 1)...])
            else { return nil }
            fields.append((name, value))
        }
        self.fields = fields
    }

    /// The one value of a name; nil where there is none, or more than one.
    public subscript(name: String) -> String? {
        let found = fields.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// All values of a name.
    public func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    public static func == (left: FormBody, right: FormBody) -> Bool {
        left.fields.elementsEqual(right.fields) { $0.name == $1.name && $0.value == $1.value }
    }

    /// Percent escapes and plus signs undone; nil where an escape is none, or the text is no UTF-8.
    public static func decoded(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else { return nil }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
