/// The numbers of Arrow's IPC format that both sides need (Arrow columnar format 1.5; `Schema.fbs`, `Message.fbs`).
enum ArrowLayout {
    /// Stands before every message's metadata size, and before the zero size of the end marker.
    static let continuation: UInt32 = 0xFFFF_FFFF
    /// `MetadataVersion.V5`.
    static let version: Int16 = 4

    /// `MessageHeader`: what a message is.
    enum Header {
        static let schema: UInt8 = 1
        static let dictionary: UInt8 = 2
        static let batch: UInt8 = 3
    }

    /// `Type`: what a field holds.
    enum TypeCode {
        static let int: UInt8 = 2
        static let floatingPoint: UInt8 = 3
        static let binary: UInt8 = 4
        static let utf8: UInt8 = 5
        static let bool: UInt8 = 6
        static let timestamp: UInt8 = 10
    }

    /// `Precision.DOUBLE`.
    static let double: Int16 = 2
    /// `TimeUnit.MICROSECOND`.
    static let microsecond: Int16 = 2
    /// The one time zone of moments.
    static let zone = "UTC"

    /// The next multiple of 8.
    static func padded(_ count: Int) -> Int { (count + 7) & ~7 }
}

extension ColumnType {
    /// The type's code in a `Field`.
    var arrowCode: UInt8 {
        switch self {
        case .integer: ArrowLayout.TypeCode.int
        case .real: ArrowLayout.TypeCode.floatingPoint
        case .text, .asset: ArrowLayout.TypeCode.utf8
        case .blob: ArrowLayout.TypeCode.binary
        case .boolean: ArrowLayout.TypeCode.bool
        case .timestamp: ArrowLayout.TypeCode.timestamp
        }
    }

    /// Buffers of a column in a record batch: validity, then values, or offsets and data.
    var arrowBuffers: Int { hasOffsets ? 3 : 2 }
}
