import Glibc

/// The shape and size of what a plugin returns: a closed schema of four kinds.
///
/// The host writes a record or a table out again from the typed values (``normalize(_:)``), so that spacing, the order of
/// keys and the spelling of numbers carry nothing.
public struct ResultSchema: Sendable, Hashable {
    /// The kind and its parts.
    public let kind: Kind
    /// The most bytes of the result as the host writes it.
    public let maxBytes: Int
    /// What the app learns by a text or by bytes, in the publisher's words; fields have words of their own.
    let learns: String?

    /// The four kinds.
    public enum Kind: Sendable, Hashable {
        /// One object with these fields, in this order.
        case record([ResultField])
        /// Rows with these columns.
        case table(Table)
        /// Text that the host cannot look into.
        case text(mediaType: String, maxLength: Int)
        /// Bytes that the host cannot look into.
        case bytes(mediaType: String)
    }

    /// Rows.
    public struct Table: Sendable, Hashable {
        /// The columns, in order.
        public let columns: [ResultField]
        /// The most rows.
        public let maxRows: Int
        /// The columns that the host sorts by first; all others follow, so that the order of rows carries nothing.
        public let orderBy: [Order]
    }

    /// One column to sort by.
    public struct Order: Sendable, Hashable {
        /// The column.
        public let column: String
        /// Greatest first.
        public let descending: Bool
    }

    /// The word that a manifest uses for the kind.
    public var kindWord: String {
        switch kind {
        case .record: "record"
        case .table: "table"
        case .text: "text"
        case .bytes: "bytes"
        }
    }

    /// The fields of a record or the columns of a table.
    public var fields: [ResultField] {
        switch kind {
        case .record(let fields): fields
        case .table(let table): table.columns
        case .text, .bytes: []
        }
    }

    /// The largest result that a manifest may ask for, in bytes.
    public static let maximumBytes = 16 << 20
}

/// A field of a record or a column of a table.
public struct ResultField: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// What its value must be.
    public let type: ResultType
    /// Whether it may be null.
    public let nullable: Bool
    /// Whether its text may hold letters that cannot be seen: see ``ResultText``.
    public let mayHoldInvisible: Bool
    /// What the app learns by it, in the publisher's words; nil in a manifest of a time when none were asked for.
    public let learns: String?
}

/// The type of a value in a result, with its bounds.
public indirect enum ResultType: Sendable, Hashable {
    /// A whole number.
    case integer(ClosedRange<Int64>, oneOf: [Int64]?)
    /// A number; `decimals` digits after the point are kept.
    case real(minimum: Double?, maximum: Double?, decimals: Int?)
    /// Text of at most `maxLength` Unicode scalars, or one of a list.
    case text(maxLength: Int, oneOf: [String]?)
    /// True or false.
    case boolean
    /// Bytes, in JSON as `{"b64":"…"}`; at most `maxLength` of them.
    case blob(mediaType: String?, maxLength: Int)
    /// A list of at most `maxItems` values.
    case list(ResultType, maxItems: Int)

    /// Which multiples of its last decimal a number can be: the host rounds to them, and keeps within those that lie in its
    /// bounds. Nil where a bound or the decimals are missing, or a Double does not tell all of them apart: then any number.
    var steps: ClosedRange<Int64>? {
        guard case .real(let low?, let high?, let decimals?) = self, Self.areTold(low, high, decimals) else {
            return nil
        }
        return Capacity.steps(from: low, to: high, decimals: decimals)
    }

    /// Whether a Double has a number of its own for each step up to these bounds.
    static func areTold(_ low: Double, _ high: Double, _ decimals: Int) -> Bool {
        max(abs(low), abs(high)) * pow(10, Double(decimals)) < 0x1p52
    }
}
