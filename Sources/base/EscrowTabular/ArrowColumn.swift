/// How one column of a stream arrives.
struct ArrowColumn {
    /// What its values are; an asset looks like text on the wire.
    let type: ColumnType
    /// Whether it may hold nulls: both by the stream's word and by the required schema's.
    var isNullable: Bool
    /// Set if the batches hold indices into a dictionary of text.
    var dictionary: Index?

    /// The indices of a dictionary-encoded column.
    struct Index {
        let id: Int64
        /// Bytes of an index: 1, 2 or 4.
        let width: Int
        /// Whether an index has a sign.
        let isSigned: Bool
    }

    /// Buffers in a record batch.
    var bufferCount: Int { dictionary == nil ? type.arrowBuffers : 2 }

    /// Reads a `Field` (Schema.fbs) and its name, and refuses what this reader does not carry, by name.
    static func read(
        _ field: FlatBufferTable, position: Int
    ) throws(TabularError) -> (field: Field, column: ArrowColumn) {
        let name = try field.string(0, limit: Schema.maximumNameBytes) ?? ""
        let isNullable = try field.flag(1)
        guard let code = try field.number(2, as: UInt8.self), let parameters = try field.table(3) else {
            throw TabularError(.malformedMessage, column: position)
        }
        let type = try type(code, parameters, position)
        if let children = try field.vector(5, stride: 4), children.count > 0 {
            throw TabularError(.malformedMessage, column: position)
        }
        var column = ArrowColumn(type: type, isNullable: isNullable)
        if let encoding = try field.table(4) {
            column.dictionary = try index(encoding, of: type, position)
        }
        return (Field(name, type: type, nullable: isNullable), column)
    }

    private static func type(
        _ code: UInt8, _ parameters: FlatBufferTable, _ position: Int
    ) throws(TabularError) -> ColumnType {
        func refuse(_ name: StaticString) -> TabularError {
            TabularError(.unsupportedType, column: position, detail: name)
        }
        switch code {
        case ArrowLayout.TypeCode.utf8: return .text
        case ArrowLayout.TypeCode.binary: return .blob
        case ArrowLayout.TypeCode.bool: return .boolean
        case ArrowLayout.TypeCode.int:
            let name = integerName(
                try parameters.number(0, as: Int32.self) ?? 0, signed: try parameters.flag(1))
            guard name.description == "int64" else { throw refuse(name) }
            return .integer
        case ArrowLayout.TypeCode.floatingPoint:
            switch try parameters.number(0, as: Int16.self) ?? 0 {
            case ArrowLayout.double: return .real
            case 0: throw refuse("float16")
            case 1: throw refuse("float32")
            default: throw refuse("a float of unknown precision")
            }
        case ArrowLayout.TypeCode.timestamp:
            guard try parameters.number(0, as: Int16.self) ?? 0 == ArrowLayout.microsecond else {
                throw refuse("timestamp of a unit other than us")
            }
            guard try parameters.string(1, limit: Schema.maximumNameBytes) == ArrowLayout.zone else {
                throw refuse("timestamp of a zone other than UTC")
            }
            return .timestamp
        default: throw refuse(name(of: code))
        }
    }

    /// A `DictionaryEncoding`: plain text behind indices of up to 32 bits.
    private static func index(
        _ encoding: FlatBufferTable, of type: ColumnType, _ position: Int
    ) throws(TabularError) -> Index {
        guard type == .text else {
            throw TabularError(.unsupportedType, column: position, detail: "dictionary of other than utf8")
        }
        guard try encoding.number(3, as: Int16.self) ?? 0 == 0 else {
            throw TabularError(.unsupportedType, column: position, detail: "dictionary of unknown kind")
        }
        // Without an index type the indices are int32 (Schema.fbs, DictionaryEncoding).
        var bits: Int32 = 32
        var isSigned = true
        if let int = try encoding.table(1) {
            bits = try int.number(0, as: Int32.self) ?? 0
            isSigned = try int.flag(1)
        }
        guard bits == 8 || bits == 16 || bits == 32 else {
            throw TabularError(
                .unsupportedType, column: position,
                detail: "dictionary with indices other than 8, 16 or 32 bits")
        }
        return Index(
            id: try encoding.number(0, as: Int64.self) ?? 0, width: Int(bits) / 8, isSigned: isSigned)
    }

    private static func integerName(_ bits: Int32, signed: Bool) -> StaticString {
        switch (bits, signed) {
        case (64, true): "int64"
        case (32, true): "int32"
        case (16, true): "int16"
        case (8, true): "int8"
        case (64, false): "uint64"
        case (32, false): "uint32"
        case (16, false): "uint16"
        case (8, false): "uint8"
        default: "an integer of unknown width"
        }
    }

    /// The names that Arrow gives to the types that are not carried (`Type` in Schema.fbs).
    private static func name(of code: UInt8) -> StaticString {
        let names: [StaticString] = [
            "none", "null", "int", "floating_point", "binary", "utf8", "bool", "decimal", "date", "time",
            "timestamp", "interval", "list", "struct", "union", "fixed_size_binary", "fixed_size_list", "map",
            "duration", "large_binary", "large_utf8", "large_list", "run_end_encoded", "binary_view",
            "utf8_view", "list_view", "large_list_view",
        ]
        return Int(code) < names.count ? names[Int(code)] : "unknown"
    }
}
