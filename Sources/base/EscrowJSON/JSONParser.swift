/// A strict reader of one JSON text (RFC 8259), for manifests, envelopes and protocol lines.
///
/// Stricter than the RFC wherever two readers might understand different things: no byte order mark, no name twice
/// in an object, no NUL, no half surrogates, no `-0`, no number beyond what 64 bits hold. `1` is a whole number;
/// `1.0` and `1e0` are not.
public struct JSONParser {
    /// What the reader accepts at most.
    public struct Limits: Sendable {
        /// Nested arrays and objects.
        public var depth: Int
        /// Bytes of text.
        public var bytes: Int
        /// Values, counting every element: bounds memory, since `[[],[],…]` takes far more than its text.
        public var values: Int
        /// Sets limits; the defaults suit a manifest.
        public init(depth: Int = 64, bytes: Int = 1 << 20, values: Int = 100_000) {
            self.depth = depth
            self.bytes = bytes
            self.values = values
        }
    }

    /// Reads a text that holds exactly one value.
    public static func parse(_ text: some Sequence<UInt8>, limits: Limits = Limits()) throws(JSONError)
        -> JSONNode
    {
        var parser = JSONParser(bytes: Array(text), limits: limits)
        return try parser.document()
    }

    /// Reads a text that holds exactly one value.
    public static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONNode {
        try parse(text.utf8, limits: limits)
    }

    private let bytes: [UInt8]
    private let limits: Limits
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    private var valuesLeft: Int

    private init(bytes: [UInt8], limits: Limits) {
        self.bytes = bytes
        self.limits = limits
        valuesLeft = limits.values
    }

    private var position: JSONPosition {
        JSONPosition(line: line, column: offset - lineStart + 1, offset: offset)
    }

    private func failure(_ reason: JSONError.Reason) -> JSONError { JSONError(reason, at: position) }

    private mutating func document() throws(JSONError) -> JSONNode {
        guard bytes.count <= limits.bytes else { throw failure(.tooLarge) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw failure(.byteOrderMark) }
        skipSpace()
        let node = try value(depth: 0)
        skipSpace()
        guard offset == bytes.count else { throw failure(.trailingBytes) }
        return node
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0D: offset += 1
            case 0x0A:
                offset += 1
                line += 1
                lineStart = offset
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONNode {
        guard depth <= limits.depth else { throw failure(.tooDeep) }
        guard valuesLeft > 0 else { throw failure(.tooLarge) }
        valuesLeft -= 1
        let start = position
        guard offset < bytes.count else { throw failure(.unexpectedEnd) }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return JSONNode(.object(try members(depth: depth)), at: start)
        case UInt8(ascii: "["): return JSONNode(.array(try items(depth: depth)), at: start)
        case UInt8(ascii: "\""): return JSONNode(.string(try string()), at: start)
        case UInt8(ascii: "t"):
            try word("true")
            return JSONNode(.bool(true), at: start)
        case UInt8(ascii: "f"):
            try word("false")
            return JSONNode(.bool(false), at: start)
        case UInt8(ascii: "n"):
            try word("null")
            return JSONNode(.null, at: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return JSONNode(try number(), at: start)
        default: throw failure(.unexpectedByte)
        }
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[offset] == word.utf8Start[index] else { throw failure(.unexpectedByte) }
            offset += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func items(depth: Int) throws(JSONError) -> [JSONNode] {
        offset += 1
        var items: [JSONNode] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return items }
        while true {
            skipSpace()
            items.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return items }
            guard take(UInt8(ascii: ",")) else {
                throw failure(offset < bytes.count ? .unexpectedByte : .unexpectedEnd)
            }
        }
    }

    private mutating func members(depth: Int) throws(JSONError) -> [JSONNode.Member] {
        offset += 1
        var members: [JSONNode.Member] = []
        var seen = Names()
        skipSpace()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            let start = position
            guard offset < bytes.count else { throw failure(.unexpectedEnd) }
            guard bytes[offset] == UInt8(ascii: "\"") else { throw failure(.unexpectedByte) }
            let name = try string()
            if let first = seen.add(name, among: members) {
                throw JSONError(.duplicateMember(name, firstLine: first.position.line), at: start)
            }
            skipSpace()
            guard take(UInt8(ascii: ":")) else {
                throw failure(offset < bytes.count ? .unexpectedByte : .unexpectedEnd)
            }
            skipSpace()
            members.append(JSONNode.Member(name: name, position: start, value: try value(depth: depth + 1)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else {
                throw failure(offset < bytes.count ? .unexpectedByte : .unexpectedEnd)
            }
        }
    }

    /// The names of an object's members. They compare by their UTF-8 bytes: Swift's String equality would join canonically
    /// equivalent names that another reader keeps apart.
    private struct Names {
        /// The index of each name's member, once there are many.
        private var indices: [[UInt8]: Int] = [:]
        private static let few = 16

        /// The member that has the name already; nil for a new one.
        mutating func add(_ name: String, among members: [JSONNode.Member]) -> JSONNode.Member? {
            guard members.count >= Self.few else {
                return members.first { $0.name.utf8.elementsEqual(name.utf8) }
            }
            if indices.isEmpty {
                for (index, member) in members.enumerated() { indices[Array(member.name.utf8)] = index }
            }
            return indices.updateValue(members.count, forKey: Array(name.utf8)).map { members[$0] }
        }
    }

    private mutating func string() throws(JSONError) -> String {
        let start = position
        offset += 1
        let end = endOfRun(from: offset)
        let run = bytes[offset..<end]
        offset = end
        if take(UInt8(ascii: "\"")) {
            // Nothing in it is escaped, as in most.
            guard let string = String(validating: run, as: UTF8.self) else {
                throw JSONError(.invalidText, at: start)
            }
            return string
        }
        var text = Array(run)
        while true {
            guard offset < bytes.count else { throw failure(.unexpectedEnd) }
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw JSONError(.invalidText, at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &text)
            case 0..<0x20: throw failure(.controlCharacter)
            default:
                text.append(byte)
                offset += 1
            }
        }
    }

    /// Where the next byte stands that ends a text, begins an escape or is not allowed.
    private func endOfRun(from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, bytes[index] >= 0x20, bytes[index] != UInt8(ascii: "\""),
                bytes[index] != UInt8(ascii: "\\")
            {
                index += 1
            }
            return index
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard offset < bytes.count else { throw failure(.unexpectedEnd) }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw failure(.invalidText) }
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw failure(.invalidText) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard code != 0, let scalar = Unicode.Scalar(code) else { throw failure(.invalidText) }
            text.append(contentsOf: UTF8.encode(scalar)!)
        default: throw failure(.invalidEscape)
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count else { throw failure(.unexpectedEnd) }
            let digit: UInt32
            switch bytes[offset] {
            case let byte where (0x30...0x39).contains(byte): digit = UInt32(byte - 0x30)
            case let byte where (0x41...0x46).contains(byte): digit = UInt32(byte - 0x41 + 10)
            case let byte where (0x61...0x66).contains(byte): digit = UInt32(byte - 0x61 + 10)
            default: throw failure(.invalidEscape)
            }
            code = code << 4 | digit
            offset += 1
        }
        return code
    }

    /// A number of at most 64 characters: longer literals only serve to make a reader slow.
    private mutating func number() throws(JSONError) -> JSONNode.Content {
        let start = position
        var isWhole = true
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
                throw JSONError(.invalidNumber, at: start)
            }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let literal = bytes[start.offset..<offset]
        guard literal.count <= 64 else { throw JSONError(.invalidNumber, at: start) }
        let text = String(decoding: literal, as: UTF8.self)
        if isWhole {
            guard text != "-0" else { throw JSONError(.invalidNumber, at: start) }
            guard let integer = Int64(text) else { throw JSONError(.integerOutOfRange, at: start) }
            return .integer(integer)
        }
        guard let real = Double(text), real.isFinite else { throw JSONError(.invalidNumber, at: start) }
        return .real(real)
    }

    private mutating func digits() throws(JSONError) {
        guard offset < bytes.count else { throw failure(.unexpectedEnd) }
        guard (0x30...0x39).contains(bytes[offset]) else { throw failure(.invalidNumber) }
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) { offset += 1 }
    }
}
