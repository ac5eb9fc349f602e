/// Why a value, a batch or an Arrow stream was refused: a stable code, where, and one sentence.
///
/// Neither the sentence nor any field holds a value or a name out of the data: a plugin chooses the names in its
/// stream, and a name can be a person's. Columns are told by position. Errors are equal if their codes are.
public struct TabularError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong, as a name that stays: tests and callers switch on it.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        let name: StaticString
        let sentence: StaticString

        init(_ name: StaticString, _ sentence: StaticString) {
            self.name = name
            self.sentence = sentence
        }

        /// The name, for example `wrong-type`.
        public var description: String { "\(name)" }

        public static func == (left: Code, right: Code) -> Bool { left.description == right.description }
        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }

    public let code: Code
    /// The column it was found in, counted from 0; nil if it concerns no single column.
    public let column: Int?
    /// The row of the batch it was found in, counted from 0; nil if it concerns no single row.
    public let row: Int?
    /// What exactly, where the code alone leaves it open; from a fixed list of words.
    let detail: String?

    init(_ code: Code, column: Int? = nil, row: Int? = nil, detail: StaticString? = nil) {
        self.init(code, column: column, row: row, words: detail.map { "\($0)" })
    }

    private init(_ code: Code, column: Int?, row: Int?, words: String?) {
        self.code = code
        self.column = column
        self.row = row
        detail = words
    }

    /// The same error, found in this column.
    func at(column: Int) -> TabularError {
        TabularError(code, column: column, row: row, words: detail)
    }

    /// One sentence without values: `column 3, row 17: the value is not of the column's type`.
    public var description: String {
        var place = ""
        if let column { place = "column \(column)" }
        if let row { place += place.isEmpty ? "row \(row)" : ", row \(row)" }
        let words = detail.map { "\(code.sentence): \($0)" } ?? "\(code.sentence)"
        return place.isEmpty ? words : "\(place): \(words)"
    }

    public static func == (left: TabularError, right: TabularError) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension TabularError.Code {
    /// A schema without columns, or with more than ``Schema/maximumColumns``.
    public static var columnCount: Self {
        Self("column-count", "a schema has 1 to 200 columns")
    }
    /// Two columns of one schema bear the same name.
    public static var duplicateName: Self {
        Self("duplicate-name", "two columns have the same name")
    }
    /// A name of more than ``Schema/maximumNameBytes``.
    public static var nameTooLong: Self {
        Self("name-too-long", "a name has at most 1024 bytes of UTF-8")
    }
    /// A value of another type than the column's.
    public static var wrongType: Self {
        Self("wrong-type", "the value is not of the column's type")
    }
    /// Null in a column that is not nullable.
    public static var unexpectedNull: Self {
        Self("unexpected-null", "the column holds no nulls, but this value is null")
    }
    /// An integer other than 0 and 1 in a boolean column.
    public static var notBoolean: Self {
        Self("not-boolean", "a boolean is 0 or 1")
    }
    /// Text that is no moment, or a moment outside the years 0000 to 9999.
    public static var notTimestamp: Self {
        Self("not-timestamp", "the value is not a moment in the years 0000 to 9999")
    }
    /// Text that is not UTF-8.
    public static var notUTF8: Self {
        Self("not-utf8", "the text is not valid UTF-8")
    }
    /// The batch would grow beyond its limit of bytes.
    public static var batchTooLarge: Self {
        Self("batch-too-large", "the batch would grow beyond its limit of bytes")
    }
    /// A second value for one column of one row.
    public static var valueTwice: Self {
        Self("value-twice", "the row already has a value in this column")
    }
    /// A batch or stream with other columns than required.
    public static var schemaMismatch: Self {
        Self("schema-mismatch", "the columns are not those that are required here")
    }
    /// Bytes or a batch after the end of the stream.
    public static var afterEnd: Self {
        Self("after-end", "something follows the end of the stream")
    }
    /// Bytes that are no Arrow message: framing, or a FlatBuffers table that points outside its buffer.
    public static var malformedMessage: Self {
        Self("malformed-message", "the bytes are not a well-formed Arrow message")
    }
    /// A message whose metadata or body is announced larger than the limit.
    public static var messageTooLarge: Self {
        Self("message-too-large", "a message is larger than the limit")
    }
    /// No schema at the start, or a second one.
    public static var messageOrder: Self {
        Self("message-order", "a stream is one schema, then batches, then the end marker")
    }
    /// A feature of the format that is not carried.
    public static var unsupportedFormat: Self {
        Self("unsupported-format", "the stream uses what is not carried here")
    }
    /// A type that is not carried.
    public static var unsupportedType: Self {
        Self(
            "unsupported-type",
            "the type is none of int64, float64, bool, utf8, binary, timestamp[us, UTC]")
    }
    /// Nodes or buffers that do not fit the columns, the rows or the body.
    public static var malformedBatch: Self {
        Self("malformed-batch", "the batch's buffers do not fit its columns, its rows or its body")
    }
    /// A null count that is not the bitmap's.
    public static var wrongNullCount: Self {
        Self("wrong-null-count", "the null count is not that of the validity bitmap")
    }
    /// Offsets that fall, or point outside the data.
    public static var badOffsets: Self {
        Self("bad-offsets", "the offsets fall or point outside the data")
    }
    /// An index without a value in its dictionary.
    public static var badIndex: Self {
        Self("bad-index", "an index points outside its dictionary")
    }
    /// A batch before the dictionary that it uses.
    public static var noDictionary: Self {
        Self("no-dictionary", "the column's dictionary has not been sent")
    }
    /// More messages, rows or bytes than the limits allow.
    public static var streamTooLarge: Self {
        Self("stream-too-large", "the stream is larger than the limit")
    }
    /// A stream without its end marker.
    public static var truncated: Self {
        Self("truncated", "the stream ends before its end marker")
    }
}
