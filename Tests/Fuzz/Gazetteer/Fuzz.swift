import EscrowLocationPrivacy

/// A gazetteer's bytes as they are; then changes, four bytes each (where: three, what: one), to a small one that is whole:
/// one is 130 kB long at least, most of them zeros. What was accepted is counted and asked.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    ask(input)
    var bytes = base
    var rest = input[...]
    while rest.count >= 4 {
        let change = Array(rest.prefix(4))
        rest = rest.dropFirst(4)
        let offset = Int(change[0]) | Int(change[1]) << 8 | Int(change[2]) << 16
        // From the end as well: the places lie there.
        let index = offset & 0x800000 == 0 ? offset : bytes.count - 1 - (offset & 0x7FFFFF)
        if bytes.indices.contains(index) { bytes[index] = change[3] }
    }
    ask(bytes)
    return 0
}

private func ask(_ bytes: [UInt8]) {
    guard let gazetteer = try? Gazetteer(bytes) else { return }
    let places = gazetteer.places
    precondition(places.count == gazetteer.count)
    for place in places.prefix(4) {
        precondition(gazetteer.regions.indices.contains(place.region))
        let near = gazetteer.nearest(1, to: place.coordinates)
        precondition(near.first?.metres == 0, "a place is not nearest to itself")
        precondition(gazetteer.population(within: 10, of: place.coordinates) >= place.population)
        _ = gazetteer.radius(of: 100, around: place.coordinates)
        _ = gazetteer.area(ofRegion: place.region)
    }
}

/// Two places in two cells, in one region.
private let base: [UInt8] = {
    var cells = [UInt8](repeating: 0, count: 180 * 360 * 2)
    cells[0] = 1
    cells[cells.count - 2] = 1
    return Array("ESCGAZ1\n".utf8) + [2, 0, 0, 0, 1, 0, 0, 0] + Array("XX01".utf8) + [0, 0, 0, 0, 0, 0]
        + cells
        + [0, 0, 0, 0, 200, 0, 0, 0, 0, 0] + [9, 9, 9, 9, 0, 9, 0, 0, 0, 0]
}()
