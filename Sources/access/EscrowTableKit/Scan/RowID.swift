/// The ids of rows: places in a statement's listing.
@usableFromInline package enum RowID {
    /// The number of bits for the place within a file.
    @inlinable package static var placeBits: Int { 44 }

    /// The id of the row that begins at `place` of a file: an offset, or a record's number.
    @inlinable package static func make(file: Int, place: Int64) -> Int64 {
        Int64(file) << Int64(placeBits) | (place & (1 << Int64(placeBits) - 1))
    }

    /// The file of a row, by its position in the listing.
    @inlinable package static func file(of id: Int64) -> Int { Int(id >> Int64(placeBits)) }

    /// The place of a row within its file.
    @inlinable package static func place(of id: Int64) -> Int64 { id & (1 << Int64(placeBits) - 1) }
}
