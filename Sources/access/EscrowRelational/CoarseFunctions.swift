internal import CSQLite
internal import EscrowMinimisation

/// `deresolve`, `round_to`, `pseudonym` and `in_sample`: what an app can do to hand its plugin less than a column holds.
/// The same value functions as those of coarser tables, under other keys, so that none undoes the other.
enum CoarseFunctions {
    /// Adds the functions to a connection; false if SQLite does not take them. The session must outlive it.
    static func install(on db: OpaquePointer, for session: Session) -> Bool {
        BoundedFunctions.install(
            [
                ("deresolve", 2, { context, _, values in CoarseFunctions.deresolve(context, values!) }),
                ("round_to", 2, { context, _, values in CoarseFunctions.round(context, values!) }),
                ("pseudonym", 1, { context, _, values in CoarseFunctions.pseudonym(context, values!) }),
                ("in_sample", 2, { context, _, values in CoarseFunctions.sample(context, values!) }),
            ], on: db, for: session)
    }

    private typealias Values = BoundedFunctions.Values

    private static func deresolve(_ context: OpaquePointer?, _ values: Values) {
        guard let text = BoundedFunctions.text(values[0]) else { return }
        let name = BoundedFunctions.text(values[1]).map { String(decoding: $0, as: UTF8.self) }
        guard let name, let resolution = ColumnTransform.Resolution(rawValue: name) else {
            return BoundedFunctions.fail(
                context, "deresolve goes to 'minute', 'hour', 'day', 'month' or 'year'")
        }
        Coarse.deresolve(text, to: resolution)?.withUnsafeBytes { answer(context, $0) }
    }

    private static func round(_ context: OpaquePointer?, _ values: Values) {
        let decimals = Int(clamping: sqlite3_value_int64(values[1]))
        guard sqlite3_value_type(values[1]) == SQLITE_INTEGER,
            ColumnTransform.decimalsRange.contains(decimals)
        else { return BoundedFunctions.fail(context, "round_to takes from -12 to 12 decimals") }
        switch sqlite3_value_numeric_type(values[0]) {
        case SQLITE_INTEGER:
            sqlite3_result_int64(context, Coarse.round(sqlite3_value_int64(values[0]), decimals: decimals))
        case SQLITE_FLOAT:
            sqlite3_result_double(context, Coarse.round(sqlite3_value_double(values[0]), decimals: decimals))
        default: break
        }
    }

    private static func pseudonym(_ context: OpaquePointer?, _ values: Values) {
        guard let hash = hash(context) else { return }
        switch sqlite3_value_type(values[0]) {
        case SQLITE_NULL: break
        case SQLITE_INTEGER:
            sqlite3_result_int64(
                context, hash.pseudonym(.queryPseudonym, integer: sqlite3_value_int64(values[0])))
        default:
            guard let text = BoundedFunctions.text(values[0]) else { return }
            hash.pseudonym(.queryPseudonym, text: text).withUnsafeBytes { answer(context, $0) }
        }
    }

    /// 1 or 0: whether a record with this key is in the sample.
    private static func sample(_ context: OpaquePointer?, _ values: Values) {
        guard let hash = hash(context) else { return }
        let share = sqlite3_value_double(values[1])
        guard sqlite3_value_type(values[1]) == SQLITE_FLOAT, share > 0, share < 1 else {
            return BoundedFunctions.fail(context, "in_sample takes a share between 0 and 1, such as 0.1")
        }
        guard let key = BoundedFunctions.text(values[0]) else { return }
        let isIn = hash.isSampled(.querySample, key, perMillion: Int((share * 1_000_000).rounded()))
        sqlite3_result_int(context, isIn ? 1 : 0)
    }

    private static func hash(_ context: OpaquePointer?) -> KeyedHash? {
        let session = BoundedFunctions.session(context)
        if session.hash == nil {
            BoundedFunctions.fail(context, "there is no key here for pseudonyms and samples")
        }
        return session.hash
    }

    private static func answer(_ context: OpaquePointer?, _ bytes: UnsafeRawBufferPointer) {
        csqlite_result_text(context, bytes.baseAddress, UInt64(bytes.count))
    }
}
