/// One card as it was read: the unfolded lines of its wanted properties, not yet decoded. Reused from card to card.
package struct VCard {
    /// The three versions; they differ in folding and escapes.
    package enum Version: Sendable { case v21, v30, v40 }

    /// One property.
    package struct Line {
        package var property: VCardProperty
        /// The group before the name (`item1` of `item1.TEL`), in the arena; empty if none.
        package var group: Range<Int>
        /// From the first `;` or the `:` after the name, to the end of the value.
        package var rest: Range<Int>
        /// Where the line begins in the file.
        package var offset: Int64
    }

    /// The bytes of the kept lines.
    package var arena: [UInt8] = []
    /// The kept properties in order.
    package var lines: [Line] = []
    /// The version, as far as the card has said it.
    package var version: Version = .v30
    /// The card's number in its file, from 0; BEGIN lines are counted.
    package var ordinal = 0
    /// The line on which it begins, from 1.
    package var line = 0
    /// Where it begins in the file.
    package var offset: Int64 = 0
    /// Whether the card has a picture.
    package var hasPhoto = false

    package init() {}

    mutating func reset() {
        arena.removeAll(keepingCapacity: arena.capacity <= 1 << 20)
        lines.removeAll(keepingCapacity: lines.capacity <= 4_096)
        version = .v30
        hasPhoto = false
    }

    /// The first line of a property.
    package func first(_ property: VCardProperty) -> Line? {
        // By number: an iterator would keep the list, at the price of a count up and down for each card.
        for index in lines.indices where lines[index].property == property { return lines[index] }
        return nil
    }
}
