package import EscrowSchema

/// An order of files by columns that the listing knows.
package enum ListedOrder {
    /// Some of `count` listed files in an order; equals stay as they are given, null comes first.
    package static func sorted(
        _ files: [Int], of count: Int, by terms: [OrderTerm], value: (_ column: Int, _ file: Int) -> FreeValue
    ) -> [Int] {
        var order = files
        // Stable sorts by each term, the last first, give the order by all of them.
        for term in terms.reversed() {
            let keys = (0..<count).map { value(term.column, $0) }
            order.sort { left, right in
                term.descending ? precedes(keys[right], keys[left]) : precedes(keys[left], keys[right])
            }
        }
        return order
    }

    private static func precedes(_ left: FreeValue, _ right: FreeValue) -> Bool {
        switch (left, right) {
        case (.null, .integer), (.null, .text): true
        case (.integer(let a), .integer(let b)): a < b
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        default: false
        }
    }
}
