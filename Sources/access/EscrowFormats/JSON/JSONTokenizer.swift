package import EscrowSourceFiles
internal import Glibc

/// JSON as a stream of tokens (RFC 8259), in memory that does not depend on the file's size.
///
/// It exists because a location history of 500 MB must not be held whole. Strings and numbers are kept up to a limit
/// and cut beyond; whoever reads takes a cut one for no value.
package struct JSONTokenizer: ~Copyable {
    package enum Token: Equatable {
        case beginObject, endObject, beginArray, endArray, name, string, number, literal, end
    }

    /// Why reading stopped.
    package enum Failure: Error, Equatable {
        case syntax, tooDeep, truncated
        case unreadable(Int32)
    }

    package static let depthLimit = 64
    package static let textLimit = 1_024
    package static let blockSize = 64 << 10

    private enum Expectation { case value, valueOrEnd, nameOrEnd, name, colon, commaOrEnd, nothing }

    private let file: SharedDescriptor?
    private let size: Int64
    private var buffer: [UInt8]
    private var position = 0
    private var count = 0
    private var base: Int64 = 0
    /// One entry per open bracket: true for an object.
    private var stack: [Bool] = []
    private var expectation = Expectation.value
    /// The text of the last name, string or number, escapes undone; cut at the limit.
    package private(set) var text: [UInt8] = []
    /// Whether it was cut.
    package private(set) var isCut = false
    /// Where the last token began.
    package private(set) var offset: Int64 = 0
    /// The line of the reading place, from 1.
    package private(set) var line = 1

    /// Reads the one value that begins at `start`, in blocks of `blockSize`.
    package init(
        _ file: SharedDescriptor, size: Int64, from start: Int64 = 0,
        blockSize: Int = JSONTokenizer.blockSize
    ) {
        self.file = file
        self.size = size
        base = start
        buffer = [UInt8](repeating: 0, count: blockSize)
    }

    /// Reads the one value in `bytes`.
    package init(_ bytes: ArraySlice<UInt8>) {
        file = nil
        size = 0
        buffer = Array(bytes)
        count = buffer.count
    }

    /// The number of open brackets.
    package var depth: Int { stack.count }

    /// The next token.
    package mutating func next() throws(Failure) -> Token {
        while true {
            guard let byte = try skipSpace() else {
                if case .nothing = expectation { return .end }
                throw .truncated
            }
            offset = base + Int64(position)
            switch expectation {
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw .syntax }
                position += 1
                expectation = .value
                continue
            case .commaOrEnd where byte == UInt8(ascii: ","):
                position += 1
                expectation = stack.last == true ? .name : .value
                continue
            case .nothing: throw .syntax
            default: return try token(byte)
            }
        }
    }

    /// Passes over the value that began with `token`, or would begin with the next.
    package mutating func skip(_ token: Token) throws(Failure) {
        guard token == .beginObject || token == .beginArray else { return }
        let outer = stack.count - 1
        while stack.count > outer { _ = try next() }
    }

    private mutating func token(_ byte: UInt8) throws(Failure) -> Token {
        switch byte {
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            let isObject = byte == UInt8(ascii: "}")
            switch expectation {
            case .commaOrEnd: guard stack.last == isObject else { throw .syntax }
            case .nameOrEnd: guard isObject else { throw .syntax }
            case .valueOrEnd: guard !isObject else { throw .syntax }
            default: throw .syntax
            }
            position += 1
            stack.removeLast()
            endValue()
            return isObject ? .endObject : .endArray
        case UInt8(ascii: "\""):
            let isName: Bool
            switch expectation {
            case .name, .nameOrEnd: isName = true
            case .value, .valueOrEnd: isName = false
            default: throw .syntax
            }
            try readString()
            if isName { expectation = .colon } else { endValue() }
            return isName ? .name : .string
        default: break
        }
        switch expectation {
        case .value, .valueOrEnd: break
        default: throw .syntax
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard stack.count < Self.depthLimit else { throw .tooDeep }
            position += 1
            let isObject = byte == UInt8(ascii: "{")
            stack.append(isObject)
            expectation = isObject ? .nameOrEnd : .valueOrEnd
            return isObject ? .beginObject : .beginArray
        case UInt8(ascii: "-"), 0x30...0x39:
            try readWord()
            endValue()
            return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            try readWord()
            guard ["true", "false", "null"].contains(where: { text.elementsEqual($0.utf8) }) else {
                throw .syntax
            }
            endValue()
            return .literal
        default: throw .syntax
        }
    }

    private mutating func endValue() { expectation = stack.isEmpty ? .nothing : .commaOrEnd }

    /// The next byte that is no white space, not yet taken.
    private mutating func skipSpace() throws(Failure) -> UInt8? {
        while true {
            while position < count {
                let byte = buffer[position]
                switch byte {
                case 0x0A: line += 1
                case 0x20, 0x09, 0x0D: break
                case 0xEF
                where base == 0 && position == 0 && count >= 3 && buffer[1] == 0xBB && buffer[2] == 0xBF:
                    position += 2
                default: return byte
                }
                position += 1
            }
            guard try fill() else { return nil }
        }
    }

    private mutating func readWord() throws(Failure) {
        text.removeAll(keepingCapacity: true)
        isCut = false
        while true {
            while position < count {
                let byte = buffer[position]
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    keep(byte)
                    position += 1
                default: return
                }
            }
            guard try fill() else { return }
        }
    }

    private mutating func readString() throws(Failure) {
        text.removeAll(keepingCapacity: true)
        isCut = false
        position += 1
        while true {
            while position < count {
                keepRun()
                guard position < count else { break }
                let byte = buffer[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return
                case UInt8(ascii: "\\"): try readEscape()
                default: throw .syntax
                }
            }
            guard try fill() else { throw .truncated }
        }
    }

    /// Keeps the bytes up to the next quote, backslash or control character, or to the end of the block.
    private mutating func keepRun() {
        let start = position
        while position < count {
            let byte = buffer[position]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            position += 1
        }
        let room = Self.textLimit - text.count
        if position - start > room { isCut = true }
        text.append(contentsOf: buffer[start..<min(position, start + room)])
    }

    private mutating func readEscape() throws(Failure) {
        switch try take() {
        case UInt8(ascii: "n"): keep(0x0A)
        case UInt8(ascii: "t"): keep(0x09)
        case UInt8(ascii: "r"): keep(0x0D)
        case UInt8(ascii: "b"): keep(0x08)
        case UInt8(ascii: "f"): keep(0x0C)
        case UInt8(ascii: "\\"): keep(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): keep(UInt8(ascii: "/"))
        case UInt8(ascii: "\""): keep(UInt8(ascii: "\""))
        case UInt8(ascii: "u"):
            var value: UInt16 = 0
            for _ in 0..<4 {
                guard let digit = Character(Unicode.Scalar(try take())).hexDigitValue else { throw .syntax }
                value = value << 4 | UInt16(digit)
            }
            // The degree sign is the only one that the values read here are written with; a surrogate stands for
            // something in a text that nobody reads.
            let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
            for byte in String(Character(scalar)).utf8 { keep(byte) }
        default: throw .syntax
        }
    }

    private mutating func take() throws(Failure) -> UInt8 {
        if position == count, !(try fill()) { throw .truncated }
        defer { position += 1 }
        return buffer[position]
    }

    private mutating func keep(_ byte: UInt8) {
        if text.count < Self.textLimit { text.append(byte) } else { isCut = true }
    }

    /// Reads the next block; false at the end. What was in the buffer has been taken.
    private mutating func fill() throws(Failure) -> Bool {
        base += Int64(count)
        position = 0
        count = 0
        let wanted = Int(min(Int64(buffer.count), size - base))
        guard wanted > 0 else { return false }
        guard let file, let got = file.read(into: &buffer, range: 0..<wanted, at: base) else {
            throw .unreadable(errno)
        }
        count = got
        return got > 0
    }
}
