/// A message of D-Bus.
public struct BusMessage: Sendable, Equatable {
    /// What it is for.
    public enum Kind: UInt8, Sendable {
        case call = 1
        case reply = 2
        case failure = 3
        case signal = 4
    }

    /// What it is for.
    public let kind: Kind
    /// The call that it answers.
    public private(set) var replyTo: Int64?
    /// The object that it is about.
    public private(set) var path: String?
    /// The interface that the member belongs to.
    public private(set) var interface: String?
    /// A method or a signal.
    public private(set) var member: String?
    /// What went wrong, by name.
    public private(set) var error: String?
    /// Who sent it, by the name that the bus gave them.
    public private(set) var sender: String?
    /// What it carries.
    public private(set) var body: [BusValue] = []

    /// The bytes of a call.
    public static func call(
        serial: UInt32, destination: String, path: String, interface: String, member: String,
        _ arguments: [BusValue]
    ) -> [UInt8] {
        var body = BusWriter()
        arguments.forEach { body.append($0) }
        var fields = BusWriter()
        for (code, type, value) in [
            (1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination),
        ] {
            fields.field(UInt8(code), type)
            fields.append(.string(value))
        }
        if !arguments.isEmpty {
            fields.field(8, "g")
            fields.append(signature: arguments.compactMap(\.type).joined())
        }
        // Call; nothing is started for the sake of it but what the bus itself starts; version 1.
        var message = BusWriter(bytes: [UInt8(ascii: "l"), 1, 0, 1])
        for number in [UInt32(body.bytes.count), serial, UInt32(fields.bytes.count)] {
            message.append(.word(number))
        }
        message.bytes += fields.bytes
        message.pad(8)
        return message.bytes + body.bytes
    }

    /// How many bytes follow the first sixteen of a message; nil for what is no message, or one of more than 64 KiB.
    static func size(of head: [UInt8]) -> (fields: Int, body: Int)? {
        guard head.count == 16, head[0] == UInt8(ascii: "l"), head[3] == 1 else { return nil }
        func number(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(head[offset + $1]) << (8 * $1) } }
        let (body, fields) = (number(4), number(12))
        guard body <= 1 << 16, fields <= 1 << 16 else { return nil }
        return (fields, body)
    }

    /// Reads a message of sixteen bytes and what `size` said of them.
    init?(head: [UInt8], rest: [UInt8]) {
        guard let size = Self.size(of: head), let kind = Kind(rawValue: head[1]),
            rest.count == (size.fields + 7) / 8 * 8 + size.body
        else { return nil }
        self.kind = kind
        // As an array of its own, whose length the head has.
        let count = head[12..<16]
        var reader = BusReader(Array(count) + [0, 0, 0, 0] + Array(rest.prefix(size.fields)))
        guard case .array(let fields)? = reader.values("a(yv)")?.first, reader.isAtEnd else { return nil }
        var signature = ""
        for case .structure(let field) in fields where field.count == 2 {
            switch (field[0].integer, field[1].plain) {
            case (1, .path(let value)): path = value
            case (2, .string(let value)): interface = value
            case (3, .string(let value)): member = value
            case (4, .string(let value)): error = value
            case (5, .integer(let value)): replyTo = value
            case (7, .string(let value)): sender = value
            case (8, .signature(let value)): signature = value
            default: break
            }
        }
        var contents = BusReader(Array(rest.suffix(size.body)))
        guard let body = contents.values(signature), contents.isAtEnd else { return nil }
        self.body = body
    }
}

/// Writes values of D-Bus.
struct BusWriter {
    var bytes: [UInt8] = []

    mutating func pad(_ boundary: Int) { while bytes.count % boundary != 0 { bytes.append(0) } }

    /// The beginning of a field of a head: its code and the type of what follows.
    mutating func field(_ code: UInt8, _ type: String) {
        pad(8)
        bytes.append(code)
        append(signature: type)
    }

    mutating func append(signature: String) {
        bytes += [UInt8(signature.utf8.count)] + Array(signature.utf8) + [0]
    }

    mutating func append(_ value: BusValue) {
        switch value {
        case .bool(let bool): append(.word(bool ? 1 : 0))
        case .word(let word):
            pad(4)
            bytes += withUnsafeBytes(of: word.littleEndian, Array.init)
        case .double(let double):
            pad(8)
            bytes += withUnsafeBytes(of: double.bitPattern.littleEndian, Array.init)
        case .string(let text), .path(let text):
            append(.word(UInt32(text.utf8.count)))
            bytes += Array(text.utf8) + [0]
        case .variant(let inner):
            append(signature: inner.type ?? "")
            append(inner)
        case .whole(let number): append(.word(UInt32(bitPattern: number)))
        case .empty(let type):
            append(.word(0))
            // An array begins where its first item would, also where there is none.
            if type.hasPrefix("a{") || type.hasPrefix("a(") { pad(8) }
        case .array(let items): if value.type != nil { append(array: items) }
        case .entry(let key, let inner):
            pad(8)
            append(key)
            append(inner)
        // Nothing that is sent has them.
        case .integer, .signature, .structure: break
        }
    }

    /// Its length is that of its items, without what lies before the first.
    private mutating func append(array items: [BusValue]) {
        pad(4)
        let place = bytes.count
        append(.word(0))
        if let type = items.first?.type { pad(BusReader.boundary(type.utf8.first ?? 0)) }
        let start = bytes.count
        items.forEach { append($0) }
        let length = UInt32(bytes.count - start)
        bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: length.littleEndian, Array.init))
    }
}
