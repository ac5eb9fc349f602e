import EscrowJSON
import Glibc

extension ResultSchema.Table {
    /// Sorts by the declared columns and then by all others, in their order: nothing is left of the order in which the
    /// plugin gave the rows. Texts are composed by now, so that none has two places.
    func sort(_ rows: inout [[JSONValue]]) {
        var keys: [(index: Int, descending: Bool)] = []
        for order in orderBy {
            guard let index = columns.firstIndex(where: { $0.name == order.column }) else { continue }
            keys.append((index, order.descending))
        }
        for index in columns.indices where !keys.contains(where: { $0.index == index }) {
            keys.append((index, false))
        }
        rows.sort { left, right in
            for key in keys {
                let order = Self.compare(left[key.index], right[key.index])
                if order != 0 { return key.descending ? order > 0 : order < 0 }
            }
            return false
        }
    }

    /// Null first, then numbers, false before true, texts by their UTF-8 bytes, as SQLite's BINARY does.
    private static func compare(_ left: JSONValue, _ right: JSONValue) -> Int {
        switch (left, right) {
        case (.null, .null): 0
        case (.null, _): -1
        case (_, .null): 1
        case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.real(let a), .real(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.bool(let a), .bool(let b)): a == b ? 0 : a ? 1 : -1
        case (.string(let a), .string(let b)): compare(a.utf8, b.utf8)
        default: compare(JSONWriter.line(left), JSONWriter.line(right))
        }
    }

    private static func compare(
        _ left: some Collection<UInt8>, _ right: some Collection<UInt8>
    ) -> Int {
        let quick = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                guard let a = left.baseAddress, let b = right.baseAddress else {
                    return left.count - right.count
                }
                let order = Int(memcmp(a, b, min(left.count, right.count)))
                return order == 0 ? left.count - right.count : order
            }
        }
        if case .some(.some(let order)) = quick { return order }
        return left.elementsEqual(right) ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}
