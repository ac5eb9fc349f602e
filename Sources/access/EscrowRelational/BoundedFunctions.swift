internal import CSQLite
internal import EscrowDiagnostics
internal import Glibc

/// `instr`, `replace`, the two-argument `trim`, LIKE and GLOB, with bounds.
///
/// SQLite's own take as long as the lengths of their arguments multiplied, and run inside one instruction, where neither the
/// progress handler nor an interrupt can end them: `instr` of two 8 MB texts takes hours. These let the governor look at the
/// clock before they begin.
enum BoundedFunctions {
    /// The longest text to look for, in bytes.
    static let needleLength = 256
    /// The longest set of characters to trim, in bytes.
    static let trimLength = 64
    /// The longest text that `replace` yields, in bytes.
    static let replacedLength = 1 << 20

    /// Replaces SQLite's functions on a connection; false if SQLite does not take them. The session must outlive it.
    static func install(on db: OpaquePointer, for session: Session) -> Bool {
        install(
            [
                ("instr", 2, { context, _, values in BoundedFunctions.instr(context, values!) }),
                ("replace", 3, { context, _, values in BoundedFunctions.replace(context, values!) }),
                ("trim", 2, { context, _, values in BoundedFunctions.trim(context, values!, true, true) }),
                ("ltrim", 2, { context, _, values in BoundedFunctions.trim(context, values!, true, false) }),
                ("rtrim", 2, { context, _, values in BoundedFunctions.trim(context, values!, false, true) }),
                (
                    "like", 2,
                    { context, _, values in PatternFunctions.like(context, values!, hasEscape: false) }
                ),
                (
                    "like", 3,
                    { context, _, values in PatternFunctions.like(context, values!, hasEscape: true) }
                ),
                ("glob", 2, { context, _, values in PatternFunctions.glob(context, values!) }),
            ], on: db, for: session)
    }

    typealias Values = UnsafeMutablePointer<OpaquePointer?>
    typealias Function = @convention(c) (OpaquePointer?, Int32, Values?) -> Void

    /// Adds functions that SQLite may call in any statement, with how many arguments each takes.
    static func install(
        _ functions: [(name: String, arguments: Int32, body: Function)], on db: OpaquePointer,
        for session: Session
    ) -> Bool {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        let user = Unmanaged.passUnretained(session).toOpaque()
        return functions.allSatisfy {
            sqlite3_create_function_v2(db, $0.name, $0.arguments, flags, user, $0.body, nil, nil, nil)
                == SQLITE_OK
        }
    }

    /// The session that a function was installed for.
    static func session(_ context: OpaquePointer?) -> Session {
        Unmanaged<Session>.fromOpaque(sqlite3_user_data(context)!).takeUnretainedValue()
    }

    /// Whether there is time for a function to go through so many bytes; it has failed otherwise.
    static func mayGoThrough(_ bytes: Int, _ context: OpaquePointer?) -> Bool {
        let session = session(context)
        do throws(Diagnostic) {
            try session.governor.spend(bytes)
            return true
        } catch {
            if session.failure == nil { session.failure = error }
            fail(context, "the access has ended")
            return false
        }
    }

    /// The bytes of a value as text, valid until it is converted to something else; nil for NULL.
    static func text(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
        guard sqlite3_value_type(value) != SQLITE_NULL, let start = sqlite3_value_text(value) else {
            return nil
        }
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    private static func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    static func fail(_ context: OpaquePointer?, _ message: String) {
        sqlite3_result_error(context, "escrow: " + message, -1)
    }

    /// Where the needle begins at or behind `from`.
    private static func find(_ needle: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, from: Int)
        -> Int?
    {
        guard let first = needle.first else { return from }
        var at = from
        while at + needle.count <= text.count {
            guard let hit = memchr(text.baseAddress! + at, Int32(first), text.count - needle.count - at + 1)
            else {
                return nil
            }
            at = UnsafeRawPointer(hit) - text.baseAddress!
            if memcmp(hit, needle.baseAddress!, needle.count) == 0 { return at }
            at += 1
        }
        return nil
    }

    private static func instr(_ context: OpaquePointer?, _ values: Values) {
        let areBlobs =
            sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB
        if sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL {
            return
        }
        guard let text = areBlobs ? blob(values[0]) : Self.text(values[0]),
            let needle = areBlobs ? blob(values[1]) : Self.text(values[1])
        else { return sqlite3_result_error_nomem(context) }
        guard needle.count <= needleLength else {
            return fail(context, "instr looks for at most \(needleLength) bytes")
        }
        guard mayGoThrough(text.count, context) else { return }
        guard let at = find(needle, text, from: 0) else { return sqlite3_result_int(context, 0) }
        // Bytes for blobs, characters for text.
        let position = areBlobs ? at : text[..<at].count { $0 & 0xC0 != 0x80 }
        sqlite3_result_int64(context, Int64(position) + 1)
    }

    private static func replace(_ context: OpaquePointer?, _ values: Values) {
        guard let whole = text(values[0]), let needle = text(values[1]) else { return }
        if needle.isEmpty { return sqlite3_result_value(context, values[0]) }
        guard let other = text(values[2]) else { return }
        guard needle.count <= needleLength else {
            return fail(context, "replace looks for at most \(needleLength) bytes")
        }
        guard mayGoThrough(whole.count, context) else { return }
        var result: [UInt8] = []
        var at = 0
        while let hit = find(needle, whole, from: at) {
            guard result.count + (hit - at) + other.count <= replacedLength else { break }
            result.append(contentsOf: whole[at..<hit])
            result.append(contentsOf: other)
            at = hit + needle.count
        }
        guard result.count + (whole.count - at) <= replacedLength, find(needle, whole, from: at) == nil else {
            return fail(context, "replace yields at most \(replacedLength) bytes")
        }
        result.append(contentsOf: whole[at...])
        result.withUnsafeBytes { csqlite_result_text(context, $0.baseAddress, UInt64($0.count)) }
    }

    private static func trim(_ context: OpaquePointer?, _ values: Values, _ left: Bool, _ right: Bool) {
        guard let whole = text(values[0]), let set = text(values[1]) else { return }
        guard set.count <= trimLength else {
            return fail(context, "trim takes at most \(trimLength) bytes to trim")
        }
        guard mayGoThrough(whole.count, context) else { return }
        let trimmed = TrimSet(set)
        var (start, end) = (0, whole.count)
        while left, start < end, let length = trimmed.length(atStartOf: whole, start..<end) {
            start += length
        }
        while right, start < end, let length = trimmed.length(atEndOf: whole, start..<end) { end -= length }
        let rest = UnsafeRawBufferPointer(rebasing: whole[start..<end])
        csqlite_result_text(context, rest.baseAddress, UInt64(rest.count))
    }
}
