internal import CSQLite

/// LIKE and GLOB as functions of ours: SQLite's own matching, behind a bound and a look at the clock.
///
/// As SQLite knows them by name only, terms with them are offered to tables as before; the ranges that it derives from its own
/// LIKE are not.
enum PatternFunctions {
    /// The most steps of one match, about as many as text and pattern have bytes, multiplied: some tenths of a second.
    static let mostSteps = 64 << 20
    /// As SQLite was built: whether a blob is matched at all.
    private static let matchesBlobs = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS") == 0

    static func glob(_ context: OpaquePointer?, _ values: BoundedFunctions.Values) {
        guard mayMatch(context, values), let pattern = sqlite3_value_text(values[0]),
            let text = sqlite3_value_text(values[1]), isAffordable(context, values)
        else { return }
        sqlite3_result_int(context, sqlite3_strglob(chars(pattern), chars(text)) == 0 ? 1 : 0)
    }

    static func like(_ context: OpaquePointer?, _ values: BoundedFunctions.Values, hasEscape: Bool) {
        guard mayMatch(context, values) else { return }
        var escape: UInt32 = 0
        if hasEscape {
            guard let bytes = sqlite3_value_text(values[2]) else { return }
            guard let character = oneCharacter(bytes) else {
                return BoundedFunctions.fail(context, "ESCAPE takes one character")
            }
            escape = character
        }
        guard let pattern = sqlite3_value_text(values[0]), let text = sqlite3_value_text(values[1]),
            isAffordable(context, values)
        else { return }
        let order =
            if let other = respelt(pattern, escape) {
                sqlite3_strlike(other, chars(text), UInt32(Self.otherEscape))
            } else {
                sqlite3_strlike(chars(pattern), chars(text), escape)
            }
        sqlite3_result_int(context, order == 0 ? 1 : 0)
    }

    private static func chars(_ text: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)
    }

    /// What SQLite asks before it looks at the texts.
    private static func mayMatch(_ context: OpaquePointer?, _ values: BoundedFunctions.Values) -> Bool {
        if !matchesBlobs, (0..<2).contains(where: { sqlite3_value_type(values[$0]) == SQLITE_BLOB }) {
            sqlite3_result_int(context, 0)
            return false
        }
        guard sqlite3_value_bytes(values[0]) <= Lockdown.patternLength else {
            BoundedFunctions.fail(
                context, "a pattern of LIKE or GLOB is longer than \(Lockdown.patternLength) bytes")
            return false
        }
        return true
    }

    private static func isAffordable(_ context: OpaquePointer?, _ values: BoundedFunctions.Values) -> Bool {
        let steps = Int(sqlite3_value_bytes(values[0])) * Int(sqlite3_value_bytes(values[1]))
        guard steps <= mostSteps else {
            BoundedFunctions.fail(context, "a text is too long for this pattern of LIKE or GLOB")
            return false
        }
        return BoundedFunctions.mayGoThrough(steps, context)
    }

    /// The code of the only character; nil for another number of them. Reads as SQLite does, also what is not UTF-8.
    private static func oneCharacter(_ text: UnsafePointer<UInt8>) -> UInt32? {
        let first = text[0]
        guard first != 0 else { return nil }
        var code = UInt32(first)
        var length = 1
        if first >= 0xC0 {
            // The bits behind the leading ones and a zero.
            code &= first < 0xE0 ? 0x1F : first < 0xF0 ? 0x0F : first < 0xF8 ? 7 : first < 0xFC ? 3 : 1
            if first >= 0xFE { code = 0 }
            while text[length] & 0xC0 == 0x80 {
                code = code << 6 &+ UInt32(text[length] & 0x3F)
                length += 1
            }
            if code < 0x80 || code & 0xFFFF_F800 == 0xD800 || code & 0xFFFF_FFFE == 0xFFFE { code = 0xFFFD }
        }
        return text[length] == 0 ? code : nil
    }

    private static let otherEscape: UInt8 = 1

    /// The pattern with another escape where its own is a wildcard, for which SQLite's public function takes it; nil otherwise.
    private static func respelt(_ pattern: UnsafePointer<UInt8>, _ escape: UInt32) -> [CChar]? {
        guard escape == UInt32(UInt8(ascii: "%")) || escape == UInt32(UInt8(ascii: "_")) else { return nil }
        var bytes: [UInt8] = []
        var at = 0
        while pattern[at] != 0 {
            if UInt32(pattern[at]) == escape {
                at += 1
                bytes.append(otherEscape)
                if pattern[at] == 0 { break }
            } else if pattern[at] == otherEscape {
                bytes.append(otherEscape)
            }
            bytes.append(pattern[at])
            at += 1
        }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }
}
