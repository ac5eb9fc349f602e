/// A token of SQL, by SQLite's own rules (tokenize.c), so that no text is a comment here and code there.
struct Token {
    enum Kind {
        /// A bare word: a keyword or an identifier.
        case word
        /// An identifier in `"..."`, `[...]` or backticks.
        case quoted
        /// A text or blob literal.
        case text
        case number
        /// `:name`, and the other forms of parameters.
        case parameter
        case semicolon
        case other
    }

    let kind: Kind
    /// Where the token lies, as offsets in bytes.
    let range: Range<Int>
}

/// The tokens of SQL text, without white space and comments.
struct TokenList {
    let bytes: [UInt8]
    private(set) var tokens: [Token] = []

    init(_ sql: String) {
        bytes = Array(sql.utf8)
        var at = 0
        while let token = next(&at) { tokens.append(token) }
    }

    func text(_ token: Token) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    /// The text of a bare word in upper case, nil for any other token.
    func keyword(_ token: Token) -> String? { token.kind == .word ? text(token).uppercased() : nil }

    /// Whether a token is a bare word and spells one of some keywords, which are given in upper case.
    func isKeyword(_ token: Token, _ words: StaticString...) -> Bool {
        guard token.kind == .word else { return false }
        return words.contains { word in
            word.utf8CodeUnitCount == token.range.count
                && zip(
                    bytes[token.range], UnsafeBufferPointer(start: word.utf8Start, count: token.range.count)
                )
                .allSatisfy { byte, letter in byte & 0xDF == letter }
        }
    }

    /// Line and column, counted from 1, of an offset; columns count characters.
    func position(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes[..<min(max(offset, 0), bytes.count)]
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return (
            before.count { $0 == 0x0A } + 1, before[start...].count { $0 & 0xC0 != 0x80 } + 1
        )
    }

    private func byte(_ at: Int) -> UInt8 { at < bytes.count ? bytes[at] : 0 }

    private func next(_ at: inout Int) -> Token? {
        skipSpace(&at)
        guard at < bytes.count else { return nil }
        let start = at
        func token(_ kind: Token.Kind) -> Token { Token(kind: kind, range: start..<at) }
        let first = bytes[at]
        at += 1
        switch first {
        case UInt8(ascii: "'"):
            skipQuoted(&at, until: first)
            return token(.text)
        case UInt8(ascii: "\""), UInt8(ascii: "`"):
            skipQuoted(&at, until: first)
            return token(.quoted)
        case UInt8(ascii: "["):
            while at < bytes.count, bytes[at] != UInt8(ascii: "]") { at += 1 }
            at = min(at + 1, bytes.count)
            return token(.quoted)
        case UInt8(ascii: ";"): return token(.semicolon)
        case UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: ":"):
            skipWord(&at)
            return token(first == UInt8(ascii: ":") && at == start + 1 ? .other : .parameter)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            while isWord(byte(at)) || byte(at) == UInt8(ascii: ".") { at += 1 }
            return token(.number)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            if byte(at) == UInt8(ascii: "'") {
                at += 1
                skipQuoted(&at, until: UInt8(ascii: "'"))
                return token(.text)
            }
            skipWord(&at)
            return token(.word)
        default:
            guard isWord(first) else { return token(.other) }
            skipWord(&at)
            return token(.word)
        }
    }

    private func skipSpace(_ at: inout Int) {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x09, 0x0A, 0x0C, 0x0D: at += 1
            case UInt8(ascii: "-") where byte(at + 1) == UInt8(ascii: "-"):
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            // "/*" at the very end is a slash and a star to SQLite; an unclosed comment reaches to the end.
            case UInt8(ascii: "/") where byte(at + 1) == UInt8(ascii: "*") && at + 2 < bytes.count:
                at += 2
                // As in tokenize.c: the closing slash is looked for from the third byte on, behind a star.
                var previous = byte(at)
                at += 1
                while at <= bytes.count, !(previous == UInt8(ascii: "*") && byte(at) == UInt8(ascii: "/")) {
                    previous = byte(at)
                    at += 1
                }
                at = min(at + 1, bytes.count)
            default: return
            }
        }
    }

    private func skipQuoted(_ at: inout Int, until quote: UInt8) {
        while at < bytes.count {
            at += 1
            guard bytes[at - 1] == quote else { continue }
            guard byte(at) == quote else { return }
            at += 1
        }
    }

    private func skipWord(_ at: inout Int) {
        while isWord(byte(at)) { at += 1 }
    }

    /// SQLite's IdChar: letters, digits, `_`, `$` and every byte beyond ASCII.
    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }
}
