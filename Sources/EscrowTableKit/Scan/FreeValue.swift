/// A value that the listing knows.
package enum FreeValue {
    case integer(Int64)
    case text(ArraySlice<UInt8>)
    case null
}
