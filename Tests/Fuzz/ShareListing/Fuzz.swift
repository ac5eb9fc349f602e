import EscrowShareWire

/// What a server says that it has, and the keys that it gives: what is read is read again from what is written of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let listing = try? ShareListing(bytes) {
        precondition((try? ShareListing(listing.bytes)) == listing, "a listing is not read as it was written")
        precondition(listing.entries.allSatisfy { ShareName.isWhole($0.message) }, "a name that is none")
    }
    if let opening = try? Opening(bytes) {
        precondition((try? Opening(opening.bytes)) == opening, "an opening is not read as it was written")
    }
    if let keys = try? AccessKeys(bytes) {
        precondition((try? AccessKeys(keys.bytes)) == keys, "keys are not read as they were written")
    }
    return 0
}
